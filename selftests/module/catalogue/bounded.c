// SPDX-License-Identifier: GPL-2.0
/*
 * Look-alikes that keep objects, up to a bound.
 */
#include <linux/hash.h>
#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/slab.h>

#include "catalogue.h"

enum {
	SLOT_BITS	= 6,
	SLOTS		= 1 << SLOT_BITS,
	RING		= 32,
	LRU		= 40,
	LRU_KEY_BITS	= 7,
	MAGAZINE	= 4,
	ARRAY_LENGTH		= 512,
};

static void free_all(struct catalogue_case *c, void **slots, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		catalogue_kfree(c, slots[i]);
		slots[i] = NULL;
	}
}

static void *cached[SLOTS];

CATALOGUE_CALL(cache_to_bound)
{
	void **slot = &cached[hash_32(n, SLOT_BITS)];

	if (!*slot)
		*slot = catalogue_made(c, kmalloc(320, GFP_KERNEL));
}

static void cache_to_bound_cleanup(struct catalogue_case *c)
{
	free_all(c, cached, SLOTS);
}

static void *table;

CATALOGUE_CALL(once)
{
	if (!table)
		table = catalogue_made(c, kzalloc(4096, GFP_KERNEL));
}

static void once_cleanup(struct catalogue_case *c)
{
	free_all(c, &table, 1);
}

static void *churning[SLOTS];

CATALOGUE_CALL(churn)
{
	void **slot = &churning[hash_32(n, SLOT_BITS)];

	if (*slot) {
		catalogue_kfree(c, *slot);
		*slot = NULL;
	} else {
		*slot = catalogue_made(c, kmalloc(448, GFP_KERNEL));
	}
}

static void churn_cleanup(struct catalogue_case *c)
{
	free_all(c, churning, SLOTS);
}

static void *last[RING];

CATALOGUE_CALL(ring)
{
	void **slot = &last[n % RING];

	catalogue_kfree(c, *slot);
	*slot = catalogue_made(c, kmalloc(1000, GFP_KERNEL));
}

static void ring_cleanup(struct catalogue_case *c)
{
	free_all(c, last, RING);
}

struct page_of_book {
	struct list_head link;
	u32 key;
	u8 text[180];
};

static LIST_HEAD(lru_list);	/* the last used one first */
static unsigned int lru_length;

static void lru_drop_last(struct catalogue_case *c)
{
	struct page_of_book *page = list_last_entry(&lru_list, struct page_of_book, link);

	list_del(&page->link);
	lru_length--;
	catalogue_kfree(c, page);
}

CATALOGUE_CALL(lru)
{
	u32 key = hash_32(n, LRU_KEY_BITS);
	struct page_of_book *page;

	list_for_each_entry(page, &lru_list, link) {
		if (page->key == key) {
			list_move(&page->link, &lru_list);
			return;
		}
	}
	page = catalogue_made(c, kmalloc(sizeof(*page), GFP_KERNEL));
	if (!page)
		return;
	page->key = key;
	list_add(&page->link, &lru_list);
	if (++lru_length > LRU)
		lru_drop_last(c);
}

static void lru_cleanup(struct catalogue_case *c)
{
	while (lru_length)
		lru_drop_last(c);
}

/* Each CPU keeps a few free objects. Only the task that runs the case looks at them. */
struct magazine {
	unsigned int nr;
	void *objects[MAGAZINE];
};

static DEFINE_PER_CPU(struct magazine, magazines);

CATALOGUE_CALL(magazine)
{
	void *objects[MAGAZINE];
	struct magazine *m;
	unsigned int i;

	migrate_disable();
	m = this_cpu_ptr(&magazines);
	for (i = 0; i < MAGAZINE; i++)
		objects[i] = m->nr ? m->objects[--m->nr] :
				     catalogue_made(c, kmalloc(128, GFP_KERNEL));
	for (i = 0; i < MAGAZINE; i++)
		if (objects[i])
			m->objects[m->nr++] = objects[i];
	migrate_enable();
}

static void magazine_cleanup(struct catalogue_case *c)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		struct magazine *m = per_cpu_ptr(&magazines, cpu);

		while (m->nr)
			catalogue_kfree(c, m->objects[--m->nr]);
	}
}

static u64 *array;
static size_t array_length, array_room;

CATALOGUE_CALL(doubling_array)
{
	size_t longer = array_room ? array_room * 2 : 8;
	u64 *moved;

	if (array_length == array_room) {
		moved = krealloc(array, longer * sizeof(*array), GFP_KERNEL);
		if (!moved)
			return;
		if (!array)
			catalogue_made(c, moved);
		array = moved;
		array_room = longer;
	}
	array[array_length++] = n;
	if (array_length == ARRAY_LENGTH)
		array_length = 0;
}

static void doubling_array_cleanup(struct catalogue_case *c)
{
	catalogue_kfree(c, array);
	array = NULL;
	array_length = 0;
	array_room = 0;
}

static struct catalogue_case cases[] = {
	CATALOGUE_LOOKALIKE(cache_to_bound, SLOTS, "a cache grows to its bound",
			    .cleanup = cache_to_bound_cleanup),
	CATALOGUE_LOOKALIKE(once, 1, "a table is made when it is first needed",
			    .cleanup = once_cleanup),
	CATALOGUE_LOOKALIKE(churn, SLOTS, "objects come and go, with all kinds of life times",
			    .cleanup = churn_cleanup),
	CATALOGUE_LOOKALIKE(ring, RING, "a log keeps the last entries",
			    .cleanup = ring_cleanup),
	CATALOGUE_LOOKALIKE(lru, LRU, "a cache drops what was not used for longest",
			    .cleanup = lru_cleanup),
	/* holds: set by bounded_init(). */
	CATALOGUE_LOOKALIKE(magazine, 0, "each CPU keeps a few free objects",
			    .cleanup = magazine_cleanup),
	CATALOGUE_LOOKALIKE(doubling_array, 1, "an array is doubled until it is large enough",
			    .cleanup = doubling_array_cleanup),
};

static int bounded_init(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		if (cases[i].call == cat_magazine__call)
			cases[i].holds = MAGAZINE * num_possible_cpus();
	return 0;
}

const struct catalogue_family catalogue_bounded = {
	.init	= bounded_init,
	.cases	= cases,
	.count	= ARRAY_SIZE(cases),
};
