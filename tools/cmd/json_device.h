/* SPDX-License-Identifier: GPL-2.0 */
/* The device's state and settings as JSON. The image's JSON is in export/json.h. */
#ifndef KMPROF_CMD_JSON_DEVICE_H
#define KMPROF_CMD_JSON_DEVICE_H

#include <jansson.h>
#include <stdbool.h>
#include <string.h>

#include "device/config.h"

/**
 * struct device_profiles - the profiles that the device lists
 * @profile: array
 * @nr: how many
 */
struct device_profiles {
	struct kmprof_profile_info *profile;
	size_t nr;
};

/* Is it a table of its own, and not another order of one? */
static inline bool is_table(const struct kmprof_profile_info *profile)
{
	return !strcmp(profile->name, profile->table);
}

/* Each returns a new reference, or NULL when out of memory. */
json_t *json_info(const struct kmprof_info *info, const struct device_profiles *profiles,
		  const struct kmprof_settings *settings);
/* All settings: a number each, or an array of names. */
json_t *json_settings(const struct kmprof_settings *settings);

#endif
