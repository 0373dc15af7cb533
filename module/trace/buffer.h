/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The buffers of a trace. Each CPU has a ring of blocks of KMPROF_TRACE_BATCH_MAX bytes, each of
 * which becomes a batch.
 *
 * The CPU alone writes to its ring, with interrupts off: no record interrupts another one. From the
 * begin of a record to its end, no function is called that could make an event, as one that takes a
 * lock. The CPU fills one block after the other, and never waits. When the reader has not taken the
 * oldest block yet, records are lost. Their number is the distance between two batches. Those of a
 * flight recorder write over the oldest block, and are not read until nothing is recorded any more.
 */
#ifndef KMPROF_TRACE_BUFFER_H
#define KMPROF_TRACE_BUFFER_H

#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/types.h>
#include <uapi/linux/kmprof.h>

#include "core/guard.h"
#include "trace/clock.h"
#include "trace/encode.h"

enum {
	/* Bytes of the largest record with numbers and the name of a task. */
	KMPROF_TRACE_RECORD_MAX	= 1 + 4 * KMPROF_TRACE_VARINT_MAX + 1 + KMPROF_COMM_LEN,
	/* A system call, a wait for a lock, one for its spinlock, a softirq, an interrupt... */
	KMPROF_TRACE_BEGUN_MAX	= 8,
};

/**
 * struct kmprof_trace_begun - a begin that may be taken back: see trace/brief.c
 * @at: start of its record
 * @ticks: when
 * @before: ticks of the record before
 * @number: number of events up to and with it
 * @stackless: number of records without a stack before it
 * @key: which one of its type
 * @task: the task that ran
 */
struct kmprof_trace_begun {
	u8 *at;
	u64 ticks;
	u64 before;
	u64 number;
	u64 stackless;
	u64 key;
	const struct task_struct *task;
};

/**
 * struct kmprof_trace_cpu - the ring of a CPU
 * @at: end of the last record; NULL: no block is open
 * @end: end of the open block, or NULL
 * @ticks: when the last record was made
 * @number: number of events so far, with those that were lost
 * @lost: number of those that were lost
 * @batch: start of the open block, or NULL
 * @head: number of full blocks so far. Written by the CPU: a block is complete before
 * @memory: the blocks, a power of two; NULL: there are none
 * @mask: number of blocks - 1
 * @most: most blocks that are not read; 0: no other block is begun
 * @told: number of events up to and with the last full block
 * @stackless: number of records without a stack, because there was no room for it
 * @nr_begun: number of begins that may be taken back; they are in the open block
 * @begun: these, the last one last
 * @tail: number of blocks that were read. Written by the reader, which does not need the block
 *	any more
 */
struct kmprof_trace_cpu {
	u8 *at;
	u8 *end;
	u64 ticks;
	u64 number;
	u64 lost;
	struct kmprof_trace_batch *batch;
	unsigned long head;
	u8 *memory;
	unsigned long mask;
	unsigned long most;
	u64 told;
	u64 stackless;
	unsigned int nr_begun;
	struct kmprof_trace_begun begun[KMPROF_TRACE_BEGUN_MAX];
	unsigned long tail ____cacheline_aligned;
};

extern struct kmprof_trace_cpu __percpu *kmprof_trace_cpus;

/**
 * struct kmprof_trace_record - a record that is being written
 * @cpu: the ring
 * @to: where the next byte goes
 * @flags: of the interrupts before
 */
struct kmprof_trace_record {
	struct kmprof_trace_cpu *cpu;
	u8 *to;
	unsigned long flags;
};

/**
 * kmprof_trace_put_stack() - write the number of a stack, as the last number of a record
 * @r: the record
 * @number: the number; 0: there was no room for it
 *
 * Context: As for kmprof_trace_begin().
 */
static __always_inline void kmprof_trace_put_stack(struct kmprof_trace_record *r, u32 number)
{
	if (unlikely(!number))
		r->cpu->stackless++;
	r->to = kmprof_trace_put(r->to, number);
}

/* Block number @n, while it is in the ring. Context: Any, when there is memory. */
static inline struct kmprof_trace_batch *kmprof_trace_block(const struct kmprof_trace_cpu *c,
							    unsigned long n)
{
	return (void *)(c->memory + (n & c->mask) * KMPROF_TRACE_BATCH_MAX);
}

bool kmprof_trace_make_room(struct kmprof_trace_cpu *c, u64 ticks);

/**
 * kmprof_trace_here() - get the first byte of a record that is made in any context
 * @type: enum kmprof_trace_event
 *
 * Context: Any but NMI.
 * Return: the byte. In a task it is @type.
 */
static __always_inline u8 kmprof_trace_here(u8 type)
{
	static_assert(KMPROF_GUARD_TASK == (int)KMPROF_TRACE_IN_TASK &&
		      KMPROF_GUARD_SOFTIRQ == (int)KMPROF_TRACE_IN_SOFTIRQ &&
		      KMPROF_GUARD_HARDIRQ == (int)KMPROF_TRACE_IN_HARDIRQ);

	return type | kmprof_guard_level() << KMPROF_TRACE_CONTEXT_SHIFT;
}

/**
 * kmprof_trace_begin() - begin a record
 * @r: the record; kmprof_trace_end() is due if there is room
 * @first: its first byte
 * @bytes: bytes that it takes at most
 *
 * Source: traceEvent() and traceEventLocked() of Go's trace.go.
 *
 * Context: Any but NMI. Preemption off. On true, interrupts are off until kmprof_trace_end().
 * Return: true if there is room; else the event is counted as lost.
 */
static __always_inline bool kmprof_trace_begin(struct kmprof_trace_record *r, u8 first,
					       unsigned int bytes)
{
	struct kmprof_trace_cpu *c;
	u64 ticks, since;

	/* Not traced, since this may be called from a handler of irq events. */
	raw_local_irq_save(r->flags);
	c = this_cpu_ptr(kmprof_trace_cpus);
	ticks = kmprof_trace_ticks();
	if (unlikely((size_t)(c->end - c->at) < bytes) &&
	    !kmprof_trace_make_room(c, ticks)) {
		raw_local_irq_restore(r->flags);
		return false;
	}
	/* The kernel's clock can go back by some ns while it is adjusted. */
	since = ticks - c->ticks;
	if (unlikely((s64)since < 0))
		since = 0;
	c->ticks += since;
	r->cpu = c;
	r->to = c->at;
	*r->to++ = first;
	r->to = kmprof_trace_put(r->to, since);
	return true;
}

/**
 * kmprof_trace_begin_here() - begin a record of numbers and the name of a task, in any context
 * @r: the record; kmprof_trace_end() is due if there is room
 * @type: enum kmprof_trace_event
 *
 * Context, Return: as for kmprof_trace_begin().
 */
static __always_inline bool kmprof_trace_begin_here(struct kmprof_trace_record *r, u8 type)
{
	return kmprof_trace_begin(r, kmprof_trace_here(type), KMPROF_TRACE_RECORD_MAX);
}

/**
 * kmprof_trace_end() - complete a record
 * @r: the record, as written
 *
 * Context: As for kmprof_trace_begin().
 */
static __always_inline void kmprof_trace_end(struct kmprof_trace_record *r)
{
	/* Up to @at, a crash leaves whole records. The last one may not be counted yet. */
	barrier();
	r->cpu->at = r->to;
	r->cpu->number++;
	raw_local_irq_restore(r->flags);
}

int kmprof_trace_buffer_create(size_t bytes, bool overwrites, void (*filled)(void));
void kmprof_trace_buffer_begin(void);
void kmprof_trace_buffer_freeze(void);
void kmprof_trace_buffer_close(void);
void kmprof_trace_buffer_destroy(void);

const struct kmprof_trace_batch *kmprof_trace_buffer_peek(unsigned int cpu);
void kmprof_trace_buffer_taken(unsigned int cpu);
bool kmprof_trace_buffer_is_ready(void);
bool kmprof_trace_buffer_has_rest(unsigned int cpu, u64 ticks, struct kmprof_trace_batch *rest);
void kmprof_trace_buffer_count(struct kmprof_trace_end *end);

#endif
