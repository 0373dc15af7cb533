/* SPDX-License-Identifier: GPL-2.0 */
/* The batches and records of all CPUs of a saved trace in one order: that of time. */
#ifndef KMPROF_TRACE_ORDER_H
#define KMPROF_TRACE_ORDER_H

#include "trace/record.h"

/**
 * struct kmprof_order - the CPUs
 * @trace: the trace
 * @is_ready: can the task with this id be switched to now?
 * @of: handed to that
 * @cursor: one for each CPU that has batches
 * @nr_cursors: how many
 * @heap: those that are not through, the next one first
 * @nr: how many
 * @record: the record at hand
 */
struct kmprof_order {
	const struct kmprof_trace *trace;
	bool (*is_ready)(const void *of, __u32 tid);
	const void *of;
	struct kmprof_cursor *cursor;
	size_t nr_cursors;
	struct kmprof_cursor **heap;
	size_t nr;
	struct kmprof_record record;
};

/**
 * struct kmprof_item - what comes next
 * @kind: what it is
 * @cpu: its CPU
 * @ticks: its time
 * @number: of a record: events of this CPU before it, with those that were lost
 * @record: the record; else NULL
 * @tid: of a batch: the task that runs when it begins; KMPROF_TID_UNKNOWN: it does not say
 * @lost: of a batch, or a hole: events that were lost before it, or in it
 * @from_ticks: of such losses: the last item of this CPU before them; 0: there is none
 * @to_ticks: of such losses: the batch behind them
 */
struct kmprof_item {
	enum kmprof_item_kind kind;
	__u32 cpu;
	__u64 ticks;
	__u64 number;
	const struct kmprof_record *record;
	__u32 tid;
	__u64 lost;
	__u64 from_ticks;
	__u64 to_ticks;
};

/**
 * kmprof_order_begin() - go to the first item that is not before the start of the trace
 * @order: filled in, but for @is_ready and @of, which are set before; released by
 *	kmprof_order_release(), also after a failure
 * @trace: the trace, with its index
 * @err: explanation
 *
 * The CPUs begin to record one after the other, before the start: what comes before that is not
 * complete. It has only told, in @tid of each cursor, which task runs at the start.
 *
 * Return: 0 or a negative errno.
 */
int kmprof_order_begin(struct kmprof_order *order, const struct kmprof_trace *trace,
		       struct kmprof_error *err);
void kmprof_order_release(struct kmprof_order *order);

/**
 * kmprof_order_next() - take the next item
 * @order: the CPUs
 * @item: filled in; its record until the next call
 * @err: explanation
 *
 * Records of one CPU stay in their order. At the same time, a switch to a task that is not ready
 * comes behind those that may make it so, unless very many CPUs have something then.
 *
 * Return: 1; 0: there is none; or a negative errno.
 */
int kmprof_order_next(struct kmprof_order *order, struct kmprof_item *item,
		      struct kmprof_error *err);

#endif
