// SPDX-License-Identifier: GPL-2.0
/*
 * Blocks of pages, mapped one behind the other. Single pages come and go through
 * the allocator's per-CPU lists, which it fills and empties with interrupts off:
 * up to 2000 pages at a time when somebody frees many, and vmalloc() has it clear
 * a hundred. Blocks of this size go past these lists.
 */
#include <linux/mm.h>
#include <linux/pfn.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "pages.h"

enum {
	BLOCK_ORDER	= PAGE_ALLOC_COSTLY_ORDER + 1,
	BLOCK_PAGES	= 1 << BLOCK_ORDER,
};

/* A whole block, or where there is none, or no need of it, a page. */
static struct page *take(gfp_t gfp, unsigned int wanted)
{
	struct page *block = NULL;

	if (wanted >= BLOCK_PAGES)
		block = alloc_pages(gfp | __GFP_COMP | __GFP_NORETRY, BLOCK_ORDER);
	return block ?: alloc_page(gfp);
}

static void give_back(struct page **page, unsigned int count)
{
	unsigned int i = 0, next;

	while (i < count) {
		next = i + compound_nr(page[i]);
		put_page(page[i]);
		cond_resched();
		i = next;
	}
	kvfree(page);
}

/**
 * kmprof_pages_alloc() - allocate cleared pages on the caller's account
 * @pages: the result
 * @bytes: more than 0
 *
 * Context: Process context.
 * Return: 0 or -ENOMEM.
 */
int kmprof_pages_alloc(struct kmprof_pages *pages, size_t bytes)
{
	const gfp_t gfp = GFP_KERNEL_ACCOUNT | __GFP_NOWARN;
	unsigned int count = PFN_UP(bytes), got = 0, i, nr;
	struct page **page, *block;

	page = kvmalloc_array(count, sizeof(*page), gfp);
	if (!page)
		return -ENOMEM;
	while (got < count) {
		block = take(gfp | __GFP_ZERO, count - got);
		if (!block)
			goto undo_pages;
		nr = compound_nr(block);
		for (i = 0; i < nr; i++)
			page[got++] = block + i;
		cond_resched();
	}
	pages->memory = vmap(page, count, VM_MAP, PAGE_KERNEL);
	if (!pages->memory)
		goto undo_pages;
	pages->page = page;
	pages->count = count;
	return 0;

undo_pages:
	give_back(page, got);
	return -ENOMEM;
}

/**
 * kmprof_pages_free() - give them back; who has mapped some keeps these
 * @pages: none afterwards
 *
 * Context: Process context.
 */
void kmprof_pages_free(struct kmprof_pages *pages)
{
	if (!pages->memory)
		return;
	vunmap(pages->memory);
	give_back(pages->page, pages->count);
	*pages = (struct kmprof_pages) {};
}
