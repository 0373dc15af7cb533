// SPDX-License-Identifier: GPL-2.0
/*
 * call_rcu(): the object that has the rcu_head is dying from now on, if the callback frees it; if
 * not, mem/callbacks.c finds out. Only objects of slabs, and of kmalloc() in pages of their own.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>

#include "compat/hook_argument.h"
#include "compat/object_start.h"
#include "core/slot.h"
#include "mem/callbacks.h"
#include "mem/live.h"
#include "mem/slab/call_rcu.h"
#include "probe/ftrace_hook.h"

static void on_call_rcu(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			struct ftrace_regs *fregs)
{
	const void *ptr = kmprof_compat_object_start(kmprof_compat_first_argument(fregs));

	preempt_disable_notrace();
	/* The key of an object of a slab is its pointer. */
	if (ptr && unlikely(kmprof_live_may_hold(ptr)))
		kmprof_live_queue(ptr, kmprof_slot());
	preempt_enable_notrace();
}

/* The functions that take an rcu_head; none of them calls another one. */
static const unsigned long functions[] = {
	(unsigned long)call_rcu,
#ifdef CONFIG_RCU_LAZY
	(unsigned long)call_rcu_hurry,
#endif
};

static struct kmprof_ftrace_hook hooks[ARRAY_SIZE(functions)] = {
	[0 ... ARRAY_SIZE(functions) - 1] = KMPROF_FTRACE_HOOK_ARGUMENTS(on_call_rcu),
};

/*
 * The control lock protects these: slabs are probed, the value of the setting, and how many hooks
 * are armed.
 */
static bool is_attached, is_wanted;
static unsigned int nr_armed;

static void disarm(void)
{
	if (!nr_armed)
		return;
	while (nr_armed)
		kmprof_ftrace_unhook(&hooks[--nr_armed]);
	kmprof_callbacks_stop();
}

static int arm(void)
{
	int err = kmprof_compat_object_start_init();

	if (err) {
		pr_err("heap_call_rcu: not known in which object an rcu_head is: %pe\n",
		       ERR_PTR(err));
		return err;
	}
	while (nr_armed < ARRAY_SIZE(hooks)) {
		err = kmprof_ftrace_hook(&hooks[nr_armed], functions[nr_armed]);
		if (err) {
			disarm();
			return err;
		}
		nr_armed++;
	}
	kmprof_callbacks_start();
	return 0;
}

/**
 * kmprof_call_rcu_set() - change the setting heap_call_rcu
 * @value: 1: an object counts as freed from call_rcu() on; 0: when its callback frees it
 *
 * Context: Process context, control lock held; or before the module has started. Sleeps.
 * Return: 0; or a negative errno and nothing has changed, with a message in the log.
 */
int kmprof_call_rcu_set(u64 value)
{
	int err = 0;

	if (!value)
		disarm();
	else if (is_attached && !nr_armed)
		err = arm();
	if (!err)
		is_wanted = value;
	return err;
}

/**
 * kmprof_call_rcu_attach() - arm the hooks, if the setting asks for them
 *
 * Context: Process context, control lock held, after the probes on frees are armed. Sleeps.
 * Return: 0; or a negative errno and no hook is armed, with a message in the log.
 */
int kmprof_call_rcu_attach(void)
{
	int err = is_wanted ? arm() : 0;

	is_attached = !err;
	return err;
}

/**
 * kmprof_call_rcu_detach() - disarm the hooks
 *
 * Context: Process context, control lock held, while the probes on frees are armed. Sleeps: on
 * return no handler runs.
 */
void kmprof_call_rcu_detach(void)
{
	disarm();
	is_attached = false;
}

/**
 * kmprof_call_rcu_exit() - free what the hooks have left
 *
 * Context: Process context, after the last kmprof_call_rcu_detach().
 */
void kmprof_call_rcu_exit(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(hooks); i++)
		kmprof_ftrace_hook_free(&hooks[i]);
}
