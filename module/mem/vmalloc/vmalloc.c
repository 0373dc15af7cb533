// SPDX-License-Identifier: GPL-2.0
/*
 * The kind vmalloc: what vmalloc() and its like allocate, kvmalloc() among them when it does not
 * get the memory from a slab. Also kernel stacks and the memory of modules.
 *
 * All of it passes through two functions, which are hooked with ftrace: one maps the pages of an
 * area, when they are all there, and one removes the area, before its addresses can be used again.
 * Both run in task context. If the mapping fails, the area is removed as well: that is an
 * allocation and a free.
 *
 * A compiler can inline both functions into their callers. So attaching allocates and frees memory
 * of its own, and fails if the hooks do not see that.
 *
 * Other areas are removed, too: those of vmap() and ioremap(), whose pages have come from
 * elsewhere, and those for which vmalloc has not got all pages. They are in the exact total of
 * frees only.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/vmalloc.h>

#include "compat/allocators.h"
#include "compat/hook_argument.h"
#include "compat/vmalloc.h"
#include "mem/alloc.h"
#include "mem/rcu_door.h"
#include "mem/tell.h"
#include "mem/vmalloc/vmalloc.h"
#include "probe/ftrace_hook.h"

/* The task that tries the hooks, and what they have seen of it last. Only that task writes that. */
static struct task_struct *trier;
static struct {
	const void *mapped;
	unsigned long mapped_by;
	const void *removed;
} seen;

static __always_inline bool is_trier(void)
{
	return unlikely(READ_ONCE(trier) == current);
}

static void on_map(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		   struct ftrace_regs *fregs)
{
	struct pt_regs *regs = ftrace_get_regs(fregs);
	unsigned long addr = regs_get_kernel_argument(regs, 0);
	unsigned long end = regs_get_kernel_argument(regs, 1);

	if (is_trier()) {
		seen.mapped = (const void *)addr;
		seen.mapped_by = parent_ip;
	}
	if (!kmprof_allocators_vmalloc_maps(parent_ip))
		return;
	preempt_disable_notrace();
	kmprof_alloc_kind_within(KMPROF_KIND_VMALLOC, KMPROF_ALLOCATOR_VMALLOC, regs,
				 (const void *)addr, end - addr);
	preempt_enable_notrace();
}

static void on_remove(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		      struct ftrace_regs *fregs)
{
	const void *ptr = kmprof_compat_first_argument(fregs);

	if (is_trier())
		seen.removed = ptr;
	kmprof_tell_free(0, ptr, 1, KMPROF_KIND_VMALLOC);
	preempt_disable_notrace();
	kmprof_free_kind(KMPROF_KIND_VMALLOC, ptr);
	preempt_enable_notrace();
}

static struct kmprof_ftrace_hook map_hook = KMPROF_FTRACE_HOOK(on_map);
static struct kmprof_ftrace_hook remove_hook = KMPROF_FTRACE_HOOK_ARGUMENTS(on_remove);

/* Do the hooks see an allocation and its free? */
static int try_hooks(void)
{
	const void *ptr;

	seen.mapped = NULL;
	seen.removed = NULL;
	WRITE_ONCE(trier, current);
	ptr = vmalloc(PAGE_SIZE);
	vfree(ptr);
	WRITE_ONCE(trier, NULL);
	if (!ptr)
		return -ENOMEM;
	if (seen.mapped != ptr)
		pr_err("vmalloc() does not call %s\n", KMPROF_COMPAT_VMALLOC_MAP);
	else if (!kmprof_allocators_vmalloc_maps(seen.mapped_by))
		pr_err("%s is called by %pS, not by %s\n", KMPROF_COMPAT_VMALLOC_MAP,
		       (void *)seen.mapped_by, KMPROF_COMPAT_VMALLOC_RANGE);
	else if (seen.removed != ptr)
		pr_err("vfree() does not call %s\n", KMPROF_COMPAT_VMALLOC_REMOVE);
	else
		return 0;
	return -ENOENT;
}

static int attach(void)
{
	int err;

	kmprof_allocators_look_up(KMPROF_ALLOCATOR_VMALLOC);
	err = kmprof_rcu_door_attach();
	if (err)
		return err;
	err = kmprof_ftrace_hook_named(&remove_hook, KMPROF_COMPAT_VMALLOC_REMOVE);
	if (err)
		goto undo_rcu_door;
	err = kmprof_ftrace_hook_named(&map_hook, KMPROF_COMPAT_VMALLOC_MAP);
	if (err)
		goto undo_remove;
	err = try_hooks();
	if (err)
		goto undo_map;
	return 0;

undo_map:
	kmprof_ftrace_unhook(&map_hook);
undo_remove:
	kmprof_ftrace_unhook(&remove_hook);
undo_rcu_door:
	kmprof_rcu_door_detach();
	pr_err("memory of vmalloc cannot be seen: %pe\n", ERR_PTR(err));
	return err;
}

static void detach(void)
{
	kmprof_ftrace_unhook(&map_hook);
	kmprof_ftrace_unhook(&remove_hook);
	kmprof_rcu_door_detach();
}

static void free_hooks(void)
{
	kmprof_ftrace_hook_free(&map_hook);
	kmprof_ftrace_hook_free(&remove_hook);
}

const struct kmprof_kind kmprof_vmalloc_kind = {
	.attach	= attach,
	.detach	= detach,
	.exit	= free_hooks,
};
