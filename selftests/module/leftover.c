// SPDX-License-Identifier: GPL-2.0
/*
 * A task that has left the allocator and sleeps, with the return address of kmprof's thunk still
 * on its stack, in a variable that nobody has written to.
 */
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/wait.h>

#include "leftover.h"

enum {
	LEFTOVER_SIZE	= 320,
	/* Words on the stack: the call of the allocator lies that deep ... */
	DEPTH		= 32,
	/* ... in what is left alone. */
	HOLE		= 128,
};

static struct kmem_cache *cache;
static struct task_struct *sleeper;	/* NULL: there is no such task */
static bool may_go;
static unsigned int found;		/* addresses of thunks in the hole */
static DECLARE_WAIT_QUEUE_HEAD(told);
static DECLARE_COMPLETION(asleep);
static DECLARE_COMPLETION(gone);

/* Has the compiler think that somebody else uses an array. */
static __always_inline void touch(unsigned long *words)
{
	asm volatile("" : : "r" (words) : "memory");
}

/* In bulk: both sources see that by a redirected call. */
static noinline bool allocate(void **object)
{
	unsigned long deeper[DEPTH] __uninitialized;
	bool done;

	touch(deeper);
	done = kmem_cache_alloc_bulk(cache, GFP_KERNEL, 1, object);
	touch(deeper);
	return done;
}

static bool is_of_thunk(unsigned long word)
{
	char name[64];

	snprintf(name, sizeof(name), "%ps", (void *)word);
	return strstarts(name, "kmprof_thunk_");
}

static noinline void sleep_over(void)
{
	unsigned long hole[HOLE] __uninitialized;
	unsigned int i, nr = 0;

	touch(hole);
	for (i = 0; i < HOLE; i++)
		nr += is_of_thunk(hole[i]);
	WRITE_ONCE(found, nr);
	complete(&asleep);
	wait_event_idle(told, READ_ONCE(may_go));
	touch(hole);
}

static int leftover_fn(void *unused)
{
	bool done;
	void *object;

	done = allocate(&object);
	sleep_over();
	if (done)
		kmem_cache_free(cache, object);
	kthread_complete_and_exit(&gone, 0);
}

static int hold(void)
{
	struct task_struct *task;

	if (sleeper)
		return -EBUSY;
	cache = kmem_cache_create("kmprof_test_leftover", LEFTOVER_SIZE, 8, 0, NULL);
	if (!cache)
		return -ENOMEM;
	task = kthread_create(leftover_fn, NULL, "kmprof_leftover");
	if (IS_ERR(task)) {
		kmem_cache_destroy(cache);
		return PTR_ERR(task);
	}
	reinit_completion(&asleep);
	reinit_completion(&gone);
	may_go = false;
	sleeper = task;
	wake_up_process(task);
	wait_for_completion(&asleep);
	return 0;
}

static int let_go(void)
{
	if (!sleeper)
		return -ESRCH;
	WRITE_ONCE(may_go, true);
	wake_up(&told);
	wait_for_completion(&gone);
	sleeper = NULL;
	kmem_cache_destroy(cache);
	return 0;
}

/* The core serialises writers. */
static int leftover_set(const char *text, const struct kernel_param *kp)
{
	if (sysfs_streq(text, "hold"))
		return hold();
	if (sysfs_streq(text, "go"))
		return let_go();
	return -EINVAL;
}

static int leftover_get(char *text, const struct kernel_param *kp)
{
	return sysfs_emit(text, "%u\n", READ_ONCE(found));
}

static const struct kernel_param_ops leftover_ops = {
	.set = leftover_set,
	.get = leftover_get,
};

module_param_cb(leftover, &leftover_ops, NULL, 0600);
MODULE_PARM_DESC(leftover, "hold: a task sleeps after an allocation; go: it ends. Addresses of thunks that are left on its stack");

/**
 * leftover_exit() - let the task go on
 *
 * Context: Task. Sleeps.
 */
void leftover_exit(void)
{
	if (sleeper)
		let_go();
}
