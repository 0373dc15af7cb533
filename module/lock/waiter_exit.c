// SPDX-License-Identifier: GPL-2.0
/*
 * Watches for tasks that exit, while waits are followed. A task that dies in the slow path of a
 * lock, in an oops for example, never ends its wait. Without this file the wait would keep its
 * place in the table of waits in flight, which a new task at the same address would take for its
 * own; and each later release of the lock, or of another lock at the same address, would be
 * blamed for a waiter that is not there.
 *
 * sched:sched_process_exit is not exported, so it is looked up by name. A task that waits and
 * does not exit pays nothing.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "lock/contention.h"
#include "lock/waiter_exit.h"

static struct tracepoint *exit_tracepoint;

/*
 * The task that exits runs it, in do_exit(). What it waits for after this, in exit_files() for
 * example, begins and ends as usual.
 */
static void on_exit(void *data, struct task_struct *task)
{
	kmprof_contention_exit();
}

static void find(struct tracepoint *tp, void *unused)
{
	if (!strcmp(tp->name, "sched_process_exit"))
		exit_tracepoint = tp;
}

/**
 * kmprof_waiter_exit_attach() - watch for tasks that exit, before waits are seen
 *
 * Context: Process context, under the control lock. Sleeps.
 * Return: 0 or a negative errno, with a message in the log.
 */
int kmprof_waiter_exit_attach(void)
{
	int err = -ENOENT;

	for_each_kernel_tracepoint(find, NULL);
	if (exit_tracepoint)
		err = tracepoint_probe_register(exit_tracepoint, on_exit, NULL);
	if (err)
		pr_err("waits cannot be followed: tracepoint sched:sched_process_exit: %pe\n",
		       ERR_PTR(err));
	return err;
}

/**
 * kmprof_waiter_exit_detach() - the reverse, after the last wait was seen
 *
 * Context: Process context, under the control lock. Sleeps.
 */
void kmprof_waiter_exit_detach(void)
{
	tracepoint_probe_unregister(exit_tracepoint, on_exit, NULL);
	tracepoint_synchronize_unregister();
}
