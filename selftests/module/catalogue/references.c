// SPDX-License-Identifier: GPL-2.0
/*
 * Objects whose last user frees them.
 */
#include <linux/interrupt.h>
#include <linux/kref.h>
#include <linux/llist.h>
#include <linux/slab.h>

#include "catalogue.h"

struct shared {
	struct kref users;
	struct catalogue_case *owner;
	struct llist_node node;
	u8 text[200];
};

static __always_inline struct shared *shared_create(struct catalogue_case *c)
{
	struct shared *shared = catalogue_made(c, kmalloc(sizeof(*shared), GFP_KERNEL));

	if (shared) {
		kref_init(&shared->users);
		shared->owner = c;
	}
	return shared;
}

static void shared_free(struct kref *users)
{
	struct shared *shared = container_of(users, struct shared, users);

	catalogue_kfree(shared->owner, shared);
}

/* The put that is missing. */
static void release_shared(void *object)
{
	struct shared *shared = object;

	WARN_ON(kref_read(&shared->users) != 1);
	kfree(shared);
}

CATALOGUE_CALL(one_get_too_many)
{
	struct shared *shared = shared_create(c);

	if (!shared)
		return;
	kref_get(&shared->users);
	kref_put(&shared->users, shared_free);
	catalogue_lose(c, shared, 1, release_shared);
}

static LLIST_HEAD(users_in_softirq);

static void put_all(struct tasklet_struct *tasklet)
{
	struct shared *shared, *next;

	llist_for_each_entry_safe(shared, next, llist_del_all(&users_in_softirq), node)
		kref_put(&shared->users, shared_free);
}

static DECLARE_TASKLET(putter, put_all);

CATALOGUE_CALL(last_put_in_softirq)
{
	struct shared *shared = shared_create(c);

	if (!shared)
		return;
	kref_get(&shared->users);
	llist_add(&shared->node, &users_in_softirq);
	kref_put(&shared->users, shared_free);
	tasklet_schedule(&putter);
}

static int last_put_in_softirq_settle(struct catalogue_case *c)
{
	tasklet_kill(&putter);
	return 0;
}

static struct catalogue_case cases[] = {
	CATALOGUE_LEAK(one_get_too_many, 100, "a kref is got twice and put once"),
	CATALOGUE_LOOKALIKE(last_put_in_softirq, 0, "the last user of a kref is in a softirq",
			    .settle = last_put_in_softirq_settle),
};

const struct catalogue_family catalogue_references = {
	.cases	= cases,
	.count	= ARRAY_SIZE(cases),
};
