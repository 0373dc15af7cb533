/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Waits in flight, between their begin and their end, for contention.c. Begin and end both
 * run in the waiting context. A task can have several waits: it may sleep for one lock while
 * it acquires another. A context of a CPU can spin for a lock while it already spins for
 * another.
 */
#ifndef KMPROF_INFLIGHT_H
#define KMPROF_INFLIGHT_H

#include <linux/types.h>
#include <uapi/linux/kmprof.h>

/**
 * struct kmprof_wait - a wait
 * @lock: the lock waited for
 * @since: its begin in ns, of ktime_get_mono_fast_ns(); 0: expected, not begun
 * @kind: enum kmprof_lock_kind
 * @flags: KMPROF_WAIT_*
 * @jumped_queue: the task got the lock without sleeping while other tasks queued for it, so
 *	the releases before were seen
 * @generation: for blame.c: generation of the table that @waiter refers to
 * @waiter: for blame.c: entry in the table of contended locks plus 1; 0: none
 * @era: for blame.c: number of the era that @since and @excused are in
 * @excused: for blame.c: ns that tasks have waited for @lock for which no release will be blamed,
 *	to be booked with this wait's end
 */
struct kmprof_wait {
	const void *lock;
	u64 since;
	u8 kind;
	u8 flags;
	bool jumped_queue;
	u16 generation;
	u32 waiter;
	u32 era;
	u64 excused;
};

/**
 * kmprof_inflight_spins() - does a waiter for such a lock only spin, never sleep?
 * @kind: enum kmprof_lock_kind
 *
 * Context: Any.
 * Return: true if so.
 */
static inline bool kmprof_inflight_spins(u32 kind)
{
	return kind == KMPROF_LOCK_SPINLOCK || kind == KMPROF_LOCK_RWLOCK;
}

struct kmprof_wait *kmprof_inflight_spin(const void *lock);
struct kmprof_wait *kmprof_inflight_find(const void *lock);
struct kmprof_wait *kmprof_inflight_claim(void);
bool kmprof_inflight_take_refused(void);
bool kmprof_inflight_has(const void *lock);
bool kmprof_inflight_end(const void *lock, struct kmprof_wait *wait);
bool kmprof_inflight_abandon(struct kmprof_wait *wait);
void kmprof_inflight_forget(void);
int kmprof_inflight_init(void);
void kmprof_inflight_exit(void);

#endif
