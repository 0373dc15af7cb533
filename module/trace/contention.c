// SPDX-License-Identifier: GPL-2.0
/*
 * The events of locks: waits, from their begin to their end. They are those of the tracepoints, as
 * they come: which begin and which end are of the same wait is for the reader. A handler may run
 * with the wait_lock of a lock held, and the task's state may be set to sleep.
 *
 * Source: traceGoPark() of Go's trace.go, with traceEvGoBlockSync.
 */
#include <linux/irqflags.h>
#include <linux/preempt.h>
#include <linux/random.h>
#include <linux/siphash.h>
#include <trace/events/lock.h>

#include "compat/contention.h"
#include "trace/buffer.h"
#include "trace/contention.h"
#include "trace/point.h"
#include "trace/stacks.h"

/* For the numbers of locks, where their addresses may not be told. */
static siphash_key_t key;
static bool tells_addresses;

/**
 * kmprof_trace_contention_prepare() - a trace will be started
 * @has_addresses: it may tell addresses
 *
 * Context: Process context. No handler runs.
 */
void kmprof_trace_contention_prepare(bool has_addresses)
{
	tells_addresses = has_addresses;
	get_random_bytes(&key, sizeof(key));
}

static u64 number_of(const void *lock)
{
	if (tells_addresses)
		return (unsigned long)lock;
	return (u32)siphash_1u64((unsigned long)lock, &key) ?: 1;
}

static __always_inline bool begin(struct kmprof_trace_record *r, u8 type)
{
	return kmprof_trace_begin(r, kmprof_trace_here(type), KMPROF_TRACE_RECORD_MAX);
}

static __always_inline void put_begin(struct kmprof_trace_record *r, const void *lock,
				      unsigned int flags)
{
	u32 kind = kmprof_compat_lock_kind(flags);

	r->to = kmprof_trace_put(r->to, number_of(lock));
	*r->to++ = kind;
	*r->to++ = kmprof_compat_wait_flags(flags);
	r->to = kmprof_trace_put(r->to, kmprof_compat_lock_owner(lock, kind));
}

/* Tracepoint handlers run with preemption off. */
static void on_begin(void *data, void *lock, unsigned int flags)
{
	struct kmprof_trace_record r;

	if (in_nmi() || !begin(&r, KMPROF_TRACE_CONTENTION_BEGIN))
		return;
	put_begin(&r, lock, flags);
	kmprof_trace_end(&r);
}

static void put_stack(struct kmprof_trace_record *r, unsigned int flags)
{
	u32 number;

	/* What spins for a mutex may sleep for it, too. */
	if (kmprof_trace_stacks_number_of_wait((flags & LCB_F_MUTEX) || !(flags & LCB_F_SPIN),
					       &number))
		kmprof_trace_put_stack(r, number);
	else
		*r->to++ = 0;
}

/* Interrupts are off for the stack, as in on_waking_with_stack(). */
static void on_begin_with_stack(void *data, void *lock, unsigned int flags)
{
	struct kmprof_trace_record r;
	unsigned long irqs;

	if (in_nmi())
		return;
	local_irq_save(irqs);
	if (begin(&r, KMPROF_TRACE_CONTENTION_BEGIN)) {
		put_begin(&r, lock, flags);
		put_stack(&r, flags);
		kmprof_trace_end(&r);
	}
	local_irq_restore(irqs);
}

static void on_end(void *data, void *lock, int ret)
{
	struct kmprof_trace_record r;

	if (in_nmi() || !begin(&r, KMPROF_TRACE_CONTENTION_END))
		return;
	r.to = kmprof_trace_put(r.to, number_of(lock));
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
