// SPDX-License-Identifier: GPL-2.0
/*
 * Marks what is in use at certain moments, for snapshots that are taken later: when more is in use
 * than ever before, when a size is reached, and when the kernel has run out of memory. Each bucket
 * stores its number of objects in use at that moment, and kmprof_published the sum in bytes, and
 * the time. So a mark takes no memory, a reset discards it, and a module that is unloaded later
 * keeps its names.
 *
 * No probe pays for it. Marks are made when a cycle has been closed, whoever has closed it: so no
 * snapshot has more in use than its peak. While a setting asks for marks, work adds up the buckets
 * every LOOK, and closes a cycle if there is something to mark; what is freed between two looks is
 * not seen. A peak is worth a cycle only if it is higher by more than peak / (1 << PEAK_SHIFT):
 * else memory that grows would have a cycle closed at each look.
 */
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/oom.h>
#include <linux/sched.h>
#include <linux/workqueue.h>

#include "core/bucket.h"
#include "core/cycle.h"
#include "core/drain.h"
#include "core/profile.h"
#include "core/stats.h"
#include "mem/estimate.h"
#include "mem/marks.h"

#define LOOK		(HZ / 10)

/* OOMs come in bursts: one for each try of each task. The first one is marked. */
#define OOM_BURST	HZ

enum {
	PEAK_SHIFT	= 7,
	/* Adding up takes at most one part of so many of a CPU's time, while no mark is made. */
	SHARE		= 100,
};

/* Sum and time of a mark; the cycle lock protects them. */
static struct kmprof_marked *marked(enum kmprof_mark mark)
{
	return &kmprof_published.stats.marks[mark];
}

/* The settings. Changes take turns; see kmprof_marks_settle(). */
static bool peak_asked;
static u64 at_asked;

/*
 * The cycle lock protects these. @peak_wanted and @at_wanted are the settings in force; @at_marked
 * is the value of heap_at for which KMPROF_MARK_AT was made, 0: none; @oom_wanted: the look of now
 * is for an OOM; @oom_marked is when, in jiffies, KMPROF_MARK_OOM was made.
 */
static bool peak_wanted, oom_wanted;
static u64 at_wanted, at_marked;
static unsigned long oom_marked;

/* Memory has run out since the last look. */
static bool ran_out;

/* Numbers of the last look that has begun, and of the last one that is done. */
static unsigned long begun, done;

/* WQ_MEM_RECLAIM: a rescuer runs the work if no worker can be created. NULL: before init. */
static struct workqueue_struct *queue;

static u64 bytes_of(const struct kmprof_bucket *b, u64 objects)
{
	const struct kmprof_image_sample sample = {
		.period		= b->key.period,
		.object_size	= b->key.size,
	};

	return kmprof_heap_bytes(&sample, objects);
}

/* Number of objects. Only the heap profile has @inuse. */
static u64 inuse_of(const struct kmprof_bucket *b, bool open_cycle)
{
	const struct kmprof_profile_ops *ops = b->key.profile->ops;

	return ops->inuse ? ops->inuse(b, open_cycle) : 0;
}

/* In bytes. Under the cycle lock. */
static u64 sum_inuse(bool open_cycle)
{
	struct kmprof_bucket *b;
	u64 sum = 0, objects;

	kmprof_cycle_for_each_bucket(b) {
		objects = inuse_of(b, open_cycle);
		if (objects)
			sum += bytes_of(b, objects);
		cond_resched();
	}
	return sum;
}

static bool is_at_due(u64 inuse)
{
	return at_wanted && inuse >= at_wanted &&
	       (at_marked != at_wanted || !marked(KMPROF_MARK_AT)->time_ns);
}

/*
 * Before the first attach there is no time at which counting started. While the profile is off,
 * nothing is in use, and the last mark is worth more.
 */
static bool is_oom_due(u64 inuse)
{
	return oom_wanted && inuse && kmprof_published.start_ns &&
	       (!marked(KMPROF_MARK_OOM)->time_ns ||
		time_after(jiffies, oom_marked + OOM_BURST));
}

/*
 * The first one, also the first one after a reset, may be of nothing at all: whoever has asked for
 * a peak finds one.
 */
static bool is_peak_due(u64 inuse)
{
	const struct kmprof_marked *peak = marked(KMPROF_MARK_PEAK);

	return peak_wanted && kmprof_published.start_ns &&
	       (!peak->time_ns || inuse > peak->bytes);
}

/* Return: the marks that are due when @inuse bytes are in use. Under the cycle lock. */
static unsigned long due(u64 inuse)
{
	unsigned long marks = 0;

	if (is_at_due(inuse))
		marks |= BIT(KMPROF_MARK_AT);
	if (is_oom_due(inuse))
		marks |= BIT(KMPROF_MARK_OOM);
	if (is_peak_due(inuse))
		marks |= BIT(KMPROF_MARK_PEAK);
	return marks;
}

/* Under the cycle lock. */
static bool is_worth_a_cycle(u64 inuse)
{
	const struct kmprof_marked *peak = marked(KMPROF_MARK_PEAK);
	unsigned long marks = due(inuse);

	if (marks == BIT(KMPROF_MARK_PEAK) && peak->time_ns)
		return inuse > peak->bytes + (peak->bytes >> PEAK_SHIFT);
	return marks;
}

/* Uses the closed cycles only, so that all buckets show the end of the same cycle. */
static void make(unsigned long marks, u64 inuse)
{
	struct kmprof_bucket *b;
	unsigned int i;

	kmprof_cycle_for_each_bucket(b) {
		/* The live table has less than 2^32 objects. */
		for_each_set_bit(i, &marks, KMPROF_NR_MARKS)
			b->marks[i] = inuse_of(b, false);
		cond_resched();
	}
	for_each_set_bit(i, &marks, KMPROF_NR_MARKS) {
		marked(i)->bytes = inuse;
		marked(i)->time_ns = kmprof_published.time_ns;
	}
	if (marks & BIT(KMPROF_MARK_AT))
		at_marked = at_wanted;
	if (marks & BIT(KMPROF_MARK_OOM))
		oom_marked = jiffies;
}

/**
 * kmprof_marks_make() - make the marks that are due by the cycle that was closed
 *
 * Context: Process context, cycle lock held. May sleep.
 */
void kmprof_marks_make(void)
{
	unsigned long marks;
	u64 inuse;

	if (!peak_wanted && !at_wanted && !oom_wanted)
		return;
	inuse = sum_inuse(false);
	marks = due(inuse);
	if (marks)
		make(marks, inuse);
}

/* ns for which this task has run. The tick adds to it. */
static u64 time_run(void)
{
	return READ_ONCE(current->se.sum_exec_runtime);
}

/*
 * Close a cycle if a mark is due. Less may be in use by the end of it: see kmprof_marks_make().
 * Return: jiffies until the next look; 0: there is none.
 */
static unsigned long look_once(bool oom)
{
	unsigned long rest = 0;
	u64 inuse, took;

	/* Records of new stacks become buckets, which can be counted. */
	kmprof_drain();
	mutex_lock(&kmprof_cycle_lock);
	took = time_run();
	inuse = sum_inuse(true);
	took = time_run() - took;
	if (peak_wanted || at_wanted)
		rest = max_t(u64, nsecs_to_jiffies64(took * SHARE), LOOK);
	oom_wanted = oom;
	if (is_worth_a_cycle(inuse))
		kmprof_cycle_advance();
	oom_wanted = false;
	mutex_unlock(&kmprof_cycle_lock);
	return rest;
}

static void look(struct work_struct *work)
{
	unsigned long rest;

	/* Whoever puts settings in force before this takes the cycle lock sees the number. */
	WRITE_ONCE(begun, begun + 1);
	rest = look_once(xchg(&ran_out, false));
	WRITE_ONCE(done, begun);
	if (rest)
		queue_delayed_work(queue, to_delayed_work(work), rest);
}

static DECLARE_DELAYED_WORK(look_work, look);

static void look_now(void)
{
	struct workqueue_struct *q = READ_ONCE(queue);

	if (q)
		mod_delayed_work(q, &look_work, 0);
}

/**
 * kmprof_marks_set_peak() - change the setting heap_peak
 * @value: 1: mark peaks; 0: keep the mark that there is. In force after kmprof_marks_settle()
 *
 * Context: Process context. Changes of settings take turns.
 */
void kmprof_marks_set_peak(u64 value)
{
	peak_asked = value;
}

/**
 * kmprof_marks_set_at() - change the setting heap_at
 * @bytes: mark once when so much is in use; 0: keep the mark that there is. In force after
 *	kmprof_marks_settle()
 *
 * Context: Process context. Changes of settings take turns.
 */
void kmprof_marks_set_at(u64 bytes)
{
	at_asked = bytes;
}

static void put_in_force(void)
{
	mutex_lock(&kmprof_cycle_lock);
	peak_wanted = peak_asked;
	at_wanted = at_asked;
	/* The same size, wanted again, is marked again. */
	if (!at_wanted)
		at_marked = 0;
	mutex_unlock(&kmprof_cycle_lock);
}

static void look_and_wait(void)
{
	/* One that has begun by now may have seen the settings of before. */
	unsigned long wanted = READ_ONCE(begun) + 1;

	if (!READ_ONCE(queue))
		return;
	do {
		look_now();
		flush_delayed_work(&look_work);
		/* An OOM may have taken the work out of the queue, to put it there again. */
	} while ((long)(READ_ONCE(done) - wanted) < 0);
}

/**
 * kmprof_marks_settle() - put the settings in force, and make the marks that are due by them
 *
 * Not before all changes that were asked for together have been made: a change that is undone
 * since another one failed must not make a mark. Whoever changes a setting finds its mark; but a
 * change before kmprof_marks_init(), as by a parameter of insmod, makes no look itself:
 * kmprof_marks_init() starts the first one, and nobody waits for it.
 *
 * Context: Process context, at any time before kmprof_marks_exit(). Changes of settings take
 * turns. Sleeps: takes the cycle lock, and waits for work that takes it and the drain lock.
 */
void kmprof_marks_settle(void)
{
	put_in_force();
	look_and_wait();
}

/* Runs in the task that found no memory, which must not wait for memory: the work does the rest. */
static int on_oom(struct notifier_block *nb, unsigned long unused, void *freed)
{
	WRITE_ONCE(ran_out, true);
	look_now();
	return NOTIFY_OK;
}

static struct notifier_block oom_notifier = {
	.notifier_call	= on_oom,
};

/**
 * kmprof_marks_init() - start to look if a setting asks for it, and register for OOMs
 *
 * Context: Process context, once. Sleeps. Settings can be changed meanwhile.
 * Return: 0; or a negative errno and nothing is registered.
 */
int kmprof_marks_init(void)
{
	struct workqueue_struct *q = alloc_workqueue("kmprof_marks", WQ_UNBOUND | WQ_MEM_RECLAIM,
						     1);
	int err;

	if (!q)
		return -ENOMEM;
	err = register_oom_notifier(&oom_notifier);
	if (err) {
		destroy_workqueue(q);
		return err;
	}
	WRITE_ONCE(queue, q);
	look_now();
	return 0;
}

/**
 * kmprof_marks_exit() - look no more
 *
 * Context: Process context, after the last change of a setting. Sleeps.
 */
void kmprof_marks_exit(void)
{
	unregister_oom_notifier(&oom_notifier);
	cancel_delayed_work_sync(&look_work);
	destroy_workqueue(queue);
}
