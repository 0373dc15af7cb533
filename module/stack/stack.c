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

/*
 * Frames above the call site are the allocator's and ours. The site may be
 * missing when something else has replaced the return address; then at least
 * our own frames go.
 */
static unsigned int site_index(const unsigned long *frames, unsigned int nr,
			       unsigned long site)
{
	unsigned int i;

	for (i = 0; i < min_t(unsigned int, nr, KMPROF_STACK_EXTRA); i++)
		if (frames[i] == site)
			return i;
	for (i = 0; i < nr && in_kmprof(frames[i]); i++)
		;
	return i;
}

/* Ours, on the way from a tracepoint: the next frame is that of who waits. */
static bool is_probe(unsigned long addr)
{
	return in_kmprof(addr) || kmprof_extent_has(&kmprof_compat_wait_end, addr);
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

/*
 * Frames above the caller of the unlock function. The walk begins in a probe on a
 * function that this one calls; what that returns to may have been replaced.
 */
static unsigned int release_index(const unsigned long *frames, unsigned int nr,
				  const struct pt_regs *regs)
{
	unsigned int i = frame_near(frames, nr, kmprof_unwind_caller(regs), 0);

	if (i == nr)
		i = frame_near(frames, nr, regs->ip, KMPROF_ENTRY_SKIP) + 1;
	while (i < nr && kmprof_compat_is_unlock_text(frames[i]))
		i++;
	return i < nr ? i : max(nr, 1U) - 1;
}

/* The first frame from @i on that is not a lock's; there is always one that is shown. */
static unsigned int behind_lock(const unsigned long *frames, unsigned int i, unsigned int nr,
				bool sleeps)
{
	while (i < nr && kmprof_compat_is_lock_text(frames[i], sleeps))
		i++;
	return i < nr ? i : max(nr, 1U) - 1;
}

/* Frames above the caller of the lock's function. */
static unsigned int caller_index(const unsigned long *frames, unsigned int nr, bool sleeps)
{
	unsigned int i;

	for (i = 0; i < nr && is_probe(frames[i]); i++)
		;
	return behind_lock(frames, i + 1, nr, sleeps);
}

/*
 * The same as the function returns: above what it returns to are those of the probe.
 * All, if the kernel's walk has not got there.
 */
static unsigned int return_index(const unsigned long *frames, unsigned int nr,
				 const struct pt_regs *regs, bool sleeps)
{
	unsigned int i = frame_near(frames, nr, regs->ip, 0);

	return i < nr ? behind_lock(frames, i, nr, sleeps) : nr;
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

/*
 * In a function that is not inlined: the walk begins with that one's caller, which the
 * kernel does not tell of.
 */
static __always_inline void walk_start(struct kmprof_unwind *u)
{
	kmprof_unwind_start(u);
	if (unlikely(!u->rule))
		kmprof_unwind_learn(&u->ip, 1, flags_of);
}

/* As site_index() and keep(), by learned rules: without result when one is missing. */
static noinline bool walk_from_site(unsigned long *frames, unsigned long site,
				    struct kmprof_stack *stack)
{
	struct kmprof_unwind u;
	unsigned int skipped = 0;

	walk_start(&u);
	while (u.ip != site)
		if (++skipped > KMPROF_STACK_EXTRA || !kmprof_unwind_next(&u))
			return false;
	return walk_on(&u, frames, stack);
}

/* As caller_index() and keep(), likewise. */
static noinline bool walk_from_caller(unsigned long *frames, bool sleeps,
				      struct kmprof_stack *stack)
{
	struct kmprof_unwind u;
	unsigned int skipped = 0;

	walk_start(&u);
	while (is_probe(u.ip))
		if (++skipped > KMPROF_STACK_EXTRA || !kmprof_unwind_next(&u))
			return false;
	do {
		if (++skipped > KMPROF_STACK_EXTRA || !kmprof_unwind_next(&u))
			return false;
	} while (kmprof_compat_is_lock_text(u.ip, sleeps));
	return walk_on(&u, frames, stack);
}

/* As return_index() and keep(), likewise. */
static noinline bool walk_from_return(unsigned long *frames, const struct pt_regs *regs,
				      bool sleeps, struct kmprof_stack *stack)
{
	struct kmprof_unwind u;
	unsigned int skipped = 0;

	kmprof_unwind_start_return(&u, regs);
	if (unlikely(!u.rule))
		kmprof_unwind_learn(&u.ip, 1, flags_of);
	while (kmprof_compat_is_lock_text(u.ip, sleeps))
		if (++skipped > KMPROF_STACK_EXTRA || !kmprof_unwind_next(&u))
			return false;
	return walk_on(&u, frames, stack);
}

/* As release_index() and keep(), likewise. */
static noinline bool walk_from_release(unsigned long *frames, const struct pt_regs *regs,
				       struct kmprof_stack *stack)
{
	struct kmprof_unwind u;
	unsigned int skipped = 0;

	kmprof_unwind_start_at(&u, regs);
	if (unlikely(!u.rule))
		kmprof_unwind_learn(&u.ip, 1, flags_of);
	while (kmprof_compat_is_unlock_text(u.ip))
		if (++skipped > KMPROF_STACK_EXTRA || !kmprof_unwind_next(&u))
			return false;
	return walk_on(&u, frames, stack);
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
 * kmprof_stack_capture() - the current stack, from the allocator's caller on
 * @scratch: this context's scratch, holds the frames afterwards
 * @site: return address of the allocation, as the allocator itself reports it
 * @stack: the result
 *
 * Context: Any but NMI. Preemption off.
 */
void kmprof_stack_capture(struct kmprof_scratch *scratch, unsigned long site,
			  struct kmprof_stack *stack)
{
	unsigned int nr;

	stack->frames = scratch->frames;
	if (walk_from_site(scratch->frames, site, stack))
		return;
	nr = ask_kernel(scratch->frames, stack);
	keep(scratch->frames, site_index(scratch->frames, nr, site), nr, stack);
	if (!stack->nr) {
		scratch->frames[0] = site;
		stack->nr = 1;
	}
}

/**
 * kmprof_stack_capture_wait() - the current stack, from the caller of a lock's function on
 * @scratch: this context's scratch, holds the frames afterwards
 * @sleeps: of a lock for which tasks sleep
 * @stack: the result
 *
 * Context: Any but NMI. Preemption off. At the end of the wait, in the lock's function.
 */
void kmprof_stack_capture_wait(struct kmprof_scratch *scratch, bool sleeps,
			       struct kmprof_stack *stack)
{
	unsigned int nr;

	stack->frames = scratch->frames;
	if (walk_from_caller(scratch->frames, sleeps, stack))
		return;
	nr = ask_kernel(scratch->frames, stack);
	keep(scratch->frames, caller_index(scratch->frames, nr, sleeps), nr, stack);
	if (!stack->nr) {
		scratch->frames[0] = 0;
		stack->nr = 1;
	}
}

/**
 * kmprof_stack_capture_return() - the same, as the lock's function returns
 * @scratch: this context's scratch, holds the frames afterwards
 * @regs: as that has left them for its caller
 * @sleeps: of a lock for which tasks sleep
 * @stack: the result
 *
 * Context: Any but NMI. Preemption off.
 */
void kmprof_stack_capture_return(struct kmprof_scratch *scratch, const struct pt_regs *regs,
				 bool sleeps, struct kmprof_stack *stack)
{
	unsigned int nr;

	stack->frames = scratch->frames;
	if (walk_from_return(scratch->frames, regs, sleeps, stack))
		return;
	nr = ask_kernel(scratch->frames, stack);
	keep(scratch->frames, return_index(scratch->frames, nr, regs, sleeps), nr, stack);
	if (!stack->nr) {
		scratch->frames[0] = regs->ip;
		stack->nr = 1;
	}
}

/**
 * kmprof_stack_capture_release() - the current stack, from the caller of an unlock
 *	function on
 * @scratch: this context's scratch, holds the frames afterwards
 * @regs: at the entry of a function that the unlock function calls, or of that
 * @stack: the result
 *
 * Context: Any but NMI. Preemption off. In a probe on that function.
 */
void kmprof_stack_capture_release(struct kmprof_scratch *scratch, const struct pt_regs *regs,
				  struct kmprof_stack *stack)
{
	unsigned int nr;

	stack->frames = scratch->frames;
	if (walk_from_release(scratch->frames, regs, stack))
		return;
	nr = ask_kernel(scratch->frames, stack);
	keep(scratch->frames, release_index(scratch->frames, nr, regs), nr, stack);
	if (!stack->nr) {
		scratch->frames[0] = kmprof_unwind_caller(regs);
		stack->nr = 1;
	}
}
