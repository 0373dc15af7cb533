/* SPDX-License-Identifier: GPL-2.0 */
/* Large memory, allocated and freed without long sections with interrupts off. */
#ifndef KMPROF_PAGES_H
#define KMPROF_PAGES_H

#include <linux/types.h>

struct page;
struct vm_area_struct;

/**
 * struct kmprof_pages - pages that are mapped side by side; all zero: none
 * @memory: kernel address of the first page
 * @page: array of the pages
 * @count: number of pages
 * @used: number of pages that are not spare: only these can be mapped to user space
 */
struct kmprof_pages {
	void *memory;
	struct page **page;
	unsigned int count;
	unsigned int used;
};

int kmprof_pages_alloc(struct kmprof_pages *pages, size_t bytes);
void kmprof_pages_free(struct kmprof_pages *pages);
int kmprof_pages_map(const struct kmprof_pages *pages, unsigned long first,
		     struct vm_area_struct *vma);

#endif
