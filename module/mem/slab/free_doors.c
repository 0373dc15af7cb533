// SPDX-License-Identifier: GPL-2.0
/*
 * The probes on frees: kfree() and kmem_cache_free() by their tracepoints;
 * kmem_cache_free_bulk(), which also frees the objects of kfree_rcu(), and
 * kvfree_call_rcu() have no tracepoint and are hooked with ftrace.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/ftrace.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <trace/events/kmem.h>

#include "compat/compat.h"
#include "core/slot.h"
#include "mem/alloc.h"
#include "mem/slab/free_doors.h"

static void on_kfree(void *data, unsigned long site, const void *ptr)
{
	kmprof_free_seen(ptr);
}

static void on_kmem_cache_free(void *data, unsigned long site, const void *ptr,
			       const struct kmem_cache *s)
{
	kmprof_free_seen(ptr);
}

/*
 * The hooks do without ftrace's recursion protection, because it works by dropping calls.
 * They cannot recurse: they call nothing that frees memory. FTRACE_OPS_FL_PERMANENT makes
 * the kernel refuse kernel.ftrace_enabled=0, which would disable them silently.
 */
static void on_free_bulk(unsigned long ip, unsigned long parent_ip,
			 struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	struct pt_regs *regs = ftrace_get_regs(fregs);
	size_t n = regs_get_kernel_argument(regs, 1);
	void **objects = (void **)regs_get_kernel_argument(regs, 2);
	size_t i;

	preempt_disable_notrace();
	for (i = 0; i < n; i++)
		kmprof_free_seen(objects[i]);
	preempt_enable_notrace();
}

static void on_kvfree_rcu(unsigned long ip, unsigned long parent_ip,
			  struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	const void *ptr = kmprof_compat_kvfree_rcu_ptr(ftrace_get_regs(fregs));

	preempt_disable_notrace();
	if (unlikely(kmprof_live_may_hold(ptr)))
		kmprof_live_defer(ptr, kmprof_slot());
	preempt_enable_notrace();
}

static struct ftrace_ops free_bulk_ops = {
	.func	= on_free_bulk,
	.flags	= FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_PERMANENT,
};

static struct ftrace_ops kvfree_rcu_ops = {
	.func	= on_kvfree_rcu,
	.flags	= FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_PERMANENT,
};

static int watch(struct ftrace_ops *ops, void *function)
{
	int err;

	/* Replaces the filter that an earlier attach has left. */
	err = ftrace_set_filter_ip(ops, (unsigned long)function, 0, 1);
	if (!err)
		err = register_ftrace_function(ops);
	if (err)
		pr_err("no ftrace hook on %ps: %pe; is kernel.ftrace_enabled 0?\n",
		       function, ERR_PTR(err));
	return err;
}

/**
 * kmprof_free_doors_attach() - arm the probes on frees
 *
 * Context: Process context, control lock held, before any allocation is sampled.
 * Return: 0, or a negative errno and no probe is armed.
 */
int kmprof_free_doors_attach(void)
{
	int err;

	err = register_trace_kfree(on_kfree, NULL);
	if (err)
		goto fail;
	err = register_trace_kmem_cache_free(on_kmem_cache_free, NULL);
	if (err)
		goto undo_kfree;
	err = watch(&free_bulk_ops, kmem_cache_free_bulk);
	if (err)
		goto undo_kmem_cache_free;
	err = watch(&kvfree_rcu_ops, kvfree_call_rcu);
	if (err)
		goto undo_free_bulk;
	return 0;

undo_free_bulk:
	unregister_ftrace_function(&free_bulk_ops);
undo_kmem_cache_free:
	unregister_trace_kmem_cache_free(on_kmem_cache_free, NULL);
undo_kfree:
	unregister_trace_kfree(on_kfree, NULL);
	tracepoint_synchronize_unregister();
fail:
	pr_err("frees cannot be seen: %pe\n", ERR_PTR(err));
	return err;
}

/**
 * kmprof_free_doors_detach() - disarm the probes on frees
 *
 * Context: Process context, control lock held, after the probes on allocations are
 * disarmed. On return no handler runs any more.
 */
void kmprof_free_doors_detach(void)
{
	unregister_ftrace_function(&kvfree_rcu_ops);
	unregister_ftrace_function(&free_bulk_ops);
	unregister_trace_kmem_cache_free(on_kmem_cache_free, NULL);
	unregister_trace_kfree(on_kfree, NULL);
	tracepoint_synchronize_unregister();
}

/**
 * kmprof_free_doors_exit() - free the filters of the ftrace hooks
 *
 * Not part of a detach, because ftrace_free_filter() leaves the ftrace_ops unusable.
 *
 * Context: Process context, after the last detach.
 */
void kmprof_free_doors_exit(void)
{
	ftrace_free_filter(&kvfree_rcu_ops);
	ftrace_free_filter(&free_bulk_ops);
}
