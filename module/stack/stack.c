// SPDX-License-Identifier: GPL-2.0
/*
 * Capture and trim: by learned rules (unwind.h), or else by the kernel's unwinder.
 * Called on the sampled path only, in the event's own context, from a handler of a
 * tracepoint or a probe, or from a redirect thunk.
 */
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/stacktrace.h>

#include "compat/compat.h"
#include "core/guard.h"
#include "probe/thunk_text.h"
#include "stack/stack.h"
#include "stack/unwind.h"

/*
 * Not the init text: its bounds change when it is given back, while probes are
 * armed. All that kmprof_init() calls is core text.
 */
static bool in_kmprof(unsigned long addr)
{
	return within_module_core(addr, THIS_MODULE);
}

/* A frame of kmprof's, or of the tracepoint that has called it. */
static bool is_probe(unsigned long addr)
{
	return in_kmprof(addr) || kmprof_extent_has(&kmprof_compat_wait_end, addr);
}

/* Does a frame belong to the function that the probe observes? */
static __always_inline bool is_observed(enum kmprof_stack_at at,
					const struct kmprof_stack_start *start,
					unsigned long addr)
{
	switch (at) {
	case KMPROF_STACK_AT_SITE:
		return addr != start->site;
	case KMPROF_STACK_IN_WAIT:
	case KMPROF_STACK_AT_RETURN:
		return kmprof_compat_is_lock_text(addr, start->sleeps);
	case KMPROF_STACK_AT_RELEASE:
		return kmprof_compat_is_unlock_text(addr);
	}
	return false;
}

/* The first frame that lies up to @bytes above an address, or @nr. */
static unsigned int frame_near(const unsigned long *frames, unsigned int nr,
			       unsigned long addr, unsigned long bytes)
{
	unsigned int i;

	for (i = 0; i < nr && frames[i] - addr > bytes; i++)
		;
	return i;
}

/* The allocator's call site; or, if something has replaced it, the first foreign frame. */
static unsigned int site_index(const unsigned long *frames, unsigned int nr,
			       unsigned long site)
{
	unsigned int i = frame_near(frames, min_t(unsigned int, nr, KMPROF_STACK_EXTRA), site, 0);

	if (i < nr && frames[i] == site)
		return i;
	for (i = 0; i < nr && in_kmprof(frames[i]); i++)
		;
	return i;
}

/* Where is_observed() is asked first; @nr or more if the kernel's walk has not got there. */
static unsigned int start_index(const struct kmprof_stack_start *start,
				const unsigned long *frames, unsigned int nr)
{
	unsigned int i;

	switch (start->at) {
	case KMPROF_STACK_IN_WAIT:
		for (i = 0; i < nr && is_probe(frames[i]); i++)
			;
		return i + 1;	/* the lock's own function */
	case KMPROF_STACK_AT_RETURN:
		/* Nearer to the leaf are the frames of the return probe. */
		return frame_near(frames, nr, start->regs->ip, 0);
	case KMPROF_STACK_AT_RELEASE:
		/* The caller of the probed function; its return address may be replaced. */
		i = frame_near(frames, nr, kmprof_unwind_caller(start->regs), 0);
		if (i == nr)
			i = frame_near(frames, nr, start->regs->ip, KMPROF_ENTRY_SKIP) + 1;
		return i;
	default:
		return 0;
	}
}

/* Of the kernel's walk, the first frame of the stack. */
static unsigned int first_index(const struct kmprof_stack_start *start,
				const unsigned long *frames, unsigned int nr)
{
	unsigned int i;

	if (start->at == KMPROF_STACK_AT_SITE)
		return site_index(frames, nr, start->site);
	i = start_index(start, frames, nr);
	if (i >= nr && start->at == KMPROF_STACK_AT_RETURN)
		return nr;
	while (i < nr && is_observed(start->at, start, frames[i]))
		i++;
	/* There is always a frame that is shown. */
	return i < nr ? i : max(nr, 1U) - 1;
}

/* What stands for the stack when no frame is left. */
static unsigned long only_frame(const struct kmprof_stack_start *start)
{
	switch (start->at) {
	case KMPROF_STACK_AT_SITE:
		return start->site;
	case KMPROF_STACK_AT_RETURN:
		return start->regs->ip;
	case KMPROF_STACK_AT_RELEASE:
		return kmprof_unwind_caller(start->regs);
	default:
		return 0;
	}
}

/**
 * enum frame_flags - what is remembered of a return address
 * @FRAME_OWN: in kmprof, but no thunk
 * @FRAME_THUNK: in a thunk
 * @FRAME_LAST: what is below interrupted what is above
 */
enum frame_flags {
	FRAME_OWN	= 1 << 0,
	FRAME_THUNK	= 1 << 1,
	FRAME_LAST	= 1 << 2,
};

static unsigned int flags_of(unsigned long addr)
{
	unsigned long pair[] = { addr, 0 };
	unsigned int flags = 0;

	if (in_kmprof(addr))
		flags |= kmprof_thunk_text_has(addr) ? FRAME_THUNK : FRAME_OWN;
	if (filter_irq_stacks(pair, 2) == 1 || kmprof_compat_is_softirq_entry(addr))
		flags |= FRAME_LAST;
	return flags;
}

/* All frames from where a walk has come to: without result when a rule is missing. */
static __always_inline bool walk_on(struct kmprof_unwind *u, unsigned long *frames,
				    struct kmprof_stack *stack)
{
	unsigned int kept = 0, flags;

	stack->nr = 0;
	stack->truncated = false;
	stack->own = false;

	for (;;) {
		flags = kmprof_unwind_flags(u);
		if (unlikely(flags & FRAME_OWN)) {
			stack->own = true;
			return true;
		}
		if (likely(!(flags & FRAME_THUNK))) {
			if (unlikely(kept == kmprof_limits.stack_depth)) {
				stack->truncated = true;
				break;
			}
			frames[kept++] = u->ip;
			if (unlikely(flags & FRAME_LAST))
				break;
		}
		if (!kmprof_unwind_next(u)) {
			if (!kmprof_unwind_is_top(u))
				return false;
			break;
		}
	}
	stack->nr = kept;
	return true;
}

static __always_inline bool skip(struct kmprof_unwind *u, unsigned int *skipped)
{
	return ++*skipped <= KMPROF_STACK_EXTRA && kmprof_unwind_next(u);
}

/*
 * As first_index() and keep(), by learned rules: without result when one is missing.
 *
 * To be inlined into a function that is not: a walk begins with the caller of that one.
 */
static __always_inline bool walk_from(enum kmprof_stack_at at,
				      const struct kmprof_stack_start *start,
				      unsigned long *frames, struct kmprof_stack *stack)
{
	struct kmprof_unwind u;
	unsigned int skipped = 0;

	if (at == KMPROF_STACK_AT_RETURN)
		kmprof_unwind_start_return(&u, start->regs);
	else if (at == KMPROF_STACK_AT_RELEASE)
		kmprof_unwind_start_at(&u, start->regs);
	else
		kmprof_unwind_start(&u);
	if (unlikely(!u.rule))
		kmprof_unwind_learn(&u.ip, 1, flags_of);
	while (at == KMPROF_STACK_IN_WAIT && is_probe(u.ip))
		if (!skip(&u, &skipped))
			return false;
	/* Behind the frames of a probe in a wait comes the lock's own function. */
	if (at == KMPROF_STACK_IN_WAIT || is_observed(at, start, u.ip)) {
		do {
			if (!skip(&u, &skipped))
				return false;
		} while (is_observed(at, start, u.ip));
	}
	return walk_on(&u, frames, stack);
}

/* A function for each start, in which the compiler knows it: 45 instructions less a sample. */

static noinline bool walk_site(const struct kmprof_stack_start *start, unsigned long *frames,
			       struct kmprof_stack *stack)
{
	return walk_from(KMPROF_STACK_AT_SITE, start, frames, stack);
}

static noinline bool walk_wait(const struct kmprof_stack_start *start, unsigned long *frames,
			       struct kmprof_stack *stack)
{
	return walk_from(KMPROF_STACK_IN_WAIT, start, frames, stack);
}

static noinline bool walk_return(const struct kmprof_stack_start *start, unsigned long *frames,
				 struct kmprof_stack *stack)
{
	return walk_from(KMPROF_STACK_AT_RETURN, start, frames, stack);
}

static noinline bool walk_release(const struct kmprof_stack_start *start, unsigned long *frames,
				  struct kmprof_stack *stack)
{
	return walk_from(KMPROF_STACK_AT_RELEASE, start, frames, stack);
}

static bool walk(const struct kmprof_stack_start *start, unsigned long *frames,
		 struct kmprof_stack *stack)
{
	switch (start->at) {
	case KMPROF_STACK_AT_SITE:
		return walk_site(start, frames, stack);
	case KMPROF_STACK_IN_WAIT:
		return walk_wait(start, frames, stack);
	case KMPROF_STACK_AT_RETURN:
		return walk_return(start, frames, stack);
	default:
		return walk_release(start, frames, stack);
	}
}

static unsigned int ask_kernel(unsigned long *frames, struct kmprof_stack *stack)
{
	unsigned int nr = stack_trace_save(frames,
					   kmprof_limits.stack_depth + KMPROF_STACK_EXTRA, 0);

	stack->truncated = nr == kmprof_limits.stack_depth + KMPROF_STACK_EXTRA;
	return nr;
}

/*
 * A thunk's frame stays on the stack while an allocation that it redirected
 * allocates in turn (reclaim, a new slab): such frames are cut out. Any other
 * frame of kmprof means that the memory is kmprof's own. An interrupt's stack
 * ends at the interrupt's entry: what it interrupted is chance.
 */
static void keep(unsigned long *frames, unsigned int from, unsigned int nr,
		 struct kmprof_stack *stack)
{
	unsigned int i, flags, kept = 0;

	stack->own = false;
	for (i = from; i < nr; i++) {
		flags = flags_of(frames[i]);
		if (flags & FRAME_OWN)
			stack->own = true;
		if (flags & FRAME_LAST) {
			nr = i + 1;
			stack->truncated = false;
		}
	}
	kmprof_unwind_learn(frames, nr, flags_of);

	for (i = from; i < nr; i++)
		if (!in_kmprof(frames[i]))
			frames[kept++] = frames[i];
	if (kept > kmprof_limits.stack_depth) {
		kept = kmprof_limits.stack_depth;
		stack->truncated = true;
	}
	stack->nr = kept;
}

/**
 * kmprof_stack_capture() - the current stack
 * @scratch: this context's scratch, holds the frames afterwards
 * @start: where the stack begins
 * @stack: the result; at least one frame
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 */
void kmprof_stack_capture(struct kmprof_scratch *scratch,
			  const struct kmprof_stack_start *start, struct kmprof_stack *stack)
{
	unsigned long *frames = scratch->frames;
	unsigned int nr;

	stack->frames = frames;
	if (walk(start, frames, stack))
		return;
	nr = ask_kernel(frames, stack);
	keep(frames, first_index(start, frames, nr), nr, stack);
	if (!stack->nr) {
		frames[0] = only_frame(start);
		stack->nr = 1;
	}
}
