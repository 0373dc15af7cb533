// SPDX-License-Identifier: GPL-2.0
/* Events, and what stands in for the parts of kmprof that look at the kernel. */
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <uapi/linux/kmprof.h>

#include "compat/allocators.h"
#include "compat/page_taker.h"
#include "core/cache_name.h"
#include "core/guard.h"
#include "core/key_hash.h"
#include "core/slot.h"
#include "lock/blame.h"
#include "lock/contention.h"
#include "lock/lock_class.h"
#include "lock/source.h"
#include "mem/alloc.h"
#include "mem/block.h"
#include "mem/heap_source.h"
#include "mem/live.h"
#include "stack/stack.h"
#include "events.h"

atomic64_t event_clock = ATOMIC64_INIT(1);

/*
 * Whose stack it is, of a wait that ends and of pages: there is nothing else to tell it by. If
 * several CPUs write it, it is one of theirs.
 */
static unsigned long stack_site;

void event_stack(unsigned long *frames, unsigned long site, struct kmprof_stack *stack)
{
	unsigned int i;

	stack->nr = 1 + event_site_number(site) % SITE_FRAMES_MAX;
	stack->own = site & SITE_OWN;
	stack->truncated = site & SITE_TRUNCATED;
	stack->frames = frames;
	for (i = 0; i < stack->nr; i++)
		frames[i] = site + i * 0x100;
	stack->hash = kmprof_key_hash_words(kmprof_key_hash_seed, frames, stack->nr);
}

void kmprof_stack_capture(struct kmprof_scratch *scratch,
			  const struct kmprof_stack_start *start, struct kmprof_stack *stack)
{
	unsigned long site = READ_ONCE(stack_site);

	if (start->at == KMPROF_STACK_AT_SITE)
		site = start->site;
	else if (start->at != KMPROF_STACK_IN_WAIT && start->at != KMPROF_STACK_BELOW)
		site = instruction_pointer((struct pt_regs *)start->regs);
	event_stack(scratch->frames, site, stack);
}

/* Nothing looks behind a lock's address: see rig_lock(). A static lock is its own class. */
u64 kmprof_lock_class(const void *lock)
{
	return (unsigned long)lock >= SITE_BASE ? (unsigned long)lock :
						  (unsigned long)lock & U32_MAX;
}

bool kmprof_lock_class_is_address(u64 class)
{
	return class > U32_MAX;
}

/* Every other class has a name. */
const char *kmprof_lock_class_name(u64 class)
{
	return !kmprof_lock_class_is_address(class) && class & 64 ? EVENT_CACHE : NULL;
}

/*
 * Nothing looks behind an object either: see rig_object(). The caches of each four of them; the
 * second one is reclaimable.
 */
u16 kmprof_cache_slot(const void *addr)
{
	static const u16 slots[] = { 1, 2, 2, 1 };

	return slots[(unsigned long)addr / 64 % ARRAY_SIZE(slots)];
}

const char *kmprof_cache_slot_name(u16 slot)
{
	return !slot ? NULL : slot == 1 ? "small" : EVENT_CACHE;
}

bool kmprof_cache_slot_is_reclaimable(u16 slot)
{
	return slot > 1;
}

bool kmprof_cache_is_reclaimable(const void *addr)
{
	return kmprof_cache_slot_is_reclaimable(kmprof_cache_slot(addr));
}

bool kmprof_cache_is_called(const void *addr, const char *name)
{
	return !strcmp(kmprof_cache_slot_name(kmprof_cache_slot(addr)), name);
}

static const struct kmprof_source sources[] = {
	{ .name = "kprobe", .id = KMPROF_SOURCE_KPROBE },
	{ .name = "tracepoint", .id = KMPROF_SOURCE_TRACEPOINT },
};

struct kmprof_source_choice kmprof_heap_source = {
	.name	= "source",
	.chosen	= &sources[0],
};

struct kmprof_source_choice kmprof_wait_source = {
	.name	= "wait_source",
	.chosen	= &sources[1],
};

void event_alloc(const void *ptr, size_t size, u64 period, unsigned long site)
{
	kmprof_alloc_sampled(ptr, size, period, site, NULL);
}

void event_free(const void *ptr)
{
	preempt_disable();
	kmprof_free_seen(ptr);
	preempt_enable();
}

/* No tracer has replaced a return address. */
struct kmprof_extent kmprof_compat_trampolines[KMPROF_COMPAT_NR_TRAMPOLINES];

bool kmprof_allocators_bpf_call(unsigned long addr)
{
	return false;
}

bool kmprof_page_taker_has(unsigned long addr)
{
	return addr & SITE_TAKER;
}

bool event_alloc_pages(const void *ptr, unsigned int order, unsigned long site)
{
	unsigned int slot;
	bool sampled;

	preempt_disable();
	WRITE_ONCE(stack_site, site);
	slot = kmprof_slot();
	sampled = kmprof_alloc_pages_hit(order, slot) &&
		  kmprof_alloc_decide_pages(ptr, order, event_gfp(site), slot);
	preempt_enable();
	return sampled;
}

void event_free_page(const void *ptr, unsigned int n)
{
	const void *block = ptr + n / KMPROF_BLOCK_MAX * KMPROF_BLOCK_MAX * PAGE_SIZE;

	preempt_disable();
	kmprof_live_free_pages(kmprof_live_key(block, KMPROF_KIND_PAGE),
			       kmprof_live_pages(n % KMPROF_BLOCK_MAX, 0), kmprof_slot());
	preempt_enable();
}

void event_defer(const void *ptr)
{
	preempt_disable();
	if (kmprof_live_may_hold(ptr))
		kmprof_live_defer(ptr, kmprof_slot());
	preempt_enable();
}

void event_queue(const void *ptr)
{
	preempt_disable();
	if (kmprof_live_may_hold(ptr))
		kmprof_live_queue(ptr, kmprof_slot());
	preempt_enable();
}

void event_wait_begin(const void *lock, u32 kind, u32 flags)
{
	preempt_disable();
	kmprof_contention_begin(lock, kind, flags);
	preempt_enable();
}

void event_wait_end(const void *lock, u32 flags, unsigned long site)
{
	preempt_disable();
	WRITE_ONCE(stack_site, site);
	kmprof_contention_end(lock, flags, NULL);
	preempt_enable();
}

void event_wait_return(const void *lock, u32 flags, unsigned long site)
{
	struct pt_regs regs = {};

	instruction_pointer_set(&regs, site);
	preempt_disable();
	WRITE_ONCE(stack_site, 0);
	kmprof_contention_end(lock, flags, &regs);
	preempt_enable();
}

void event_release(const void *lock, u32 kind, u32 flags, unsigned long site)
{
	struct pt_regs regs = {};

	instruction_pointer_set(&regs, site);
	preempt_disable();
	kmprof_blame_release(lock, kind, flags, &regs);
	preempt_enable();
}
