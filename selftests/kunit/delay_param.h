/* SPDX-License-Identifier: GPL-2.0 */
/* The profiles of delays, for cases that hold for both. */
#ifndef KMPROF_KUNIT_DELAY_PARAM_H
#define KMPROF_KUNIT_DELAY_PARAM_H

#include <kunit/test.h>

#include "lock/lock_profile.h"

static struct kmprof_lock_profile * const delay_profiles[] = {
	&kmprof_block_profile, &kmprof_mutex_profile,
};

static void delay_profile_describe(struct kmprof_lock_profile *const *profile, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s", (*profile)->profile.name);
}

KUNIT_ARRAY_PARAM(delay_profile, delay_profiles, delay_profile_describe);

static inline struct kmprof_lock_profile *delay_profile(const struct kunit *test)
{
	return *(struct kmprof_lock_profile *const *)test->param_value;
}

#endif
