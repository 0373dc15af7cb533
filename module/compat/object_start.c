// SPDX-License-Identifier: GPL-2.0
/*
 * Finds where the object begins that an address is in. What a slab has is hidden from modules;
 * __kmem_obj_info() of mm/slub.c, which the kernel's reports use, knows it. It is tried on objects
 * of our own before anything relies on it.
 *
 * The kernel calls it directly only, so with CONFIG_X86_KERNEL_IBT a pointer must not be used: a
 * static call is a direct call, too.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/kfence.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/static_call.h>

#include "compat/compat.h"
#include "compat/object_start.h"

/**
 * struct object_info - what __kmem_obj_info() fills in; the same layout since v5.17
 * @addr: the address that was asked for
 * @slab: its slab
 * @begin: where the place of the object in the slab begins
 * @pad: bytes from there to the object, where the cache has red zones
 * @others: what is not used here; it has 34 words
 */
struct object_info {
	const void *addr;
	const struct page *slab;
	const char *begin;
	unsigned long pad;
	unsigned long others[36];
};

static void knows_nothing(struct object_info *info, const void *addr, const struct page *slab)
{
	*info = (struct object_info) { 0 };
}

/* __kmem_obj_info(), before any probe calls it. */
DEFINE_STATIC_CALL(kmem_obj_info, knows_nothing);

/**
 * kmprof_compat_object_start() - find where an object begins
 * @addr: an address in it. The object is in use, if there is one
 *
 * Context: Any, after kmprof_compat_object_start_init() has returned 0. Takes no locks.
 * Return: the object, as its allocator returned it, or the page of what is not in a slab, which may
 * be no object; NULL if that is not known, as of objects of KFENCE.
 */
const void *kmprof_compat_object_start(const void *addr)
{
	struct object_info info;
	struct page *page;

	/* Memory that is there is not in a hole of the direct map. */
	if ((unsigned long)addr < PAGE_OFFSET || addr >= high_memory || is_kfence_address(addr))
		return NULL;
	page = virt_to_head_page(addr);
	if (!PageSlab(page))
		return page_address(page);
	static_call(kmem_obj_info)(&info, addr, page);
	return info.begin + info.pad;
}

/* Return: 0; -ENOENT: something else is found; or -ENOMEM. */
static int try(size_t size)
{
	char *object = kmalloc(size, GFP_KERNEL | __GFP_NOWARN);
	int err = 0;
	size_t i;

	if (!object)
		return -ENOMEM;
	for (i = 0; i < size && !is_kfence_address(object); i += sizeof(long))
		if (kmprof_compat_object_start(object + i) != object)
			err = -ENOENT;
	kfree(object);
	return err;
}

/**
 * kmprof_compat_object_start_init() - make the kernel tell where objects begin
 *
 * Does nothing when it is called again after it has returned 0.
 *
 * Context: Process context, control lock held. Sleeps.
 * Return: 0; -ENOENT when this kernel does not tell it; -ENOMEM.
 */
int kmprof_compat_object_start_init(void)
{
	static bool is_done;
	unsigned long addr;
	int err;

	if (is_done)
		return 0;
	addr = kmprof_compat_symbol("__kmem_obj_info");
	if (!addr)
		return -ENOENT;
	static_call_update(kmem_obj_info, (void *)addr);
	/* One of the sizes is no power of two. */
	err = try(64) ?: try(192);
	is_done = !err;
	return err;
}
