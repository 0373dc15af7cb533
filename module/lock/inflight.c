// SPDX-License-Identifier: GPL-2.0
/*
 * A place belongs to a task from the begin of a wait to its end. Nobody else
 * reads what is in it, so that taking and leaving it is all that has to be atomic.
 */
#include <linux/atomic.h>
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "core/guard.h"
#include "core/limits.h"
#include "lock/inflight.h"

enum {
	/* Places next to each other, in which a task's waits can be. */
	WINDOW = 16,
	/*
	 * What a context of a CPU can spin for at a time: a lock, and then one of who looks on,
	 * as of a BPF program on the same tracepoint, or of what comes behind an interrupt.
	 */
	SPINS = 2,
};

/**
 * struct place - room for one wait
 * @task: whose; NULL: nobody's
 * @wait: the wait
 */
struct place {
	struct task_struct *task;
	struct kmprof_wait wait;
};

/**
 * struct spins - what one CPU spins for
 * @level: by KMPROF_GUARD_*; without a lock: for nothing
 */
struct spins {
	struct kmprof_wait level[KMPROF_NR_GUARDS][SPINS];
};

static struct place *places;
static u32 places_mask;
static DEFINE_PER_CPU(struct spins, spins);

/* The places that a task's waits can be in. */
static struct place *place_at(const struct task_struct *task, u32 i)
{
	return &places[(hash_ptr(task, 32) + i) & places_mask];
}

static struct place *find(const void *lock)
{
	const struct task_struct *task = current;
	struct place *p;
	u32 i;

	for (i = 0; i < WINDOW; i++) {
		p = place_at(task, i);
		if (READ_ONCE(p->task) == task && p->wait.lock == lock)
			return p;
	}
	return NULL;
}

/* What the current context spins for; NULL: room for more. */
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
 * kmprof_inflight_spin() - room for what the current context begins to spin for
 * @lock: which
 *
 * It ends on this CPU, and what begins on its level meanwhile ends before. The end of
 * what else is there has been missed.
 *
 * Context: Any but NMI. Preemption off.
 */
struct kmprof_wait *kmprof_inflight_spin(const void *lock)
{
	struct kmprof_wait *spin = find_spin(lock) ?: find_spin(NULL);

	return spin ?: &this_cpu_ptr(&spins)->level[kmprof_guard_level()][SPINS - 1];
}

/**
 * kmprof_inflight_find() - the current task's wait for a lock
 * @lock: which
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 * Return: the wait, or NULL when it does not wait for that.
 */
struct kmprof_wait *kmprof_inflight_find(const void *lock)
{
	struct place *p = find(lock);

	return p ? &p->wait : NULL;
}

/**
 * kmprof_inflight_claim() - room for one more wait of the current task
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 * Return: the wait, to be filled in, or NULL: then its end will not be known either.
 */
struct kmprof_wait *kmprof_inflight_claim(void)
{
	struct task_struct *task = current;
	struct place *p;
	u32 i;

	for (i = 0; i < WINDOW; i++) {
		p = place_at(task, i);
		if (!READ_ONCE(p->task) && !cmpxchg(&p->task, NULL, task))
			return &p->wait;
	}
	return NULL;
}

/* A hardirq does not sleep; a softirq is a task's with PREEMPT_RT. */
static struct place *find_here(const void *lock)
{
	return in_hardirq() ? NULL : find(lock);
}

/**
 * kmprof_inflight_has() - does the current context wait for a lock?
 * @lock: which
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 */
bool kmprof_inflight_has(const void *lock)
{
	return find_spin(lock) || find_here(lock);
}

/**
 * kmprof_inflight_end() - the current context has waited
 * @lock: what for
 * @wait: returns what began
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 * Return: false when no begin is known.
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
	*wait = p->wait;
	/* Pairs with cmpxchg() in kmprof_inflight_claim(): who comes next writes after this. */
	smp_store_release(&p->task, NULL);
	return true;
}

/**
 * kmprof_inflight_forget() - no wait is in flight
 *
 * Context: Process context. No probe is armed.
 */
void kmprof_inflight_forget(void)
{
	int cpu;

	memset(places, 0, (places_mask + 1) * sizeof(*places));
	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(&spins, cpu), 0, sizeof(struct spins));
}

/**
 * kmprof_inflight_init() - allocate the table
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_inflight_init(void)
{
	places = kvcalloc(kmprof_limits.max_waits, sizeof(*places), GFP_KERNEL | __GFP_NOWARN);
	if (!places)
		return -ENOMEM;
	places_mask = kmprof_limits.max_waits - 1;
	return 0;
}

/**
 * kmprof_inflight_exit() - free it
 *
 * Context: Process context, after the last probe.
 */
void kmprof_inflight_exit(void)
{
	kvfree(places);
}
