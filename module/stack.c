// SPDX-License-Identifier: GPL-2.0
/*
 * Capture and trim. Called on the sampled path only, in the allocation's own
 * context, from a tracepoint handler or from a redirect thunk.
 */
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/stacktrace.h>

#include "compat.h"
#include "guard.h"
#include "redirect.h"
#include "stack.h"

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
static unsigned int leaf_index(const unsigned long *frames, unsigned int nr,
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

/**
 * kmprof_stack_capture() - the current stack, from the allocator's caller on
 * @scratch: this context's scratch, holds the frames afterwards
 * @site: return address of the allocation, as the allocator itself reports it
 * @stack: the result
 *
 * A thunk's frame stays on the stack while an allocation that it redirected
 * allocates in turn (reclaim, a new slab): such frames are cut out. Any other
 * frame of kmprof means that the memory is kmprof's own. An interrupt's stack
 * ends at the interrupt's entry: what it interrupted is chance.
 *
 * Context: Any but NMI. Preemption off.
 */
void kmprof_stack_capture(struct kmprof_scratch *scratch, unsigned long site,
			  struct kmprof_stack *stack)
{
	unsigned long *frames = scratch->frames;
	unsigned int from, i, kept = 0, nr;

	nr = stack_trace_save(frames, kmprof_limits.stack_depth + KMPROF_STACK_EXTRA, 0);
	stack->truncated = nr == kmprof_limits.stack_depth + KMPROF_STACK_EXTRA;
	from = leaf_index(frames, nr, site);
	i = filter_irq_stacks(frames + from, nr - from);
	if (i < nr - from)
		stack->truncated = false;
	nr = from + i;

	stack->own = false;
	for (i = from; i < nr; i++) {
		if (unlikely(in_kmprof(frames[i]))) {
			if (!kmprof_redirect_is_thunk(frames[i]))
				stack->own = true;
			continue;
		}
		frames[kept++] = frames[i];
		if (unlikely(kmprof_compat_is_softirq_entry(frames[i]))) {
			stack->truncated = false;
			break;
		}
	}
	if (!kept)
		frames[kept++] = site;

	if (kept > kmprof_limits.stack_depth) {
		kept = kmprof_limits.stack_depth;
		stack->truncated = true;
	}
	stack->frames = frames;
	stack->nr = kept;
}
