// SPDX-License-Identifier: GPL-2.0
/*
 * Objects in lists, trees and other containers.
 */
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/xarray.h>

#include "catalogue.h"

enum { PARTS = 4, KEYS = 32, BURST = 8 };

struct container {
	void *parts[PARTS];
};

/* The container is freed, and the parts are not. */
CATALOGUE_CALL(container)
{
	struct container *container = kzalloc(sizeof(*container), GFP_KERNEL);
	unsigned int i;

	if (!container)
		return;
	for (i = 0; i < PARTS; i++) {
		container->parts[i] = kmalloc(80, GFP_KERNEL);
		catalogue_forget(c, container->parts[i]);
	}
	kfree(container);
}

struct entry {
	struct list_head link;
	u8 text[150];
};

CATALOGUE_CALL(list_deleted)
{
	struct entry *entry = kmalloc(sizeof(*entry), GFP_KERNEL);
	LIST_HEAD(list);

	if (!entry)
		return;
	list_add(&entry->link, &list);
	list_del(&entry->link);
	catalogue_forget(c, entry);
}

static LIST_HEAD(grown);

CATALOGUE_CALL(list_grows)
{
	struct entry *entry = catalogue_made(c, kmalloc(sizeof(*entry), GFP_KERNEL));

	if (entry)
		list_add(&entry->link, &grown);
}

static void free_list(struct catalogue_case *c, struct list_head *list)
{
	struct entry *entry, *next;

	list_for_each_entry_safe(entry, next, list, link) {
		list_del(&entry->link);
		catalogue_kfree(c, entry);
	}
}

static void list_grows_cleanup(struct catalogue_case *c)
{
	free_list(c, &grown);
}

CATALOGUE_CALL(list_drained)
{
	struct entry *entry;
	LIST_HEAD(queued);
	LIST_HEAD(taken);
	unsigned int i;

	for (i = 0; i < BURST; i++) {
		entry = catalogue_made(c, kmalloc(sizeof(*entry), GFP_KERNEL));
		if (entry)
			list_add_tail(&entry->link, &queued);
	}
	list_splice_init(&queued, &taken);
	free_list(c, &taken);
}

static void release_kmalloc(void *object)
{
	kfree(object);
}

/* xa_store() returns what was there before; nobody looks at it. */
static DEFINE_XARRAY(replaced);

CATALOGUE_CALL(xarray_replace)
{
	void *object = kmalloc(88, GFP_KERNEL), *old;
	bool first = xa_empty(&replaced);

	if (!object)
		return;
	/* From 1, as far as one node reaches. */
	old = xa_store(&replaced, 1 + n % KEYS, object, GFP_KERNEL);
	if (xa_is_err(old)) {
		kfree(object);
		return;
	}
	/* The first entry comes with a node of the tree. */
	catalogue_count(c, first ? 2 : 1);
	if (old)
		catalogue_lose(c, old, 1, release_kmalloc);
}

static void free_entries(struct catalogue_case *c, struct xarray *xa)
{
	unsigned long index;
	void *object;

	xa_for_each(xa, index, object)
		catalogue_kfree(c, object);
	xa_destroy(xa);
}

static void xarray_replace_cleanup(struct catalogue_case *c)
{
	if (xa_empty(&replaced))
		return;
	free_entries(c, &replaced);
	catalogue_count(c, -1);
}

/* Number of nodes of a tree with the entries 1 to @last. */
static long nodes_of(unsigned long last)
{
	long nodes = 0;

	while (last) {
		last >>= XA_CHUNK_SHIFT;
		nodes += last + 1;
	}
	return nodes;
}

static DEFINE_XARRAY(left);
static unsigned long nr_left;

/* Entries for what is gone; the nodes of the tree grow with them. */
CATALOGUE_CALL(xarray_left)
{
	void *object = kmalloc(56, GFP_KERNEL);

	if (!object)
		return;
	if (xa_err(xa_store(&left, nr_left + 1, object, GFP_KERNEL))) {
		kfree(object);
		return;
	}
	nr_left++;
	catalogue_count(c, 1 + nodes_of(nr_left) - nodes_of(nr_left - 1));
}

static void xarray_left_cleanup(struct catalogue_case *c)
{
	free_entries(c, &left);
	catalogue_count(c, -nodes_of(nr_left));
	nr_left = 0;
}

static DEFINE_XARRAY(emptied);

CATALOGUE_CALL(xarray_emptied)
{
	unsigned long index;
	void *object;

	for (index = 1; index <= 2 * KEYS; index += KEYS) {
		object = kmalloc(56, GFP_KERNEL);
		if (xa_err(xa_store(&emptied, index, object, GFP_KERNEL)))
			kfree(object);
	}
	for (index = 1; index <= 2 * KEYS; index += KEYS)
		kfree(xa_erase(&emptied, index));
}

static void *known[KEYS];

/* What is known already is allocated all the same, and not freed then. */
CATALOGUE_CALL(duplicate)
{
	void **slot = &known[n % KEYS];
	void *object = kmalloc(240, GFP_KERNEL);

	if (*slot)
		catalogue_forget(c, object);
	else
		*slot = catalogue_made(c, object);
}

static void duplicate_cleanup(struct catalogue_case *c)
{
	unsigned int i;

	for (i = 0; i < KEYS; i++) {
		catalogue_kfree(c, known[i]);
		known[i] = NULL;
	}
}

static struct catalogue_case cases[] = {
	CATALOGUE_LEAK(container, 400, "a container is freed, and its 4 parts are not"),
	CATALOGUE_LEAK(list_deleted, 100, "an entry is taken from a list and not freed"),
	CATALOGUE_LEAK(list_grows, 100, "nothing is ever taken from a list",
		       .cleanup = list_grows_cleanup),
	CATALOGUE_LEAK(xarray_replace, 100, "an entry of an xarray is replaced and not freed",
		       .cleanup = xarray_replace_cleanup),
	CATALOGUE_LEAK(xarray_left, 100, "nothing is ever taken from an xarray",
		       .cleanup = xarray_left_cleanup),
	CATALOGUE_LEAK(duplicate, 100, "a second copy of what a cache has is not freed",
		       .cleanup = duplicate_cleanup),
	CATALOGUE_LOOKALIKE(list_drained, 0, "a queue is filled, moved and drained"),
	CATALOGUE_LOOKALIKE(xarray_emptied, 0, "an xarray is filled and emptied"),
};

const struct catalogue_family catalogue_containers = {
	.cases	= cases,
	.count	= ARRAY_SIZE(cases),
};
