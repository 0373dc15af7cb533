// SPDX-License-Identifier: GPL-2.0
/*
 * Keeps ftrace enabled while kprobes that use it are armed: kernel.ftrace_enabled=0 would
 * silence them without an error. The kernel refuses that as long as a permanent ftrace_ops
 * is registered. The function that it hooks is hardly ever called.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/module.h>
#include <linux/printk.h>

#include "probe/ftrace_keeper.h"

static void nothing(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		    struct ftrace_regs *fregs)
{
}

static struct ftrace_ops keeper = {
	.func	= nothing,
	.flags	= FTRACE_OPS_FL_PERMANENT,
};

/* Callers of kmprof_ftrace_keep(). Protected by the control lock. */
static unsigned int users;

/**
 * kmprof_ftrace_keep() - keep ftrace enabled
 * @wanted: module parameter that needs ftrace, for the message
 *
 * Context: Process context, under the control lock. Sleeps.
 * Return: 0 or a negative errno, with a message in the log.
 */
int kmprof_ftrace_keep(const char *wanted)
{
	int err = 0;

	if (!users) {
		err = ftrace_set_filter_ip(&keeper, (unsigned long)unregister_module_notifier,
					   0, 1);
		if (!err)
			err = register_ftrace_function(&keeper);
	}
	if (err)
		pr_err("%s: no ftrace hook: %pe; is kernel.ftrace_enabled 0?\n", wanted,
		       ERR_PTR(err));
	else
		users++;
	return err;
}

/**
 * kmprof_ftrace_let_go() - undo one kmprof_ftrace_keep()
 *
 * Context: Process context, under the control lock. Sleeps.
 */
void kmprof_ftrace_let_go(void)
{
	if (!--users)
		unregister_ftrace_function(&keeper);
}

/**
 * kmprof_ftrace_keeper_exit() - free the filter of the hook
 *
 * Not in kmprof_ftrace_let_go(): ftrace_free_filter() leaves the ops unusable.
 *
 * Context: Process context, after the last kmprof_ftrace_let_go().
 */
void kmprof_ftrace_keeper_exit(void)
{
	ftrace_free_filter(&keeper);
}
