// SPDX-License-Identifier: GPL-2.0
/*
 * The events of locks: waits, from their begin to their end. Each event of the two tracepoints is a
 * record; the reader finds out which begin and which end are of the same wait. A handler may run in
 * any context, with raw spinlocks held, such as the wait_lock of a lock, and with the task's state
 * set to sleep.
 *
 * Source: traceGoPark() of Go's trace.go, with traceEvGoBlockSync.
 */
#include <linux/build_bug.h>
#include <linux/irqflags.h>
#include <linux/preempt.h>
#include <trace/events/lock.h>

#include "compat/contention.h"
#include "trace/buffer.h"
#include "trace/contention.h"
#include "trace/filter.h"
#include "trace/numbers.h"
#include "trace/point.h"
#include "trace/stacks.h"

enum { LOCK_BITS = 32 };

/* They are written as one byte each. */
static_assert(KMPROF_LOCK_RWLOCK < 0x80);
static_assert((KMPROF_WAIT_READ | KMPROF_WAIT_WRITE | KMPROF_WAIT_SPUN |
	       KMPROF_WAIT_FAILED) < 0x80);

/**
 * struct wait - what is told of a wait
 * @lock: address or number of the lock
 * @kind: enum kmprof_lock_kind
 * @flags: KMPROF_WAIT_*
 * @owner: tid of the task that holds it, or 0
 */
struct wait {
	u64 lock;
	u32 kind;
	u32 flags;
	u32 owner;
};

/* Before the record, since it calls functions of the kernel. */
static struct wait wait_for(const void *lock, unsigned int lcb_flags)
{
	u32 kind = kmprof_compat_lock_kind(lcb_flags);

	return (struct wait) {
		.lock	= kmprof_trace_number_of(lock, LOCK_BITS),
		.kind	= kind,
		.flags	= kmprof_compat_wait_flags(lcb_flags),
		.owner	= kmprof_compat_lock_owner(lock, kind),
	};
}

static __always_inline void put_wait(struct kmprof_trace_record *r, const struct wait *wait)
{
	r->to = kmprof_trace_put(r->to, wait->lock);
	*r->to++ = wait->kind;
	*r->to++ = wait->flags;
	r->to = kmprof_trace_put(r->to, wait->owner);
}

/* A wait that has begun before is not begun anew. */
static __always_inline void note_begin(const struct kmprof_trace_record *r,
				       const struct wait *wait, const void *lock)
{
	if (kmprof_trace_has_filter() &&
	    kmprof_compat_wait_is_new(lock, wait->kind, wait->flags))
		kmprof_trace_begun(r, wait->lock);
}

/* Tracepoint handlers run with preemption off. */
static void on_begin(void *data, void *lock, unsigned int lcb_flags)
{
	struct kmprof_trace_record r;
	struct wait wait;

	if (in_nmi() || !kmprof_trace_wants_here(current))
		return;
	wait = wait_for(lock, lcb_flags);
	if (!kmprof_trace_begin_here(&r, KMPROF_TRACE_CONTENTION_BEGIN))
		return;
	note_begin(&r, &wait, lock);
	put_wait(&r, &wait);
	kmprof_trace_end(&r);
}

/* The kernel's unwinder asks lockdep, so lockdep has to be told that interrupts are off. */
static void on_begin_with_stack(void *data, void *lock, unsigned int lcb_flags)
{
	struct kmprof_trace_record r;
	struct wait wait;
	unsigned long irqs;
	bool is_own;
	u32 stack;

	if (in_nmi() || !kmprof_trace_wants_here(current))
		return;
	wait = wait_for(lock, lcb_flags);
	local_irq_save(irqs);
	is_own = !kmprof_trace_stacks_number_of_wait(kmprof_compat_lock_sleeps(lcb_flags), &stack);
	if (kmprof_trace_begin_here(&r, KMPROF_TRACE_CONTENTION_BEGIN)) {
		note_begin(&r, &wait, lock);
		put_wait(&r, &wait);
		/* That is no lack of room. */
		if (is_own)
			*r.to++ = 0;
		else
			kmprof_trace_put_stack(&r, stack);
		kmprof_trace_end(&r);
	}
	local_irq_restore(irqs);
}

static void on_end(void *data, void *lock, int ret)
{
	struct kmprof_trace_record r;
	u64 number;

	if (in_nmi())
		return;
	number = kmprof_trace_number_of(lock, LOCK_BITS);
	if (!kmprof_trace_wants_end(KMPROF_TRACE_CONTENTION_BEGIN, number) ||
	    !kmprof_trace_begin_here(&r, KMPROF_TRACE_CONTENTION_END))
		return;
	r.to = kmprof_trace_put(r.to, number);
	*r.to++ = ret ? KMPROF_WAIT_FAILED : 0;
	kmprof_trace_end(&r);
}

const struct kmprof_trace_point kmprof_trace_contention_points[KMPROF_TRACE_NR_CONTENTION] = {
	{ KMPROF_TRACE_TYPE(KMPROF_TRACE_CONTENTION_BEGIN, "contention_begin", 4, 0),
	  "contention_begin", on_begin, on_begin_with_stack },
	{ KMPROF_TRACE_TYPE(KMPROF_TRACE_CONTENTION_END, "contention_end", 2, 0),
	  "contention_end", on_end },
};

/* Has the compiler hold the handlers against the kernel's prototypes. */
static void __maybe_unused check_prototypes(void)
{
	check_trace_callback_type_contention_begin(on_begin);
	check_trace_callback_type_contention_begin(on_begin_with_stack);
	check_trace_callback_type_contention_end(on_end);
}
