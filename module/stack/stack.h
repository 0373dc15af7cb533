/* SPDX-License-Identifier: GPL-2.0 */
/* Capturing the stack of an event, without the profiler's own frames. */
#ifndef KMPROF_STACK_H
#define KMPROF_STACK_H

#include <linux/types.h>

struct kmprof_scratch;
struct pt_regs;

/**
 * struct kmprof_stack - a captured stack
 * @frames: return addresses, leaf first, inside the scratch
 * @nr: their number, at least 1, at most stack_depth; without meaning if @own
 * @truncated: there were more
 * @own: kmprof itself is on the stack: its own memory
 * @labels: KMPROF_LABEL_* whose words follow the frames; not set by a capture
 */
struct kmprof_stack {
	const unsigned long *frames;
	unsigned int nr;
	bool truncated;
	bool own;
	u32 labels;
};

/**
 * enum kmprof_stack_at - the moment at which a stack is captured
 * @KMPROF_STACK_AT_SITE: in a handler below an allocator, which reports its call site
 * @KMPROF_STACK_IN_WAIT: in a tracepoint's handler, below the function of a lock
 * @KMPROF_STACK_AT_RETURN: in a return probe, as the slow path of a lock returns
 * @KMPROF_STACK_AT_RELEASE: in a probe on a function that an unlock function calls, or on
 *	the unlock function
 */
enum kmprof_stack_at {
	KMPROF_STACK_AT_SITE,
	KMPROF_STACK_IN_WAIT,
	KMPROF_STACK_AT_RETURN,
	KMPROF_STACK_AT_RELEASE,
};

/**
 * struct kmprof_stack_start - where a stack begins: with the caller of the allocator, or of
 *	the lock's or unlock function
 * @at: the moment of the capture
 * @sleeps: in a wait and at its return: tasks sleep for the lock, they do not spin
 * @site: at a site: the return address of the allocation, as the allocator reports it
 * @regs: at a return: as the slow path has left them for its caller; at a release: at the
 *	entry of the probed function
 */
struct kmprof_stack_start {
	enum kmprof_stack_at at;
	bool sleeps;
	union {
		unsigned long site;
		const struct pt_regs *regs;
	};
};

void kmprof_stack_capture(struct kmprof_scratch *scratch,
			  const struct kmprof_stack_start *start, struct kmprof_stack *stack);

#endif
