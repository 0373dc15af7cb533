// SPDX-License-Identifier: GPL-2.0
/*
 * Pages that are allocated through known call chains. The allocator is called in the leaf function
 * itself. This file is compiled without tail calls.
 */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "context.h"
#include "page.h"

/**
 * struct slot - room for a block of pages
 * @page: the first page; NULL: empty
 * @pages: number of pages of the block
 * @left: pages that are not freed yet
 * @is_split: each page is freed by itself
 */
struct slot {
	struct page *page;
	u32 pages;
	atomic_t left;
	bool is_split;
};

/* Protects the filling of @slots. */
static DEFINE_MUTEX(slots_lock);
static struct slot slots[KMPROF_TEST_PAGE_SLOTS];

/* What is in the entries of an array that are full before. */
#define NOBODYS_PAGE ZERO_PAGE(0)

/* More than any zone has. */
#define TOO_MANY BIT(30)

/* The pages of a call in bulk, and one that is in the list before. Protected by slots_lock. */
static struct page *bulk[KMPROF_TEST_PAGE_SLOTS];
static struct page *first_in_list;

static bool is_bulk(const struct kmprof_test_page *order)
{
	return order->how == KMPROF_TEST_PAGE_BULK_ARRAY ||
	       order->how == KMPROF_TEST_PAGE_BULK_LIST ||
	       order->how == KMPROF_TEST_PAGE_BULK_ONE;
}

static u32 pages_of(const struct kmprof_test_page *order)
{
	return order->how == KMPROF_TEST_PAGE_EXACT ? order->pages : 1 << order->order;
}

/* As all callers do: again, until it is enough, or nothing comes. Returns a page, or NULL. */
static __always_inline struct page *alloc_array(gfp_t gfp, u32 count)
{
	u32 got = 0, had;

	do {
		had = got;
		got = alloc_pages_bulk_array(gfp, count, bulk);
	} while (got < count && got > had);
	return got == count ? bulk[0] : NULL;
}

/* Asks for @wanted pages, or for as many as are left of @count. */
static __always_inline struct page *alloc_list(gfp_t gfp, u32 count, u32 wanted)
{
	u32 got = 0, more, i = 0;
	struct page *page, *next;
	LIST_HEAD(list);

	list_add(&first_in_list->lru, &list);
	do {
		more = alloc_pages_bulk_list(gfp, wanted ?: count - got, &list);
		got += more;
	} while (more && got < count);
	list_del(&first_in_list->lru);
	list_for_each_entry_safe(page, next, &list, lru) {
		list_del(&page->lru);
		bulk[i++] = page;
	}
	return got == count ? bulk[0] : NULL;
}

static __always_inline struct page *alloc_one(const struct kmprof_test_page *order)
{
	gfp_t gfp = order->context == KMPROF_TEST_TASK ? GFP_KERNEL : GFP_ATOMIC;
	unsigned long addr = 0;

	switch (order->how) {
	case KMPROF_TEST_PAGE_PLAIN:
		return alloc_pages(gfp, order->order);
	case KMPROF_TEST_PAGE_COMPOUND:
		return alloc_pages(gfp | __GFP_COMP, order->order);
	case KMPROF_TEST_PAGE_MOVABLE:
		return alloc_pages(gfp | __GFP_MOVABLE, order->order);
	case KMPROF_TEST_PAGE_FREE:
		addr = __get_free_pages(gfp, order->order);
		break;
	case KMPROF_TEST_PAGE_ZEROED:
		addr = get_zeroed_page(gfp);
		break;
	case KMPROF_TEST_PAGE_EXACT:
		addr = (unsigned long)alloc_pages_exact(order->pages * PAGE_SIZE, gfp);
		break;
	case KMPROF_TEST_PAGE_BULK_ARRAY:
		return alloc_array(gfp, order->count);
	case KMPROF_TEST_PAGE_BULK_LIST:
		return alloc_list(gfp, order->count, 0);
	case KMPROF_TEST_PAGE_BULK_ONE:
		return alloc_list(gfp, order->count, TOO_MANY);
	}
	return addr ? virt_to_page((void *)addr) : NULL;
}

/* Neither inlined, cloned nor otherwise made into something else. */
#define CHAIN_FUNCTION static __attribute__((noipa)) struct page *

#define CHAIN(n)								\
CHAIN_FUNCTION kmprof_test_g##n##_leaf(const struct kmprof_test_page *order)	\
{										\
	return alloc_one(order);						\
}										\
										\
CHAIN_FUNCTION kmprof_test_g##n##_outer(const struct kmprof_test_page *order)	\
{										\
	return kmprof_test_g##n##_leaf(order);					\
}

#define EACH_CHAIN(X) X(00) X(01) X(02) X(03)

EACH_CHAIN(CHAIN)

#define CHAIN_OUTER(n) kmprof_test_g##n##_outer,
static struct page *(*const chains[])(const struct kmprof_test_page *order) = {
	EACH_CHAIN(CHAIN_OUTER)
};

static_assert(ARRAY_SIZE(chains) == KMPROF_TEST_PAGE_CHAINS);

static void fill(struct slot *slot, const struct kmprof_test_page *order, struct page *page)
{
	slot->page = page;
	slot->pages = pages_of(order);
	slot->is_split = order->how == KMPROF_TEST_PAGE_EXACT;
	atomic_set(&slot->left, slot->pages);
}

static void do_alloc(void *arg)
{
	struct kmprof_test_page *order = arg;
	struct slot *slot = &slots[order->first];
	struct page *page;

	for (; order->done < order->count; order->done++, slot++) {
		page = chains[order->chain](order);
		if (!page)
			break;
		fill(slot, order, page);
	}
}

/* If they are too few, those are freed. */
static void do_alloc_bulk(void *arg)
{
	struct kmprof_test_page *order = arg;
	struct slot *slot = &slots[order->first];
	bool enough;
	u32 i;

	first_in_list = alloc_page(GFP_ATOMIC);
	if (!first_in_list)
		return;
	memset(bulk, 0, sizeof(bulk));
	for (i = order->part; order->parts && i < order->count; i += order->parts)
		bulk[i] = NOBODYS_PAGE;
	enough = chains[order->chain](order);
	for (i = 0; i < order->count; i++) {
		if (!bulk[i] || bulk[i] == NOBODYS_PAGE)
			continue;
		if (enough)
			fill(slot++, order, bulk[i]);
		else
			__free_page(bulk[i]);
	}
	__free_page(first_in_list);
	order->done = enough ? order->count : 0;
}

static void free_whole(struct slot *slot)
{
	__free_pages(slot->page, get_order(slot->pages * PAGE_SIZE));
	slot->page = NULL;
}

/* The users of the block go one after the other, the one who has it as a whole first. */
static void free_used(struct slot *slot)
{
	struct page *page = slot->page;

	get_page(page);
	free_whole(slot);
	put_page(page);
}

/* Free the pages @part, @part + @parts, ... Others free the other parts at the same time. */
static void free_part(struct slot *slot, u32 part, u32 parts)
{
	struct page *page = slot->page;
	u32 i, pages = slot->pages;

	for (i = part; i < pages; i += parts) {
		__free_page(page + i);
		if (atomic_dec_and_test(&slot->left))
			WRITE_ONCE(slot->page, NULL);
	}
}

static void do_free(void *arg)
{
	struct kmprof_test_page *order = arg;
	struct slot *slot = &slots[order->first];

	for (; order->done < order->count; order->done++, slot++) {
		switch (order->how) {
		case KMPROF_TEST_PAGE_FREE_PUT:
			put_page(slot->page);
			slot->page = NULL;
			break;
		case KMPROF_TEST_PAGE_FREE_USED:
			free_used(slot);
			break;
		case KMPROF_TEST_PAGE_FREE_PARTS:
			free_part(slot, order->part, order->parts);
			break;
		default:
			free_whole(slot);
		}
	}
}

static void do_split(struct kmprof_test_page *order)
{
	for (; order->done < order->count; order->done++) {
		struct slot *slot = &slots[order->first + order->done];

		split_page(slot->page, ilog2(slot->pages));
		slot->is_split = true;
	}
}

static void do_churn(struct kmprof_test_page *order)
{
	struct page *page;

	for (; order->done < order->count; order->done++) {
		page = chains[order->chain](order);
		if (!page)
			break;
		__free_pages(page, order->order);
		cond_resched();
	}
}

static int check(const struct kmprof_test_page *order)
{
	if (!order->count || order->order > KMPROF_TEST_PAGE_ORDER_MAX)
		return -EINVAL;
	if (order->op != KMPROF_TEST_CHURN &&
	    (order->first >= KMPROF_TEST_PAGE_SLOTS ||
	     order->count > KMPROF_TEST_PAGE_SLOTS - order->first))
		return -EINVAL;
	if (order->op == KMPROF_TEST_FREE)
		return order->how < KMPROF_TEST_NR_PAGE_FREE_HOWS && order->parts &&
		       order->part < order->parts ? 0 : -EINVAL;
	if (order->op == KMPROF_TEST_PAGE_SPLIT)
		return 0;
	if (order->op != KMPROF_TEST_ALLOC && order->op != KMPROF_TEST_CHURN)
		return -EINVAL;
	if (order->op == KMPROF_TEST_CHURN &&
	    (order->how == KMPROF_TEST_PAGE_EXACT || is_bulk(order)))
		return -EINVAL;
	if (is_bulk(order) && (order->order || order->parts > KMPROF_TEST_PAGE_SLOTS))
		return -EINVAL;
	return order->how < KMPROF_TEST_NR_PAGE_HOWS && order->chain < KMPROF_TEST_PAGE_CHAINS &&
	       order->pages <= 1 << KMPROF_TEST_PAGE_ORDER_MAX ? 0 : -EINVAL;
}

/* Are the slots empty, or full of what can be split or freed as a whole? */
static int check_slots(const struct kmprof_test_page *order)
{
	const struct slot *slot = &slots[order->first];
	u32 i;

	for (i = 0; i < order->count; i++, slot++)
		if (order->op == KMPROF_TEST_ALLOC ? !!slot->page : !slot->page || slot->is_split)
			return -EBUSY;
	return 0;
}

static int run(struct kmprof_test_page *order)
{
	void (*work)(void *arg) = order->op == KMPROF_TEST_FREE ? do_free :
				  is_bulk(order) ? do_alloc_bulk : do_alloc;
	int ret = check_slots(order);

	if (ret)
		return ret;
	if (order->op == KMPROF_TEST_PAGE_SPLIT)
		do_split(order);
	else
		ret = context_run(order->context, KMPROF_TEST_CPU_ANY, work, order);
	return ret;
}

/**
 * page_run() - KMPROF_TEST_IOC_PAGE
 * @order: what to do; @order->done is written
 *
 * Context: Task. Sleeps.
 * Return: 0 or a negative errno, see struct kmprof_test_page.
 */
int page_run(struct kmprof_test_page *order)
{
	int ret = check(order);

	order->done = 0;
	if (ret)
		return ret;
	if (order->op == KMPROF_TEST_CHURN) {
		do_churn(order);
	} else if (order->op == KMPROF_TEST_FREE && order->how == KMPROF_TEST_PAGE_FREE_PARTS) {
		/* In parallel. Those who free the other parts have not emptied the slot. */
		do_free(order);
	} else {
		mutex_lock(&slots_lock);
		ret = run(order);
		mutex_unlock(&slots_lock);
	}
	return !ret && order->done < order->count ? -ENOMEM : ret;
}

/**
 * page_exit() - free the blocks that are left in the slots
 *
 * Context: Task. Nobody gives orders any more.
 */
void page_exit(void)
{
	unsigned int i;

	for (i = 0; i < KMPROF_TEST_PAGE_SLOTS; i++) {
		struct slot *slot = &slots[i];

		if (slot->page && slot->is_split && atomic_read(&slot->left) == slot->pages)
			free_part(slot, 0, 1);
		else if (slot->page && !slot->is_split)
			free_whole(slot);
	}
}
