// SPDX-License-Identifier: GPL-2.0
/*
 * The events of a trace, and attaching their handlers to tracepoints and functions. A new event is
 * a handler and an entry of the table in the file of its kind; a new file is a row here.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "probe/ftrace_hook.h"
#include "probe/tracepoint.h"
#include "trace/contention.h"
#include "trace/events.h"
#include "trace/grace_period.h"
#include "trace/heap.h"
#include "trace/interrupt.h"
#include "trace/numbers.h"
#include "trace/point.h"
#include "trace/power.h"
#include "trace/reclaim.h"
#include "trace/sched.h"
#include "trace/system_call.h"

static const struct kmprof_trace_point mark = {
	.type = KMPROF_TRACE_TYPE(KMPROF_TRACE_MARK, "mark", 0, 1),
};

/* All types of records, in the order of enum kmprof_trace_event. */
static const struct {
	const struct kmprof_trace_point *points;
	unsigned int nr;
} tables[] = {
	{ kmprof_trace_sched_points, KMPROF_TRACE_NR_SCHED },
	{ &mark, 1 },
	{ kmprof_trace_contention_points, KMPROF_TRACE_NR_CONTENTION },
	{ kmprof_trace_interrupt_points, KMPROF_TRACE_NR_INTERRUPT },
	{ kmprof_trace_reclaim_points, KMPROF_TRACE_NR_RECLAIM },
	{ kmprof_trace_heap_points, KMPROF_TRACE_NR_HEAP },
	{ kmprof_trace_syscall_points, KMPROF_TRACE_NR_SYSCALL },
	{ kmprof_trace_power_points, KMPROF_TRACE_NR_POWER },
	{ kmprof_trace_grace_period_points, KMPROF_TRACE_NR_GRACE_PERIOD },
};

static_assert(KMPROF_TRACE_NR_SCHED + 1 + KMPROF_TRACE_NR_CONTENTION +
	      KMPROF_TRACE_NR_INTERRUPT + KMPROF_TRACE_NR_RECLAIM + KMPROF_TRACE_NR_HEAP +
	      KMPROF_TRACE_NR_SYSCALL + KMPROF_TRACE_NR_POWER + KMPROF_TRACE_NR_GRACE_PERIOD ==
	      KMPROF_TRACE_NR_TYPES);

static struct kmprof_tracepoint armed[KMPROF_TRACE_NR_TYPES];
static unsigned int nr_armed;
/* Types whose hooks are armed: bit mask of 1 << enum kmprof_trace_event. */
static u64 hooked;
bool kmprof_trace_hooks_record;

/* Returns the next type of records; NULL, once, behind the last one. @table and @i begin with 0. */
static const struct kmprof_trace_point *next_point(unsigned int *table, unsigned int *i)
{
	if (*i == tables[*table].nr) {
		*i = 0;
		++*table;
	}
	return *table < ARRAY_SIZE(tables) ? &tables[*table].points[(*i)++] : NULL;
}

/**
 * kmprof_trace_events() - get the events that can be chosen
 *
 * Context: Any.
 * Return: bit mask of 1 << enum kmprof_trace_event.
 */
u64 kmprof_trace_events(void)
{
	const struct kmprof_trace_point *point;
	unsigned int table = 0, i = 0;
	u64 events = 0;

	while ((point = next_point(&table, &i)))
		if (point->tracepoint || point->hook)
			events |= BIT_ULL(point->type.type);
	return events;
}

/**
 * kmprof_trace_types() - get all types of records
 * @types: returns KMPROF_TRACE_NR_TYPES of them, in the order of enum kmprof_trace_event
 * @has_stacks: records have stacks
 *
 * Context: Any.
 */
void kmprof_trace_types(struct kmprof_trace_type *types, bool has_stacks)
{
	const struct kmprof_trace_point *point;
	unsigned int table = 0, i = 0;

	for (; (point = next_point(&table, &i)); types++) {
		*types = point->type;
		types->has_stack = has_stacks && point->handler_with_stack;
		types->nr_args += types->has_stack;
	}
}

static void unhook(void)
{
	const struct kmprof_trace_point *point;
	unsigned int table = 0, i = 0;

	while ((point = next_point(&table, &i)))
		if (hooked & BIT_ULL(point->type.type))
			kmprof_ftrace_unhook(point->hook);
	hooked = 0;
}

/*
 * What ftrace says if it refuses a function would have another meaning for who starts a trace.
 *
 * Return: 0; -ENOENT, with a message in the log, or -ENOMEM, and nothing is hooked.
 */
static int hook(u64 events)
{
	const struct kmprof_trace_point *point;
	unsigned int table = 0, i = 0;
	int err;

	while ((point = next_point(&table, &i))) {
		if (!point->hook || !(events & BIT_ULL(point->type.type)))
			continue;
		err = kmprof_ftrace_hook_named(point->hook, point->function);
		if (err) {
			unhook();
			return err == -ENOMEM ? err : -ENOENT;
		}
		hooked |= BIT_ULL(point->type.type);
	}
	return 0;
}

/**
 * kmprof_trace_attach() - record events
 * @events: bit mask of 1 << enum kmprof_trace_event
 * @has_stacks: with stacks, for which there is a table, and with addresses
 *
 * Context: Process context, when there are buffers. Sleeps.
 * Return: 0; -ENOENT when this kernel does not have one of them; or another negative errno.
 */
int kmprof_trace_attach(u64 events, bool has_stacks)
{
	const struct kmprof_trace_point *point;
	unsigned int table = 0, i = 0;
	int err;

	kmprof_trace_numbers_prepare(has_stacks);
	nr_armed = 0;
	while ((point = next_point(&table, &i))) {
		if (!point->tracepoint || !(events & BIT_ULL(point->type.type)))
			continue;
		armed[nr_armed++] = (struct kmprof_tracepoint) {
			.name		= point->tracepoint,
			.handler	= has_stacks && point->handler_with_stack ?
					  point->handler_with_stack : point->handler,
			.found		= point->own,
		};
	}
	err = hook(events);
	if (err)
		return err;
	err = kmprof_tracepoints_arm(armed, nr_armed);
	if (err)
		unhook();
	else
		WRITE_ONCE(kmprof_trace_hooks_record, true);
	return err;
}

/**
 * kmprof_trace_detach() - record no more events
 *
 * Context: Process context. Waits for grace periods, with hooks also for those of RCU tasks: on
 * return no handler runs.
 */
void kmprof_trace_detach(void)
{
	/* The grace period that the next call waits for ends what both record. */
	WRITE_ONCE(kmprof_trace_hooks_record, false);
	kmprof_tracepoints_disarm(armed, nr_armed);
	unhook();
}

/**
 * kmprof_trace_events_exit() - free what the hooks leave
 *
 * Context: Process context, after the last kmprof_trace_detach().
 */
void kmprof_trace_events_exit(void)
{
	const struct kmprof_trace_point *point;
	unsigned int table = 0, i = 0;

	while ((point = next_point(&table, &i)))
		if (point->hook)
			kmprof_ftrace_hook_free(point->hook);
}
