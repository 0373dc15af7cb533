// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the slab cache of an object, and owns the table of cache names. Probes on all CPUs add
 * names; names are never removed. A cache is known by the hash of its name, so caches of the same
 * name are one.
 *
 * The kernel's headers hide where struct page has a slab's cache, and struct kmem_cache its name
 * and its flags. The offsets are learned at load time from objects of kmalloc().
 */
#include <linux/atomic.h>
#include <linux/jhash.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <uapi/linux/kmprof.h>

#include "compat/compat.h"
#include "core/cache_name.h"

enum {
	/* Twice as many as a kernel has that does not merge caches, and more. */
	NR_NAMES	= 1024,
	/* Number of adjacent entries that a name can be in. */
	WINDOW		= 32,
	/* Words of struct kmem_cache in which its name is searched. */
	CACHE_WORDS	= 64,
};

/**
 * struct cache_name - the name of a slab cache
 * @id: hash of the name; 0 until @name is written
 * @claimed: 1: the entry is taken, @name is written or being written
 * @is_reclaimable: the cache shrinks when memory is short
 * @name: name of the cache, cut to this length, with a NUL
 */
struct cache_name {
	u32 id;
	u32 claimed;
	bool is_reclaimable;
	char name[KMPROF_CACHE_NAME_LEN];
};

static struct cache_name names[NR_NAMES];

/*
 * Offset of the cache in struct page, and of name and flags in struct kmem_cache, in words; 0: not
 * known. Written before any probe is armed.
 */
static unsigned int cache_at __read_mostly;
static unsigned int name_at __read_mostly;
static unsigned int flags_at __read_mostly;

static struct cache_name *name_slot(u32 id, u32 i)
{
	/* The lowest bit is that of every hash. */
	return &names[((id >> 1) + i) % NR_NAMES];
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

static bool is_reclaimable(const unsigned long *cache)
{
	return flags_at && cache[flags_at] & (__force unsigned long)SLAB_RECLAIM_ACCOUNT;
}

/* Add a cache to the table. Returns 1 + the index of its entry; 0 without room. */
static unsigned int remember(u32 id, const char *name, const unsigned long *cache)
{
	struct cache_name *n;
	u32 i;

	for (i = 0; i < WINDOW; i++) {
		n = name_slot(id, i);
		if (READ_ONCE(n->id) == id)
			return 1 + (n - names);
		if (READ_ONCE(n->claimed) || cmpxchg(&n->claimed, 0, 1))
			continue;
		strscpy(n->name, name, sizeof(n->name));
		n->is_reclaimable = is_reclaimable(cache);
		/* Pairs with smp_load_acquire() in kmprof_cache_name(). */
		smp_store_release(&n->id, id);
		return 1 + (n - names);
	}
	return 0;
}

/* cache_of(); NULL as well if it is not known where caches have their names. */
static const unsigned long *known_cache(const void *addr)
{
	return name_at ? cache_of(addr) : NULL;
}

/* The hash of the name of the object's cache, and remember() of it; 0: it has none. */
static u32 find(const void *addr, unsigned int *slot)
{
	const unsigned long *cache = known_cache(addr);
	const char *name;
	u32 id;

	*slot = 0;
	if (!cache)
		return 0;
	name = (const char *)cache[name_at];
	id = jhash(name, strnlen(name, KMPROF_CACHE_NAME_LEN - 1), 0) | 1;
	*slot = remember(id, name, cache);
	return id;
}

/**
 * kmprof_cache_id() - the slab cache of an object
 * @addr: an address in an object that is in use, so that its memory is not freed meanwhile
 *
 * Context: Any. Takes no locks.
 * Return: the hash of the cache's name; 0 when it is not in a slab: in a page, on a stack, in
 * per-CPU memory.
 */
u32 kmprof_cache_id(const void *addr)
{
	unsigned int slot;

	return find(addr, &slot);
}

/**
 * kmprof_cache_name() - get the name of a slab cache
 * @id: from kmprof_cache_id()
 *
 * Context: Any.
 * Return: the name, shorter than KMPROF_CACHE_NAME_LEN, which does not change any more; NULL
 * when the table had no room for it.
 */
const char *kmprof_cache_name(u32 id)
{
	const struct cache_name *n;
	u32 i;

	for (i = 0; id && i < WINDOW; i++) {
		n = name_slot(id, i);
		/* Pairs with smp_store_release() in remember(): the name is written. */
		if (smp_load_acquire(&n->id) == id)
			return n->name;
	}
	return NULL;
}

/**
 * kmprof_cache_slot() - kmprof_cache_id() in 16 bits
 * @addr: as for kmprof_cache_id()
 *
 * Context: Any. Takes no locks.
 * Return: 1 + the index of the name's entry in the table; 0 when it is not in a slab, or the
 * table had no room for the name.
 */
u16 kmprof_cache_slot(const void *addr)
{
	unsigned int slot;

	find(addr, &slot);
	return slot;
}

/**
 * kmprof_cache_slot_name() - get the name of a slab cache
 * @slot: from kmprof_cache_slot()
 *
 * Context: Any.
 * Return: as kmprof_cache_name(); NULL for 0.
 */
const char *kmprof_cache_slot_name(u16 slot)
{
	return slot ? names[slot - 1].name : NULL;
}

/**
 * kmprof_cache_slot_is_reclaimable() - can a slab cache shrink when memory is short?
 * @slot: from kmprof_cache_slot()
 *
 * Context: Any.
 * Return: whether it has SLAB_RECLAIM_ACCOUNT: its pages are asked for as reclaimable. False for 0,
 * and if it is not known.
 */
bool kmprof_cache_slot_is_reclaimable(u16 slot)
{
	return slot && names[slot - 1].is_reclaimable;
}

/**
 * kmprof_cache_is_reclaimable() - kmprof_cache_slot_is_reclaimable(), of the cache of an object
 * @addr: as for kmprof_cache_id()
 *
 * Context: Any. Takes no locks.
 * Return: whether the cache can shrink.
 */
bool kmprof_cache_is_reclaimable(const void *addr)
{
	const unsigned long *cache = known_cache(addr);

	return cache && is_reclaimable(cache);
}

/**
 * kmprof_cache_is_called() - is an object from a slab cache of this name?
 * @addr: as for kmprof_cache_id()
 * @name: the name, cut to less than KMPROF_CACHE_NAME_LEN
 *
 * Context: Any. Takes no locks.
 * Return: whether it is.
 */
bool kmprof_cache_is_called(const void *addr, const char *name)
{
	const unsigned long *cache = known_cache(addr);

	return cache && !strncmp((const char *)cache[name_at], name, KMPROF_CACHE_NAME_LEN - 1);
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

/* What caches of the same size can differ in, besides that one of them is reclaimable. */
#ifdef SLAB_NO_MERGE
#define OTHER_FLAGS	((__force unsigned long)SLAB_NO_MERGE)
#else
#define OTHER_FLAGS	0UL
#endif

/* Is it a word of flags, of a cache that is not reclaimable and of one that is? */
static bool are_flags(unsigned long plain, unsigned long reclaimable)
{
	const unsigned long flag = (__force unsigned long)SLAB_RECLAIM_ACCOUNT;

	return (reclaimable & ~plain & flag) &&
	       !((plain ^ reclaimable) & ~(flag | OTHER_FLAGS));
}

/* Find the offset at which caches of kmalloc() have their flags. */
static void learn_flags(const void *plain, const void *reclaimable)
{
	const unsigned long *a = known_cache(plain), *b = known_cache(reclaimable);
	unsigned long x, y;
	unsigned int at;

	for (at = 1; a && b && !flags_at && at < CACHE_WORDS; at++)
		if (read_memory(&x, (unsigned long)&a[at], sizeof(x)) &&
		    read_memory(&y, (unsigned long)&b[at], sizeof(y)) && are_flags(x, y))
			flags_at = at;
}

/**
 * kmprof_cache_name_init() - learn where the kernel keeps the names and flags of caches
 *
 * If they are not found, no object has a cache, or no cache is reclaimable.
 *
 * Context: Process context, before any probe is armed. Sleeps.
 * Return: 0 or -ENOMEM.
 */
int kmprof_cache_name_init(void)
{
	static const size_t sizes[2] = { 64, 512 };
	void *objects[2], *reclaimable;
	const struct page *pages[2];
	int err = -ENOMEM;

	objects[0] = kmalloc(sizes[0], GFP_KERNEL | __GFP_NOWARN);
	objects[1] = kmalloc(sizes[1], GFP_KERNEL | __GFP_NOWARN);
	reclaimable = kmalloc(sizes[0], GFP_KERNEL | __GFP_NOWARN | __GFP_RECLAIMABLE);
	if (objects[0] && objects[1] && reclaimable) {
		pages[0] = virt_to_head_page(objects[0]);
		pages[1] = virt_to_head_page(objects[1]);
		learn(pages, sizes);
		learn_flags(objects[0], reclaimable);
		err = 0;
	}
	kfree(reclaimable);
	kfree(objects[0]);
	kfree(objects[1]);
	return err;
}
