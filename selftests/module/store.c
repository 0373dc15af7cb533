// SPDX-License-Identifier: GPL-2.0
/*
 * The objects of one open file, in numbered slots, and the operations on them.
 * A store's operations run one at a time; different stores run in parallel.
 */
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "cache.h"
#include "chain.h"
#include "context.h"
#include "free.h"
#include "store.h"
#include "truth.h"

enum {
	BATCH = 16,		/* objects per pass through a chain */
	CHUNK_SOFTIRQ = 256,	/* objects per softirq */
	CHUNK_HARDIRQ = 64,	/* objects per hard interrupt */
};

/**
 * struct slot - place for one object
 * @object: the object, or NULL
 * @truth: where it is counted
 * @cache: the cache it came from, or NULL for kmalloc()
 */
struct slot {
	void *object;
	struct truth *truth;
	struct kmem_cache *cache;
};

/**
 * struct store - the objects of one open file
 * @lock: one operation at a time
 * @slots: KMPROF_TEST_SLOTS slots, under @lock
 */
struct store {
	/* one order at a time */
	struct mutex lock;
	struct slot *slots;
};

/**
 * struct job - the part of an operation that is done in one call
 * @store: whose slots
 * @op: the operation
 * @order: what to allocate
 * @truth: where allocations are counted
 * @cache: where the objects to be freed came from, or NULL
 * @first: first slot of this part
 * @count: objects of this part
 * @done: out: objects of this part that are done
 * @moved: out: of these, the ones that have another address now
 */
struct job {
	struct store *store;
	const struct kmprof_test_op *op;
	struct chain_order order;
	struct truth *truth;
	struct kmem_cache *cache;
	unsigned int first;
	unsigned int count;
	unsigned int done;
	unsigned int moved;
};

static void breathe(void)
{
	if (in_task() && !irqs_disabled())
		cond_resched();
}

static void job_alloc(void *arg)
{
	struct job *job = arg;
	void *batch[BATCH];
	unsigned int i, n, want;
	struct slot *slot;

	for (job->done = 0; job->done < job->count; job->done += n) {
		want = min_t(unsigned int, BATCH, job->count - job->done);
		memset(batch, 0, sizeof(batch));
		n = chain_alloc(job->op->chain, &job->order, batch, want);
		slot = &job->store->slots[job->first + job->done];
		for (i = 0; i < n; i++, slot++) {
			slot->object = batch[i];
			slot->truth = job->truth;
			slot->cache = job->order.cache;
		}
		atomic64_add(n, &job->truth->allocs);
		if (n < want) {
			job->done += n;
			break;
		}
		breathe();
	}
}

static void job_free(void *arg)
{
	struct job *job = arg;
	void *batch[BATCH];
	unsigned int i, n;
	struct slot *slot;

	for (job->done = 0; job->done < job->count; job->done += n) {
		n = min_t(unsigned int, BATCH, job->count - job->done);
		slot = &job->store->slots[job->first + job->done];
		for (i = 0; i < n; i++, slot++) {
			batch[i] = slot->object;
			slot->object = NULL;
			atomic64_inc(&slot->truth->frees);
		}
		free_objects(job->op->free, job->cache, batch, n);
		breathe();
	}
}

static void job_resize(void *arg)
{
	struct job *job = arg;
	void *batch[BATCH];
	unsigned int i, n, want;
	struct slot *slot;

	for (job->done = 0; job->done < job->count; job->done += n) {
		want = min_t(unsigned int, BATCH, job->count - job->done);
		slot = &job->store->slots[job->first + job->done];
		for (i = 0; i < want; i++)
			batch[i] = slot[i].object;
		n = chain_alloc(job->op->chain, &job->order, batch, want);
		for (i = 0; i < n; i++, slot++) {
			if (batch[i] == slot->object)
				continue;
			atomic64_inc(&slot->truth->frees);
			atomic64_inc(&job->truth->allocs);
			slot->object = batch[i];
			slot->truth = job->truth;
			job->moved++;
		}
		if (n < want) {
			job->done += n;
			break;
		}
		breathe();
	}
}

static void job_churn(void *arg)
{
	struct job *job = arg;
	void *batch[BATCH];
	unsigned int n, want;

	for (job->done = 0; job->done < job->count; job->done += n) {
		want = min_t(unsigned int, BATCH, job->count - job->done);
		memset(batch, 0, sizeof(batch));
		n = chain_alloc(job->op->chain, &job->order, batch, want);
		free_objects(job->op->free, job->order.cache, batch, n);
		atomic64_add(n, &job->truth->allocs);
		atomic64_add(n, &job->truth->frees);
		if (n < want) {
			job->done += n;
			break;
		}
		breathe();
	}
}

static void (*const jobs[])(void *arg) = {
	[KMPROF_TEST_ALLOC]	= job_alloc,
	[KMPROF_TEST_FREE]	= job_free,
	[KMPROF_TEST_RESIZE]	= job_resize,
	[KMPROF_TEST_CHURN]	= job_churn,
};

static_assert(ARRAY_SIZE(jobs) == KMPROF_TEST_NR_OPS);

static int job_prepare_order(struct job *job)
{
	const struct kmprof_test_op *op = job->op;

	if (op->chain >= KMPROF_TEST_CHAINS || !op->size ||
	    op->size > KMPROF_TEST_MAX_SIZE)
		return -EINVAL;

	job->order.method = op->op == KMPROF_TEST_RESIZE ?
			    KMPROF_TEST_KREALLOC : op->method;
	job->order.size = op->size;
	job->order.gfp = op->context == KMPROF_TEST_TASK ? GFP_KERNEL :
							   GFP_ATOMIC;
	/* A failure is told to the test; the log is for real trouble. */
	job->order.gfp |= __GFP_NOWARN;
	if (op->flags & KMPROF_TEST_ACCOUNT)
		job->order.gfp |= __GFP_ACCOUNT;

	switch (job->order.method) {
	case KMPROF_TEST_CACHE:
	case KMPROF_TEST_CACHE_NODE:
	case KMPROF_TEST_CACHE_BULK:
		job->order.cache = cache_of_size(op->size);
		break;
	default:
		break;
	}
	if (!chain_can(&job->order, op->context))
		return -EINVAL;

	job->truth = truth_get(op->chain, op->size);
	return job->truth ? 0 : -ENOSPC;
}

static int job_check_full(struct job *job)
{
	const struct kmprof_test_op *op = job->op;
	const struct slot *slot = &job->store->slots[op->first];
	unsigned int i;

	job->cache = slot->cache;
	for (i = 0; i < op->count; i++, slot++) {
		if (!slot->object)
			return -EBUSY;
		if (slot->cache != job->cache)
			return -EINVAL;
		if (op->op == KMPROF_TEST_FREE &&
		    !free_can(op->free, slot->truth->size, slot->cache,
			      op->context))
			return -EINVAL;
		if (op->op == KMPROF_TEST_RESIZE && slot->cache)
			return -EINVAL;
	}
	return 0;
}

static int job_check_empty(const struct job *job)
{
	const struct kmprof_test_op *op = job->op;
	unsigned int i;

	for (i = 0; i < op->count; i++)
		if (job->store->slots[op->first + i].object)
			return -EBUSY;
	return 0;
}

static int job_prepare(struct job *job)
{
	const struct kmprof_test_op *op = job->op;
	int ret;

	if (op->op >= KMPROF_TEST_NR_OPS || op->__reserved || !op->count ||
	    op->context > KMPROF_TEST_DYING)
		return -EINVAL;
	if (op->flags & ~KMPROF_TEST_ACCOUNT)
		return -EINVAL;
	if (IS_ENABLED(CONFIG_PREEMPT_RT) && op->context >= KMPROF_TEST_HARDIRQ)
		return -EOPNOTSUPP;
	if (op->op != KMPROF_TEST_CHURN &&
	    (op->first >= KMPROF_TEST_SLOTS ||
	     op->count > KMPROF_TEST_SLOTS - op->first))
		return -EINVAL;

	if (op->op != KMPROF_TEST_FREE) {
		ret = job_prepare_order(job);
		if (ret)
			return ret;
	}

	switch (op->op) {
	case KMPROF_TEST_ALLOC:
		return job_check_empty(job);
	case KMPROF_TEST_FREE:
	case KMPROF_TEST_RESIZE:
		return job_check_full(job);
	default:
		return free_can(op->free, op->size, job->order.cache,
				op->context) ? 0 : -EINVAL;
	}
}

static unsigned int chunk_of(u32 context)
{
	switch (context) {
	case KMPROF_TEST_SOFTIRQ:
		return CHUNK_SOFTIRQ;
	case KMPROF_TEST_HARDIRQ:
	case KMPROF_TEST_DYING:
		return CHUNK_HARDIRQ;
	default:
		return UINT_MAX;
	}
}

/**
 * store_run() - carry out an operation
 * @store: on whose slots
 * @op: the operation; @op->done is written
 *
 * Context: Task. Sleeps.
 * Return: 0 or a negative errno, see struct kmprof_test_op.
 */
int store_run(struct store *store, struct kmprof_test_op *op)
{
	struct job job = { .store = store, .op = op };
	unsigned int left = op->count;
	int ret;

	op->done = 0;
	mutex_lock(&store->lock);
	ret = job_prepare(&job);
	job.first = op->first;
	while (!ret && left) {
		job.count = min(left, chunk_of(op->context));
		ret = context_run(op->context, op->cpu, jobs[op->op], &job);
		if (ret)
			break;
		if (op->op != KMPROF_TEST_RESIZE)
			op->done += job.done;
		if (job.done < job.count)
			ret = -ENOMEM;
		left -= job.done;
		job.first += job.done;
		if (fatal_signal_pending(current))
			ret = -EINTR;
	}
	if (op->op == KMPROF_TEST_RESIZE)
		op->done = job.moved;
	mutex_unlock(&store->lock);
	return ret;
}

/**
 * store_create() - make an empty store
 *
 * Return: the store, or NULL when there is no memory.
 */
struct store *store_create(void)
{
	struct store *store = kzalloc(sizeof(*store), GFP_KERNEL);

	if (!store)
		return NULL;
	mutex_init(&store->lock);
	store->slots = kvcalloc(KMPROF_TEST_SLOTS, sizeof(*store->slots),
				GFP_KERNEL);
	if (!store->slots) {
		kfree(store);
		return NULL;
	}
	return store;
}

/**
 * store_destroy() - free a store with all objects that are left in it
 * @store: the store
 */
void store_destroy(struct store *store)
{
	struct slot *slot;
	unsigned int i;

	for (i = 0; i < KMPROF_TEST_SLOTS; i++) {
		slot = &store->slots[i];
		if (!slot->object)
			continue;
		free_objects(slot->cache ? KMPROF_TEST_CACHE_FREE :
					   KMPROF_TEST_KFREE,
			     slot->cache, &slot->object, 1);
		atomic64_inc(&slot->truth->frees);
		breathe();
	}
	kvfree(store->slots);
	kfree(store);
}
