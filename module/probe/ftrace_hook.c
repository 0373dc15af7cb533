// SPDX-License-Identifier: GPL-2.0
/* Arms and disarms hooks at the entry of a function. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/printk.h>

#include "compat/compat.h"
#include "probe/ftrace_hook.h"

/**
 * kmprof_ftrace_hook() - arm a hook
 * @hook: the hook
 * @addr: the function to hook
 *
 * Context: Process context, serialised by the caller. Sleeps.
 * Return: 0; or a negative errno, with a message in the log.
 */
int kmprof_ftrace_hook(struct kmprof_ftrace_hook *hook, unsigned long addr)
{
	int err;

	/* Replaces the filter that an earlier hook has left. */
	err = ftrace_set_filter_ip(&hook->ops, addr, 0, 1);
	if (!err)
		err = register_ftrace_function(&hook->ops);
	if (err)
		pr_err("no ftrace hook on %ps: %pe; is kernel.ftrace_enabled 0?\n",
		       (void *)addr, ERR_PTR(err));
	return err;
}

/**
 * kmprof_ftrace_hook_named() - arm a hook on a function that is not exported
 * @hook: the hook
 * @name: name of the function, the same each time
 *
 * Context: Process context, serialised by the caller. Sleeps.
 * Return: 0; -ENOENT when the kernel has no such function; or another negative errno, with a
 * message in the log.
 */
int kmprof_ftrace_hook_named(struct kmprof_ftrace_hook *hook, const char *name)
{
	if (!hook->addr)
		hook->addr = kmprof_compat_symbol(name);
	if (hook->addr)
		return kmprof_ftrace_hook(hook, hook->addr);
	pr_err("this kernel has no function %s\n", name);
	return -ENOENT;
}

/**
 * kmprof_ftrace_unhook() - disarm a hook
 * @hook: the hook, armed
 *
 * Context: Process context, serialised by the caller. Sleeps: on return the handler does not run.
 */
void kmprof_ftrace_unhook(struct kmprof_ftrace_hook *hook)
{
	unregister_ftrace_function(&hook->ops);
}

/**
 * kmprof_ftrace_hook_free() - free the filter of a hook
 * @hook: the hook, disarmed, or never armed
 *
 * Not part of kmprof_ftrace_unhook(), because ftrace_free_filter() leaves the hook unusable.
 *
 * Context: Process context, after the last kmprof_ftrace_unhook().
 */
void kmprof_ftrace_hook_free(struct kmprof_ftrace_hook *hook)
{
	ftrace_free_filter(&hook->ops);
}
