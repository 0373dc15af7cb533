/* SPDX-License-Identifier: GPL-2.0 */
/* The profiles of delays, for cases that hold for both. */
#ifndef KMPROF_KUNIT_DELAY_PARAM_H
#define KMPROF_KUNIT_DELAY_PARAM_H

#include <kunit/test.h>
#include <uapi/linux/kmprof.h>

static const u32 delay_profiles[] = { KMPROF_PROFILE_BLOCK, KMPROF_PROFILE_MUTEX };

static void delay_profile_describe(const u32 *profile, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s",
		 *profile == KMPROF_PROFILE_BLOCK ? "block" : "mutex");
}

KUNIT_ARRAY_PARAM(delay_profile, delay_profiles, delay_profile_describe);

static inline u32 delay_profile(const struct kunit *test)
{
	return *(const u32 *)test->param_value;
}

#endif
