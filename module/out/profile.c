// SPDX-License-Identifier: GPL-2.0
/* What profiles there are. */
#include <linux/kernel.h>

#include "out/profile.h"

static const struct kmprof_profile kmprof_profile_block = {
	.name	= "block",
	.id	= KMPROF_PROFILE_BLOCK,
};

static const struct kmprof_profile kmprof_profile_mutex = {
	.name	= "mutex",
	.id	= KMPROF_PROFILE_MUTEX,
};

static const struct kmprof_profile * const profiles[] = {
	&kmprof_profile_heap,
	&kmprof_profile_allocs,
	&kmprof_profile_block,
	&kmprof_profile_mutex,
};

/**
 * kmprof_profile_get() - the profiles one after the other
 * @index: from 0 on
 *
 * Return: a profile, NULL after the last one.
 */
const struct kmprof_profile *kmprof_profile_get(unsigned int index)
{
	return index < ARRAY_SIZE(profiles) ? profiles[index] : NULL;
}

/**
 * kmprof_profile_find() - a profile by its number
 * @id: enum kmprof_profile_id
 *
 * Return: the profile or NULL.
 */
const struct kmprof_profile *kmprof_profile_find(u32 id)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(profiles); i++)
		if (profiles[i]->id == id)
			return profiles[i];
	return NULL;
}

/**
 * kmprof_profile_mask() - all profiles, as 1 << id
 */
u64 kmprof_profile_mask(void)
{
	unsigned int i;
	u64 mask = 0;

	for (i = 0; i < ARRAY_SIZE(profiles); i++)
		mask |= 1ULL << profiles[i]->id;
	return mask;
}
