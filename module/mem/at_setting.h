/* SPDX-License-Identifier: GPL-2.0 */
/* The setting heap_at: see mem/marks.c. */
#ifndef KMPROF_AT_SETTING_H
#define KMPROF_AT_SETTING_H

#include "core/setting.h"

extern struct kmprof_setting kmprof_at_setting;

#endif
