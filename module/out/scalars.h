/* SPDX-License-Identifier: GPL-2.0 */
/* The scalars of an image: sources, settings, and the numbers of each profile. */
#ifndef KMPROF_SCALARS_H
#define KMPROF_SCALARS_H

#include <linux/types.h>

#include "core/setting.h"
#include "core/stats.h"

struct kmprof_image_scalar;
struct kmprof_strings;

/**
 * struct kmprof_numbers - the numbers of an image besides its rows
 * @stats: all that is counted, with the events that the probes have missed
 * @settings: values of the settings, by id
 * @texts: texts of those settings that are texts, in the order of ids
 */
struct kmprof_numbers {
	struct kmprof_stats stats;
	u64 settings[KMPROF_SETTINGS_MAX];
	char texts[KMPROF_TEXTS_MAX][KMPROF_TEXT_LEN];
};

u32 kmprof_scalars_write(const struct kmprof_numbers *numbers, struct kmprof_image_scalar *to,
			 struct kmprof_strings *strings);

#endif
