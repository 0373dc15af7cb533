// SPDX-License-Identifier: GPL-2.0
/*
 * kvfree_call_rcu(), which implements kfree_rcu() and kvfree_rcu(): the object is dying from now
 * on. One ftrace hook for all kinds of memory that can be passed to it, slab and vmalloc.
 */
#include <linux/mm.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>

#include "compat/compat.h"
#include "core/slot.h"
#include "mem/live.h"
#include "mem/rcu_door.h"
#include "probe/ftrace_hook.h"

static __always_inline void defer(const void *key)
{
	if (unlikely(kmprof_live_may_hold(key)))
		kmprof_live_defer(key, kmprof_slot());
}

static void on_kvfree_rcu(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			  struct ftrace_regs *fregs)
{
	const void *ptr = kmprof_compat_kvfree_rcu_ptr(ftrace_get_regs(fregs));

	preempt_disable_notrace();
	defer(kmprof_live_key(ptr, KMPROF_KIND_SLAB));
	/* Of vmalloc are pages only. */
	if (unlikely(PAGE_ALIGNED(ptr)))
		defer(kmprof_live_key(ptr, KMPROF_KIND_VMALLOC));
	preempt_enable_notrace();
}

static struct kmprof_ftrace_hook hook = KMPROF_FTRACE_HOOK(on_kvfree_rcu);

/* Kinds that have it armed. Protected by the control lock. */
static unsigned int users;

/**
 * kmprof_rcu_door_attach() - arm the hook for one more kind
 *
 * Context: Process context, control lock held. Sleeps.
 * Return: 0; or a negative errno, with a message in the log.
 */
int kmprof_rcu_door_attach(void)
{
	int err = users ? 0 : kmprof_ftrace_hook(&hook, (unsigned long)kvfree_call_rcu);

	if (!err)
		users++;
	return err;
}

/**
 * kmprof_rcu_door_detach() - undo one kmprof_rcu_door_attach()
 *
 * Context: Process context, control lock held. Sleeps: after the last one the handler does not run.
 */
void kmprof_rcu_door_detach(void)
{
	if (!--users)
		kmprof_ftrace_unhook(&hook);
}

/**
 * kmprof_rcu_door_exit() - free what the hook has left
 *
 * Context: Process context, after the last kmprof_rcu_door_detach().
 */
void kmprof_rcu_door_exit(void)
{
	kmprof_ftrace_hook_free(&hook);
}
