// SPDX-License-Identifier: GPL-2.0
/*
 * Memory from blocks of pages, mapped side by side. Single pages would pass through the page
 * allocator's per-CPU lists, which it fills and empties with interrupts off: up to 2000
 * pages at a time when somebody frees many, and vmalloc() has it clear 100 pages at a time.
 * Blocks of BLOCK_ORDER bypass these lists.
 */
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/pfn.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "out/pages.h"

enum {
	BLOCK_ORDER	= PAGE_ALLOC_COSTLY_ORDER + 1,
	BLOCK_PAGES	= 1 << BLOCK_ORDER,
};

/* Does not reclaim memory: single pages do as well. */
static struct page *take_block(gfp_t gfp)
{
	return alloc_pages((gfp & ~__GFP_DIRECT_RECLAIM) | __GFP_COMP | __GFP_NORETRY,
			   BLOCK_ORDER);
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
 * kmprof_pages_alloc() - allocate zeroed pages, charged to the caller's memory cgroup
 * @pages: returns the pages
 * @bytes: size, more than 0; rounded up to pages
 *
 * Context: Process context. May sleep.
 * Return: 0; -ENOMEM; -EINTR when the task is being killed.
 */
int kmprof_pages_alloc(struct kmprof_pages *pages, size_t bytes)
{
	const gfp_t gfp = GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_NOWARN;
	unsigned int count = PFN_UP(bytes), got = 0, i, nr;
	struct page **page, *block;
	bool blocks = true;
	int err = -ENOMEM;

	page = kvmalloc_array(count, sizeof(*page), GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!page)
		return -ENOMEM;
	while (got < count) {
		if (fatal_signal_pending(current)) {
			err = -EINTR;
			goto undo_pages;
		}
		blocks = blocks && count - got >= BLOCK_PAGES;
		block = blocks ? take_block(gfp) : NULL;
		if (!block) {
			blocks = false;
			block = alloc_page(gfp);
		}
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
	pages->used = count;
	return 0;

undo_pages:
	give_back(page, got);
	return err;
}

/**
 * kmprof_pages_free() - free pages
 * @pages: the pages, or none; none afterwards
 *
 * Context: Process context. May sleep. The pages are not mapped to user space any more.
 */
void kmprof_pages_free(struct kmprof_pages *pages)
{
	if (!pages->memory)
		return;
	vunmap(pages->memory);
	give_back(pages->page, pages->count);
	*pages = (struct kmprof_pages) {};
}

/**
 * kmprof_pages_map() - map pages to user space
 * @pages: the pages; must not be freed while @vma exists
 * @first: index of the first page to map
 * @vma: the mapping; its length says how many pages to map
 *
 * remap_pfn_range() makes it a VM_PFNMAP mapping: user space can neither pin a page nor
 * split a block.
 *
 * Context: Process context, mmap lock held for writing.
 * Return: 0; -EINVAL when @vma goes beyond the last used page; or another negative errno.
 */
int kmprof_pages_map(const struct kmprof_pages *pages, unsigned long first,
		     struct vm_area_struct *vma)
{
	unsigned long i = first, end = first + vma_pages(vma), addr = vma->vm_start, nr;
	struct page *block;
	int err;

	if (first >= pages->used || vma_pages(vma) > pages->used - first)
		return -EINVAL;
	while (i < end) {
		block = compound_head(pages->page[i]);
		nr = min(compound_nr(block) - (pages->page[i] - block), end - i);
		/*
		 * Not the whole mapping at once: x86 would track its memory type, and warns if
		 * it cannot find that of the first page, because a page table was not allocated.
		 */
		if (nr > 1 && nr == vma_pages(vma))
			nr--;
		err = remap_pfn_range(vma, addr, page_to_pfn(pages->page[i]),
				      nr << PAGE_SHIFT, vma->vm_page_prot);
		if (err)
			return err;
		i += nr;
		addr += nr << PAGE_SHIFT;
		cond_resched();
	}
	return 0;
}
