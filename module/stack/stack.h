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

void kmprof_stack_capture(struct kmprof_scratch *scratch, unsigned long site,
			  struct kmprof_stack *stack);
void kmprof_stack_capture_wait(struct kmprof_scratch *scratch, bool sleeps,
			       struct kmprof_stack *stack);
void kmprof_stack_capture_return(struct kmprof_scratch *scratch, const struct pt_regs *regs,
				 bool sleeps, struct kmprof_stack *stack);
void kmprof_stack_capture_release(struct kmprof_scratch *scratch, const struct pt_regs *regs,
				  struct kmprof_stack *stack);

#endif
