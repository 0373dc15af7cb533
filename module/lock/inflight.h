/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Waits in flight: what is known of them between their begin and their end, which
 * the waiter itself tells. A task can have several, for it may sleep for one lock
 * on its way to another; a context of a CPU can spin for one, and inside of that for
 * another.
 */
#ifndef KMPROF_INFLIGHT_H
#define KMPROF_INFLIGHT_H

#include <linux/types.h>

/**
 * struct kmprof_wait - a wait
 * @lock: what for
 * @since: its begin in ns; 0: it is only expected
 * @kind: enum kmprof_lock_kind
 * @flags: KMPROF_WAIT_*
 * @jumped_queue: others queued for it when it was got: its releases are seen
 * @generation: of @waiter
 * @waiter: for blame.c, 0: not followed there
 */
struct kmprof_wait {
	const void *lock;
	u64 since;
	u8 kind;
	u8 flags;
	bool jumped_queue;
	u16 generation;
	u32 waiter;
};

struct kmprof_wait *kmprof_inflight_spin(const void *lock);
struct kmprof_wait *kmprof_inflight_find(const void *lock);
struct kmprof_wait *kmprof_inflight_claim(void);
bool kmprof_inflight_has(const void *lock);
bool kmprof_inflight_end(const void *lock, struct kmprof_wait *wait);
void kmprof_inflight_forget(void);
int kmprof_inflight_init(void);
void kmprof_inflight_exit(void);

#endif
