// SPDX-License-Identifier: GPL-2.0
/*
 * kernel.ftrace_enabled=0 would blind the kprobes unseen. It is refused as long as
 * a permanent hook is there: on a function that is hardly ever called.
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

/* Under the control lock. */
static unsigned int users;

/**
 * kmprof_ftrace_keep() - ftrace is needed from now on
 * @wanted: module parameter that needs it, for the message
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
 * kmprof_ftrace_let_go() - and no more
 *
 * Context: Process context, under the control lock. Sleeps.
 */
void kmprof_ftrace_let_go(void)
{
	if (!--users)
		unregister_ftrace_function(&keeper);
}

/**
 * kmprof_ftrace_keeper_exit() - free what the hook has left
 *
 * ftrace_free_filter() leaves the ops unusable, so it is not for letting go.
 *
 * Context: Process context, when nobody needs ftrace any more.
 */
void kmprof_ftrace_keeper_exit(void)
{
	ftrace_free_filter(&keeper);
}
