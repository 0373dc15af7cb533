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
#include <linux/sched.h>

#include "lock/contention.h"
#include "lock/waiter_exit.h"
#include "probe/tracepoint.h"

/*
 * The task that exits runs it, in do_exit(). What it waits for after this, in exit_files() for
 * example, begins and ends as usual.
 */
static void on_exit(void *data, struct task_struct *task)
{
	kmprof_contention_exit();
}

static struct kmprof_tracepoint point = { "sched_process_exit", on_exit };

/**
 * kmprof_waiter_exit_attach() - watch for tasks that exit, before waits are seen
 *
 * Context: Process context, under the control lock. Sleeps.
 * Return: 0 or a negative errno, with a message in the log.
 */
int kmprof_waiter_exit_attach(void)
{
	int err = kmprof_tracepoints_arm(&point, 1);

	if (err)
		pr_err("waits cannot be followed: %pe\n", ERR_PTR(err));
	return err;
}

/**
 * kmprof_waiter_exit_detach() - the reverse, after the last wait was seen
 *
 * Context: Process context, under the control lock. Sleeps.
 */
void kmprof_waiter_exit_detach(void)
{
	kmprof_tracepoints_disarm(&point, 1);
}
