// SPDX-License-Identifier: GPL-2.0
/*
 * Objects that wait for a grace period.
 */
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "catalogue.h"

enum { STORM = 32, CHAIN = 3 };

/**
 * struct item - an object that readers may see
 * @rcu: for the grace period
 * @owner: the case
 * @next: what goes after it
 * @text: what readers are after
 */
struct item {
	struct rcu_head rcu;
	struct catalogue_case *owner;
	struct item *next;
	u8 text[100];
};

/* Inlined: the case's function is the one that allocates. */
static __always_inline struct item *item_create(struct catalogue_case *c)
{
	struct item *item = catalogue_made(c, kzalloc(sizeof(*item), GFP_KERNEL));

	if (item)
		item->owner = c;
	return item;
}

static __always_inline void item_kfree_rcu(struct catalogue_case *c, struct item *item)
{
	if (!item)
		return;
	kfree_rcu(item, rcu);
	catalogue_count(c, -1);
}

CATALOGUE_CALL(kfree_rcu_branch)
{
	struct item *item = item_create(c);

	if (!item)
		return;
	if (n % 4 == 3) {
		catalogue_count(c, -1);
		catalogue_forget(c, item);
	} else {
		item_kfree_rcu(c, item);
	}
}

static void release_item(void *object)
{
	kfree(object);
}

static void lose_item(struct rcu_head *rcu)
{
	struct item *item = container_of(rcu, struct item, rcu);

	catalogue_lose(item->owner, item, 1, release_item);
}

CATALOGUE_CALL(callback_forgets)
{
	struct item *item = item_create(c);

	if (item)
		call_rcu(&item->rcu, lose_item);
}

CATALOGUE_CALL(kfree_rcu_storm)
{
	unsigned int i;

	for (i = 0; i < STORM; i++)
		item_kfree_rcu(c, item_create(c));
}

static void free_item(struct rcu_head *rcu)
{
	struct item *item = container_of(rcu, struct item, rcu);

	catalogue_kfree(item->owner, item);
}

CATALOGUE_CALL(callback_frees)
{
	struct item *item = item_create(c);

	if (item)
		call_rcu(&item->rcu, free_item);
}

/* Frees an item, and has the next one freed after one more grace period. */
static void free_chain(struct rcu_head *rcu)
{
	struct item *item = container_of(rcu, struct item, rcu);

	if (item->next)
		call_rcu(&item->next->rcu, free_chain);
	catalogue_kfree(item->owner, item);
}

CATALOGUE_CALL(callback_chain)
{
	struct item *chain = NULL, *item;
	unsigned int i;

	for (i = 0; i < CHAIN; i++) {
		item = item_create(c);
		if (!item)
			break;
		item->next = chain;
		chain = item;
	}
	if (chain)
		call_rcu(&chain->rcu, free_chain);
}

static int settle_all(struct catalogue_case *c)
{
	return catalogue_wait(c, 0);
}

static struct item __rcu *current_item;

CATALOGUE_CALL(replaced)
{
	struct item *item = item_create(c);

	/* The commands of the device come one at a time. */
	if (item)
		item_kfree_rcu(c, rcu_replace_pointer(current_item, item, true));
}

static void replaced_cleanup(struct catalogue_case *c)
{
	item_kfree_rcu(c, rcu_replace_pointer(current_item, NULL, true));
}

static struct catalogue_case cases[] = {
	CATALOGUE_LEAK(kfree_rcu_branch, 25, "one branch of four forgets the kfree_rcu()"),
	CATALOGUE_LEAK(callback_forgets, 100, "the callback of call_rcu() does not free"),
	CATALOGUE_LOOKALIKE(kfree_rcu_storm, 0, "many objects leave by kfree_rcu() at a time"),
	CATALOGUE_LOOKALIKE(callback_frees, 0, "the callback of call_rcu() frees",
			    .settle = settle_all),
	CATALOGUE_LOOKALIKE(callback_chain, 0, "a callback of call_rcu() calls call_rcu()",
			    .settle = settle_all),
	CATALOGUE_LOOKALIKE(replaced, 1, "what readers see is replaced, and freed by kfree_rcu()",
			    .cleanup = replaced_cleanup),
};

const struct catalogue_family catalogue_rcu = {
	.cases	= cases,
	.count	= ARRAY_SIZE(cases),
};
