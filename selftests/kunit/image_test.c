// SPDX-License-Identifier: GPL-2.0
/*
 * Images: they are consistent, have every bucket of every profile once, and name their
 * numbers as the UAPI header and the texts do.
 */
#include <kunit/test.h>

#include "out/image.c"
#include "out/pages.c"
#include "out/scalars.c"
#include "chance.h"
#include "core/drain.h"
#include "events.h"
#include "lock/booking.h"
#include "lock/lock_profile.h"
#include "mem/heap.h"
#include "object/object.h"
#include "rig.h"
#include "show/table.h"
#include "stack/labels_setting.h"
#include "stack/stack.h"

/* The settings that need probes, without these. */
static const struct kmprof_setting_ops rate_ops;

static struct kmprof_setting heap_rate = {
	.name = "heap_rate", .id = KMPROF_SETTING_HEAP_RATE, .unit = "bytes", .ops = &rate_ops,
};

static struct kmprof_setting block_rate = {
	.name = "block_rate", .id = KMPROF_SETTING_BLOCK_RATE, .unit = "nanoseconds",
	.ops = &rate_ops,
};

static struct kmprof_setting mutex_fraction = {
	.name = "mutex_fraction", .id = KMPROF_SETTING_MUTEX_FRACTION, .ops = &rate_ops,
};

struct kmprof_setting * const kmprof_settings[] = {
	&kmprof_labels_setting, &block_rate, &mutex_fraction, &heap_rate, NULL
};

enum {
	SITES		= 40,
	PERIOD		= 4096,
	LABELLED	= 1 << 8,	/* from this process id on */
};

/* Value of the setting with an id, to know it by. */
#define SETTING(id)	(1000 + (id))

static int image_test_init(struct kunit *test)
{
	return rig_create(test, &rig_wide_limits) ?: rig_pin();
}

static void free_pages_of(void *pages)
{
	kmprof_pages_free(pages);
}

/* The image of the closed cycles, until the case ends. */
static const struct kmprof_image_header *make_image(struct kunit *test, bool addresses,
						    u32 flags)
{
	struct kmprof_pages *pages = kunit_kzalloc(test, sizeof(*pages), GFP_KERNEL);
	struct kmprof_numbers *numbers = kunit_kzalloc(test, sizeof(*numbers), GFP_KERNEL);
	struct kmprof_image_build *b = kunit_kzalloc(test, sizeof(*b), GFP_KERNEL);
	unsigned int id;
	u64 bytes;
	int err;

	KUNIT_ASSERT_NOT_NULL(test, pages);
	KUNIT_ASSERT_NOT_NULL(test, numbers);
	KUNIT_ASSERT_NOT_NULL(test, b);
	for (id = 0; id < kmprof_nr_settings(); id++)
		numbers->settings[id] = SETTING(id);
	numbers->settings[KMPROF_SETTING_LABELS] = KMPROF_LABEL_COMM | KMPROF_LABEL_PID;
	mutex_lock(&kmprof_cycle_lock);
	numbers->stats = kmprof_published.stats;
	/* No smaller than what is shown: there may be buckets in the open cycle. */
	err = kmprof_image_measure(b, numbers, addresses, flags, true);
	bytes = b->header.image_size;
	err = err ?: kmprof_image_measure(b, numbers, addresses, flags, false);
	if (!err && bytes < b->header.image_size)
		err = -ERANGE;
	err = err ?: kmprof_pages_alloc(pages, b->header.image_size);
	if (!err)
		kmprof_image_fill(b, pages->memory);
	mutex_unlock(&kmprof_cycle_lock);
	KUNIT_ASSERT_EQ(test, err, 0);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, free_pages_of, pages), 0);
	/* Without room for objects that there are not. */
	KUNIT_EXPECT_GE(test, pages->count, PFN_UP(((const struct kmprof_image_header *)
						    pages->memory)->image_size));
	if (!flags)
		KUNIT_EXPECT_EQ(test, b->header.image_size,
				((const struct kmprof_image_header *)pages->memory)->image_size);
	return pages->memory;
}

static const struct kmprof_image_header *image_of(struct kunit *test, bool addresses)
{
	return make_image(test, addresses, 0);
}

static u64 end_of(const struct kmprof_table *t)
{
	return t->offset + ALIGN((u64)t->count * t->entry_size, 8);
}

/* A table begins where the one before it has ended. Returns its end. */
static u64 follows(struct kunit *test, const struct kmprof_table *t, u64 end, size_t entry_size)
{
	KUNIT_EXPECT_EQ(test, t->offset, end);
	KUNIT_EXPECT_EQ(test, t->entry_size, entry_size);
	return end_of(t);
}

static void expect_string(struct kunit *test, const struct kmprof_image_header *h, u32 string)
{
	const char *text = kmprof_text_string(h, 0);

	KUNIT_ASSERT_LT(test, string, h->strings.count);
	/* The start of a string. */
	KUNIT_EXPECT_TRUE(test, !string || !text[string - 1]);
}

/* The tables fill the image, each in its place; what is behind it is zero. */
static void expect_layout(struct kunit *test, const struct kmprof_image_header *h)
{
	const struct kmprof_image_profile *p = kmprof_text_at(h, h->profiles.offset);
	const struct kmprof_image_column *c;
	const char *text = kmprof_text_string(h, 0);
	u64 end;
	u32 i, k;

	KUNIT_EXPECT_EQ(test, h->magic, KMPROF_IMAGE_MAGIC);
	KUNIT_EXPECT_EQ(test, h->abi_version, KMPROF_ABI_VERSION);
	KUNIT_EXPECT_EQ(test, h->header_size, sizeof(*h));
	end = follows(test, &h->profiles, sizeof(*h), sizeof(*p));
	for (i = 0; i < h->profiles.count; i++) {
		end = follows(test, &p[i].columns, end, sizeof(*c));
		end = follows(test, &p[i].rows, end, kmprof_profile_get(i)->row_size);
		expect_string(test, h, p[i].name);
		c = kmprof_text_at(h, p[i].columns.offset);
		for (k = 0; k < p[i].columns.count; k++) {
			expect_string(test, h, c[k].name);
			expect_string(test, h, c[k].unit);
		}
	}
	end = follows(test, &h->scalars, end, sizeof(struct kmprof_image_scalar));
	end = follows(test, &h->labels, end, sizeof(struct kmprof_image_label));
	end = follows(test, &h->frames, end, sizeof(u64));
	end = follows(test, &h->modules, end, sizeof(struct kmprof_image_module));
	end = follows(test, &h->symbols, end, sizeof(struct kmprof_image_symbol));
	end = follows(test, &h->strings, end, 1);
	end = follows(test, &h->objects, end, offsetof(struct kmprof_image_object, nr_bytes));
	KUNIT_EXPECT_EQ(test, h->image_size, end);
	KUNIT_EXPECT_EQ(test, text[0], 0);
	KUNIT_EXPECT_EQ(test, text[h->strings.count - 1], 0);
	KUNIT_EXPECT_NULL(test, memchr_inv(kmprof_text_at(h, end), 0, PAGE_ALIGN(end) - end));
	end = h->strings.offset + h->strings.count;
	KUNIT_EXPECT_NULL(test, memchr_inv(kmprof_text_at(h, end), 0, end_of(&h->strings) - end));
}

/* All rows together have each frame and each label once, in any order of rows. */
static void expect_rows(struct kunit *test, const struct kmprof_image_header *h)
{
	u8 *frames = kunit_kzalloc(test, h->frames.count + 1, GFP_KERNEL);
	u8 *labels = kunit_kzalloc(test, h->labels.count + 1, GFP_KERNEL);
	struct kmprof_text_table t;
	u32 i, k;

	KUNIT_ASSERT_NOT_NULL(test, frames);
	KUNIT_ASSERT_NOT_NULL(test, labels);
	kmprof_for_each_profile(p) {
		KUNIT_ASSERT_TRUE(test, kmprof_text_table_find(&t, h, p->name));
		for (i = 0; i < t.count; i++) {
			const struct kmprof_image_row *row = kmprof_text_row(&t, i);

			KUNIT_ASSERT_LE(test, row->first_frame + row->nr_frames, h->frames.count);
			for (k = 0; k < row->nr_frames; k++)
				frames[row->first_frame + k]++;
			KUNIT_ASSERT_LE(test, row->label, h->labels.count);
			labels[row->label]++;
		}
	}
	KUNIT_EXPECT_NULL(test, memchr_inv(frames, 1, h->frames.count));
	KUNIT_EXPECT_NULL(test, memchr_inv(labels + 1, 1, h->labels.count));
}

/* In every image SAMPLED == COUNTED + the sum of LOST. */
static void expect_account(struct kunit *test, const struct kmprof_image_header *h)
{
	const struct kmprof_image_scalar *s = kmprof_text_at(h, h->scalars.offset);
	u64 sampled[KMPROF_PROFILES_MAX + 1] = {}, fates[KMPROF_PROFILES_MAX + 1] = {};
	u32 i;

	for (i = 0; i < h->scalars.count; i++, s++) {
		KUNIT_ASSERT_LE(test, s->profile, h->profiles.count);
		expect_string(test, h, s->name);
		expect_string(test, h, s->unit);
		expect_string(test, h, s->text);
		KUNIT_EXPECT_EQ(test, s->__reserved, 0);
		if (s->flags & KMPROF_SCALAR_SAMPLED)
			sampled[s->profile] += s->value;
		if (s->flags & (KMPROF_SCALAR_COUNTED | KMPROF_SCALAR_LOST))
			fates[s->profile] += s->value;
	}
	for (i = 0; i <= h->profiles.count; i++)
		KUNIT_EXPECT_EQ(test, sampled[i], fates[i]);
}

/* A sampled delay of the site, of a process with id LABELLED + site if the site is odd. */
static void delay(struct kmprof_lock_profile *profile, unsigned int site, const void *lock)
{
	unsigned long words[SITE_FRAMES_MAX + 1];
	const struct kmprof_delay d = {
		.profile	= profile,
		.kind		= KMPROF_LOCK_RWSEM,
		.flags		= KMPROF_WAIT_READ,
		.lock		= lock,
		.ns		= 2 * PERIOD + site,
		.period		= PERIOD,
	};
	struct kmprof_stack stack;

	event_stack(words, event_site(site), &stack);
	stack.labels = site & 1 ? KMPROF_LABEL_PID : 0;
	words[stack.nr] = LABELLED + site;
	preempt_disable();
	kmprof_booking_add(&d, &stack, kmprof_slot());
	preempt_enable();
	kmprof_drain();
}

/* Of each site two objects, of which one is freed, and two delays in each lock profile. */
static void fill_buckets(void)
{
	unsigned int i, k;

	for (i = 0; i < SITES; i++) {
		for (k = 0; k < 2; k++) {
			event_alloc(rig_object(2 * i + k), 64 + i, PERIOD, event_site(i));
			delay(&kmprof_block_profile, i, rig_lock(i));
			delay(&kmprof_mutex_profile, i, (void *)event_site(i));
		}
		kmprof_drain();
		event_free(rig_object(2 * i));
	}
	rig_advance();
}

/* The site of a row's stack, found by its leaf; all frames are its own. */
static unsigned int site_of(struct kunit *test, const struct kmprof_text_table *t,
			    const struct kmprof_image_row *row)
{
	unsigned int site = event_site_number(t->frames[row->first_frame]);
	unsigned long frames[SITE_FRAMES_MAX];
	struct kmprof_stack stack;

	event_stack(frames, event_site(site), &stack);
	KUNIT_EXPECT_EQ(test, row->nr_frames, stack.nr);
	KUNIT_EXPECT_MEMEQ(test, &t->frames[row->first_frame], frames,
			   stack.nr * sizeof(*frames));
	return site;
}

static void expect_sample(struct kunit *test, const struct kmprof_text_table *t, u32 index)
{
	const struct kmprof_image_sample *s = kmprof_text_row(t, index);
	unsigned int site = site_of(test, t, &s->row);

	KUNIT_EXPECT_EQ(test, s->row.label, 0);
	KUNIT_EXPECT_EQ(test, s->kind, KMPROF_KIND_SLAB);
	KUNIT_EXPECT_EQ(test, s->period, PERIOD);
	KUNIT_EXPECT_EQ(test, s->object_size, 64 + site);
	KUNIT_EXPECT_EQ(test, s->allocs, 2);
	KUNIT_EXPECT_EQ(test, s->frees, 1);
	KUNIT_EXPECT_EQ(test, s->rcu_pending, 0);
	/* That of the first object. */
	KUNIT_EXPECT_STREQ(test, s->cache, site & 1 ? EVENT_CACHE : "small");
	KUNIT_EXPECT_EQ(test, s->gfp_class,
			site & 1 ? KMPROF_GFP_RECLAIMABLE : KMPROF_GFP_UNMOVABLE);
}

static void expect_label(struct kunit *test, const struct kmprof_text_table *t, u32 label,
			 unsigned int site)
{
	const struct kmprof_image_label want = {
		.labels = KMPROF_LABEL_PID, .pid = LABELLED + site,
	};

	KUNIT_EXPECT_EQ(test, !!label, site & 1);
	if (label)
		KUNIT_EXPECT_MEMEQ(test, &t->labels[label - 1], &want, sizeof(want));
}

static void expect_contention(struct kunit *test, const struct kmprof_text_table *t, u32 index)
{
	const struct kmprof_image_contention *c = kmprof_text_row(t, index);
	unsigned int site = site_of(test, t, &c->row);
	bool is_block = !strcmp(t->name, "block");
	u64 one = 1ULL << KMPROF_WAIT_COUNT_SHIFT, ns = 2 * PERIOD + site;
	char cache[KMPROF_CACHE_NAME_LEN] = "";

	/* See kmprof_lock_class_name() of events.c. */
	if (is_block && site & 1)
		memcpy(cache, EVENT_CACHE, sizeof(EVENT_CACHE));
	expect_label(test, t, c->row.label, site);
	KUNIT_EXPECT_EQ(test, c->period, PERIOD);
	KUNIT_EXPECT_EQ(test, c->kind, KMPROF_LOCK_RWSEM);
	KUNIT_EXPECT_EQ(test, c->flags, KMPROF_WAIT_READ);
	KUNIT_EXPECT_EQ(test, c->lock, is_block ? 0 : event_site(site));
	KUNIT_EXPECT_EQ(test, c->count, 2 * (is_block ? one : one * PERIOD));
	KUNIT_EXPECT_EQ(test, c->delay_ns, 2 * (is_block ? ns : ns * PERIOD));
	KUNIT_EXPECT_EQ(test, c->longest_ns, ns);
	KUNIT_EXPECT_MEMEQ(test, c->cache, cache, sizeof(cache));
}

static void expect_table(struct kunit *test, const struct kmprof_image_header *h,
			 const char *name, unsigned int nr_columns,
			 void (*expect)(struct kunit *test, const struct kmprof_text_table *t,
					u32 index))
{
	struct kmprof_text_table t;
	u32 i;

	KUNIT_ASSERT_TRUE(test, kmprof_text_table_find(&t, h, name));
	KUNIT_EXPECT_STREQ(test, t.name, name);
	KUNIT_EXPECT_EQ(test, t.nr_columns, nr_columns);
	KUNIT_EXPECT_EQ(test, t.count, SITES);
	for (i = 0; i < t.count; i++)
		expect(test, &t, i);
}

static void an_image_has_all_buckets(struct kunit *test)
{
	const struct kmprof_image_header *h;

	fill_buckets();
	h = image_of(test, true);
	KUNIT_EXPECT_EQ(test, h->flags, KMPROF_IMAGE_ADDRESSES);
	KUNIT_EXPECT_EQ(test, h->cycle, kmprof_published.cycle);
	KUNIT_EXPECT_EQ(test, h->start_ns, kmprof_published.start_ns);
	KUNIT_EXPECT_EQ(test, h->time_ns, kmprof_published.time_ns);
	expect_layout(test, h);
	expect_rows(test, h);
	expect_account(test, h);
	KUNIT_EXPECT_EQ(test, h->profiles.count, 4);
	expect_table(test, h, "heap", 6, expect_sample);
	expect_table(test, h, "block", 2, expect_contention);
	expect_table(test, h, "mutex", 2, expect_contention);
}

/* Formats, and the columns: offset, unit and shift are those of the structures. */
static void an_image_describes_its_rows(struct kunit *test)
{
	static const struct {
		const char *table, *name, *unit;
		u32 format, offset, shift;
	} want[] = {
#define ROWS(table, format, type, member, name, unit, shift)			\
	{ table, name, unit, format, offsetof(struct type, member), shift }
		ROWS("heap", KMPROF_ROWS_HEAP, kmprof_image_sample, allocs, "allocs", "count", 0),
		ROWS("heap", KMPROF_ROWS_HEAP, kmprof_image_sample, frees, "frees", "count", 0),
		ROWS("heap", KMPROF_ROWS_HEAP, kmprof_image_sample, rcu_pending, "rcu_pending",
		     "count", 0),
		ROWS("heap", KMPROF_ROWS_HEAP, kmprof_image_sample, peak, "peak", "count", 0),
		ROWS("heap", KMPROF_ROWS_HEAP, kmprof_image_sample, at, "at", "count", 0),
		ROWS("heap", KMPROF_ROWS_HEAP, kmprof_image_sample, oom, "oom", "count", 0),
		ROWS("block", KMPROF_ROWS_BLOCK, kmprof_image_contention, delay_ns, "delay",
		     "nanoseconds", 0),
		ROWS("block", KMPROF_ROWS_BLOCK, kmprof_image_contention, count, "waits",
		     "count", 16),
		ROWS("mutex", KMPROF_ROWS_MUTEX, kmprof_image_contention, delay_ns, "delay",
		     "nanoseconds", 0),
		ROWS("mutex", KMPROF_ROWS_MUTEX, kmprof_image_contention, count, "releases",
		     "count", 16),
		ROWS("threadcreate", KMPROF_ROWS_OBJECTS, kmprof_object_row, objects, "tasks",
		     "count", 0),
		ROWS("threadcreate", KMPROF_ROWS_OBJECTS, kmprof_object_row, added, "created",
		     "count", 0),
	};
	const struct kmprof_image_header *h = image_of(test, true);
	const struct kmprof_image_profile *p = kmprof_text_at(h, h->profiles.offset);
	const struct kmprof_image_column *c;
	u32 i, k, at = 0;

	expect_layout(test, h);
	for (i = 0; i < h->profiles.count; i++, p++) {
		c = kmprof_text_at(h, p->columns.offset);
		KUNIT_EXPECT_EQ(test, p->rows.count, 0);
		for (k = 0; k < p->columns.count; k++, c++, at++) {
			KUNIT_ASSERT_LT(test, at, ARRAY_SIZE(want));
			KUNIT_EXPECT_STREQ(test, kmprof_text_string(h, p->name), want[at].table);
			KUNIT_EXPECT_EQ(test, p->format, want[at].format);
			KUNIT_EXPECT_STREQ(test, kmprof_text_string(h, c->name), want[at].name);
			KUNIT_EXPECT_STREQ(test, kmprof_text_string(h, c->unit), want[at].unit);
			KUNIT_EXPECT_EQ(test, c->offset, want[at].offset);
			KUNIT_EXPECT_EQ(test, c->shift, want[at].shift);
		}
	}
	KUNIT_EXPECT_EQ(test, at, ARRAY_SIZE(want));
}

#define SET	KMPROF_SCALAR_SETTING
#define TOTAL	KMPROF_SCALAR_TOTAL
#define NOTED	KMPROF_SCALAR_LEDGER
#define LOST	(KMPROF_SCALAR_LEDGER | KMPROF_SCALAR_LOST)

/* The scalars, in their order. */
static const struct {
	const char *name, *unit, *text;
	u32 profile, flags;
} scalars[] = {
	{ "source", "", "kprobe", 1, 0 },
	{ "wait_source", "", "tracepoint", 2, 0 },
	{ "heap_rate", "bytes", "", 0, SET },
	{ "block_rate", "nanoseconds", "", 0, SET },
	{ "mutex_fraction", "", "", 0, SET },
	{ "labels", "", "comm,pid", 0, SET },
	{ "total.alloc_calls", "count", "", 1, TOTAL },
	{ "total.alloc_bytes", "bytes", "", 1, TOTAL },
	{ "total.free_calls", "count", "", 1, TOTAL },
	{ "total.percpu_calls", "count", "", 1, TOTAL },
	{ "total.percpu_bytes", "bytes", "", 1, TOTAL },
	{ "total.percpu_frees", "count", "", 1, TOTAL },
	{ "total.vmalloc_calls", "count", "", 1, TOTAL },
	{ "total.vmalloc_bytes", "bytes", "", 1, TOTAL },
	{ "total.vmalloc_frees", "count", "", 1, TOTAL },
	{ "total.pages_allocated", "count", "", 1, TOTAL },
	{ "total.pages_freed", "count", "", 1, TOTAL },
	{ "filtered", "count", "", 1, KMPROF_SCALAR_FILTERED },
	{ "filtered_bytes", "bytes", "", 1, 0 },
	{ "mark.peak_bytes", "bytes", "", 1, KMPROF_SCALAR_MARK },
	{ "mark.peak_time_ns", "", "", 1, KMPROF_SCALAR_MARK },
	{ "mark.at_bytes", "bytes", "", 1, KMPROF_SCALAR_MARK },
	{ "mark.at_time_ns", "", "", 1, KMPROF_SCALAR_MARK },
	{ "mark.oom_bytes", "bytes", "", 1, KMPROF_SCALAR_MARK },
	{ "mark.oom_time_ns", "", "", 1, KMPROF_SCALAR_MARK },
	{ "sampled", "count", "", 1, KMPROF_SCALAR_SAMPLED },
	{ "counted", "count", "", 1, KMPROF_SCALAR_COUNTED },
	{ "ledger.nested", "count", "", 1, LOST },
	{ "ledger.ring_full", "count", "", 1, LOST },
	{ "ledger.live_full", "count", "", 1, LOST },
	{ "ledger.bucket_full", "count", "", 1, LOST },
	{ "ledger.alloc_failed", "count", "", 1, LOST },
	{ "ledger.own", "count", "", 1, LOST },
	{ "ledger.missed_probe", "count", "", 1, NOTED },
	{ "ledger.probes_off", "count", "", 1, NOTED },
	{ "ledger.missed_free", "count", "", 1, NOTED },
	{ "ledger.stack_truncated", "count", "", 1, NOTED },
	{ "ledger.untracked", "count", "", 1, NOTED },
	{ "ledger.owner_full", "count", "", 1, NOTED },
	{ "total.waits", "count", "", 2, TOTAL },
	{ "total.wait_ns", "nanoseconds", "", 2, TOTAL },
	{ "waits_sampled", "count", "", 2, KMPROF_SCALAR_SAMPLED },
	{ "waits_counted", "count", "", 2, KMPROF_SCALAR_COUNTED },
	{ "ledger.wait_nested", "count", "", 2, LOST },
	{ "ledger.wait_ring_full", "count", "", 2, LOST },
	{ "ledger.wait_bucket_full", "count", "", 2, LOST },
	{ "ledger.wait_own", "count", "", 2, LOST },
	{ "ledger.wait_table_full", "count", "", 2, LOST },
	{ "ledger.wait_unpaired", "count", "", 2, NOTED },
	{ "ledger.missed_wait", "count", "", 2, NOTED },
	{ "ledger.wait_died", "count", "", 2, LOST },
	{ "ledger.wait_saturated", "count", "", 2, NOTED },
	{ "total.releases", "count", "", 3, TOTAL },
	{ "total.blamed_ns", "nanoseconds", "", 3, TOTAL },
	{ "total.unblamed_ns", "nanoseconds", "", 3, TOTAL },
	{ "total.unblamed.spinning_ns", "nanoseconds", "", 3, TOTAL },
	{ "total.unblamed.spun_ns", "nanoseconds", "", 3, TOTAL },
	{ "total.unblamed.hand_over_ns", "nanoseconds", "", 3, TOTAL },
	{ "total.unblamed.unseen_ns", "nanoseconds", "", 3, TOTAL },
	{ "total.unblamed.failed_ns", "nanoseconds", "", 3, TOTAL },
	{ "total.unblamed.grace_period_ns", "nanoseconds", "", 3, TOTAL },
	{ "total.unblamed.not_followed_ns", "nanoseconds", "", 3, TOTAL },
	{ "delays_sampled", "count", "", 3, KMPROF_SCALAR_SAMPLED },
	{ "delays_counted", "count", "", 3, KMPROF_SCALAR_COUNTED },
	{ "ledger.delay_nested", "count", "", 3, LOST },
	{ "ledger.delay_ring_full", "count", "", 3, LOST },
	{ "ledger.delay_bucket_full", "count", "", 3, LOST },
	{ "ledger.delay_own", "count", "", 3, LOST },
	{ "ledger.delay_table_full", "count", "", 3, NOTED },
	{ "ledger.missed_release", "count", "", 3, NOTED },
	{ "ledger.delay_saturated", "count", "", 3, NOTED },
	{ "ledger.threadcreate.lost", "count", "", 4, NOTED },
	{ "ledger.threadcreate.missed", "count", "", 4, NOTED },
};

static void an_image_names_its_numbers(struct kunit *test)
{
	const struct kmprof_image_header *h;
	const struct kmprof_image_scalar *s;
	u64 *numbers = (u64 *)&kmprof_published.stats;
	u32 i;

	/* Each number tells which one it is. */
	for (i = 0; i < sizeof(struct kmprof_stats) / sizeof(u64); i++)
		numbers[i] = i + 1;
	h = image_of(test, false);
	memset(&kmprof_published.stats, 0, sizeof(kmprof_published.stats));
	s = kmprof_text_at(h, h->scalars.offset);
	KUNIT_ASSERT_EQ(test, h->scalars.count, ARRAY_SIZE(scalars));
	for (i = 0; i < h->scalars.count; i++, s++) {
		KUNIT_EXPECT_STREQ(test, kmprof_text_string(h, s->name), scalars[i].name);
		KUNIT_EXPECT_STREQ(test, kmprof_text_string(h, s->unit), scalars[i].unit);
		KUNIT_EXPECT_STREQ(test, kmprof_text_string(h, s->text), scalars[i].text);
		KUNIT_EXPECT_EQ_MSG(test, s->profile, scalars[i].profile, "%s", scalars[i].name);
		KUNIT_EXPECT_EQ_MSG(test, s->flags, scalars[i].flags, "%s", scalars[i].name);
	}
#define VALUE(name)	kmprof_text_scalar(h, name)
#define AT(member)	(offsetof(struct kmprof_stats, member) / sizeof(u64) + 1)
	KUNIT_EXPECT_EQ(test, VALUE("source"), KMPROF_SOURCE_KPROBE);
	KUNIT_EXPECT_EQ(test, VALUE("wait_source"), KMPROF_SOURCE_TRACEPOINT);
	KUNIT_EXPECT_EQ(test, VALUE("heap_rate"), SETTING(KMPROF_SETTING_HEAP_RATE));
	KUNIT_EXPECT_EQ(test, VALUE("block_rate"), SETTING(KMPROF_SETTING_BLOCK_RATE));
	KUNIT_EXPECT_EQ(test, VALUE("mutex_fraction"), SETTING(KMPROF_SETTING_MUTEX_FRACTION));
	KUNIT_EXPECT_EQ(test, VALUE("labels"), KMPROF_LABEL_COMM | KMPROF_LABEL_PID);
	KUNIT_EXPECT_EQ(test, VALUE("total.alloc_calls"), AT(totals.alloc_calls));
	KUNIT_EXPECT_EQ(test, VALUE("mark.peak_bytes"), AT(marks[KMPROF_MARK_PEAK].bytes));
	KUNIT_EXPECT_EQ(test, VALUE("mark.at_time_ns"), AT(marks[KMPROF_MARK_AT].time_ns));
	KUNIT_EXPECT_EQ(test, VALUE("mark.oom_time_ns"), AT(marks[KMPROF_MARK_OOM].time_ns));
	KUNIT_EXPECT_EQ(test, VALUE("total.alloc_bytes"), AT(totals.alloc_bytes));
	KUNIT_EXPECT_EQ(test, VALUE("total.free_calls"), AT(totals.free_calls));
	KUNIT_EXPECT_EQ(test, VALUE("total.percpu_bytes"), AT(counter[KMPROF_PERCPU_BYTES]));
	KUNIT_EXPECT_EQ(test, VALUE("total.vmalloc_bytes"), AT(counter[KMPROF_VMALLOC_BYTES]));
	KUNIT_EXPECT_EQ(test, VALUE("counted"), AT(counter[KMPROF_COUNTED]));
	KUNIT_EXPECT_EQ(test, VALUE("total.wait_ns"), AT(counter[KMPROF_WAIT_NS]));
	KUNIT_EXPECT_EQ(test, VALUE("ledger.missed_release"),
			AT(counter[KMPROF_LOSS_MISSED_RELEASE]));
	KUNIT_EXPECT_EQ(test, VALUE("unknown"), 0);
}

/* Neither frames nor locks; everything else is there. */
static void addresses_are_hidden(struct kunit *test)
{
	const struct kmprof_image_header *shown, *hidden;
	struct kmprof_text_table a, b;
	u32 i;

	fill_buckets();
	shown = image_of(test, true);
	hidden = image_of(test, false);
	expect_layout(test, hidden);
	expect_rows(test, hidden);
	KUNIT_EXPECT_EQ(test, hidden->flags, 0);
	KUNIT_EXPECT_EQ(test, hidden->image_size, shown->image_size);
	kmprof_for_each_profile(p) {
		union {
			struct kmprof_image_contention contention;
			struct kmprof_image_sample sample;
		} row;

		KUNIT_ASSERT_TRUE(test, kmprof_text_table_find(&a, shown, p->name));
		KUNIT_ASSERT_TRUE(test, kmprof_text_table_find(&b, hidden, p->name));
		KUNIT_EXPECT_EQ(test, a.count, p->format == KMPROF_ROWS_OBJECTS ? 0 : SITES);
		KUNIT_EXPECT_EQ(test, a.count, b.count);
		for (i = 0; i < b.count; i++) {
			memcpy(&row, kmprof_text_row(&a, i), p->row_size);
			if (p->format != KMPROF_ROWS_HEAP)
				row.contention.lock = 0;
			KUNIT_EXPECT_MEMEQ(test, (const void *)&row, kmprof_text_row(&b, i),
					   p->row_size);
		}
	}
	KUNIT_EXPECT_NULL(test, memchr_inv(b.frames, 0, hidden->frames.count * sizeof(u64)));
}

/*
 * The table has each object that is in use, under the row of its bucket; and the rows have the
 * ages of these objects. No object was freed in the open cycle.
 */
static void expect_objects(struct kunit *test, const struct kmprof_image_header *h)
{
	const struct kmprof_image_object *o;
	u32 *listed, i, k, nr = 0;
	struct kmprof_text_table t;

	KUNIT_ASSERT_TRUE(test, kmprof_text_table_find(&t, h, "heap"));
	listed = kunit_kcalloc(test, t.count + 1, sizeof(*listed), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, listed);
	for (i = 0; i < h->objects.count; i++) {
		o = kmprof_text_at(h, h->objects.offset + i * h->objects.entry_size);
		KUNIT_ASSERT_EQ(test, o->profile, kmprof_heap_profile.index);
		KUNIT_ASSERT_LT(test, o->row, t.count);
		KUNIT_EXPECT_EQ(test, o->parts, 1);
		KUNIT_EXPECT_LE(test, o->cycle, h->cycle);
		KUNIT_EXPECT_EQ(test, !o->address, !(h->flags & KMPROF_IMAGE_ADDRESSES));
		listed[o->row]++;
	}
	for (i = 0; i < t.count; i++) {
		const struct kmprof_image_sample *s = kmprof_text_row(&t, i);
		u32 aged = 0;

		for (k = 0; k < KMPROF_AGES; k++)
			aged += s->ages[k];
		KUNIT_EXPECT_EQ(test, aged, s->allocs - s->frees);
		KUNIT_EXPECT_EQ(test, listed[i], s->allocs - s->frees);
		nr += listed[i];
	}
	KUNIT_EXPECT_EQ(test, nr, h->objects.count);
}

/* Those of the open cycle are not there, nor those that were freed before it. */
static void objects_are_in_their_rows(struct kunit *test)
{
	const struct kmprof_image_header *h;
	unsigned int i;

	for (i = 0; i < 1000; i++)
		event_alloc(rig_object(i), 8, PERIOD, event_site(i % SITES));
	rig_advance();
	for (i = 0; i < 1000; i += 3)
		event_free(rig_object(i));
	rig_advance();
	for (; i < 1500; i++)
		event_alloc(rig_object(i), 8, PERIOD, event_site(i % (2 * SITES)));
	kmprof_drain();
	h = make_image(test, true, KMPROF_SNAPSHOT_OBJECTS);
	expect_layout(test, h);
	expect_rows(test, h);
	expect_objects(test, h);
	KUNIT_EXPECT_EQ(test, h->objects.count, 666);
	h = make_image(test, false, KMPROF_SNAPSHOT_OBJECTS);
	expect_layout(test, h);
	expect_objects(test, h);
	KUNIT_EXPECT_EQ(test, h->objects.count, 666);
	rig_reset();
	h = make_image(test, true, KMPROF_SNAPSHOT_OBJECTS);
	expect_layout(test, h);
	KUNIT_EXPECT_EQ(test, h->objects.count, 0);
}

/* A bucket without an event in a closed cycle has no row; of a reset none is left. */
static void an_open_cycle_has_no_row(struct kunit *test)
{
	const struct kmprof_image_header *h;
	struct kmprof_text_table t;

	fill_buckets();
	event_alloc(rig_object(1000), 8, PERIOD, event_site(SITES + 1));
	delay(&kmprof_block_profile, SITES + 1, rig_lock(1));
	kmprof_drain();
	KUNIT_EXPECT_EQ(test, rig_nr_buckets(), 3 * SITES + 2);
	h = image_of(test, true);
	expect_layout(test, h);
	expect_rows(test, h);
	kmprof_for_each_profile(p) {
		KUNIT_ASSERT_TRUE(test, kmprof_text_table_find(&t, h, p->name));
		KUNIT_EXPECT_EQ(test, t.count, p->format == KMPROF_ROWS_OBJECTS ? 0 : SITES);
	}
	rig_reset();
	h = image_of(test, true);
	expect_layout(test, h);
	KUNIT_EXPECT_EQ(test, h->frames.count, 0);
	KUNIT_EXPECT_EQ(test, h->labels.count, 0);
}

/* Events of all kinds, many of them lost: every image is consistent. */
static void images_of_anything_are_consistent(struct kunit *test)
{
	const struct kmprof_image_header *h;
	struct rnd_state r;
	unsigned int i;

	prandom_seed_state(&r, 1);
	for (i = 0; i < 5000; i++) {
		unsigned int site = chance_below(&r, 300);

		switch (chance_below(&r, 3)) {
		case 0:
			event_alloc(rig_object(i), 8, PERIOD, event_site(site) |
				    (chance_below(&r, 4) ? 0 : SITE_OWN));
			break;
		case 1:
			delay(&kmprof_block_profile, site, rig_lock(site));
			break;
		case 2:
			delay(&kmprof_mutex_profile, site, (void *)event_site(site));
			break;
		}
		if (chance_below(&r, 500))
			continue;
		rig_advance();
		h = make_image(test, chance_below(&r, 2),
			       chance_below(&r, 2) ? KMPROF_SNAPSHOT_OBJECTS : 0);
		expect_layout(test, h);
		expect_rows(test, h);
		expect_account(test, h);
	}
	KUNIT_EXPECT_GT(test, rig_sum(&kmprof_heap_profile, KMPROF_SCALAR_LOST,
				      &kmprof_published.stats), 0);
	KUNIT_EXPECT_GT(test, rig_sum(&kmprof_block_profile.profile, KMPROF_SCALAR_LOST,
				      &kmprof_published.stats), 0);
}

static struct kunit_case image_cases[] = {
	KUNIT_CASE(an_image_has_all_buckets),
	KUNIT_CASE(an_image_describes_its_rows),
	KUNIT_CASE(an_image_names_its_numbers),
	KUNIT_CASE(addresses_are_hidden),
	KUNIT_CASE(objects_are_in_their_rows),
	KUNIT_CASE(an_open_cycle_has_no_row),
	KUNIT_CASE(images_of_anything_are_consistent),
	{}
};

static struct kunit_suite image_suite = {
	.name		= "kmprof_image",
	.init		= image_test_init,
	.test_cases	= image_cases,
};

kunit_test_suite(image_suite);
