// SPDX-License-Identifier: GPL-2.0
/*
 * A mutex that one thread keeps for long while others need it, through named
 * functions, for the demo: from when the module is loaded until it is unloaded. This
 * file is compiled without tail calls.
 */
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/mutex.h>

#include "culprit.h"

static unsigned int contend_ms;
module_param(contend_ms, uint, 0444);
MODULE_PARM_DESC(contend_ms, "ms for which a thread keeps a mutex, every other time, 1 to 1000 (default 0: no threads)");

/* What they have waited is at most this, and not much less. */
static atomic64_t contended_ns;

static int contended_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%lld\n", atomic64_read(&contended_ns));
}

static const struct kernel_param_ops contended_ops = {
	.get = contended_get,
};

module_param_cb(contended_ns, &contended_ops, NULL, 0444);
MODULE_PARM_DESC(contended_ns, "ns that the other threads have taken to get it (to be read)");

enum { CONTEND_MS_MAX = 1000, VICTIMS = 3 };

static DEFINE_MUTEX(kmprof_test_contended);
static struct task_struct *threads[1 + VICTIMS];

static __attribute__((noipa)) void kmprof_test_culprit(void)
{
	mutex_lock(&kmprof_test_contended);
	msleep(contend_ms);
	mutex_unlock(&kmprof_test_contended);
}

static __attribute__((noipa)) void kmprof_test_victim(void)
{
	u64 start = ktime_get_ns();

	mutex_lock(&kmprof_test_contended);
	atomic64_add(ktime_get_ns() - start, &contended_ns);
	mutex_unlock(&kmprof_test_contended);
}

static int culprit_fn(void *unused)
{
	while (!kthread_should_stop()) {
		kmprof_test_culprit();
		msleep(contend_ms);
	}
	return 0;
}

static int victim_fn(void *unused)
{
	while (!kthread_should_stop()) {
		kmprof_test_victim();
		usleep_range(1000, 2000);
	}
	return 0;
}

/**
 * culprit_exit() - stop the threads
 */
void culprit_exit(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(threads); i++)
		if (!IS_ERR_OR_NULL(threads[i]))
			kthread_stop(threads[i]);
}

/**
 * culprit_init() - start one thread that keeps the mutex, and some that need it
 *
 * Context: Task. Sleeps.
 * Return: 0, -EINVAL for a time that cannot be, or why there is no thread.
 */
int culprit_init(void)
{
	int i;

	if (contend_ms > CONTEND_MS_MAX) {
		pr_err("kmprof_test: contend_ms=%u: must be at most %d\n", contend_ms,
		       CONTEND_MS_MAX);
		return -EINVAL;
	}
	for (i = 0; contend_ms && i < ARRAY_SIZE(threads); i++) {
		threads[i] = kthread_run(i ? victim_fn : culprit_fn, NULL, "kmprof_test/%d", i);
		if (IS_ERR(threads[i])) {
			culprit_exit();
			return PTR_ERR(threads[i]);
		}
	}
	return 0;
}
