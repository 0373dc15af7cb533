/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All that differs between kernels. Nothing else may ask for a version or a
 * kernel option.
 */
#ifndef KMPROF_COMPAT_H
#define KMPROF_COMPAT_H

/*
 * Beside the allocators of doors.h, the one that returns a count instead of a
 * pointer: it has a thunk of its own.
 */
#define KMPROF_DOOR_BULK	kmem_cache_alloc_bulk

/*
 * Bytes from a function's symbol to the instruction behind its ftrace call:
 * the call itself, and with IBT the landing pad before it.
 */
#ifdef CONFIG_X86_KERNEL_IBT
#define KMPROF_ENTRY_SKIP	9
#else
#define KMPROF_ENTRY_SKIP	5
#endif

#ifndef __ASSEMBLY__

#include <linux/mm.h>
#include <linux/ptrace.h>

/**
 * kmprof_compat_kvfree_rcu_ptr() - the object that kvfree_call_rcu() is given
 * @regs: at its entry
 *
 * The second argument is the rcu_head's offset in the object, or without a head
 * the object; "rcu: Refactor kvfree_call_rcu() and high-level helpers" (v6.3)
 * made it the object always.
 */
static inline const void *kmprof_compat_kvfree_rcu_ptr(struct pt_regs *regs)
{
	unsigned long head = regs_get_kernel_argument(regs, 0);
	unsigned long func = regs_get_kernel_argument(regs, 1);

	return (const void *)(head ? head - func : func);
}

/* Extent of handle_softirqs(), both 0 where there is none. */
extern unsigned long kmprof_compat_softirq_begin;
extern unsigned long kmprof_compat_softirq_end;

/**
 * kmprof_compat_is_softirq_entry() - does a softirq's own stack end here?
 * @addr: return address
 *
 * Since "softirq: Fix suspicious RCU usage in __do_softirq()" (v6.10, and stable
 * kernels), __do_softirq() jumps to handle_softirqs(), which is not in the text
 * section where filter_irq_stacks() looks for the entry.
 *
 * Context: Any.
 */
static inline bool kmprof_compat_is_softirq_entry(unsigned long addr)
{
	return addr > kmprof_compat_softirq_begin && addr <= kmprof_compat_softirq_end;
}

void kmprof_compat_init(void);

/**
 * kmprof_compat_vma_never_writable() - mprotect() may not add PROT_WRITE
 * @vma: being mapped
 *
 * vm_flags is read-only since v6.3.
 */
static inline void kmprof_compat_vma_never_writable(struct vm_area_struct *vma)
{
	vma->vm_flags &= ~VM_MAYWRITE;
}

#endif /* __ASSEMBLY__ */

#endif
