// SPDX-License-Identifier: GPL-2.0
/*
 * The setting threadcreate, and its probes. A kprobe sees every new task: threads and
 * processes, of users and of the kernel, and the workers of io_uring and vhost, for which no
 * tracepoint fires. A tracepoint sees every task that exits.
 *
 * Every task that is added is removed: the probe on exits is armed before the one on new
 * tasks, and disarmed after it.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/kprobes.h>
#include <linux/printk.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <uapi/linux/kmprof.h>

#include "probe/ftrace_keeper.h"
#include "probe/probe.h"
#include "probe/tracepoint.h"
#include "stack/stack.h"
#include "task/threadcreate.h"

/* The creator runs wake_up_new_task(), once for each task. */
static int on_new_task(struct kprobe *p, struct pt_regs *regs)
{
	const struct task_struct *task = (void *)regs_get_kernel_argument(regs, 0);
	const struct kmprof_stack_start start = { .at = KMPROF_STACK_AT_RELEASE, .regs = regs };

	/* -EEXIST: add_living() was faster. Other errors are counted. */
	kmprof_object_add(&kmprof_threadcreate_profile, task, 0, &start, 0);
	return 0;
}

NOKPROBE_SYMBOL(on_new_task);

static struct kprobe new_task;

/* Hits that the kprobe core has skipped, of kprobes that are disarmed. */
static u64 missed_before;

static u64 missed(void)
{
	u64 sum;

	mutex_lock(&kmprof_missed_lock);
	/* The kprobe core increments it meanwhile; it is one word, which cannot tear. */
	sum = missed_before + READ_ONCE(new_task.nmissed);
	mutex_unlock(&kmprof_missed_lock);
	return sum;
}

/* The task that exits runs it. A task that was never added is not an error. */
static void on_exit(void *data, struct task_struct *task)
{
	kmprof_object_remove(&kmprof_threadcreate_profile, task);
}

static struct kmprof_tracepoint exit_point = { "sched_process_exit", on_exit };

static int arm_exit(void)
{
	int err = kmprof_tracepoints_arm(&exit_point, 1);

	if (err)
		pr_err("threadcreate: exits cannot be seen: %pe\n", ERR_PTR(err));
	return err;
}

static void disarm_exit(void)
{
	kmprof_tracepoints_disarm(&exit_point, 1);
}

static int arm_new_task(void)
{
	int err;

	/* Unregistering leaves the core's state in a kprobe: start from a clean one. */
	mutex_lock(&kmprof_missed_lock);
	new_task = (struct kprobe) {
		.symbol_name	= "wake_up_new_task",
		.pre_handler	= on_new_task,
		.flags		= KPROBE_FLAG_DISABLED,
	};
	mutex_unlock(&kmprof_missed_lock);
	err = register_kprobe(&new_task);
	if (err)
		goto fail;
	/* Without ftrace, the handler runs in a breakpoint's NMI context: it cannot add. */
	err = new_task.flags & KPROBE_FLAG_FTRACE ? kmprof_probe_enable(&new_task) : -EOPNOTSUPP;
	if (!err)
		return 0;
	unregister_kprobe(&new_task);
fail:
	pr_err("threadcreate: no kprobe on wake_up_new_task(): %pe\n", ERR_PTR(err));
	return err;
}

static void disarm_new_task(void)
{
	struct kprobe *armed = &new_task;

	kmprof_probes_unregister(&armed, 1);
	mutex_lock(&kmprof_missed_lock);
	missed_before += new_task.nmissed;
	new_task.nmissed = 0;
	mutex_unlock(&kmprof_missed_lock);
}

/*
 * A task that exits sets PF_EXITING before on_exit() takes the lock of the task's chain. So
 * either on_exit() finds the task, or PF_EXITING is seen here.
 */
static void add_if_living(const struct task_struct *task)
{
	if (READ_ONCE(task->flags) & PF_EXITING)
		return;
	kmprof_object_add_unknown(&kmprof_threadcreate_profile, task, 0);
	smp_mb();	/* the object is there before the flags are read */
	if (READ_ONCE(task->flags) & PF_EXITING)
		kmprof_object_remove(&kmprof_threadcreate_profile, task);
}

/* Add the tasks that were created before: who has created them is not known. */
static void add_living(void)
{
	const struct task_struct *process, *task;

	rcu_read_lock();
	for_each_process_thread(process, task)
		add_if_living(task);
	rcu_read_unlock();
}

static int arm(void)
{
	int err;

	err = arm_exit();
	if (err)
		return err;
	/* Tasks of the last time: their exits may have been missed. Nobody adds any yet. */
	kmprof_object_remove_all(&kmprof_threadcreate_profile);
	err = arm_new_task();
	if (err)
		disarm_exit();
	return err;
}

static int attach(u64 value)
{
	int err;

	err = kmprof_object_prepare();
	if (err)
		return err;
	err = kmprof_ftrace_keep("threadcreate");
	if (err)
		return err;
	err = arm();
	if (err)
		kmprof_ftrace_let_go();
	else
		add_living();
	return err;
}

static void detach(void)
{
	disarm_new_task();
	disarm_exit();
	kmprof_ftrace_let_go();
}

/* All values but 0 are the same. */
static void change(u64 value)
{
}

static const struct kmprof_setting_ops ops = {
	.attach	= attach,
	.detach	= detach,
	.change	= change,
	.missed	= missed,
};

struct kmprof_setting kmprof_threadcreate_setting = {
	.name		= "threadcreate",
	.id		= KMPROF_SETTING_THREADCREATE,
	.max		= 1,
	.wanted		= "1 to follow all tasks, 0 for off",
	.ops		= &ops,
	.missed_counter	= KMPROF_LOSS_MISSED_TASK,
};

module_param_cb(threadcreate, &kmprof_setting_param_ops, &kmprof_threadcreate_setting, 0600);
MODULE_PARM_DESC(threadcreate, "1: follow all tasks by the stack that created them, 0: off (default)");
