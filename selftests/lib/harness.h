/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kselftest harness with what all of our tests want of it: both sources,
 * and a time limit that suits an emulated machine.
 */
#ifndef HARNESS_H
#define HARNESS_H

#include <kselftest_harness.h>

#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/order.h"
#include "lib/symbols.h"

#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT 180

/*
 * Leaves, of two variants that are the sources, only the one that KMPROF_TEST_SOURCE names, if it
 * names one.
 */
static inline void harness_select_source(void)
{
	const char *source = getenv("KMPROF_TEST_SOURCE");
	struct __fixture_metadata *fixture;

	for (fixture = __fixture_list; source && *source && fixture; fixture = fixture->next) {
		struct __fixture_variant_metadata *variant = fixture->variant;

		while (variant && strcmp(variant->name, source))
			variant = variant->next;
		if (!variant || !fixture->variant->next)
			continue;
		fixture->variant = variant;
		variant->next = NULL;
		fprintf(stderr, "# left to a run that is not quick: %s with other than %s\n",
			fixture->name, source);
	}
}

/*
 * Whether a test that takes long is left out with this source: a run with hardly any effort has it
 * with one of them only.
 */
static inline int harness_leaves_source(const char *source)
{
	const char *only = getenv("KMPROF_TEST_SOURCE");

	return strcmp(source, only && *only ? only : "kprobe") &&
	       guest_is_quick("with one of the sources only");
}

/*
 * Leaves only the tests that KMPROF_TEST_ONLY names, "test" or "variant.test".
 * Returns how many that are. The harness of this kernel has no such choice.
 */
static inline unsigned int harness_select(void)
{
	const char *only = getenv("KMPROF_TEST_ONLY");
	const char *dot = only ? strchr(only, '.') : NULL;
	const char *name = dot ? dot + 1 : only;
	struct __fixture_metadata *fixture;
	unsigned int count = 0;

	for (fixture = __fixture_list; fixture; fixture = fixture->next) {
		struct __fixture_variant_metadata *variant = fixture->variant;
		struct __test_metadata *test = fixture->tests, *next;

		for (fixture->tests = NULL; test; test = next) {
			next = test->next;
			if (only && strcmp(test->name, name))
				continue;
			test->next = NULL;
			if (fixture->tests) {
				test->prev = fixture->tests->prev;
				test->prev->next = test;
			} else {
				fixture->tests = test;
			}
			fixture->tests->prev = test;
			count++;
		}
		for (; dot && variant; variant = variant->next) {
			if (strncmp(variant->name, only, dot - only) ||
			    variant->name[dot - only])
				continue;
			variant->next = NULL;
			fixture->variant = variant;
		}
	}
	return count;
}

/* Gives tests the time that they need on a slow kernel. */
static inline void harness_stretch(void)
{
	const char *slow = getenv("KMPROF_TEST_SLOW");
	unsigned int factor = slow ? strtoul(slow, NULL, 10) : 1;
	struct __fixture_metadata *fixture;

	for (fixture = __fixture_list; fixture; fixture = fixture->next) {
		struct __test_metadata *test;

		for (test = fixture->tests; test; test = test->next)
			test->timeout *= factor ? factor : 1;
	}
}

/*
 * Unloads what the last test has left, at the end of the program: that of its main
 * process only, since the tests end with _exit(). It fails if that does.
 */
static inline void harness_end(void)
{
	fflush(stdout);
	if (guest_unload())
		_exit(KSFT_FAIL);
}

#undef TEST_HARNESS_MAIN
#define TEST_HARNESS_MAIN						\
	static void __attribute__((constructor))			\
	__constructor_order_last(void)					\
	{								\
		if (!__constructor_order)				\
			__constructor_order = _CONSTRUCTOR_ORDER_BACKWARD; \
	}								\
	int main(int argc, char **argv)					\
	{								\
		if (!harness_select()) {				\
			fprintf(stderr, "%s: no test %s\n", argv[0],	\
				getenv("KMPROF_TEST_ONLY"));		\
			return 2;					\
		}							\
		harness_select_source();				\
		harness_stretch();					\
		if (atexit(harness_end))				\
			return KSFT_FAIL;				\
		return test_harness_run(argc, argv);			\
	}

/* Declares that every test of a fixture runs once with each source. */
#define GUEST_SOURCE_VARIANTS(fixture)					\
	FIXTURE_VARIANT(fixture) { const char *source; };		\
	FIXTURE_VARIANT_ADD(fixture, kprobe) { .source = "kprobe" };	\
	FIXTURE_VARIANT_ADD(fixture, tracepoint) { .source = "tracepoint" }

/*
 * Declares a fixture whose tests find kmprof loaded with these parameters, a store of the test
 * module, and symbols. Every test runs once with each source.
 */
#define STORE_FIXTURE(fixture, params)					\
	STORE_DATA(fixture);						\
	GUEST_SOURCE_VARIANTS(fixture);					\
	STORE_SETUP(fixture, variant->source, params)

/* The same, with one source. */
#define STORE_FIXTURE_OF(fixture, source_name, params)			\
	STORE_DATA(fixture);						\
	STORE_SETUP(fixture, source_name, params)

#define STORE_DATA(fixture)						\
	FIXTURE(fixture) {						\
		int dev;						\
		int store;						\
		struct symbols symbols;					\
	}

#define STORE_SETUP(fixture, source_name, params)			\
	FIXTURE_SETUP(fixture)						\
	{								\
		ASSERT_EQ(0, guest_load(source_name, params));		\
		self->dev = guest_open();				\
		ASSERT_LE(0, self->dev);				\
		self->store = order_open();				\
		ASSERT_LE(0, self->store);				\
		ASSERT_EQ(0, symbols_load(&self->symbols));		\
	}								\
	FIXTURE_TEARDOWN(fixture)					\
	{								\
		symbols_free(&self->symbols);				\
		close(self->store);					\
		close(self->dev);					\
		EXPECT_EQ(0, guest_leave(_metadata->passed));		\
	}

/* Declares a fixture whose tests find a struct watch, with these parameters. */
#define WATCH_FIXTURE(fixture, params)					\
	FIXTURE(fixture) { struct watch watch; };			\
	WATCH_SETUP(fixture, "tracepoint", params)

/* The same; every test runs once with each source of waits. */
#define WATCH_FIXTURE_BY_SOURCE(fixture, params)			\
	FIXTURE(fixture) { struct watch watch; };			\
	GUEST_SOURCE_VARIANTS(fixture);					\
	WATCH_SETUP(fixture, variant->source, params)

/* What a child exits with that the harness takes for one with a test skipped. */
enum { HARNESS_SKIPPED = 255 };

/* A skip in a setup would run the test all the same: the child ends there. */
#define WATCH_SETUP(fixture, source_name, params)			\
	FIXTURE_SETUP(fixture)						\
	{								\
		if (!watch_can(source_name))				\
			SKIP(_exit(HARNESS_SKIPPED),			\
			     "no slow paths show who waits");		\
		ASSERT_EQ(0, watch_begin(&self->watch, source_name, params)); \
	}								\
	FIXTURE_TEARDOWN(fixture)					\
	{								\
		EXPECT_EQ(0, watch_end(&self->watch, _metadata->passed));			\
	}

/* Expects an image to keep the promises that hold for every image. */
#define EXPECT_IMAGE(snapshot) do {					\
	const char *__what = snapshot_wrong(snapshot);			\
									\
	EXPECT_EQ(NULL, __what)						\
		TH_LOG("%s", __what);					\
} while (0)

/* Expects a scalar to have the same value in two images. */
#define EXPECT_SAME_SCALAR(one, other, name)				\
	EXPECT_EQ(snapshot_scalar(one, name), snapshot_scalar(other, name))

/* Of so many waits, a host that is not busy does not disturb the half. */
enum { HARNESS_MANY = 20 };

/* Expects a snapshot to show each of them once. */
#define EXPECT_SHOWN(waits, snapshot, symbols) do {			\
	const char *__what = waits_wrong(waits, snapshot, symbols);	\
									\
	EXPECT_EQ(NULL, __what)						\
		TH_LOG("%s", __what);					\
} while (0)

/* ... and as long as it was. */
#define EXPECT_WAITS(waits, snapshot, symbols) do {			\
	unsigned int __off = waits_off(waits, snapshot, symbols);	\
									\
	EXPECT_SHOWN(waits, snapshot, symbols);				\
	TH_LOG("%u of %u are not shown as long as the test module's clock had them", \
	       __off, (waits)->count);					\
	if ((waits)->count >= HARNESS_MANY &&				\
	    !guest_is_quick("that most waits are as long as the test module has them")) \
		EXPECT_GE((waits)->count / 2, __off);			\
} while (0)

#endif /* HARNESS_H */
