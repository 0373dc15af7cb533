/* SPDX-License-Identifier: GPL-2.0 */
/* A type of records, and what makes them: a tracepoint, or a hook of a function. */
#ifndef KMPROF_TRACE_POINT_H
#define KMPROF_TRACE_POINT_H

#include <uapi/linux/kmprof.h>

struct kmprof_ftrace_hook;
struct tracepoint;

/**
 * struct kmprof_trace_point - a type of records
 * @type: as it is read, without a stack
 * @tracepoint: name of the tracepoint; NULL: there is none
 * @handler: as that of struct kmprof_tracepoint
 * @handler_with_stack: what is attached instead if there are stacks; NULL: it has none
 * @own: the tracepoint, if it is kmprof's own; NULL: it is one of the kernel
 * @function: without a tracepoint: name of the function that is hooked
 * @hook: the hook; NULL: there is none. Without both, the type cannot be chosen
 */
struct kmprof_trace_point {
	struct kmprof_trace_type type;
	const char *tracepoint;
	void *handler;
	void *handler_with_stack;
	struct tracepoint *own;
	const char *function;
	struct kmprof_ftrace_hook *hook;
};

/*
 * Hooks record: set by trace/events.c while the tracepoints do, too. To disarm a hook takes longer.
 * Read with preemption off.
 */
extern bool kmprof_trace_hooks_record;

/* A struct kmprof_trace_type: number, name, number of arguments, whether a text is behind them. */
#define KMPROF_TRACE_TYPE(id, type_name, args, text)				\
	{ .type = (id), .name = (type_name), .nr_args = (args), .has_text = (text) }

#endif
