// SPDX-License-Identifier: GPL-2.0
/*
 * The table of objects, by profile and key. Objects are added and removed in any context but
 * NMI, so nothing here waits: the entries are allocated before, and a new stack gets its
 * bucket at once instead of by way of a ring and the drain.
 *
 * An object is counted in the slot that is current under its chain's lock. Adding it comes
 * before removing it under the same lock, so the removal never counts in an earlier cycle:
 * in each bucket 0 <= objects <= added, in the sums of the closed cycles.
 */
#include <linux/hash.h>
#include <linux/list.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "core/bucket.h"
#include "core/drain.h"
#include "core/guard.h"
#include "core/limits.h"
#include "core/slot.h"
#include "object/object.h"
#include "stack/stack.h"

/**
 * struct object - an entry of the table
 * @node: link in the chain of its hash, or in the list of unused entries
 * @key: what its profile knows it by
 * @owner: its profile
 * @weight: its weight
 * @bucket: where it is counted; NULL: a reset has discarded that bucket
 */
struct object {
	struct hlist_node node;
	const void *key;
	struct kmprof_object_profile *owner;
	u64 weight;
	struct kmprof_bucket *bucket;
};

/**
 * struct chain - the objects of some hashes
 * @lock: protects the chain and its objects. Raw: objects are added in any context
 * @head: the objects
 */
struct chain {
	/* protects the chain and its objects */
	raw_spinlock_t lock;
	struct hlist_head head;
};

enum {
	/* Objects for each chain, when all entries are in use. */
	CHAIN_LENGTH = 4,
};

static struct object *objects;
static unsigned int nr_chains;
/* NULL until kmprof_object_prepare() has succeeded. */
static struct chain *chains;

/* The unused entries. The lock is inside the lock of a chain. */
static DEFINE_RAW_SPINLOCK(unused_lock);
static HLIST_HEAD(unused);

static struct object *take_unused(void)
{
	struct object *o;

	raw_spin_lock(&unused_lock);
	o = hlist_entry_safe(unused.first, struct object, node);
	if (o)
		hlist_del(&o->node);
	raw_spin_unlock(&unused_lock);
	return o;
}

static void give_back(struct object *o)
{
	raw_spin_lock(&unused_lock);
	hlist_add_head(&o->node, &unused);
	raw_spin_unlock(&unused_lock);
}

static struct chain *chain_of(const struct kmprof_object_profile *owner, const void *key)
{
	return &chains[hash_64((unsigned long)key ^ hash_ptr(owner, 64), ilog2(nr_chains))];
}

static struct object *find(const struct chain *chain, const struct kmprof_object_profile *owner,
			   const void *key)
{
	struct object *o;

	hlist_for_each_entry(o, &chain->head, node)
		if (o->key == key && o->owner == owner)
			return o;
	return NULL;
}

static void count(const struct object *o, unsigned int slot)
{
	struct kmprof_bucket_slot *s = &o->bucket->future[slot];

	atomic_long_add(o->weight, &s->weight);
	atomic_long_inc(&s->objects);
	atomic_long_inc(&s->added);
}

static void uncount(const struct object *o, unsigned int slot)
{
	struct kmprof_bucket_slot *s = &o->bucket->future[slot];

	atomic_long_sub(o->weight, &s->weight);
	atomic_long_dec(&s->objects);
}

/* The lock of the chain is held. */
static int add_locked(struct chain *chain, const struct object *new,
		      const struct kmprof_bucket_key *key)
{
	/* Before the bucket: after a reset, the new slot's events find no old bucket. */
	unsigned int slot = kmprof_slot();
	struct kmprof_bucket *bucket;
	struct object *o;

	if (find(chain, new->owner, new->key))
		return -EEXIST;
	o = take_unused();
	if (!o)
		return -ENOSPC;
	bucket = kmprof_bucket_get_nosleep(key);
	if (!bucket) {
		give_back(o);
		return kmprof_bucket_is_full(key->profile) ? -ENOSPC : -ENOMEM;
	}
	o->key = new->key;
	o->owner = new->owner;
	o->weight = new->weight;
	o->bucket = bucket;
	hlist_add_head(&o->node, &chain->head);
	count(o, slot);
	return 0;
}

static int add(const struct object *new, const unsigned long *frames, unsigned int nr)
{
	struct chain *chain = chain_of(new->owner, new->key);
	struct kmprof_bucket_key key = {
		.profile	= &new->owner->profile,
		.nr_words	= nr,
		.frames		= frames,
	};
	unsigned long flags;
	int err;

	key.hash = kmprof_bucket_hash(&key);
	raw_spin_lock_irqsave(&chain->lock, flags);
	err = add_locked(chain, new, &key);
	raw_spin_unlock_irqrestore(&chain->lock, flags);
	if (kmprof_bucket_wants_refill())
		kmprof_drain_kick();
	return err;
}

static int add_with_stack(const struct object *new, const struct kmprof_stack_start *start,
			  unsigned int skip)
{
	struct kmprof_scratch *scratch = kmprof_guard_enter();
	struct kmprof_stack stack;
	unsigned int nr;
	int err;

	if (!scratch)
		return -EBUSY;
	kmprof_stack_capture(scratch, start, &stack);
	/* kmprof called who calls it, in reclaim for instance: such a stack means nothing. */
	nr = stack.own ? 0 : stack.nr;
	skip = nr ? min(skip, nr - 1) : 0;
	err = add(new, stack.frames + skip, nr - skip);
	kmprof_guard_leave(scratch);
	return err;
}

/* Who adds what is there, or removes what is not, has made a mistake: nothing is lost. */
static int note_loss(struct kmprof_object_profile *owner, int err)
{
	if (err && err != -EEXIST && err != -ENOENT)
		atomic64_inc(&owner->lost);
	return err;
}

/**
 * kmprof_object_add() - add an object
 * @owner: its profile
 * @key: what the profile knows it by; any value
 * @weight: its weight, in the unit of the profile; at most S64_MAX
 * @start: where its stack begins
 * @skip: frames to leave out there; at least one frame stays
 *
 * Context: Any but NMI; after kmprof_object_prepare(). Takes raw spinlocks.
 * Return: 0; -EEXIST: the profile has @key already; -ENOSPC: max_objects objects, or
 * max_buckets stacks, are in use; -ENOMEM: no memory for a new stack; -EBUSY: this context is
 * inside the profiler. On error, nothing has changed.
 */
int kmprof_object_add(struct kmprof_object_profile *owner, const void *key, u64 weight,
		      const struct kmprof_stack_start *start, unsigned int skip)
{
	const struct object new = { .owner = owner, .key = key, .weight = weight };
	int err;

	preempt_disable();
	err = add_with_stack(&new, start, skip);
	preempt_enable();
	return note_loss(owner, err);
}

/**
 * kmprof_object_add_unknown() - add an object of which no stack is known
 * @owner: its profile
 * @key: what the profile knows it by
 * @weight: its weight
 *
 * Context: Process context; not in a handler of a probe.
 * Return: As for kmprof_object_add(), but never -EBUSY.
 */
int kmprof_object_add_unknown(struct kmprof_object_profile *owner, const void *key, u64 weight)
{
	const struct object new = { .owner = owner, .key = key, .weight = weight };
	int err;

	preempt_disable();
	err = add(&new, NULL, 0);
	preempt_enable();
	return note_loss(owner, err);
}

/* The lock of the chain is held. */
static void drop(struct object *o)
{
	hlist_del(&o->node);
	give_back(o);
}

/* The lock of the chain is held. */
static void remove_locked(struct object *o)
{
	if (o->bucket)
		uncount(o, kmprof_slot());
	drop(o);
}

static int find_and_remove(const struct kmprof_object_profile *owner, const void *key)
{
	struct chain *chain = chain_of(owner, key);
	unsigned long flags;
	struct object *o;

	raw_spin_lock_irqsave(&chain->lock, flags);
	o = find(chain, owner, key);
	if (o)
		remove_locked(o);
	raw_spin_unlock_irqrestore(&chain->lock, flags);
	return o ? 0 : -ENOENT;
}

/**
 * kmprof_object_remove() - remove an object
 * @owner: its profile
 * @key: what the profile knows it by
 *
 * Context: Any but NMI; after kmprof_object_prepare(). Takes raw spinlocks.
 * Return: 0; -ENOENT: the profile does not have @key; -EBUSY: this context is inside the
 * profiler, and the object stays.
 */
int kmprof_object_remove(struct kmprof_object_profile *owner, const void *key)
{
	struct kmprof_scratch *scratch;
	int err = -EBUSY;

	preempt_disable();
	scratch = kmprof_guard_enter();
	if (scratch) {
		err = find_and_remove(owner, key);
		kmprof_guard_leave(scratch);
	}
	preempt_enable();
	return note_loss(owner, err);
}

/*
 * Call @fn for each object, with the lock of its chain held; it may drop the object. Objects that
 * are being added meanwhile may be left out. An empty chain, as most are, is not locked.
 */
static void visit_objects(void (*fn)(struct object *o, const void *data), const void *data)
{
	/* Pairs with the release in allocate(). */
	struct chain *chain = smp_load_acquire(&chains), *end = chain ? chain + nr_chains : NULL;
	struct hlist_node *next;
	struct object *o;

	for (; chain < end; chain++) {
		if (hlist_empty(&chain->head))
			continue;
		raw_spin_lock_irq(&chain->lock);
		hlist_for_each_entry_safe(o, next, &chain->head, node)
			fn(o, data);
		raw_spin_unlock_irq(&chain->lock);
		cond_resched();
	}
}

static void remove_if_of(struct object *o, const void *owner)
{
	if (o->owner == owner)
		remove_locked(o);
}

/**
 * kmprof_object_remove_all() - remove all objects of a profile
 * @owner: the profile
 *
 * Context: Process context. Nobody adds objects to @owner.
 */
void kmprof_object_remove_all(struct kmprof_object_profile *owner)
{
	visit_objects(remove_if_of, owner);
}

static void leave_if_of(struct object *o, const void *owner)
{
	if (o->owner == owner)
		drop(o);
}

/**
 * kmprof_object_leave_all() - forget the keys of all objects of a profile
 * @owner: the profile
 *
 * The objects stay in the counts of their stacks, until a reset.
 *
 * Context: Process context. Nobody adds objects to @owner.
 */
void kmprof_object_leave_all(struct kmprof_object_profile *owner)
{
	visit_objects(leave_if_of, owner);
}

/* After a grace period: no object is being added to a dead bucket. */
static void forget_if_dead(struct object *o, const void *owner)
{
	if (o->owner == owner && o->bucket && o->bucket->dead)
		o->bucket = NULL;
}

static struct kmprof_object_profile *object_profile(const struct kmprof_profile *profile)
{
	return container_of(profile, struct kmprof_object_profile, profile);
}

static void forget_dead(struct kmprof_profile *profile)
{
	struct kmprof_object_profile *owner = object_profile(profile);

	visit_objects(forget_if_dead, owner);
	atomic64_set(&owner->lost, 0);
}

static void fold(struct kmprof_bucket *b, unsigned int slot)
{
	struct kmprof_bucket_slot *s = &b->future[slot];

	b->active.objects += atomic_long_xchg(&s->objects, 0);
	b->active.weight += atomic_long_xchg(&s->weight, 0);
	b->active.added += atomic_long_xchg(&s->added, 0);
	WARN_ON_ONCE(b->active.objects > b->active.added);
}

static bool is_shown(const struct kmprof_bucket *b)
{
	return b->active.added;
}

static void fill_row(void *row, const struct kmprof_bucket *b, bool addresses)
{
	struct kmprof_object_row *r = row;

	r->objects = b->active.objects;
	r->added = b->active.added;
	r->weight = b->active.weight;
}

const struct kmprof_profile_ops kmprof_object_profile_ops = {
	.fold		= fold,
	.is_shown	= is_shown,
	.fill_row	= fill_row,
	.forget_dead	= forget_dead,
};

/**
 * kmprof_object_lost() - get the number of objects that could not be added or removed
 * @profile: a profile of objects
 *
 * Context: Any.
 * Return: their number since the last reset.
 */
u64 kmprof_object_lost(const struct kmprof_profile *profile)
{
	return atomic64_read(&object_profile(profile)->lost);
}

static int allocate(void)
{
	unsigned int i, nr = roundup_pow_of_two(kmprof_limits.max_objects) / CHAIN_LENGTH;
	struct object *all;
	struct chain *new;

	all = kvcalloc(kmprof_limits.max_objects, sizeof(*all), GFP_KERNEL | __GFP_NOWARN);
	new = kvcalloc(nr, sizeof(*new), GFP_KERNEL | __GFP_NOWARN);
	if (!all || !new) {
		kvfree(new);
		kvfree(all);
		return -ENOMEM;
	}
	for (i = 0; i < nr; i++) {
		raw_spin_lock_init(&new[i].lock);
		cond_resched();
	}
	for (i = 0; i < kmprof_limits.max_objects; i++) {
		hlist_add_head(&all[i].node, &unused);
		cond_resched();
	}
	objects = all;
	nr_chains = nr;
	/* Pairs with the acquire in visit_objects(), which a reset may call meanwhile. */
	smp_store_release(&chains, new);
	return 0;
}

/**
 * kmprof_object_prepare() - allocate the table, unless it is there
 *
 * The first profile that has objects calls it: without one, the table takes no memory.
 *
 * Context: Process context. May sleep.
 * Return: 0 or -ENOMEM.
 */
int kmprof_object_prepare(void)
{
	static DEFINE_MUTEX(lock);
	int err = 0;

	mutex_lock(&lock);
	if (!chains)
		err = allocate();
	mutex_unlock(&lock);
	return err ?: kmprof_bucket_refill();
}

/**
 * kmprof_object_exit() - free the table
 *
 * Context: Process context. No profile has objects any more.
 */
void kmprof_object_exit(void)
{
	INIT_HLIST_HEAD(&unused);
	kvfree(chains);
	chains = NULL;
	kvfree(objects);
	objects = NULL;
}
