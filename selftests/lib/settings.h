/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a setting has to look like: to the device, and as a parameter of the module.
 */
#ifndef SETTINGS_H
#define SETTINGS_H

#include "lib/harness.h"
#include "lib/kmprof_guest.h"

/* Whether the probes of a setting are armed. */
static inline int is_attached(struct __test_metadata *_metadata, int dev, uint32_t id)
{
	struct kmprof_setting_value setting = { .id = id };

	EXPECT_EQ(0, guest_get_setting(dev, id, &setting));
	EXPECT_NE(0, setting.flags & KMPROF_SETTING_HAS_PROBES);
	return !!(setting.flags & KMPROF_SETTING_ATTACHED);
}

/* The value of a setting. */
static inline uint64_t value_of_setting(struct __test_metadata *_metadata, int dev, uint32_t id)
{
	struct kmprof_setting_value setting = { .id = id };

	EXPECT_EQ(0, guest_get_setting(dev, id, &setting));
	return setting.value;
}

/* A rate: device and parameter agree on it, and its probes are armed unless it is 0. */
static inline void expect_rate(struct __test_metadata *_metadata, int dev, uint32_t id,
			       const char *name, uint64_t rate)
{
	struct kmprof_setting_value setting;
	char text[64], expected[64];

	ASSERT_EQ(0, guest_get_setting(dev, id, &setting));
	EXPECT_EQ(rate, setting.value);
	EXPECT_EQ(KMPROF_SETTING_HAS_PROBES | (rate ? KMPROF_SETTING_ATTACHED : 0),
		  setting.flags);
	EXPECT_STREQ(name, setting.name);
	ASSERT_EQ(0, guest_param(name, text, sizeof(text)));
	snprintf(expected, sizeof(expected), "%llu", (unsigned long long)rate);
	EXPECT_STREQ(expected, text);
}

#endif /* SETTINGS_H */
