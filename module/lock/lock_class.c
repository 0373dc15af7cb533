// SPDX-License-Identifier: GPL-2.0
/*
 * The names are kept in a table that probes on any CPU add to and nobody takes from.
 * Where the kernel keeps a slab's cache and a cache's name is not for modules to know:
 * it is learned from objects of which the cache's name is known.
 */
#include <linux/atomic.h>
#include <linux/jhash.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "compat/compat.h"
#include "lock/lock_class.h"

enum {
	/* Entries next to each other, in which a name can be. */
	WINDOW		= 8,
	CACHE_WORDS	= 64,
};

static struct kmprof_cache_name names[KMPROF_NR_CACHE_NAMES];

/* Words into struct page, and into struct kmem_cache; 0: not known. */
static unsigned int cache_at __read_mostly;
static unsigned int name_at __read_mostly;

static struct kmprof_cache_name *name_slot(u32 id, u32 i)
{
	return &names[(id + i) % KMPROF_NR_CACHE_NAMES];
}

/* The cache of the slab that an address is in, while that is allocated, or NULL. */
static const unsigned long *cache_of(const void *addr)
{
	struct page *page;

	if (!virt_addr_valid(addr))
		return NULL;
	page = virt_to_head_page(addr);
	if (!PageSlab(page))
		return NULL;
	return (const unsigned long *)((const unsigned long *)page)[cache_at];
}

/* Without room it stays without a name. */
static void remember(u32 id, const char *name)
{
	struct kmprof_cache_name *n;
	u32 i;

	for (i = 0; i < WINDOW; i++) {
		n = name_slot(id, i);
		if (READ_ONCE(n->id) == id)
			return;
		if (READ_ONCE(n->claimed) || cmpxchg(&n->claimed, 0, 1))
			continue;
		strscpy(n->name, name, sizeof(n->name));
		/* Pairs with kmprof_lock_class_index(). */
		smp_store_release(&n->id, id);
		return;
	}
}

/**
 * kmprof_lock_class() - what a lock is known by
 * @lock: that somebody waits for: it stays where it is
 *
 * Context: Any. Takes no locks.
 * Return: its address; or the number of its cache's name; or 0 for a lock in a
 * page, on a stack or in per-CPU memory.
 */
u64 kmprof_lock_class(const void *lock)
{
	const unsigned long *cache;
	const char *name;
	u32 id;

	if (kmprof_compat_is_static(lock))
		return (unsigned long)lock;
	if (!name_at)
		return 0;
	cache = cache_of(lock);
	if (!cache)
		return 0;
	name = (const char *)cache[name_at];
	id = jhash(name, strnlen(name, KMPROF_CACHE_NAME_LEN - 1), 0) | 1;
	remember(id, name);
	return id;
}

/**
 * kmprof_lock_class_is_address() - is it a lock's own address?
 * @class: from kmprof_lock_class()
 */
bool kmprof_lock_class_is_address(u64 class)
{
	return class > U32_MAX;
}

/**
 * kmprof_lock_class_names() - the table, of KMPROF_NR_CACHE_NAMES
 *
 * Context: Any. Only what kmprof_lock_class_index() has named is to be read.
 */
const struct kmprof_cache_name *kmprof_lock_class_names(void)
{
	return names;
}

/**
 * kmprof_lock_class_index() - where in the table a class has its name
 * @class: from kmprof_lock_class()
 *
 * Context: Any.
 * Return: the index, or -1 when it has no name.
 */
int kmprof_lock_class_index(u64 class)
{
	const struct kmprof_cache_name *n;
	u32 i;

	if (!class || kmprof_lock_class_is_address(class))
		return -1;
	for (i = 0; i < WINDOW; i++) {
		n = name_slot(class, i);
		/* Pairs with remember(): then the name is there. */
		if (smp_load_acquire(&n->id) == class)
			return n - names;
	}
	return -1;
}

/* Of any number: never one that is no address, which the CPU takes amiss. */
static bool read_memory(void *to, unsigned long from, size_t size)
{
	if (!virt_addr_valid((void *)from) && !kmprof_compat_is_static((void *)from))
		return false;
	return !copy_from_kernel_nofault(to, (const void *)from, size);
}

/* Is there a name at @cache[@at], and is it that of a cache of objects of this size? */
static bool is_name(unsigned long cache, unsigned int at, size_t size)
{
	char text[KMPROF_CACHE_NAME_LEN] = "", end[16];
	unsigned long name;
	size_t len;

	if (!read_memory(&name, cache + at * sizeof(name), sizeof(name)) ||
	    !read_memory(text, name, sizeof(text) - 1))
		return false;
	len = snprintf(end, sizeof(end), "-%zu", size);
	return strstarts(text, "kmalloc-") && strlen(text) > len &&
	       !strcmp(text + strlen(text) - len, end);
}

/* Such places, in the objects of both sizes. */
static void learn(const struct page *pages[2], const size_t sizes[2])
{
	unsigned int page_at, at, i;

	for (page_at = 1; page_at < sizeof(struct page) / sizeof(long); page_at++) {
		for (at = 1; at < CACHE_WORDS; at++) {
			for (i = 0; i < 2; i++)
				if (!is_name(((const unsigned long *)pages[i])[page_at], at,
					     sizes[i]))
					break;
			if (i < 2)
				continue;
			cache_at = page_at;
			name_at = at;
			return;
		}
	}
}

/**
 * kmprof_lock_class_init() - learn where names are, from two objects of kmalloc()
 *
 * Where there is no such place, locks in slab objects have no name.
 *
 * Context: Process context, before any probe is armed.
 * Return: 0 or -ENOMEM.
 */
int kmprof_lock_class_init(void)
{
	static const size_t sizes[2] = { 64, 512 };
	const struct page *pages[2];
	void *objects[2];
	int err = -ENOMEM;

	objects[0] = kmalloc(sizes[0], GFP_KERNEL | __GFP_NOWARN);
	objects[1] = kmalloc(sizes[1], GFP_KERNEL | __GFP_NOWARN);
	if (objects[0] && objects[1]) {
		pages[0] = virt_to_head_page(objects[0]);
		pages[1] = virt_to_head_page(objects[1]);
		learn(pages, sizes);
		err = 0;
	}
	kfree(objects[0]);
	kfree(objects[1]);
	return err;
}
