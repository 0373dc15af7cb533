// SPDX-License-Identifier: GPL-2.0
/*
 * Leaves out what is brief: waits, system calls, interrupts, reclaim and compaction that take less
 * time than the filter of the trace says.
 *
 * How long something takes is known at its end. If its begin is still the last record of the CPU
 * then, that is taken back, as if it had never been made. If not, something else has happened in
 * it: then it is in the trace, since it tells what that has happened in. And if the block is full
 * meanwhile, it stays, too. So what has a begin has an end, records stay in their order, and
 * readers need not know of this.
 *
 * One can be in another one: a wait in a system call, an interrupt in a wait. So each CPU knows its
 * last begins, each of which is the record right before the next. Others are forgotten.
 */
#include <linux/irqflags.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/time64.h>

#include "trace/brief.h"
#include "trace/buffer.h"

/* 0: nothing is brief. Written while nothing is recorded. */
static u64 least_ticks;

/* Ticks between a record and the one before, which @record has behind its first byte. */
static u64 since(const u8 *record)
{
	unsigned int shift = 0;
	u64 ticks = 0;

	do {
		record++;
		ticks |= (u64)(*record & 0x7f) << shift;
		shift += 7;
	} while (*record & 0x80);
	return ticks;
}

/* The last begin, if nothing was recorded since. */
static struct kmprof_trace_begun *last_begun(struct kmprof_trace_cpu *c)
{
	struct kmprof_trace_begun *last;

	if (!c->nr_begun)
		return NULL;
	last = &c->begun[c->nr_begun - 1];
	return last->number == c->number ? last : NULL;
}

/**
 * kmprof_trace_brief_note() - note a begin
 * @c: the ring, in which its record is being written: see kmprof_trace_begun()
 * @key: which one of its type
 *
 * Context: As for kmprof_trace_begin().
 */
noinline void kmprof_trace_brief_note(struct kmprof_trace_cpu *c, u64 key)
{
	if (!last_begun(c) || c->nr_begun == KMPROF_TRACE_BEGUN_MAX)
		c->nr_begun = 0;
	c->begun[c->nr_begun++] = (struct kmprof_trace_begun) {
		.at		= c->at,
		.ticks		= c->ticks,
		.before		= c->ticks - since(c->at),
		.number		= c->number + 1,
		.stackless	= c->stackless,
		.key		= key,
		.task		= current,
	};
}

static void take_back(struct kmprof_trace_cpu *c, const struct kmprof_trace_begun *begun)
{
	c->number--;
	/* After a crash, one record may not be counted: see kmprof_trace_end(). */
	barrier();
	c->at = begun->at;
	c->ticks = begun->before;
	c->stackless = begun->stackless;
	c->nr_begun--;
}

/**
 * kmprof_trace_brief_take_back() - take a begin back if nothing is behind it, and it is brief
 * @type: its type
 * @key: which one of that
 *
 * Context: Any but NMI. Preemption off.
 * Return: true if so; else the end has to be recorded.
 */
noinline bool kmprof_trace_brief_take_back(u8 type, u64 key)
{
	const u8 first = kmprof_trace_here(type);
	const struct kmprof_trace_begun *begun;
	struct kmprof_trace_cpu *c;
	unsigned long flags;
	bool is_brief;

	raw_local_irq_save(flags);
	c = this_cpu_ptr(kmprof_trace_cpus);
	begun = last_begun(c);
	/* The clock can be behind the ring, after a suspend for long: then nothing is brief. */
	is_brief = begun && *begun->at == first && begun->key == key && begun->task == current &&
		   kmprof_trace_ticks() - begun->ticks < least_ticks;
	if (is_brief)
		take_back(c, begun);
	raw_local_irq_restore(flags);
	return is_brief;
}

/**
 * kmprof_trace_brief_begin() - choose what is brief
 * @least_ns: what takes less time is left out; 0: nothing is
 * @ticks_per_s: ticks in a second
 *
 * Context: Process context, while nothing is recorded.
 */
void kmprof_trace_brief_begin(u64 least_ns, u64 ticks_per_s)
{
	least_ticks = mul_u64_u64_div_u64(least_ns, ticks_per_s, NSEC_PER_SEC);
}
