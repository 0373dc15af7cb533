/* SPDX-License-Identifier: GPL-2.0 */
/* The text of a setting whose value is a bit mask: names with commas between them, or none. */
#ifndef KMPROF_MASK_TEXT_H
#define KMPROF_MASK_TEXT_H

#include <linux/types.h>

#include "core/setting.h"

int kmprof_mask_parse(const char * const names[], unsigned int nr, const char *text, u64 *mask);
void kmprof_mask_format(const char * const names[], unsigned int nr,
			char text[KMPROF_SETTING_TEXT_LEN], u64 mask);

#endif
