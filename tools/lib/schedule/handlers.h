/* SPDX-License-Identifier: GPL-2.0 */
/* What interrupts are for: the handlers of devices, and softirqs. Each has a number of its own. */
#ifndef KMPROF_SCHEDULE_HANDLERS_H
#define KMPROF_SCHEDULE_HANDLERS_H

#include "trace/trace.h"
#include "util/growing.h"
#include "util/intern.h"

enum { KMPROF_HANDLER_NAME = KMPROF_TRACE_IRQ_NAME_MAX + 1 };

/**
 * struct kmprof_handler - what interrupts are for
 * @context: KMPROF_TRACE_IN_HARDIRQ: a device; _IN_SOFTIRQ: a softirq
 * @number: of the interrupt, or of the softirq
 * @name: of a device's handler, in printable ASCII; else empty
 */
struct kmprof_handler {
	__u32 context;
	__u32 number;
	char name[KMPROF_HANDLER_NAME];
};

/**
 * struct kmprof_handlers - all of a trace
 * @table: table of struct kmprof_handler
 * @keys: by which they are found: has as many
 */
struct kmprof_handlers {
	struct kmprof_growing table;
	struct kmprof_intern keys;
};

/**
 * kmprof_handlers_find() - the handler that begins
 * @handlers: the handlers; all zero at first. It is added if it is not there
 * @event: KMPROF_TRACE_IRQ_ENTRY or KMPROF_TRACE_SOFTIRQ_ENTRY
 *
 * Return: its index, or -ENOMEM.
 */
__s64 kmprof_handlers_find(struct kmprof_handlers *handlers, const struct kmprof_event *event);

size_t kmprof_handlers_count(const struct kmprof_handlers *handlers);

/* @i: its index */
const struct kmprof_handler *kmprof_handlers_at(const struct kmprof_handlers *handlers, __u32 i);

/* @i: its index. Only softirqs are interrupted, and resume. */
bool kmprof_handlers_is_softirq(const struct kmprof_handlers *handlers, __u32 i);

void kmprof_handlers_release(struct kmprof_handlers *handlers);

#endif
