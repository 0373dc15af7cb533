// SPDX-License-Identifier: GPL-2.0
/*
 * The kind page: what the page allocator hands out, seen by the tracepoints kmem:mm_page_alloc and
 * kmem:mm_page_free. The second one fires for every page, before the page can be used again, but
 * not on a CPU that is going offline. They are not exported, so they are looked up by name.
 *
 * Pages that are asked for as movable are left out unless the user wants them: most of them are
 * memory of user space and the page cache. So are pages that another allocator cuts into its own
 * objects: see compat/page_taker.h.
 *
 * A block of 2^order pages is sampled as one, and each of its pages is an object: the parts of a
 * block can be freed one by one (alloc_pages_exact(), split_page(), __free_pages() of a block with
 * more references). So a free finds the block by any of its pages.
 *
 * alloc_pages_bulk() fires no event for the pages that it takes from the lists of free pages: see
 * bulk.c.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/tracepoint.h>
#include <trace/events/kmem.h>
#include <uapi/linux/kmprof.h>

#include "compat/allocators.h"
#include "compat/page_taker.h"
#include "mem/alloc.h"
#include "mem/block.h"
#include "mem/page/bulk.h"
#include "mem/page/left_out.h"
#include "mem/page/page.h"
#include "mem/tell.h"
#include "probe/tracepoint.h"

/*
 * The orders of entries of the live table that were sampled, without order 0. Bits are only set
 * while armed.
 */
static unsigned long sampled_orders;

gfp_t kmprof_page_left_out __read_mostly = __GFP_MOVABLE;

static noinline void decide(const struct page *page, unsigned int order, gfp_t gfp,
			    unsigned int slot)
{
	if (kmprof_alloc_decide_pages(page_address(page), order, gfp, slot) && order)
		set_bit(min_t(unsigned int, order, KMPROF_BLOCK_ORDER), &sampled_orders);
}

/* Tracepoint handlers run with preemption off. Nobody can free the pages yet. */
static void on_alloc(void *data, struct page *page, unsigned int order, gfp_t gfp, int migratetype)
{
	unsigned int slot;

	if (kmprof_page_is_left_out(gfp) || !page)
		return;
	slot = kmprof_slot();
	if (kmprof_alloc_pages_hit(order, slot))
		decide(page, order, gfp, slot);
}

/* Free pages of the block that begins at @block, if it has them all. */
static bool free_of(unsigned long block, unsigned int first, unsigned int order, unsigned int slot)
{
	const void *key = kmprof_live_key((const void *)block, KMPROF_KIND_PAGE);

	return kmprof_live_may_hold(key) &&
	       kmprof_live_free_pages(key, kmprof_live_pages(first, order), slot);
}

/* Free what may be a part of a block that begins before it. */
static noinline void free_part(unsigned long addr, unsigned int order, unsigned int slot)
{
	unsigned long orders = READ_ONCE(sampled_orders) & (~1UL << order);
	unsigned int larger;

	for_each_set_bit(larger, &orders, KMPROF_BLOCK_ORDER + 1) {
		unsigned long block = addr & (~0UL << (PAGE_SHIFT + larger));

		if (block != addr && free_of(block, (addr - block) >> PAGE_SHIFT, order, slot))
			return;
	}
}

/* Can pages be a part of a larger block that was sampled? */
static __always_inline bool may_be_part(unsigned int order)
{
	return unlikely(READ_ONCE(sampled_orders) >> order > 1);
}

/* Free what may be an entry of the live table, or lie in one. */
static noinline void free_entry_or_part(unsigned long addr, unsigned int order, unsigned int slot)
{
	if (!free_of(addr, 0, order, slot))
		free_part(addr, order, slot);
}

/* Free what may be several entries. */
static noinline void free_entries(unsigned long addr, unsigned int order, unsigned int slot)
{
	unsigned long end = addr + (PAGE_SIZE << order);

	for (; addr != end; addr += PAGE_SIZE << KMPROF_BLOCK_ORDER)
		free_of(addr, 0, KMPROF_BLOCK_ORDER, slot);
}

/*
 * Most pages are in no entry, and nothing larger was sampled. A call is the last thing that is
 * done: no registers are saved.
 */
static void on_free(void *data, struct page *page, unsigned int order)
{
	const void *ptr = page_address(page), *key = kmprof_live_key(ptr, KMPROF_KIND_PAGE);
	unsigned int slot = kmprof_slot();

	kmprof_stats_add(slot, KMPROF_PAGES_FREED, 1UL << order);
	if (unlikely(order > KMPROF_BLOCK_ORDER))
		free_entries((unsigned long)ptr, order, slot);
	else if (may_be_part(order))
		free_entry_or_part((unsigned long)ptr, order, slot);
	else if (unlikely(kmprof_live_may_hold(key)))
		kmprof_live_free_pages(key, kmprof_live_pages(0, order), slot);
}

/* kmprof:free, armed by mem/kinds.c. */
static void tell_free(void *data, struct page *page, unsigned int order)
{
	kmprof_tell_free(0, page_address(page), 1UL << order, KMPROF_KIND_PAGE);
}

static struct kmprof_tracepoint told[] = {
	{ "mm_page_free", tell_free },
};

/**
 * kmprof_page_see_movable() - choose whether pages that were asked for as movable are seen
 * @sees: from now on, they are, too
 *
 * Those that were sampled before stay in the profile until they are freed.
 *
 * Context: Process context, control lock held.
 */
void kmprof_page_see_movable(bool sees)
{
	WRITE_ONCE(kmprof_page_left_out, sees ? 0 : __GFP_MOVABLE);
}

/* While allocations are seen, frees are seen, too. */
static struct kmprof_tracepoint points[] = {
	{ "mm_page_free", on_free },
	{ "mm_page_alloc", on_alloc },
};

static void detach(void)
{
	kmprof_bulk_pages_detach();
	kmprof_tracepoints_disarm(points, ARRAY_SIZE(points));
}

static int attach(void)
{
	int err;

	/* A kernel whose tracepoints have other arguments does not get through the compiler. */
	check_trace_callback_type_mm_page_alloc(on_alloc);
	check_trace_callback_type_mm_page_free(on_free);
	check_trace_callback_type_mm_page_free(tell_free);

	kmprof_allocators_look_up(KMPROF_ALLOCATOR_PAGE);
	kmprof_page_taker_look_up();
	/* Every stack would begin too low, and nobody's pages would be known as theirs. */
	if (!kmprof_allocators_have(KMPROF_ALLOCATOR_PAGE, KMPROF_COMPAT_ALLOC_PAGES + 1)) {
		pr_err("pages cannot be seen: where the page allocator lies is not known\n");
		return -ENOENT;
	}
	sampled_orders = 0;
	err = kmprof_tracepoints_arm(points, ARRAY_SIZE(points));
	if (err)
		return err;
	err = kmprof_bulk_pages_attach();
	if (err)
		detach();
	return err;
}

const struct kmprof_kind kmprof_page_kind = {
	.attach		= attach,
	.detach		= detach,
	.lacks		= kmprof_bulk_pages_lacks,
	.missed		= kmprof_bulk_pages_missed,
	.frees		= told,
	.nr_frees	= ARRAY_SIZE(told),
};
