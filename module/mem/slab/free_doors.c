// SPDX-License-Identifier: GPL-2.0
/*
 * The probes on frees: kfree() and kmem_cache_free() by their tracepoints;
 * kmem_cache_free_bulk(), which also frees the objects of kfree_rcu(), and
 * kvfree_call_rcu() have no tracepoint and are hooked with ftrace. call_rcu() is one, too, if a
 * setting says so.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <trace/events/kmem.h>

#include "mem/alloc.h"
#include "mem/rcu_door.h"
#include "mem/slab/call_rcu.h"
#include "mem/slab/free_doors.h"
#include "mem/tell.h"
#include "probe/ftrace_hook.h"

static void on_kfree(void *data, unsigned long site, const void *ptr)
{
	kmprof_free_seen(ptr);
}

static void on_kmem_cache_free(void *data, unsigned long site, const void *ptr,
			       const struct kmem_cache *s)
{
	kmprof_free_seen(ptr);
}

/* kmprof:free, armed by mem/kinds.c. */
static void tell_kfree(void *data, unsigned long site, const void *ptr)
{
	kmprof_tell_free(site, ptr, 1, KMPROF_KIND_SLAB);
}

static void tell_kmem_cache_free(void *data, unsigned long site, const void *ptr,
				 const struct kmem_cache *s)
{
	kmprof_tell_free(site, ptr, 1, KMPROF_KIND_SLAB);
}

struct kmprof_tracepoint kmprof_free_doors_told[KMPROF_NR_FREE_DOORS_TOLD] = {
	{ "kfree", tell_kfree },
	{ "kmem_cache_free", tell_kmem_cache_free },
};

static noinline void tell_objects(void **objects, size_t n)
{
	while (n--)
		kmprof_tell_free(0, *objects++, 1, KMPROF_KIND_SLAB);
}

static void on_free_bulk(unsigned long ip, unsigned long parent_ip,
			 struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	struct pt_regs *regs = ftrace_get_regs(fregs);
	size_t n = regs_get_kernel_argument(regs, 1);
	void **objects = (void **)regs_get_kernel_argument(regs, 2);
	size_t i;

	if (kmprof_tells_frees())
		tell_objects(objects, n);
	/* There can be hundreds of them. */
	for (i = 0; i < n; i++) {
		preempt_disable_notrace();
		kmprof_free_seen(objects[i]);
		preempt_enable_notrace();
	}
}

static struct kmprof_ftrace_hook free_bulk = KMPROF_FTRACE_HOOK(on_free_bulk);

/**
 * kmprof_free_doors_attach() - arm the probes on frees
 *
 * Context: Process context, control lock held, before any allocation is sampled.
 * Return: 0, or a negative errno and no probe is armed.
 */
int kmprof_free_doors_attach(void)
{
	int err;

	check_trace_callback_type_kfree(tell_kfree);
	check_trace_callback_type_kmem_cache_free(tell_kmem_cache_free);
	err = register_trace_kfree(on_kfree, NULL);
	if (err)
		goto fail;
	err = register_trace_kmem_cache_free(on_kmem_cache_free, NULL);
	if (err)
		goto undo_kfree;
	err = kmprof_ftrace_hook(&free_bulk, (unsigned long)kmem_cache_free_bulk);
	if (err)
		goto undo_kmem_cache_free;
	err = kmprof_rcu_door_attach();
	if (err)
		goto undo_free_bulk;
	err = kmprof_call_rcu_attach();
	if (err)
		goto undo_rcu_door;
	return 0;

undo_rcu_door:
	kmprof_rcu_door_detach();
undo_free_bulk:
	kmprof_ftrace_unhook(&free_bulk);
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
	kmprof_call_rcu_detach();
	kmprof_rcu_door_detach();
	kmprof_ftrace_unhook(&free_bulk);
	unregister_trace_kmem_cache_free(on_kmem_cache_free, NULL);
	unregister_trace_kfree(on_kfree, NULL);
	tracepoint_synchronize_unregister();
}

/**
 * kmprof_free_doors_exit() - free what the hooks have left
 *
 * Context: Process context, after the last detach.
 */
void kmprof_free_doors_exit(void)
{
	kmprof_call_rcu_exit();
	kmprof_ftrace_hook_free(&free_bulk);
}
