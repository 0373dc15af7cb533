// SPDX-License-Identifier: GPL-2.0
/*
 * The functions in which slabs, large kmalloc(), vmalloc() and per-CPU chunks get their pages.
 * Their objects are counted as objects of these allocators, so the pages are not.
 */
#include <linux/kernel.h>

#include "compat/compat.h"
#include "compat/page_taker.h"
#include "compat/vmalloc.h"

/* The compiler inlines the inner ones into the outer ones as it likes. */
static const char * const names[] = {
	"allocate_slab", "alloc_slab_page", "new_slab", "___slab_alloc", "__slab_alloc",
	KMPROF_COMPAT_VMALLOC_RANGE, "__vmalloc_area_node", "vm_area_alloc_pages",
	"pcpu_populate_chunk", "pcpu_alloc_pages", "pcpu_create_chunk",
#ifdef KMPROF_ALLOC_NOPROF
	"___kmalloc_large_node", "__kmalloc_large_node_noprof", "__kmalloc_large_noprof",
#else
	"__kmalloc_large_node", "kmalloc_large_node", "kmalloc_large",
#endif
};

static struct kmprof_extent takers[ARRAY_SIZE(names)] __read_mostly;

/**
 * kmprof_page_taker_has() - has an allocator called the page allocator?
 * @addr: return address of the call
 *
 * Context: Any. After kmprof_page_taker_look_up().
 * Return: true if the pages are part of its objects.
 */
bool kmprof_page_taker_has(unsigned long addr)
{
	return kmprof_extents_have(takers, ARRAY_SIZE(takers), addr);
}

/**
 * kmprof_page_taker_look_up() - look up where these functions lie
 *
 * Does nothing when called again.
 *
 * Context: Process context, control lock held, before pages are probed. May sleep.
 */
void kmprof_page_taker_look_up(void)
{
	static bool is_done;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names) && !is_done; i++)
		kmprof_compat_look_up(&takers[i], names[i]);
	is_done = true;
}
