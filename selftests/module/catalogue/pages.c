// SPDX-License-Identifier: GPL-2.0
/*
 * Pages, whole and in parts.
 */
#include <linux/gfp.h>
#include <linux/mm.h>

#include "catalogue.h"

enum { ORDER = 2, BLOCK = 1 << ORDER, EXACT = 5, BULK = 8, RING = 16 };

static void release_block(void *object)
{
	__free_pages(object, ORDER);
}

CATALOGUE_CALL(pages)
{
	struct page *block = alloc_pages(GFP_KERNEL, ORDER);

	if (!block)
		return;
	catalogue_count(c, BLOCK);
	catalogue_lose(c, block, BLOCK, release_block);
}

static void release_page(void *object)
{
	put_page(object);
}

CATALOGUE_CALL(page_got_twice)
{
	struct page *page = alloc_page(GFP_KERNEL);

	if (!page)
		return;
	get_page(page);
	put_page(page);
	catalogue_count(c, 1);
	catalogue_lose(c, page, 1, release_page);
}

/* A block is split, and all parts but the first are freed. */
CATALOGUE_CALL(part_of_block)
{
	struct page *block = alloc_pages(GFP_KERNEL, ORDER);
	unsigned int i;

	if (!block)
		return;
	split_page(block, ORDER);
	for (i = 1; i < BLOCK; i++)
		__free_page(block + i);
	catalogue_count(c, 1);
	catalogue_lose(c, block, 1, release_page);
}

CATALOGUE_CALL(block_in_parts)
{
	struct page *block = alloc_pages(GFP_KERNEL, ORDER);
	unsigned int i;

	if (!block)
		return;
	split_page(block, ORDER);
	for (i = 0; i < BLOCK; i++)
		__free_page(block + i);
}

CATALOGUE_CALL(pages_exact)
{
	void *pages = alloc_pages_exact(EXACT * PAGE_SIZE, GFP_KERNEL);

	if (pages)
		free_pages_exact(pages, EXACT * PAGE_SIZE);
}

CATALOGUE_CALL(compound_page)
{
	struct page *block = alloc_pages(GFP_KERNEL | __GFP_COMP, ORDER);

	if (!block)
		return;
	get_page(block + 1);
	put_page(block);
	put_page(block);
}

/* The head is freed with a user left: its last put frees one page, the others are gone. */
CATALOGUE_CALL(block_with_user)
{
	struct page *block = alloc_pages(GFP_KERNEL, ORDER);

	if (!block)
		return;
	get_page(block);
	__free_pages(block, ORDER);
	put_page(block);
}

/* Of pages that come in bulk, the last one is forgotten. */
CATALOGUE_CALL(last_in_bulk)
{
	struct page *pages[BULK] = { NULL };
	unsigned long i, nr = alloc_pages_bulk_array(GFP_KERNEL, BULK, pages);

	if (!nr)
		return;
	for (i = 0; i < nr - 1; i++)
		__free_page(pages[i]);
	catalogue_count(c, 1);
	catalogue_lose(c, pages[i], 1, release_page);
}

CATALOGUE_CALL(pages_in_bulk)
{
	struct page *pages[BULK] = { NULL };
	unsigned long i, nr = alloc_pages_bulk_array(GFP_KERNEL, BULK, pages);

	for (i = 0; i < nr; i++)
		__free_page(pages[i]);
}

static struct page *ring[RING];

static void ring_put(struct catalogue_case *c, unsigned int slot, struct page *page)
{
	if (ring[slot]) {
		__free_page(ring[slot]);
		catalogue_count(c, -1);
	}
	ring[slot] = catalogue_made(c, page);
}

CATALOGUE_CALL(page_ring)
{
	ring_put(c, n % RING, alloc_page(GFP_KERNEL));
}

static void page_ring_cleanup(struct catalogue_case *c)
{
	unsigned int i;

	for (i = 0; i < RING; i++)
		ring_put(c, i, NULL);
}

#define PAGE .memory = KMPROF_CATALOGUE_PAGE

static struct catalogue_case cases[] = {
	CATALOGUE_LEAK(pages, 400, "a block of 4 pages is forgotten", PAGE),
	CATALOGUE_LEAK(page_got_twice, 100, "a page is got twice and put once", PAGE),
	CATALOGUE_LEAK(part_of_block, 100, "of a block that was split, a page is forgotten", PAGE),
	CATALOGUE_LEAK(last_in_bulk, 100, "of pages in bulk, one is forgotten", PAGE),
	CATALOGUE_LOOKALIKE(block_in_parts, 0, "a block is split and freed in parts", PAGE),
	CATALOGUE_LOOKALIKE(pages_exact, 0, "a block is trimmed, and freed in parts", PAGE),
	CATALOGUE_LOOKALIKE(compound_page, 0, "a compound page goes with its last user", PAGE),
	CATALOGUE_LOOKALIKE(block_with_user, 0, "a block is freed, its first page later", PAGE),
	CATALOGUE_LOOKALIKE(pages_in_bulk, 0, "pages are allocated in bulk and freed", PAGE),
	CATALOGUE_LOOKALIKE(page_ring, RING, "the last pages are kept", PAGE,
			    .cleanup = page_ring_cleanup),
};

const struct catalogue_family catalogue_pages = {
	.cases	= cases,
	.count	= ARRAY_SIZE(cases),
};
