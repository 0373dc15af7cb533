/* SPDX-License-Identifier: GPL-2.0 */
/* Captures the stack of an event, without the profiler's own frames. */
#ifndef KMPROF_STACK_H
#define KMPROF_STACK_H

#include <linux/types.h>

#include "core/guard.h"
#include "core/limits.h"

struct pt_regs;

/**
 * struct kmprof_stack - a captured stack
 * @frames: return addresses, leaf first, in the scratch
 * @nr: number of frames, 1 to stack_depth; undefined if @own
 * @truncated: the stack has more frames
 * @own: kmprof is on the stack: the event is its own
 * @is_odd: not 0: @truncated or @own, which are rare: one test for both
 * @hash: kmprof_key_hash_words() of @frames; undefined if @own
 * @labels: KMPROF_LABEL_* of the labels behind @frames; set by kmprof_labels_append()
 */
struct kmprof_stack {
	const unsigned long *frames;
	unsigned int nr;
	union {
		struct {
			bool truncated;
			bool own;
		};
		u16 is_odd;
	};
	u64 hash;
	u32 labels;
};

/**
 * enum kmprof_stack_at - where a stack is captured
 * @KMPROF_STACK_AT_SITE: in a handler, called below an allocator that reports its call site
 * @KMPROF_STACK_IN_WAIT: in a tracepoint's handler, called below a lock's function
 * @KMPROF_STACK_AT_RETURN: in a return probe on a lock's slow path
 * @KMPROF_STACK_AT_RELEASE: in a probe at the entry of an unlock function, or of a function
 *	that an unlock function calls; or of any other function
 * @KMPROF_STACK_WITHIN: in a hook at the entry of a function that an allocator's functions call
 * @KMPROF_STACK_BELOW: in a tracepoint's handler, called below an allocator that does not report
 *	its call site
 * @KMPROF_STACK_RETURNED: in a thunk, when a function of an allocator has returned to it
 * @KMPROF_STACK_IN_CALL: in a function of kmprof that the rest of the kernel has called
 * @KMPROF_STACK_IN_SCHED: in a handler of sched_switch or sched_waking, called below the function
 *	of the scheduler that has the tracepoint. An event is never kmprof's own there: its frames
 *	are like any others
 */
enum kmprof_stack_at {
	KMPROF_STACK_AT_SITE,
	KMPROF_STACK_IN_WAIT,
	KMPROF_STACK_AT_RETURN,
	KMPROF_STACK_AT_RELEASE,
	KMPROF_STACK_WITHIN,
	KMPROF_STACK_BELOW,
	KMPROF_STACK_RETURNED,
	KMPROF_STACK_IN_CALL,
	KMPROF_STACK_IN_SCHED,
};

/**
 * struct kmprof_stack_start - where a stack begins: at the caller of the allocator, of the
 *	lock or unlock function, of the scheduler's function, or of kmprof
 * @at: where the stack is captured
 * @sleeps: KMPROF_STACK_IN_WAIT, _AT_RETURN: tasks sleep for the lock, they do not spin
 * @allocator: KMPROF_STACK_WITHIN, _BELOW, _RETURNED: enum kmprof_allocator
 * @site: KMPROF_STACK_AT_SITE: return address of the allocation, as the allocator reports it;
 *	_RETURNED: return address of the thunk
 * @frame: KMPROF_STACK_AT_SITE, _BELOW, _RETURNED: __builtin_frame_address(0) of a function of
 *	the handler, which is not inlined: a walk need not begin further down; _IN_SCHED: that of
 *	the handler itself
 * @regs: KMPROF_STACK_AT_RETURN: registers at the return of the probed function;
 *	_AT_RELEASE, _WITHIN: registers at its entry
 */
struct kmprof_stack_start {
	enum kmprof_stack_at at;
	bool sleeps;
	u8 allocator;
	union {
		struct {
			unsigned long site;
			const unsigned long *frame;
		};
		const struct pt_regs *regs;
	};
};

void kmprof_stack_capture(struct kmprof_scratch *scratch,
			  const struct kmprof_stack_start *start, struct kmprof_stack *stack);
bool kmprof_stack_ends_at(unsigned int flags);
int kmprof_stack_init(void);
void kmprof_stack_exit(void);

#endif
