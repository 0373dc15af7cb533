// SPDX-License-Identifier: GPL-2.0
/*
 * Captures a stack by learned rules (unwind.h) or, if one is missing, with the kernel's
 * unwinder, and cuts the probe's frames off. Called on the sampled path only, in the
 * event's context, from a handler of a tracepoint or probe, or from a redirect thunk.
 */
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/stacktrace.h>

#include "compat/allocators.h"
#include "compat/compat.h"
#include "core/guard.h"
#include "core/key_hash.h"
#include "probe/thunk_text.h"
#include "stack/learn.h"
#include "stack/stack.h"
#include "stack/unwind.h"

/*
 * Core text only: the bounds of the init text change when it is freed, while probes are
 * armed. kmprof_init() calls nothing but core text.
 */
static bool in_kmprof(unsigned long addr)
{
	return within_module_core(addr, THIS_MODULE);
}

/* Is it the frame of what has called a handler of the tracepoints of waits? */
static bool is_wait_iter(unsigned long addr)
{
	return kmprof_extents_have(kmprof_compat_wait_iters, KMPROF_COMPAT_NR_WAIT_ITERS, addr);
}

/* Is it a frame of what has called a handler of the scheduler's tracepoints? */
static bool is_sched_iter(unsigned long addr)
{
	return kmprof_extents_have(kmprof_compat_sched_iters, KMPROF_COMPAT_NR_SCHED_ITERS, addr);
}

/* Does a frame lie between the probe and the caller of the observed function? */
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
	case KMPROF_STACK_WITHIN:
	case KMPROF_STACK_BELOW:
	case KMPROF_STACK_RETURNED:
		/* A thunk lies between two functions of the allocator, or above them. */
		return kmprof_allocators_have(start->allocator, addr) ||
		       kmprof_thunk_text_has(addr);
	case KMPROF_STACK_IN_CALL:
		return in_kmprof(addr);
	case KMPROF_STACK_IN_SCHED:
		return false;
	}
	return false;
}

/* Find the first frame in [@addr, @addr + @bytes]. Returns its index, or @nr. */
static unsigned int frame_near(const unsigned long *frames, unsigned int nr,
			       unsigned long addr, unsigned long bytes)
{
	unsigned int i;

	for (i = 0; i < nr && frames[i] - addr > bytes; i++)
		;
	return i;
}

/*
 * Find the caller of an allocator whose return address a tracer has replaced. A thunk has
 * called past the allocator, so that the caller follows the thunk. In a tracepoint's handler,
 * the allocator's frames follow those of kmprof and the tracepoint.
 */
static unsigned int replaced_site_index(const unsigned long *frames, unsigned int nr)
{
	enum kmprof_allocator allocator;
	unsigned int i, k;

	for (i = 0; i < nr && in_kmprof(frames[i]); i++)
		if (kmprof_thunk_text_has(frames[i]))
			return i + 1;
	k = i;
	if (k < nr && !kmprof_allocators_find(frames[k]))
		k++;
	allocator = k < nr ? kmprof_allocators_find(frames[k]) : KMPROF_ALLOCATOR_NONE;
	if (!allocator)
		return i;
	/* The per-CPU allocator calls slab allocators, which are not part of it. */
	while (k < nr && kmprof_allocators_find(frames[k]) == allocator)
		k++;
	return k;
}

/* Find the allocator's call site. */
static unsigned int site_index(const unsigned long *frames, unsigned int nr,
			       unsigned long site)
{
	unsigned int near = min_t(unsigned int, nr, KMPROF_STACK_EXTRA);
	unsigned int i = frame_near(frames, near, site, 0);

	if (i == near)
		i = replaced_site_index(frames, nr);
	return kmprof_allocators_skip(frames, i, nr);
}

/* Find the frame to begin is_observed() with. Returns @nr or more if it is not there. */
static unsigned int start_index(const struct kmprof_stack_start *start,
				const unsigned long *frames, unsigned int nr)
{
	unsigned int i;

	switch (start->at) {
	case KMPROF_STACK_IN_WAIT:
		for (i = 0; i < nr && in_kmprof(frames[i]); i++)
			;
		i += i < nr && is_wait_iter(frames[i]);
		return i + 1;	/* skip the function of the lock */
	case KMPROF_STACK_IN_SCHED:
		for (i = 0; i < nr && (in_kmprof(frames[i]) || is_sched_iter(frames[i])); i++)
			;
		return i + 1;	/* skip the function of the scheduler */
	case KMPROF_STACK_AT_RETURN:
		/* The frames of the return probe come first. */
		return frame_near(frames, nr, start->regs->ip, 0);
	case KMPROF_STACK_RETURNED:
		for (i = 0; i < nr && in_kmprof(frames[i]); i++)
			;
		return i;
	case KMPROF_STACK_AT_RELEASE:
	case KMPROF_STACK_WITHIN:
		/* The probed function's caller. A tracer may have replaced its return address. */
		i = frame_near(frames, nr, kmprof_unwind_caller(start->regs), 0);
		if (i == nr)
			i = frame_near(frames, nr, start->regs->ip, KMPROF_ENTRY_SKIP) + 1;
		return i;
	case KMPROF_STACK_BELOW:
		for (i = 0; i < nr && !is_observed(start->at, start, frames[i]); i++)
			;
		return i;
	default:
		return 0;
	}
}

/* Is it a frame of the observed function, or of what a tracer has put between two of these? */
static bool is_between(const struct kmprof_stack_start *start, unsigned long addr)
{
	switch (start->at) {
	case KMPROF_STACK_WITHIN:
	case KMPROF_STACK_BELOW:
	case KMPROF_STACK_RETURNED:
		return is_observed(start->at, start, addr) || kmprof_allocators_is_tracer(addr);
	default:
		return is_observed(start->at, start, addr);
	}
}

/* Find the first frame of the stack in the frames of the kernel's unwinder. */
static unsigned int first_index(const struct kmprof_stack_start *start,
				const unsigned long *frames, unsigned int nr)
{
	unsigned int i;

	if (start->at == KMPROF_STACK_AT_SITE)
		return site_index(frames, nr, start->site);
	i = start_index(start, frames, nr);
	if (i >= nr && start->at == KMPROF_STACK_AT_RETURN)
		return nr;
	while (i < nr && is_between(start, frames[i]))
		i++;
	/* Keep at least one frame. */
	return i < nr ? i : max(nr, 1U) - 1;
}

/* The one frame of a stack of which nothing else is left. */
static unsigned long only_frame(const struct kmprof_stack_start *start)
{
	switch (start->at) {
	case KMPROF_STACK_AT_SITE:
	case KMPROF_STACK_RETURNED:
		return start->site;
	case KMPROF_STACK_AT_RETURN:
		return start->regs->ip;
	case KMPROF_STACK_AT_RELEASE:
	case KMPROF_STACK_WITHIN:
		return kmprof_unwind_caller(start->regs);
	default:
		return 0;
	}
}

/**
 * enum frame_flags - what is learned about a return address, besides its rule
 * @FRAME_OWN: it lies in kmprof, but not in a thunk
 * @FRAME_THUNK: it lies in a thunk
 * @FRAME_LAST: it lies in an interrupt's entry: the callers' frames are what was interrupted.
 *	Not for a page fault, which the callers have caused
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
	if ((filter_irq_stacks(pair, 2) == 1 && !kmprof_compat_is_page_fault_entry(addr)) ||
	    kmprof_compat_is_softirq_entry(addr))
		flags |= FRAME_LAST;
	return flags;
}

/**
 * kmprof_stack_ends_at() - does a stack end at a frame that has callers?
 * @flags: kmprof_unwind_flags() of the frame
 *
 * Context: Any.
 * Return: true if so: it is the entry of an interrupt.
 */
bool kmprof_stack_ends_at(unsigned int flags)
{
	return flags & FRAME_LAST;
}

/* Collect the frames from @u on. Returns false when a rule is missing. */
static __always_inline bool walk_on(struct kmprof_unwind *u, unsigned int own,
				    unsigned long *frames, struct kmprof_stack *stack)
{
	const unsigned long depth = kmprof_limits.stack_depth;
	u64 hash = kmprof_key_hash_seed;
	unsigned long nr = 0;
	unsigned int flags;

	for (;;) {
		if (likely(kmprof_unwind_is_plain(u) && nr != depth)) {
			/* With "nr++" in the brackets, the compiler keeps the old value, too. */
			frames[nr] = u->ip;
			nr++;
			hash = kmprof_key_hash_word(hash, u->ip);
			if (unlikely(!kmprof_unwind_next_plain(u)))
				return false;
			continue;
		}
		flags = kmprof_unwind_flags(u);
		if (flags & own) {
			stack->own = true;
			return true;
		}
		if (!(flags & FRAME_THUNK)) {
			if (nr == depth) {
				stack->truncated = true;
				break;
			}
			frames[nr++] = u->ip;
			hash = kmprof_key_hash_word(hash, u->ip);
			if (flags & FRAME_LAST)
				break;
		}
		if (!kmprof_unwind_next(u)) {
			if (!kmprof_unwind_is_top(u))
				return false;
			break;
		}
	}
	stack->nr = nr;
	stack->hash = hash;
	return true;
}

static __always_inline bool skip(struct kmprof_unwind *u, unsigned int *skipped)
{
	return ++*skipped <= KMPROF_STACK_EXTRA && kmprof_unwind_next(u);
}

static __always_inline struct kmprof_unwind start_of(enum kmprof_stack_at at,
						     const struct kmprof_stack_start *start)
{
	switch (at) {
	case KMPROF_STACK_AT_RETURN:
		return kmprof_unwind_start_return(start->regs);
	case KMPROF_STACK_AT_RELEASE:
	case KMPROF_STACK_WITHIN:
		return kmprof_unwind_start_at(start->regs);
	case KMPROF_STACK_AT_SITE:
	case KMPROF_STACK_BELOW:
	case KMPROF_STACK_RETURNED:
		return kmprof_unwind_start(start->frame);
	default:
		return kmprof_unwind_start(__builtin_frame_address(0));
	}
}

/* By value: the walk stays in registers. */
static noinline void learn_one(unsigned long ip)
{
	kmprof_learn(&ip, 1);
}

/*
 * Do what first_index() and keep() do, by learned rules. Returns false when one is missing.
 *
 * Unless @start says where, the walk begins with the caller of the noinline function that this
 * is inlined into. The kernel's unwinder does not report its own caller either.
 */
static __always_inline bool walk_from(enum kmprof_stack_at at,
				      const struct kmprof_stack_start *start,
				      unsigned long *frames, struct kmprof_stack *stack)
{
	struct kmprof_unwind u = start_of(at, start);
	unsigned int skipped = 0;

	if (unlikely(!u.rule))
		learn_one(u.ip);
	while (((at == KMPROF_STACK_IN_WAIT || at == KMPROF_STACK_RETURNED) && in_kmprof(u.ip)) ||
	       (at == KMPROF_STACK_BELOW && !is_observed(at, start, u.ip)))
		if (!skip(&u, &skipped))
			return false;
	if (at == KMPROF_STACK_IN_WAIT && is_wait_iter(u.ip) && !skip(&u, &skipped))
		return false;
	/* In a wait, the function of the lock follows the probe's frames. */
	if (at == KMPROF_STACK_IN_WAIT || is_observed(at, start, u.ip)) {
		do {
			if (!skip(&u, &skipped))
				return false;
		} while (is_observed(at, start, u.ip));
	}
	return walk_on(&u, FRAME_OWN, frames, stack);
}

/* A function for each start: with a constant @at, a sample takes 45 instructions less. */

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

static noinline bool walk_within(const struct kmprof_stack_start *start, unsigned long *frames,
				 struct kmprof_stack *stack)
{
	return walk_from(KMPROF_STACK_WITHIN, start, frames, stack);
}

static noinline bool walk_below(const struct kmprof_stack_start *start, unsigned long *frames,
				struct kmprof_stack *stack)
{
	return walk_from(KMPROF_STACK_BELOW, start, frames, stack);
}

static noinline bool walk_returned(const struct kmprof_stack_start *start, unsigned long *frames,
				   struct kmprof_stack *stack)
{
	return walk_from(KMPROF_STACK_RETURNED, start, frames, stack);
}

static noinline bool walk_call(const struct kmprof_stack_start *start, unsigned long *frames,
			       struct kmprof_stack *stack)
{
	return walk_from(KMPROF_STACK_IN_CALL, start, frames, stack);
}

static noinline bool walk_sched(const struct kmprof_stack_start *start, unsigned long *frames,
				struct kmprof_stack *stack)
{
	struct kmprof_unwind u = kmprof_unwind_start(start->frame);
	unsigned int skipped = 0;

	if (unlikely(!u.rule))
		learn_one(u.ip);
	while (is_sched_iter(u.ip))
		if (!skip(&u, &skipped))
			return false;
	/* The function of the scheduler follows. */
	return skip(&u, &skipped) && walk_on(&u, 0, frames, stack);
}

static bool walk(const struct kmprof_stack_start *start, unsigned long *frames,
		 struct kmprof_stack *stack)
{
	if (likely(start->at == KMPROF_STACK_AT_SITE))
		return walk_site(start, frames, stack);
	switch (start->at) {
	case KMPROF_STACK_IN_WAIT:
		return walk_wait(start, frames, stack);
	case KMPROF_STACK_AT_RETURN:
		return walk_return(start, frames, stack);
	case KMPROF_STACK_WITHIN:
		return walk_within(start, frames, stack);
	case KMPROF_STACK_BELOW:
		return walk_below(start, frames, stack);
	case KMPROF_STACK_RETURNED:
		return walk_returned(start, frames, stack);
	case KMPROF_STACK_IN_CALL:
		return walk_call(start, frames, stack);
	case KMPROF_STACK_IN_SCHED:
		return walk_sched(start, frames, stack);
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

static bool is_cut_out(enum kmprof_stack_at at, unsigned long addr)
{
	return at == KMPROF_STACK_IN_SCHED ? kmprof_thunk_text_has(addr) : in_kmprof(addr);
}

/*
 * Trim the frames of the kernel's unwinder. Frames of a thunk are cut out: they are on the
 * stack while a redirected allocation allocates in turn (reclaim, a new slab). Any other
 * frame of kmprof means that the event is kmprof's own. An interrupt's stack ends at the
 * interrupt's entry, because what it interrupted is chance.
 */
static void keep(enum kmprof_stack_at at, unsigned long *frames, unsigned int from,
		 unsigned int nr, struct kmprof_stack *stack)
{
	unsigned int i, flags, kept = 0;

	stack->own = false;
	for (i = from; i < nr; i++) {
		flags = flags_of(frames[i]);
		if (flags & FRAME_OWN && at != KMPROF_STACK_IN_SCHED)
			stack->own = true;
		if (flags & FRAME_LAST) {
			nr = i + 1;
			stack->truncated = false;
		}
	}
	kmprof_learn(frames, nr);

	for (i = from; i < nr; i++)
		if (!is_cut_out(at, frames[i]))
			frames[kept++] = frames[i];
	if (kept > kmprof_limits.stack_depth) {
		kept = kmprof_limits.stack_depth;
		stack->truncated = true;
	}
	stack->nr = kept;
}

/* Capture the stack with the kernel's unwinder. */
static noinline void capture_by_kernel(const struct kmprof_stack_start *start,
				       unsigned long *frames, struct kmprof_stack *stack)
{
	unsigned int nr = ask_kernel(frames, stack);

	keep(start->at, frames, first_index(start, frames, nr), nr, stack);
	if (!stack->nr) {
		frames[0] = only_frame(start);
		stack->nr = 1;
	}
	stack->hash = kmprof_key_hash_words(kmprof_key_hash_seed, frames, stack->nr);
}

/**
 * kmprof_stack_capture() - capture the current stack
 * @scratch: scratch of this level; holds the frames afterwards
 * @start: where the stack begins
 * @stack: returns the stack, of at least one frame
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 */
void kmprof_stack_capture(struct kmprof_scratch *scratch,
			  const struct kmprof_stack_start *start, struct kmprof_stack *stack)
{
	*stack = (struct kmprof_stack) { .frames = scratch->frames };
	if (unlikely(!walk(start, scratch->frames, stack)))
		capture_by_kernel(start, scratch->frames, stack);
}

/**
 * kmprof_stack_init() - prepare for capturing stacks
 *
 * Context: Process context, before any probe is armed.
 * Return: 0 or a negative errno.
 */
int kmprof_stack_init(void)
{
	return kmprof_learn_init(flags_of);
}

/**
 * kmprof_stack_exit() - undo kmprof_stack_init()
 *
 * Context: Process context, a grace period after the last probe ran. May sleep.
 */
void kmprof_stack_exit(void)
{
	kmprof_learn_exit();
}
