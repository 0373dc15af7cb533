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
static unsigned long sampled_orders __read_mostly;

gfp_t kmprof_page_left_out __read_mostly = __GFP_MOVABLE;

/* All CPUs read the word at each free: it is only written to change it. */
static void note_order(unsigned int order)
{
	const unsigned int entry = min_t(unsigned int, order, KMPROF_BLOCK_ORDER);

	if (entry && !test_bit(entry, &sampled_orders))
		set_bit(entry, &sampled_orders);
}

/*
 * The handlers of the two tracepoints end with a jump to a function, decide() or free_held(). These
 * take page, order and flags in the same registers as the handler, and the slot in that of @data,
 * so nothing has to be moved or saved.
 */
static noinline void decide(unsigned int slot, const struct page *page, unsigned int order,
			    gfp_t gfp)
{
	if (kmprof_alloc_decide_pages(page_address(page), order, gfp, slot))
		note_order(order);
}

/* Tracepoint handlers run with preemption off. Nobody can free the pages yet. */
static void on_alloc(void *data, struct page *page, unsigned int order, gfp_t gfp, int migratetype)
{
	unsigned int slot;

	if (kmprof_page_is_left_out(gfp) || !page)
		return;
	slot = kmprof_slot();
	if (kmprof_alloc_pages_hit(order, slot))
		decide(slot, page, order, gfp);
}

/* The key of the block of a larger order that has the page with this key. */
static __always_inline const void *key_around(const void *key, unsigned int larger)
{
	const unsigned long within = ((PAGE_SIZE << larger) - 1) & PAGE_MASK;

	return (const void *)((unsigned long)key & ~within);
}

/* Free pages of the block with the key @block, if it has them all. */
static bool free_of(const void *block, unsigned int first, unsigned int order, unsigned int slot)
{
	return kmprof_live_may_hold(block) &&
	       kmprof_live_free_pages(block, kmprof_live_pages(first, order), slot);
}

/* Free what may be a part of a block that begins before it. */
static void free_part(const void *key, unsigned int order, unsigned int slot)
{
	unsigned long orders = READ_ONCE(sampled_orders) & (~1UL << order);
	unsigned int larger;

	for_each_set_bit(larger, &orders, KMPROF_BLOCK_ORDER + 1) {
		const void *block = key_around(key, larger);

		if (block != key && free_of(block, (key - block) >> PAGE_SHIFT, order, slot))
			return;
	}
}

/* Free what may be several entries. */
static void free_entries(const void *key, unsigned int order, unsigned int slot)
{
	const void *end = key + (PAGE_SIZE << order);

	for (; key != end; key += PAGE_SIZE << KMPROF_BLOCK_ORDER)
		free_of(key, 0, KMPROF_BLOCK_ORDER, slot);
}

/* Free what may be in the live table. */
static noinline void free_held(unsigned int slot, const struct page *page, unsigned int order)
{
	const void *key = kmprof_live_key(page_address(page), KMPROF_KIND_PAGE);

	if (order > KMPROF_BLOCK_ORDER)
		free_entries(key, order, slot);
	else if (!free_of(key, 0, order, slot))
		free_part(key, order, slot);
}

/* May a block of a larger order that was sampled have the page? */
static __always_inline bool may_be_part(const void *key, unsigned long orders, unsigned int larger)
{
	return orders & BIT(larger) && kmprof_live_may_hold(key_around(key, larger));
}

/*
 * May pages be several entries of the live table, or a part of one that begins before them? Soon
 * after sampling has begun, there are blocks of all orders: so nothing is called to find out about
 * a part.
 */
static __always_inline bool may_be_part_or_several(const void *key, unsigned int order)
{
	const unsigned long orders = READ_ONCE(sampled_orders);

	static_assert(KMPROF_BLOCK_ORDER == 3);
	if (likely(!orders))
		return false;
	if (unlikely(order > KMPROF_BLOCK_ORDER))
		return orders & BIT(KMPROF_BLOCK_ORDER);
	return may_be_part(key, orders, 1) || may_be_part(key, orders, 2) ||
	       may_be_part(key, orders, 3);
}

static void on_free(void *data, struct page *page, unsigned int order)
{
	const void *key = kmprof_live_key(page_address(page), KMPROF_KIND_PAGE);
	unsigned int slot = kmprof_slot();

	kmprof_stats_add(slot, KMPROF_PAGES_FREED, 1UL << order);
	if (unlikely(kmprof_live_may_hold(key) || may_be_part_or_several(key, order)))
		free_held(slot, page, order);
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
