// SPDX-License-Identifier: GPL-2.0
/*
 * Storage for waits in flight. A wait for a sleeping lock has a place in a hash table, which
 * grows, from its begin to its end. Only the waiting task reads the wait, so only claiming and
 * releasing a place are atomic. A wait for a spinning lock is stored per CPU and context level.
 */
#include <linux/atomic.h>
#include <linux/hash.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "core/guard.h"
#include "core/limits.h"
#include "lock/growing.h"
#include "lock/inflight.h"

enum {
	/* Number of adjacent places of a part that a task's waits can be in. */
	WINDOW = 16,
	/* So many of them are taken: time for a larger part. */
	CROWDED = WINDOW / 2,
	/*
	 * Spinning locks that a context level of a CPU can wait for at a time. The second can
	 * be that of a BPF program on the same tracepoint, or of code after an interrupt's
	 * handlers, which runs on the interrupted level.
	 */
	SPINS = 2,
};

/**
 * struct place - room for one wait
 * @task: the waiting task; NULL: the place is free
 * @wait: the wait; read and written by @task only
 */
struct place {
	struct task_struct *task;
	struct kmprof_wait wait;
};

/**
 * struct spins - waits of one CPU for spinning locks
 * @level: waits of each context level, KMPROF_GUARD_*; free if the wait's lock is NULL
 */
struct spins {
	struct kmprof_wait level[KMPROF_NR_GUARDS][SPINS];
};

static bool is_taken(const void *place)
{
	return READ_ONCE(((const struct place *)place)->task);
}

static struct kmprof_growing places = {
	.entry_size	= sizeof(struct place),
	.window		= WINDOW,
	.is_taken	= is_taken,
};

/* Begins that found no place, less the ends of such waits. */
static atomic_t refused;
static DEFINE_PER_CPU(struct spins, spins);

/* The first of the WINDOW places of a part that a task's waits can be in. */
static struct place *places_of(const struct task_struct *task, unsigned int part)
{
	return kmprof_growing_window(&places, part, hash_ptr(task, 32));
}

/* A wait of the current task: the one for @lock, or, if @is_any, any. */
static __always_inline struct place *find_of_task(const void *lock, bool is_any)
{
	const struct task_struct *task = current;
	unsigned int part = kmprof_growing_nr(&places);
	struct place *p, *end;

	while (part--) {
		p = places_of(task, part);
		for (end = p + WINDOW; p < end; p++)
			if (READ_ONCE(p->task) == task && (is_any || p->wait.lock == lock))
				return p;
	}
	return NULL;
}

static struct place *find(const void *lock)
{
	return find_of_task(lock, false);
}

/* The wait of the current context for a spinning lock; @lock NULL: a free one. */
static struct kmprof_wait *find_spin(const void *lock)
{
	struct kmprof_wait *level = this_cpu_ptr(&spins)->level[kmprof_guard_level()];
	unsigned int i;

	for (i = 0; i < SPINS; i++)
		if (level[i].lock == lock)
			return &level[i];
	return NULL;
}

/**
 * kmprof_inflight_spin() - get room for a wait of the current context for a spinning lock
 * @lock: the lock waited for
 *
 * Waits of one level nest and end on their CPU. So if @lock has a wait already, or no room is
 * free, the end of an earlier wait was missed: that wait is replaced.
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 * Return: the room, to be filled in by the caller.
 */
struct kmprof_wait *kmprof_inflight_spin(const void *lock)
{
	struct kmprof_wait *spin = find_spin(lock) ?: find_spin(NULL);

	return spin ?: &this_cpu_ptr(&spins)->level[kmprof_guard_level()][SPINS - 1];
}

/**
 * kmprof_inflight_find() - the current task's wait for a lock
 * @lock: a sleeping lock
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 * Return: the wait, or NULL when the task has no wait for @lock in the table.
 */
struct kmprof_wait *kmprof_inflight_find(const void *lock)
{
	struct place *p = find(lock);

	return p ? &p->wait : NULL;
}

static struct place *claim(unsigned int part)
{
	struct task_struct *task = current;
	struct place *p = places_of(task, part);
	unsigned int i;

	for (i = 0; i < WINDOW; i++, p++) {
		if (READ_ONCE(p->task) || cmpxchg(&p->task, NULL, task))
			continue;
		if (i >= CROWDED)
			kmprof_growing_kick(&places);
		return p;
	}
	kmprof_growing_kick(&places);
	return NULL;
}

/**
 * kmprof_inflight_claim() - get room for another wait of the current task
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 * Return: the room, to be filled in by the caller, or NULL when there is none: the table fills
 * up faster than it grows. kmprof_inflight_take_refused() is due when the wait ends.
 */
struct kmprof_wait *kmprof_inflight_claim(void)
{
	unsigned int part = kmprof_growing_nr(&places);
	struct place *p;

	while (part--) {
		p = claim(part);
		if (p)
			return &p->wait;
	}
	atomic_inc(&refused);
	return NULL;
}

/**
 * kmprof_inflight_take_refused() - a wait ends that is not in the table
 *
 * A mutex counts as refused once for each begin that finds no room, and a wait that found room at
 * a later begin is not taken. So there can be more refused begins than waits, never fewer.
 *
 * Context: Any.
 * Return: true if the wait may have found no room at its begin; false: its begin was not seen.
 */
bool kmprof_inflight_take_refused(void)
{
	return atomic_dec_if_positive(&refused) >= 0;
}

/* A hardirq has no wait for a sleeping lock. With PREEMPT_RT, a softirq runs in a task. */
static struct place *find_here(const void *lock)
{
	return in_hardirq() ? NULL : find(lock);
}

/**
 * kmprof_inflight_has() - does the current context wait for a lock?
 * @lock: a lock of any kind
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 * Return: true if so.
 */
bool kmprof_inflight_has(const void *lock)
{
	return find_spin(lock) || find_here(lock);
}

static void take_out(struct place *p, struct kmprof_wait *wait)
{
	*wait = p->wait;
	/* Pairs with cmpxchg() in kmprof_inflight_claim(): the next owner writes after the copy. */
	smp_store_release(&p->task, NULL);
}

/**
 * kmprof_inflight_end() - take a wait of the current context out of the table
 * @lock: the lock waited for
 * @wait: returns a copy of the wait
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 * Return: true, or false when the context has no wait for @lock in the table.
 */
bool kmprof_inflight_end(const void *lock, struct kmprof_wait *wait)
{
	struct kmprof_wait *spin = find_spin(lock);
	struct place *p;

	if (spin) {
		*wait = *spin;
		spin->lock = NULL;
		return true;
	}
	p = find_here(lock);
	if (!p)
		return false;
	take_out(p, wait);
	return true;
}

/**
 * kmprof_inflight_abandon() - take any wait of the current task out of the table
 * @wait: returns a copy of the wait
 *
 * Called again and again by a task that exits. A wait for a spinning lock needs no such call:
 * it is replaced by the next one of its CPU.
 *
 * Context: Task. Preemption off. Takes no locks.
 * Return: true, or false when the task has no wait in the table.
 */
bool kmprof_inflight_abandon(struct kmprof_wait *wait)
{
	struct place *p = find_of_task(NULL, true);

	if (!p)
		return false;
	take_out(p, wait);
	return true;
}

/**
 * kmprof_inflight_forget() - empty the table and the per-CPU waits; free what has grown
 *
 * Context: Process context. No probe is armed. Sleeps.
 */
void kmprof_inflight_forget(void)
{
	int cpu;

	kmprof_growing_forget(&places);
	atomic_set(&refused, 0);
	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(&spins, cpu), 0, sizeof(struct spins));
}

/**
 * kmprof_inflight_init() - allocate the table, with max_waits places at first
 *
 * Context: Process context. Sleeps.
 * Return: 0 or -ENOMEM.
 */
int kmprof_inflight_init(void)
{
	atomic_set(&refused, 0);
	return kmprof_growing_init(&places, kmprof_limits.max_waits);
}

/**
 * kmprof_inflight_exit() - free the table
 *
 * Context: Process context, after the last probe.
 */
void kmprof_inflight_exit(void)
{
	kmprof_growing_exit(&places);
}
