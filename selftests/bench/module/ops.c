// SPDX-License-Identifier: GPL-2.0
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/stacktrace.h>
#include <linux/vmalloc.h>
#include <trace/events/kmem.h>

#include "locks.h"
#include "ops.h"
#include "switch.h"

enum { STACK_DEPTH = 64 };

static struct kmem_cache *cache;
static unsigned long frames[STACK_DEPTH];

static noinline void run_nothing(unsigned int i)
{
	barrier();
}

static noinline void run_kmalloc_200(unsigned int i)
{
	kfree(kmalloc(200, GFP_ATOMIC));
}

static noinline void run_cache_200(unsigned int i)
{
	void *object = kmem_cache_alloc(cache, GFP_ATOMIC);

	if (object)
		kmem_cache_free(cache, object);
}

/* An object that leaves by call_rcu(). Some calls pay for grace periods and frees of many. */
struct queued {
	struct rcu_head rcu;
	char rest[200 - sizeof(struct rcu_head)];
};

static void free_queued(struct rcu_head *rcu)
{
	kfree(container_of(rcu, struct queued, rcu));
}

static noinline void run_call_rcu(unsigned int i)
{
	struct queued *object = kmalloc(sizeof(*object), GFP_ATOMIC);

	if (object)
		call_rcu(&object->rcu, free_queued);
}

static noinline void run_kmalloc_16k(unsigned int i)
{
	kfree(kmalloc(16384, GFP_ATOMIC));
}

static noinline void run_percpu_64(unsigned int i)
{
	free_percpu(__alloc_percpu_gfp(64, sizeof(u64), GFP_ATOMIC));
}

static noinline void run_vmalloc_16k(unsigned int i)
{
	vfree(vmalloc(16384));
}

static noinline void run_page_0(unsigned int i)
{
	free_pages(__get_free_pages(GFP_ATOMIC, 0), 0);
}

static noinline void run_page_3(unsigned int i)
{
	free_pages(__get_free_pages(GFP_ATOMIC, 3), 3);
}

/* The largest block there is on each kernel. */
static noinline void run_page_10(unsigned int i)
{
	free_pages(__get_free_pages(GFP_ATOMIC, 10), 10);
}

/* One call, into an array that is empty before and after. */
static noinline void run_pages_64(unsigned int i)
{
	static struct page *pages[64];
	unsigned int n = alloc_pages_bulk_array(GFP_KERNEL, ARRAY_SIZE(pages), pages);

	while (n--) {
		__free_page(pages[n]);
		pages[n] = NULL;
	}
}

/* As many as a page of kfree_rcu() has, which are freed like this. */
static noinline void run_objects_500(unsigned int i)
{
	static void *objects[500];

	if (kmem_cache_alloc_bulk(cache, GFP_KERNEL, ARRAY_SIZE(objects), objects))
		kmem_cache_free_bulk(cache, ARRAY_SIZE(objects), objects);
}

/*
 * What is added to a kfree() of an object that is not ours: the tracepoint alone,
 * with addresses of objects of 32 bytes from all over 16 GiB.
 */
static noinline void run_kfree_hook(unsigned int i)
{
	trace_kfree(_THIS_IP_, (void *)(PAGE_OFFSET + (1UL << 40) + hash_32(i, 29) * 32UL));
}

/* As deep as the handler of an allocation is called by the operations above. */
static noinline void run_stack_trace_save(unsigned int i)
{
	stack_trace_save(frames, STACK_DEPTH, 0);
}

const struct bench_op bench_ops[] = {
	{ "nothing", run_nothing },
	{ "kmalloc_200", run_kmalloc_200 },
	{ "cache_200", run_cache_200 },
	{ "call_rcu", run_call_rcu, .sleeps = true },
	{ "kmalloc_16k", run_kmalloc_16k },
	{ "percpu_64", run_percpu_64 },
	{ "vmalloc_16k", run_vmalloc_16k, .sleeps = true },
	{ "page_0", run_page_0 },
	{ "page_3", run_page_3 },
	{ "page_10", run_page_10, .sleeps = true },
	{ "pages_64", run_pages_64, .sleeps = true },
	{ "objects_500", run_objects_500, .sleeps = true },
	{ "kfree_hook", run_kfree_hook },
	{ "stack_trace_save", run_stack_trace_save },
	{ "mutex", bench_locks_mutex },
	{ "rwsem_read", bench_locks_rwsem_read },
	{ "rwsem_write", bench_locks_rwsem_write },
	{ "semaphore", bench_locks_semaphore },
	{ "spinlock", bench_locks_spinlock },
	{ "rwlock_read", bench_locks_rwlock_read },
	{ "rwlock_write", bench_locks_rwlock_write },
	{ "rtmutex", bench_locks_rtmutex },
	{ "ww_mutex", bench_locks_ww_mutex },
	{ "percpu_rwsem_read", bench_locks_percpu_rwsem_read },
	{ "mutex_handover", bench_locks_handover, .sleeps = true },
	{ "switch_twice", bench_switch_twice, .sleeps = true },
	{ }
};

/**
 * bench_ops_init() - make what the operations need
 */
int bench_ops_init(void)
{
	int err;

	cache = kmem_cache_create("kmprof_bench", 200, 0, SLAB_HWCACHE_ALIGN, NULL);
	if (!cache)
		return -ENOMEM;
	err = bench_locks_init();
	if (err)
		goto no_locks;
	err = bench_switch_init();
	if (err)
		goto no_switch;
	return 0;

no_switch:
	bench_locks_exit();
no_locks:
	kmem_cache_destroy(cache);
	return err;
}

/**
 * bench_ops_exit() - the reverse
 */
void bench_ops_exit(void)
{
	bench_switch_exit();
	bench_locks_exit();
	rcu_barrier();
	kmem_cache_destroy(cache);
}
