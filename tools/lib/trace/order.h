/* SPDX-License-Identifier: GPL-2.0 */
/* The records and losses of all CPUs of a saved trace in one order: that of time. */
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
 * struct kmprof_item - a record or a loss
 * @cpu: its CPU
 * @ticks: its time; of a loss, not later than that of the next record
 * @lost: events that were lost; 0: it is a record
 * @from_ticks: of a loss: the last record of this CPU before it; 0: there is none
 * @number: of a record: events of this CPU before it, with those that were lost
 * @is_first: the record is the first one of its batch
 * @tid: of the batch
 * @record: the record
 */
struct kmprof_item {
	__u32 cpu;
	__u64 ticks;
	__u64 lost;
	__u64 from_ticks;
	__u64 number;
	bool is_first;
	__u32 tid;
	const struct kmprof_record *record;
};

/**
 * kmprof_order_begin() - go to the first item
 * @order: filled in, but for @is_ready and @of, which are set before; released by
 *	kmprof_order_release(), also after a failure
 * @trace: the trace, with its index
 * @err: explanation
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
 * comes behind those that may make it so.
 *
 * Return: 1; 0: there is none; or a negative errno.
 */
int kmprof_order_next(struct kmprof_order *order, struct kmprof_item *item,
		      struct kmprof_error *err);

#endif
