// SPDX-License-Identifier: GPL-2.0
/*
 * Texts: a profile that kmprof does not have itself, shown by its columns, to the letter;
 * and what the texts of all profiles have in common.
 */
#include <kunit/test.h>
#include <linux/sizes.h>

#include "out/text.c"
#include "show/objects.c"
#include "show/show.c"
#include "show/table.c"
#include "core/bucket.h"
#include "core/cycle.h"
#include "core/drain.h"
#include "core/sampler.h"
#include "events.h"
#include "mem/alloc.h"
#include "mem/heap.h"
#include "out/view.h"
#include "rig.h"

/* A profile of buffers that somebody holds. */
struct buffers_row {
	struct kmprof_image_row row;
	u64 bytes;
	u64 buffers;
	u64 age;
};

static void buffers_fold(struct kmprof_bucket *b, unsigned int slot)
{
}

static bool buffers_is_shown(const struct kmprof_bucket *b)
{
	return true;
}

static void buffers_fill_row(void *to, const struct kmprof_bucket *b, bool addresses)
{
	struct buffers_row *row = to;

	row->bytes = b->active.allocs;
	row->buffers = b->active.frees;
	row->age = b->active.pending;
}

static const struct kmprof_profile_ops buffers_ops = {
	.fold		= buffers_fold,
	.is_shown	= buffers_is_shown,
	.fill_row	= buffers_fill_row,
};

static const struct kmprof_column buffers_columns[] = {
	{ "held", "bytes", offsetof(struct buffers_row, bytes) },
	{ "buffers", "count", offsetof(struct buffers_row, buffers) },
	{ "age", "nanoseconds", offsetof(struct buffers_row, age), 8 },
};

static struct kmprof_profile buffers;

static const struct kmprof_view buffers_view = {
	.name = "buffers", .profile = &buffers, .form = &kmprof_objects_form,
};

/* @nr_columns: the first ones of buffers_columns. */
static int add_buffers(unsigned int nr_columns)
{
	buffers = (struct kmprof_profile) {
		.name		= "buffers",
		.ops		= &buffers_ops,
		.row_size	= sizeof(struct buffers_row),
		.columns	= buffers_columns,
		.nr_columns	= nr_columns,
		.views		= &buffers_view,
		.nr_views	= 1,
	};
	return kmprof_profile_register(&buffers);
}

/* @age in units of 1/256 ns */
static void hold(struct kunit *test, unsigned long site, unsigned int nr_frames, u64 bytes,
		 u64 nr, u64 age)
{
	unsigned long frames[] = { site, site + 0x100 };
	struct kmprof_bucket_key key = {
		.profile	= &buffers,
		.nr_words	= nr_frames,
		.frames		= frames,
	};
	struct kmprof_bucket *b;

	key.hash = kmprof_bucket_hash(&key);
	mutex_lock(&kmprof_cycle_lock);
	mutex_lock(&kmprof_drain_lock);
	b = kmprof_bucket_get(&key);
	mutex_unlock(&kmprof_drain_lock);
	if (b) {
		b->active.allocs = bytes;
		b->active.frees = nr;
		b->active.pending = age;
	}
	mutex_unlock(&kmprof_cycle_lock);
	KUNIT_ASSERT_NOT_NULL(test, b);
}

/**
 * struct reader - an open file whose text is read
 * @m: what seq_read() would have
 * @t: the text
 */
struct reader {
	struct seq_file m;
	struct kmprof_text t;
};

static void close_reader(void *reader)
{
	kmprof_text_destroy(&((struct reader *)reader)->t);
}

static struct reader *open_reader(struct kunit *test, const char *view, bool addresses)
{
	const size_t size = 256 * 1024;
	struct reader *r = kunit_kzalloc(test, sizeof(*r), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, r);
	mutex_init(&r->t.lock);
	r->t.view = kmprof_view_find(view);
	r->t.addresses = addresses;
	r->m.private = &r->t;
	r->m.size = size;
	r->m.buf = kunit_kzalloc(test, size, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, r->t.view);
	KUNIT_ASSERT_NOT_NULL(test, r->m.buf);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, close_reader, r), 0);
	return r;
}

/* The whole text. */
static const char *read_text(struct kunit *test, struct reader *r)
{
	loff_t pos = 0;
	void *v;

	r->m.count = 0;
	v = kmprof_text_ops.start(&r->m, &pos);
	while (!IS_ERR_OR_NULL(v)) {
		kmprof_text_ops.show(&r->m, v);
		v = kmprof_text_ops.next(&r->m, v, &pos);
	}
	kmprof_text_ops.stop(&r->m, v);
	KUNIT_ASSERT_FALSE(test, IS_ERR(v));
	KUNIT_ASSERT_LT(test, r->m.count, r->m.size);
	r->m.buf[r->m.count] = 0;
	return r->m.buf;
}

static const char *text_of(struct kunit *test, const char *view, bool addresses)
{
	return read_text(test, open_reader(test, view, addresses));
}

/* The text without the comment lines of its head; @head returns its first line. */
static const char *entries_of(struct kunit *test, const char *text, char *head, size_t size)
{
	const char *end = strstr(text, "\n\n");

	KUNIT_ASSERT_NOT_NULL(test, end);
	strscpy(head, text, min(size, strcspn(text, "\n") + 1));
	return end + 2;
}

/* A text leaves no image behind. */
static void expect_no_image(void *of)
{
	struct kunit *test = of;

	KUNIT_EXPECT_EQ(test, kmprof_snapshot_count(), 0);
}

/* Of the actions at the end of a case, the first one comes last. */
static int text_test_init(struct kunit *test)
{
	return kunit_add_action_or_reset(test, expect_no_image, test) ?:
	       rig_create(test, &rig_wide_limits) ?: rig_pin();
}

/*
 * Largest first, of equal ones the older one first, and no entry without a count. Numbers
 * are rounded to the nearest: 1.5 ns are 2, and 1.498 ns are 1.
 */
static const char entries[] =
	"# buffers 4, age 2 nanoseconds\n"
	"9000 @ 0xffffffff41002000\n"
	"#\t0xffffffff41002000\t0xffffffff41002000\n"
	"\n"
	"# buffers 1, age 1 nanoseconds\n"
	"500 @ 0xffffffff41001000 0xffffffff41001100\n"
	"#\t0xffffffff41001000\t0xffffffff41001000\n"
	"#\t0xffffffff41001100\t0xffffffff41001100\n"
	"\n"
	"# buffers 2, age 0 nanoseconds\n"
	"500 @ 0xffffffff41004000\n"
	"#\t0xffffffff41004000\t0xffffffff41004000\n"
	"\n";

static void any_profile_is_shown_by_its_columns(struct kunit *test)
{
	char head[80];
	const char *text;

	KUNIT_ASSERT_EQ(test, add_buffers(3), 0);
	hold(test, event_site(1), 2, 500, 1, 383);
	hold(test, event_site(2), 1, 9000, 4, 384);
	hold(test, event_site(3), 1, 0, 7, 1);
	hold(test, event_site(4), 1, 500, 2, 0);
	text = entries_of(test, text_of(test, "buffers", true), head, sizeof(head));
	KUNIT_EXPECT_STREQ(test, head, "buffers profile: total 10000");
	KUNIT_EXPECT_STREQ(test, text, entries);

	text = entries_of(test, text_of(test, "buffers", false), head, sizeof(head));
	KUNIT_EXPECT_NOT_NULL(test, strstr(text, "9000 @ 0x0\n#\t0x0\t[unknown]\n"));
	KUNIT_EXPECT_NULL(test, strstr(text, "ffff"));
}

static void one_column_needs_no_comment(struct kunit *test)
{
	char head[80];
	const char *text;

	KUNIT_ASSERT_EQ(test, add_buffers(1), 0);
	text = entries_of(test, text_of(test, "buffers", true), head, sizeof(head));
	KUNIT_EXPECT_STREQ(test, head, "buffers profile: total 0");
	KUNIT_EXPECT_STREQ(test, text, "");
	hold(test, event_site(1), 1, 3, 0, 0);
	text = entries_of(test, text_of(test, "buffers", true), head, sizeof(head));
	KUNIT_EXPECT_STREQ(test, head, "buffers profile: total 3");
	KUNIT_EXPECT_STREQ(test, text,
			   "3 @ 0xffffffff41001000\n"
			   "#\t0xffffffff41001000\t0xffffffff41001000\n\n");
}

/* The largest number that there is, with the largest shift. */
static void numbers_are_rounded(struct kunit *test)
{
	static const struct {
		u64 number;
		u32 shift;
		u64 want;
	} numbers[] = {
		{ 0, 0, 0 }, { U64_MAX, 0, U64_MAX }, { 1, 1, 1 }, { 2, 2, 1 }, { 1, 2, 0 },
		{ 0x17fff, 16, 1 }, { 0x18000, 16, 2 }, { U64_MAX, 1, 1ULL << 63 },
		{ U64_MAX, 63, 2 }, { 1ULL << 62, 63, 1 }, { (1ULL << 62) - 1, 63, 0 },
	};
	struct kmprof_image_column column = {};
	const struct kmprof_text_table t = { .columns = &column, .nr_columns = 1 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		column.shift = numbers[i].shift;
		KUNIT_EXPECT_EQ(test, rounded(&t, &numbers[i].number, 0), numbers[i].want);
	}
}

/* Line by line; what stands for a number is not compared. */
static void expect_keys(struct kunit *test, const char *text, const char * const *keys,
			unsigned int nr_keys)
{
	unsigned int i;

	for (i = 0; i < nr_keys; i++) {
		KUNIT_EXPECT_EQ_MSG(test, strncmp(text, keys[i], strlen(keys[i])), 0,
				    "\"%s\" is not at: %.40s", keys[i], text);
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
}

static void the_head_of_a_text(struct kunit *test)
{
	static const char * const keys[] = {
		"heap profile: 1: 64 [2: 128] @ heap/8192\n", "# profile heap\n", "# cycle 1\n",
		"# seconds ", "# rows 1\n", "# source kprobe\n", "# wait_source tracepoint\n",
		"# heap_rate 4096\n", "# block_rate 0\n", "# mutex_fraction 0\n",
		"# labels none\n", "# total.alloc_calls 2\n", "# total.alloc_bytes 128\n",
		"# total.free_calls 1\n", "# total.percpu_calls 0\n", "# total.percpu_bytes 0\n",
		"# total.percpu_frees 0\n", "# total.vmalloc_calls 0\n",
		"# total.vmalloc_bytes 0\n", "# total.vmalloc_frees 0\n",
		"# total.pages_allocated 0\n", "# total.pages_freed 0\n",
		"# filtered 0\n", "# filtered_bytes 0\n",
		"# mark.peak_bytes 0\n", "# mark.peak_time_ns 0\n", "# mark.at_bytes 0\n",
		"# mark.at_time_ns 0\n", "# mark.oom_bytes 0\n", "# mark.oom_time_ns 0\n",
		"# sampled 2\n", "# counted 2\n",
		"# ledger.nested 0\n",
	};
	static const char * const last[] = {
		"# ledger.threadcreate.missed 0\n", "# estimate.alloc_bytes ",
		"# estimate.alloc_bytes.standard_error ", "# estimate.inuse_bytes ",
		"# estimate.inuse_bytes.standard_error ", "# estimate.rcu_pending_bytes 0\n",
		"\n", "# cache " EVENT_CACHE ", gfp reclaimable\n",
		"1: 64 [2: 128] @ 0xffffffff41000000\n",
	};
	const char *text;

	event_alloc(rig_object(1), 64, 4096, event_site(0));
	event_alloc(rig_object(2), 64, 4096, event_site(0));
	kmprof_drain();
	event_free(rig_object(1));
	text = text_of(test, "heap", true);
	expect_keys(test, text, keys, ARRAY_SIZE(keys));
	text = strstr(text, last[0]);
	KUNIT_ASSERT_NOT_NULL(test, text);
	expect_keys(test, text, last, ARRAY_SIZE(last));

	text = text_of(test, "allocs", true);
	KUNIT_EXPECT_NOT_NULL(test, strstr(text, "# profile allocs\n"));
	KUNIT_EXPECT_NOT_NULL(test, strstr(text, "# estimate.alloc_bytes "));
	text = text_of(test, "block", true);
	KUNIT_EXPECT_NULL(test, strstr(text, "# estimate."));
	KUNIT_EXPECT_NOT_NULL(test, strstr(text, "# rows 0\n"));
}

static void stats_are_of_all_profiles(struct kunit *test)
{
	static const char * const keys[] = {
		"# cycle 1\n", "# seconds ", "# rows.heap 1\n", "# rows.block 0\n",
		"# rows.mutex 0\n", "# rows.threadcreate 0\n", "# rows.buffers 2\n",
		"# source kprobe\n",
	};
	struct reader *r = open_reader(test, "heap", true);
	struct kmprof_snapshot_image *image;

	KUNIT_ASSERT_EQ(test, add_buffers(2), 0);
	hold(test, event_site(1), 1, 3, 0, 0);
	hold(test, event_site(2), 1, 0, 0, 0);
	event_alloc(rig_object(1), 64, 4096, event_site(0));
	image = kmprof_snapshot_create(0, true);
	KUNIT_ASSERT_FALSE(test, IS_ERR(image));
	kmprof_text_show_stats(&r->m, image->header);
	kmprof_snapshot_destroy(image);
	KUNIT_ASSERT_LT(test, r->m.count, r->m.size);
	expect_keys(test, r->m.buf, keys, ARRAY_SIZE(keys));
	KUNIT_EXPECT_NOT_NULL(test, strstr(r->m.buf, "# ledger.threadcreate.missed 0\n"
					   "# estimate.alloc_bytes "));
}

/* heap goes by what is in use, allocs by what was allocated. */
static void views_of_a_profile_have_orders_of_their_own(struct kunit *test)
{
	const char *text;
	unsigned int i;

	for (i = 0; i < 10; i++) {
		event_alloc(rig_object(i), 64, 1, event_site(20));
		if (i < 5)
			event_alloc(rig_object(20 + i), 64, 1, event_site(40));
	}
	kmprof_drain();
	for (i = 0; i < 8; i++)
		event_free(rig_object(i));
	text = text_of(test, "heap", true);
	KUNIT_EXPECT_LT(test, (unsigned long)strstr(text, "@ 0xffffffff41028000"),
			(unsigned long)strstr(text, "@ 0xffffffff41014000"));
	text = text_of(test, "allocs", true);
	KUNIT_EXPECT_GT(test, (unsigned long)strstr(text, "@ 0xffffffff41028000"),
			(unsigned long)strstr(text, "@ 0xffffffff41014000"));
}

/* The kind is a comment before the entry, unless it is slab; then it is the cache. */
static void the_kind_of_an_entry(struct kunit *test)
{
	static const char entries[] =
		"# kind percpu\n1: 1048576 [1: 1048576] @ 0xffffffff41014000\n"
		"#\t0xffffffff41014000\t0xffffffff41014000\n\n"
		"# cache " EVENT_CACHE ", gfp reclaimable\n1: 64 [1: 64] @ 0xffffffff41028000\n"
		"#\t0xffffffff41028000\t0xffffffff41028000\n\n";
	char head[80];

	/* So much larger than the rate that it counts for one object at each rate. */
	kmprof_sampler_set_rate(1);
	preempt_disable();
	kmprof_alloc_kind(KMPROF_KIND_PERCPU, event_site(20), rig_object(1), SZ_1M);
	preempt_enable();
	kmprof_sampler_set_rate(0);
	event_alloc(rig_object(1), 64, 4096, event_site(40));
	KUNIT_EXPECT_STREQ(test, entries_of(test, text_of(test, "heap", true), head, sizeof(head)),
			   entries);
	KUNIT_EXPECT_STREQ(test, head, "heap profile: 2: 1048640 [2: 1048641] @ heap/8192");
}

/* To its end a text shows one snapshot, and from its start the next one. */
static void a_restart_takes_a_new_snapshot(struct kunit *test)
{
	struct reader *r = open_reader(test, "heap", true);

	KUNIT_EXPECT_EQ(test, kmprof_text_cycle(&r->t), 0);
	KUNIT_EXPECT_NOT_NULL(test, strstr(read_text(test, r), "# cycle 1\n"));
	KUNIT_EXPECT_NOT_NULL(test, strstr(read_text(test, r), "# cycle 1\n"));
	KUNIT_EXPECT_EQ(test, kmprof_text_cycle(&r->t), 1);
	kmprof_text_restart(&r->t, NULL);
	KUNIT_EXPECT_EQ(test, kmprof_snapshot_count(), 0);
	KUNIT_EXPECT_NOT_NULL(test, strstr(read_text(test, r), "# cycle 2\n"));
	kmprof_text_restart(&r->t, kmprof_view_find("mutex"));
	KUNIT_EXPECT_NOT_NULL(test, strstr(read_text(test, r), "# profile mutex\n"));
}

static struct kunit_case text_cases[] = {
	KUNIT_CASE(any_profile_is_shown_by_its_columns),
	KUNIT_CASE(one_column_needs_no_comment),
	KUNIT_CASE(numbers_are_rounded),
	KUNIT_CASE(the_head_of_a_text),
	KUNIT_CASE(stats_are_of_all_profiles),
	KUNIT_CASE(views_of_a_profile_have_orders_of_their_own),
	KUNIT_CASE(the_kind_of_an_entry),
	KUNIT_CASE(a_restart_takes_a_new_snapshot),
	{}
};

static struct kunit_suite text_suite = {
	.name		= "kmprof_text",
	.init		= text_test_init,
	.test_cases	= text_cases,
};

kunit_test_suite(text_suite);
