// SPDX-License-Identifier: GPL-2.0
/*
 * The filter: which texts are one, what passes it in which context, and that a text that is
 * refused changes nothing.
 */
#include "core/conditions.c"
#include "core/task_filter.c"
#include "mem/filter_parse.c"
#include "mem/filter.c"

#include <kunit/test.h>

#include "events.h"
#include "rig.h"

static const struct kmprof_setting_ops filter_ops = { .set_text = kmprof_filter_set };
static const struct kmprof_setting filter_setting = { .ops = &filter_ops };

#define SITE_OF_MODULE	event_site(7)

/* Modules are followed where there are some: selftests/robust/gone.c. Here is one, of one site. */
static bool is_module[KMPROF_FILTER_MODULES];

void kmprof_filter_module_follow(unsigned int index, const char *name)
{
	is_module[index] = !strcmp(name, "a_module");
}

bool kmprof_filter_module_has(unsigned int index, unsigned long addr)
{
	return is_module[index] && addr == SITE_OF_MODULE;
}

static char comm_before[KMPROF_COMM_LEN];

static int filter_test_init(struct kunit *test)
{
	memcpy(comm_before, current->comm, sizeof(comm_before));
	return rig_create(test, &rig_narrow_limits) ?: rig_pin() ?: kmprof_filter_set(0, NULL);
}

static void filter_test_exit(struct kunit *test)
{
	kmprof_filter_set(0, NULL);
	memcpy(current->comm, comm_before, sizeof(comm_before));
}

/* As the text of a parameter is set. */
static int set(const char *text)
{
	u64 value;
	int err = kmprof_setting_parse(&filter_setting, text, &value);

	return err ?: kmprof_filter_set(value, text);
}

static bool wants(size_t bytes)
{
	bool does;

	preempt_disable();
	does = kmprof_filter_wants_call(bytes, 1);
	preempt_enable();
	return does;
}

static bool wants_in_interrupt(size_t bytes, unsigned int offset)
{
	bool does;

	event_interrupt_begin(offset);
	does = kmprof_filter_wants_call(bytes, 1);
	event_interrupt_end(offset);
	return does;
}

static void expect_text(struct kunit *test, const char *want)
{
	char text[KMPROF_TEXT_LEN];

	kmprof_filter_text(text);
	KUNIT_EXPECT_STREQ(test, want, text);
}

static void be_called(const char *name)
{
	strscpy_pad(current->comm, name, sizeof(current->comm));
}

static void filter_sizes(struct kunit *test)
{
	static const struct {
		const char *text;
		size_t least;
		size_t most;
	} sizes[] = {
		{ "size=64", 64, 64 },
		{ "size=64-128", 64, 128 },
		{ "size=4K-", 4096, SIZE_MAX },
		{ "size=-1M", 0, 1 << 20 },
		{ "size=010-1k", 10, 1024 },
		{ "size=16G-", 16ULL << 30, SIZE_MAX },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		KUNIT_ASSERT_EQ(test, 0, set(sizes[i].text));
		expect_text(test, sizes[i].text);
		KUNIT_EXPECT_TRUE(test, wants(sizes[i].least));
		KUNIT_EXPECT_TRUE(test, wants(sizes[i].most));
		if (sizes[i].least)
			KUNIT_EXPECT_FALSE(test, wants(sizes[i].least - 1));
		if (sizes[i].most != SIZE_MAX)
			KUNIT_EXPECT_FALSE(test, wants(sizes[i].most + 1));
	}
}

static void filter_refuses(struct kunit *test)
{
	static const char *const bad[] = {
		"size", "size=", "size=x", "size=128-64", "size=1-2-3", "size=-x", "size=1Q",
		"size=-", "size= 1", "size=0x10", "size=16E-", "size=-16P", "size=K",
		"size=99999999999999999999", "size=17179869184G", "size=+1",
		"pid=", "pid=0", "pid=-1", "pid=1x", "pid=99999999999", "pid=+1",
		"comm=", "comm=a234567890123456", "comm=a b", "comm=\303\244",
		"cgroup=", "cgroup=x", "cgroup=+1", "cgroup=/no/such/cgroup",
		"kind=", "kind=movable", "kind=Slab", "kind=slab page", "kind=0",
		"gfp=", "gfp=kernel", "gfp=3", "cache=",
		"cache=a2345678901234567890123456789012",
		"module=", "module=a b", "color=blue", "PID=1", "=1", ",", "pid=1,",
		",pid=1", "pid=1,pid=1", "pid=1,,size=1", "none,pid=1", "size=1 ,pid=1",
	};
	char too_long[KMPROF_TEXT_LEN + 1];
	unsigned int i;

	KUNIT_ASSERT_EQ(test, 0, set("size=64"));
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		KUNIT_EXPECT_EQ_MSG(test, -EINVAL, set(bad[i]), "%s", bad[i]);
		expect_text(test, "size=64");
		KUNIT_EXPECT_FALSE(test, wants(65));
	}
	memset(too_long, '1', sizeof(too_long) - 1);
	memcpy(too_long, "pid=", 4);
	too_long[KMPROF_TEXT_LEN] = '\0';
	KUNIT_EXPECT_EQ(test, -EINVAL, set(too_long));
	expect_text(test, "size=64");
}

/* Nothing is a filter, too, and blanks around it do not matter. */
static void filter_nothing(struct kunit *test)
{
	static const char *const nothing[] = { "", "none", "\n", " none\n" };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(nothing); i++) {
		KUNIT_ASSERT_EQ(test, 0, set("size=64\n"));
		expect_text(test, "size=64");
		KUNIT_EXPECT_EQ(test, kmprof_filter_stages, KMPROF_FILTER_CALL);
		KUNIT_ASSERT_EQ(test, 0, set(nothing[i]));
		expect_text(test, "none");
		KUNIT_EXPECT_EQ(test, kmprof_filter_stages, 0);
		KUNIT_EXPECT_TRUE(test, wants(65));
	}
}

static void filter_pid(struct kunit *test)
{
	const pid_t tgid = current->tgid;
	char text[32];

	snprintf(text, sizeof(text), "pid=%d", task_pid_nr(current));
	KUNIT_ASSERT_EQ(test, 0, set(text));
	KUNIT_EXPECT_TRUE(test, wants(1));
	/* As a thread of another process, and as its process. */
	current->tgid = tgid + 1;
	KUNIT_EXPECT_TRUE(test, wants(1));
	snprintf(text, sizeof(text), "pid=%d", tgid + 1);
	KUNIT_EXPECT_EQ(test, 0, set(text));
	KUNIT_EXPECT_TRUE(test, wants(1));
	current->tgid = tgid;
	KUNIT_EXPECT_FALSE(test, wants(1));

	snprintf(text, sizeof(text), "pid=%d", task_pid_nr(current));
	KUNIT_ASSERT_EQ(test, 0, set(text));
	KUNIT_EXPECT_FALSE(test, wants_in_interrupt(1, SOFTIRQ_OFFSET));
	KUNIT_EXPECT_FALSE(test, wants_in_interrupt(1, HARDIRQ_OFFSET));
}

static void filter_comm(struct kunit *test)
{
	static const char longest[] = "a23456789012345";

	KUNIT_ASSERT_EQ(test, 0, set("comm=filter"));
	be_called("filter");
	KUNIT_EXPECT_TRUE(test, wants(1));
	be_called("filte");
	KUNIT_EXPECT_FALSE(test, wants(1));
	be_called("filters");
	KUNIT_EXPECT_FALSE(test, wants(1));

	KUNIT_ASSERT_EQ(test, 0, set("comm=a23456789012345"));
	be_called(longest);
	KUNIT_EXPECT_TRUE(test, wants(1));
	KUNIT_EXPECT_FALSE(test, wants_in_interrupt(1, SOFTIRQ_OFFSET));

	KUNIT_ASSERT_EQ(test, 0, set("comm=a??d"));
	be_called("a, d");
	KUNIT_EXPECT_TRUE(test, wants(1));
	be_called("a,d");
	KUNIT_EXPECT_FALSE(test, wants(1));
	be_called("a, e");
	KUNIT_EXPECT_FALSE(test, wants(1));
	/* Nothing is no character. */
	KUNIT_ASSERT_EQ(test, 0, set("comm=a?"));
	be_called("a");
	KUNIT_EXPECT_FALSE(test, wants(1));

	KUNIT_ASSERT_EQ(test, 0, set("comm=[softirq]"));
	KUNIT_EXPECT_FALSE(test, wants(1));
	KUNIT_EXPECT_TRUE(test, wants_in_interrupt(1, SOFTIRQ_OFFSET));
	KUNIT_EXPECT_FALSE(test, wants_in_interrupt(1, HARDIRQ_OFFSET));
	KUNIT_ASSERT_EQ(test, 0, set("comm=[hardirq]"));
	KUNIT_EXPECT_TRUE(test, wants_in_interrupt(1, HARDIRQ_OFFSET));
}

/* All conditions have to hold. What does not pass is counted. */
static void filter_all(struct kunit *test)
{
	char text[64];

	snprintf(text, sizeof(text), "size=8-16,comm=filter,pid=%d", task_pid_nr(current));
	KUNIT_ASSERT_EQ(test, 0, set(text));
	expect_text(test, text);
	be_called("filter");
	KUNIT_EXPECT_TRUE(test, wants(8));
	KUNIT_EXPECT_EQ(test, 0, rig_counter(KMPROF_FILTERED));
	KUNIT_EXPECT_FALSE(test, wants(17));
	KUNIT_EXPECT_FALSE(test, wants_in_interrupt(16, HARDIRQ_OFFSET));
	be_called("another");
	KUNIT_EXPECT_FALSE(test, wants(9));
	KUNIT_EXPECT_EQ(test, 3, rig_counter(KMPROF_FILTERED));
	KUNIT_EXPECT_EQ(test, 17 + 16 + 9, rig_counter(KMPROF_FILTERED_BYTES));

	preempt_disable();
	KUNIT_EXPECT_FALSE(test, kmprof_filter_wants_call(64, 8));
	preempt_enable();
	KUNIT_EXPECT_EQ(test, 11, rig_counter(KMPROF_FILTERED));
}

static bool wants_object(const void *ptr, enum kmprof_kind_id kind, enum kmprof_gfp_class class)
{
	bool does;

	preempt_disable();
	does = kmprof_filter_wants_object(ptr, kind, class, 64, 1);
	preempt_enable();
	return does;
}

/* Kind, class and cache, asked when the object is there. The cache of object 1 shrinks. */
static void filter_objects(struct kunit *test)
{
	static const struct {
		unsigned int object;
		enum kmprof_kind_id kind;
		enum kmprof_gfp_class class;
	} objects[] = {
		{ 0, KMPROF_KIND_SLAB, KMPROF_GFP_UNMOVABLE },
		{ 1, KMPROF_KIND_SLAB, KMPROF_GFP_UNMOVABLE },
		{ 0, KMPROF_KIND_PAGE, KMPROF_GFP_UNMOVABLE },
		{ 0, KMPROF_KIND_PAGE, KMPROF_GFP_RECLAIMABLE },
		{ 0, KMPROF_KIND_PAGE, KMPROF_GFP_MOVABLE },
	};
	static const struct {
		const char *text;
		bool wants[ARRAY_SIZE(objects)];
	} filters[] = {
		{ "kind=slab", { true, true, false, false, false } },
		{ "kind=page", { false, false, true, true, true } },
		{ "kind=percpu", { false, false, false, false, false } },
		{ "gfp=unmovable", { true, false, true, false, false } },
		{ "gfp=reclaimable", { false, true, false, true, false } },
		{ "gfp=movable", { false, false, false, false, true } },
		{ "kind=page,gfp=reclaimable", { false, false, false, true, false } },
		{ "cache=small", { true, false, false, false, false } },
		{ "cache=" EVENT_CACHE, { false, true, false, false, false } },
		{ "cache=smal", { false, false, false, false, false } },
		{ "gfp=reclaimable,cache=small", { false, false, false, false, false } },
	};
	unsigned int i, k, left_out = 0;

	for (i = 0; i < ARRAY_SIZE(filters); i++) {
		KUNIT_ASSERT_EQ(test, 0, set(filters[i].text));
		expect_text(test, filters[i].text);
		KUNIT_EXPECT_TRUE(test, wants(64));
		for (k = 0; k < ARRAY_SIZE(objects); k++) {
			KUNIT_EXPECT_EQ_MSG(test, filters[i].wants[k],
					    wants_object(rig_object(objects[k].object),
							 objects[k].kind, objects[k].class),
					    "%s, object %u", filters[i].text, k);
			left_out += !filters[i].wants[k];
		}
		KUNIT_EXPECT_EQ(test, left_out, rig_counter(KMPROF_FILTERED));
		KUNIT_EXPECT_EQ(test, 64 * left_out, rig_counter(KMPROF_FILTERED_BYTES));
	}
}

static bool wants_site(unsigned long site)
{
	bool does;

	preempt_disable();
	does = kmprof_filter_wants_site(site, 64, 1);
	preempt_enable();
	return does;
}

/* Each filter has a module of its own; the name is as the kernel has it. */
static void filter_module(struct kunit *test)
{
	/* As the file is called. */
	KUNIT_ASSERT_EQ(test, 0, set("module=a-module"));
	expect_text(test, "module=a-module");
	KUNIT_EXPECT_EQ(test, kmprof_filter_stages, KMPROF_FILTER_SITE);
	KUNIT_EXPECT_TRUE(test, wants(64));
	KUNIT_EXPECT_TRUE(test, wants_site(SITE_OF_MODULE));
	KUNIT_EXPECT_FALSE(test, wants_site(event_site(1)));
	KUNIT_EXPECT_EQ(test, 1, rig_counter(KMPROF_FILTERED));
	KUNIT_EXPECT_EQ(test, 64, rig_counter(KMPROF_FILTERED_BYTES));

	KUNIT_ASSERT_EQ(test, 0, set("module=another,size=64"));
	KUNIT_EXPECT_EQ(test, kmprof_filter_stages, KMPROF_FILTER_SITE | KMPROF_FILTER_CALL);
	KUNIT_EXPECT_FALSE(test, wants_site(SITE_OF_MODULE));
	kmprof_filter_undo();
	KUNIT_EXPECT_TRUE(test, wants_site(SITE_OF_MODULE));

	/* A filter without a module wants any. */
	KUNIT_ASSERT_EQ(test, 0, set("size=64"));
	preempt_disable();
	KUNIT_EXPECT_TRUE(test, kmprof_filter_ask_site(event_site(1), 64, 1));
	preempt_enable();
}

static void filter_undo(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < 4; i++) {
		KUNIT_ASSERT_EQ(test, 0, set("size=64"));
		KUNIT_ASSERT_EQ(test, 0, set("size=128"));
		kmprof_filter_undo();
		expect_text(test, "size=64");
		KUNIT_EXPECT_TRUE(test, wants(64));
		KUNIT_EXPECT_FALSE(test, wants(128));
		/* What is refused is no filter to return from. */
		KUNIT_EXPECT_EQ(test, -EINVAL, set("size=x"));
		expect_text(test, "size=64");
	}
	KUNIT_ASSERT_EQ(test, 0, set("none"));
	KUNIT_ASSERT_EQ(test, 0, set("size=1"));
	kmprof_filter_undo();
	expect_text(test, "none");
	KUNIT_EXPECT_EQ(test, kmprof_filter_stages, 0);
}

static struct kunit_case filter_cases[] = {
	KUNIT_CASE(filter_sizes),
	KUNIT_CASE(filter_refuses),
	KUNIT_CASE(filter_nothing),
	KUNIT_CASE(filter_pid),
	KUNIT_CASE(filter_comm),
	KUNIT_CASE(filter_all),
	KUNIT_CASE(filter_objects),
	KUNIT_CASE(filter_module),
	KUNIT_CASE(filter_undo),
	{}
};

static struct kunit_suite filter_suite = {
	.name		= "kmprof_filter",
	.init		= filter_test_init,
	.exit		= filter_test_exit,
	.test_cases	= filter_cases,
};

kunit_test_suite(filter_suite);
