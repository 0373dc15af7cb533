// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the class of a lock, and owns the table of cache names. Probes on all CPUs add names;
 * names are never removed.
 *
 * The kernel's headers hide where struct page has a slab's cache and struct kmem_cache its
 * name. Both offsets are learned at load time from two objects of kmalloc().
 */
#include <linux/atomic.h>
#include <linux/jhash.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <uapi/linux/kmprof.h>

#include "compat/compat.h"
#include "lock/lock_class.h"

enum {
	NR_NAMES	= 256,
	/* Number of adjacent entries that a name can be in. */
	WINDOW		= 8,
	/* Words of struct kmem_cache in which its name is searched. */
	CACHE_WORDS	= 64,
};

/**
 * struct cache_name - the name of a slab cache with contended locks
 * @id: hash of the name; 0 until @name is written
 * @claimed: 1: the entry is taken, @name is written or being written
 * @name: name of the cache, cut to this length, with a NUL
 */
struct cache_name {
	u32 id;
	u32 claimed;
	char name[KMPROF_CACHE_NAME_LEN];
};

static struct cache_name names[NR_NAMES];

/*
 * Offset of the cache in struct page, and of the name in struct kmem_cache, in words; 0: not
 * known. Written before any probe is armed.
 */
static unsigned int cache_at __read_mostly;
static unsigned int name_at __read_mostly;

static struct cache_name *name_slot(u32 id, u32 i)
{
	return &names[(id + i) % NR_NAMES];
}

/* The cache of the slab object at @addr, which must be allocated; NULL: not in a slab. */
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

/* Add a name to the table; without room, the class has no name. */
static void remember(u32 id, const char *name)
{
	struct cache_name *n;
	u32 i;

	for (i = 0; i < WINDOW; i++) {
		n = name_slot(id, i);
		if (READ_ONCE(n->id) == id)
			return;
		if (READ_ONCE(n->claimed) || cmpxchg(&n->claimed, 0, 1))
			continue;
		strscpy(n->name, name, sizeof(n->name));
		/* Pairs with smp_load_acquire() in kmprof_lock_class_name(). */
		smp_store_release(&n->id, id);
		return;
	}
}

/**
 * kmprof_lock_class() - the class of a lock
 * @lock: a lock that is in use, so that its memory is not freed meanwhile
 *
 * Context: Any. Takes no locks.
 * Return: the address of a static lock; else the hash of its cache's name, of 32 bits; 0 for
 * a lock that is not in a slab object: in a page, on a stack, in per-CPU memory.
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
 * kmprof_lock_class_is_address() - is a class the address of a static lock?
 * @class: from kmprof_lock_class()
 *
 * Context: Any.
 * Return: true if so.
 */
bool kmprof_lock_class_is_address(u64 class)
{
	return class > U32_MAX;
}

/**
 * kmprof_lock_class_name() - get the name of a class: of a slab cache
 * @class: from kmprof_lock_class()
 *
 * Context: Any.
 * Return: the name, shorter than KMPROF_CACHE_NAME_LEN, which does not change any more; NULL
 * when the class has no name.
 */
const char *kmprof_lock_class_name(u64 class)
{
	const struct cache_name *n;
	u32 i;

	if (!class || kmprof_lock_class_is_address(class))
		return NULL;
	for (i = 0; i < WINDOW; i++) {
		n = name_slot(class, i);
		/* Pairs with smp_store_release() in remember(): the name is written. */
		if (smp_load_acquire(&n->id) == class)
			return n->name;
	}
	return NULL;
}

/* @from can be any number. Only the direct map and static data are read: no device memory. */
static bool read_memory(void *to, unsigned long from, size_t size)
{
	if (!virt_addr_valid((void *)from) && !kmprof_compat_is_static((void *)from))
		return false;
	return !copy_from_kernel_nofault(to, (const void *)from, size);
}

/* Does word @at of @cache point to the name of the kmalloc cache for objects of @size? */
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

/* Find the two offsets at which the objects of both sizes have their cache's name. */
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
 * kmprof_lock_class_init() - learn where the kernel keeps the names of caches
 *
 * If they are not found, all locks in slab objects have class 0.
 *
 * Context: Process context, before any probe is armed. Sleeps.
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
