/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All that differs between kernels. Nothing else may ask for a version or a
 * kernel option.
 */
#ifndef KMPROF_COMPAT_H
#define KMPROF_COMPAT_H

#include <linux/version.h>

/*
 * "mm: enable page allocation tagging" and its relatives (v6.10) put _noprof at
 * the end of the allocators' names: see entry_points.h.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 10, 0)
#define KMPROF_ALLOC_NOPROF
#endif

/*
 * Beside the allocators of entry_points.h, the one that returns a count instead of a
 * pointer: it has a thunk of its own.
 */
#ifdef KMPROF_ALLOC_NOPROF
#define KMPROF_ALLOC_BULK	kmem_cache_alloc_bulk_noprof
#else
#define KMPROF_ALLOC_BULK	kmem_cache_alloc_bulk
#endif

/*
 * In which argument __kmalloc_node_track_caller() is told the call site: "mm/slab:
 * Plumb kmem_buckets into __do_kmalloc_node()" (v6.11) put one before it.
 */
#ifdef CONFIG_SLAB_BUCKETS
#define KMPROF_TRACK_CALLER_RULE	size_arg0_site_arg4
#else
#define KMPROF_TRACK_CALLER_RULE	size_arg0_site_arg3
#endif

/*
 * Bytes from a function's symbol to the instruction behind its ftrace call:
 * the call itself, and with IBT the landing pad before it.
 */
#ifdef CONFIG_X86_KERNEL_IBT
#define KMPROF_ENTRY_SKIP	9
#else
#define KMPROF_ENTRY_SKIP	5
#endif

/* All locks that sleep, and spinlock_t, are made of rtmutexes. */
#ifdef CONFIG_PREEMPT_RT
#define KMPROF_COMPAT_RT
#endif

/* How the kernel unwinds stacks: see unwind.c. */
#ifdef CONFIG_UNWINDER_ORC
#define KMPROF_COMPAT_ORC
#endif

#ifndef __ASSEMBLY__

#include <linux/atomic.h>
#include <linux/cgroup.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/rwbase_rt.h>
#include <linux/rwsem.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

/*
 * A per-CPU variable, named by its symbol, as an operand of an asm(). Where the
 * kernel's own accessors use named address spaces (v6.10), __percpu_arg() has no
 * segment.
 */
#ifdef __force_percpu_arg
#define KMPROF_PERCPU_OPERAND(x)	__force_percpu_arg(x)
#else
#define KMPROF_PERCPU_OPERAND(x)	__percpu_arg(x)
#endif

/**
 * struct kmprof_pair - two words that change together
 * @lo: at the lower address
 * @hi: at the higher one
 */
struct kmprof_pair {
	u64 lo;
	u64 hi;
} __aligned(16);

/**
 * kmprof_compat_cmpxchg_pair() - replace both words, if none has changed
 * @pair: where
 * @old: what is expected there
 * @new: what is to be there
 *
 * A full barrier, for the compiler, too. "arch: Remove cmpxchg_double" (v6.5) put
 * cmpxchg128() in its place. The CPU must have X86_FEATURE_CX16.
 *
 * Context: Any.
 * Return: true when @new is there.
 */
static __always_inline bool kmprof_compat_cmpxchg_pair(struct kmprof_pair *pair,
						       struct kmprof_pair old,
						       struct kmprof_pair new)
{
#ifdef cmpxchg_double
	barrier();
	return cmpxchg_double(&pair->lo, &pair->hi, old.lo, old.hi, new.lo, new.hi);
#else
	u128 from = (u128)old.hi << 64 | old.lo;

	return try_cmpxchg128((u128 *)pair, &from, (u128)new.hi << 64 | new.lo);
#endif
}

/**
 * kmprof_compat_cache_size() - bytes of a cache's objects
 * @s: cache
 *
 * What kmem_cache_size() says, without a call where the structure is public: until
 * "mm/slab: move struct kmem_cache ... to mm/slab.h" (v6.8).
 *
 * Context: Any.
 */
static __always_inline size_t kmprof_compat_cache_size(struct kmem_cache *s)
{
#ifdef _LINUX_SLUB_DEF_H
	return s->object_size;
#else
	return kmem_cache_size(s);
#endif
}

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

	if (LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0))
		return (const void *)func;
	return (const void *)(head ? head - func : func);
}

/**
 * struct kmprof_extent - where a function of the kernel lies
 * @begin: its first byte
 * @end: behind its last; both are 0 where there is no such function
 */
struct kmprof_extent {
	unsigned long begin;
	unsigned long end;
};

/* Does a call return to the function? */
static inline bool kmprof_extent_has(const struct kmprof_extent *extent, unsigned long addr)
{
	return addr > extent->begin && addr <= extent->end;
}

/* Of several functions, does it return to one? */
static inline bool kmprof_extents_have(const struct kmprof_extent *extents, unsigned int nr,
				       unsigned long addr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (kmprof_extent_has(&extents[i], addr))
			return true;
	return false;
}

extern struct kmprof_extent kmprof_compat_softirq;

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
	return kmprof_extent_has(&kmprof_compat_softirq, addr);
}

#ifdef KMPROF_ALLOC_NOPROF
enum {
	KMPROF_COMPAT_NR_KMALLOC = 3,
};

extern struct kmprof_extent kmprof_compat_kmalloc[KMPROF_COMPAT_NR_KMALLOC];
#endif

/**
 * kmprof_compat_is_large_kmalloc() - a call from within the other kmallocs?
 * @site: return address of a call of the large kmalloc
 *
 * The v6.12 kmalloc functions hand sizes of more than KMALLOC_MAX_CACHE_SIZE to
 * __kmalloc_large_node(), which is an entry point, with a tracepoint, of its own:
 * an allocation that has been seen, or will be.
 *
 * Context: Any.
 */
static inline bool kmprof_compat_is_large_kmalloc(unsigned long site)
{
#ifdef KMPROF_ALLOC_NOPROF
	return kmprof_extents_have(kmprof_compat_kmalloc, KMPROF_COMPAT_NR_KMALLOC, site);
#else
	return false;
#endif
}

/**
 * kmprof_compat_is_static() - does a lock have a symbol?
 * @lock: its address
 *
 * One that is part of the kernel's or a module's own data has.
 *
 * Context: Any.
 */
static inline bool kmprof_compat_is_static(const void *lock)
{
	return (unsigned long)lock >= __START_KERNEL_map;
}

/**
 * kmprof_compat_cgroup() - id of the current task's cgroup (version 2)
 *
 * Context: Task. Preemption off.
 * Return: the id, 0 in a kernel without.
 */
static inline u64 kmprof_compat_cgroup(void)
{
#ifdef CONFIG_CGROUPS
	return cgroup_id(task_dfl_cgroup(current));
#else
	return 0;
#endif
}

/* Of which kind are locks that others are made of? See below. */
#ifdef KMPROF_COMPAT_RT
#define KMPROF_COMPAT_PART	KMPROF_LOCK_RTMUTEX
#else
#define KMPROF_COMPAT_PART	KMPROF_LOCK_SPINLOCK
#endif

/**
 * kmprof_compat_whole_lock() - the lock that another one is a part of, if it is one
 * @lock: the part
 *
 * Who waits for a rwlock_t stands in the queue of a spinlock inside of it; with
 * PREEMPT_RT, who waits to read that or a rw_semaphore waits for a rt_mutex inside.
 * Both are told of.
 *
 * Context: Any.
 */
static inline const void *kmprof_compat_whole_lock(const void *lock)
{
#ifdef KMPROF_COMPAT_RT
	return lock - offsetof(struct rwbase_rt, rtmutex);
#else
	return lock - offsetof(struct qrwlock, wait_lock);
#endif
}

/**
 * kmprof_compat_has_slow_paths() - have locks functions in which who waits does so?
 *
 * With PREEMPT_RT, who takes a rw_semaphore for writing gets into that one in any case,
 * which is no slow path; that of a rwlock_t is part of others.
 *
 * Context: Any.
 */
static inline bool kmprof_compat_has_slow_paths(void)
{
#ifdef KMPROF_COMPAT_RT
	return false;
#else
	return true;
#endif
}

/**
 * kmprof_compat_is_written() - does a writer have a rw_semaphore?
 * @count: its count, as rwsem_down_read_slowpath() is given it: RWSEM_WRITER_LOCKED of
 *	rwsem.c
 *
 * Context: Any.
 */
static inline bool kmprof_compat_is_written(unsigned long count)
{
	return count & 1;
}

/**
 * kmprof_compat_has_queue() - do others sleep for a rw_semaphore?
 * @lock: that cannot go away; RWSEM_FLAG_WAITERS of rwsem.c
 *
 * Context: Any.
 */
static inline bool kmprof_compat_has_queue(const void *lock)
{
#ifdef KMPROF_COMPAT_RT
	return false;
#else
	const struct rw_semaphore *sem = lock;

	return atomic_long_read(&sem->count) & 2;
#endif
}

enum {
	KMPROF_COMPAT_NR_LOCK_TEXT = 4,
};

extern struct kmprof_extent kmprof_compat_sched_text;
extern struct kmprof_extent kmprof_compat_wait_end;
extern struct kmprof_extent kmprof_compat_lock_text[KMPROF_COMPAT_NR_LOCK_TEXT];

/**
 * kmprof_compat_is_lock_text() - is a frame above the caller of a lock's function?
 * @addr: return address
 * @sleeps: of a lock for which tasks sleep; else, spin
 *
 * The functions of sleeping locks are in the scheduler's text section, where the
 * scheduler itself is, too, which spins for locks of its own. A part of the rtmutex and,
 * with DEBUG_SPINLOCK, some of those that spin are in no section of theirs.
 *
 * Context: Any.
 */
static inline bool kmprof_compat_is_lock_text(unsigned long addr, bool sleeps)
{
	return (sleeps && kmprof_extent_has(&kmprof_compat_sched_text, addr)) ||
	       in_lock_functions(addr) ||
	       kmprof_extents_have(kmprof_compat_lock_text, KMPROF_COMPAT_NR_LOCK_TEXT, addr);
}

enum {
	KMPROF_COMPAT_NR_PERCPU_TRY = 4,
};

extern struct kmprof_extent kmprof_compat_percpu_try[KMPROF_COMPAT_NR_PERCPU_TRY];

/**
 * kmprof_compat_is_percpu_try() - does a call return to a reader's vain attempt?
 * @addr: return address
 *
 * Who cannot get a percpu_rw_semaphore has counted as its reader for a moment, and
 * takes that back as if it released it.
 *
 * Context: Any.
 */
static inline bool kmprof_compat_is_percpu_try(unsigned long addr)
{
	return kmprof_extents_have(kmprof_compat_percpu_try, KMPROF_COMPAT_NR_PERCPU_TRY, addr);
}

enum {
	KMPROF_COMPAT_UP_READ,
	KMPROF_COMPAT_UP_READ_INNER,
	KMPROF_COMPAT_UP_READ_NON_OWNER,
	KMPROF_COMPAT_NR_UP_READ,
	KMPROF_COMPAT_UP_WRITE = KMPROF_COMPAT_NR_UP_READ,
	KMPROF_COMPAT_DOWNGRADE_WRITE,
	KMPROF_COMPAT_WW_MUTEX_UNLOCK,
	KMPROF_COMPAT_NR_UNLOCK,
};

extern struct kmprof_extent kmprof_compat_unlock[KMPROF_COMPAT_NR_UNLOCK];

/**
 * kmprof_compat_is_unlock_text() - is a frame above the caller of an unlock function?
 * @addr: return address
 *
 * Some of these functions are in the scheduler's text section, some in none of theirs.
 *
 * Context: Any.
 */
static inline bool kmprof_compat_is_unlock_text(unsigned long addr)
{
	return kmprof_extent_has(&kmprof_compat_sched_text, addr) ||
	       kmprof_extents_have(kmprof_compat_unlock, KMPROF_COMPAT_NR_UNLOCK, addr);
}

/**
 * kmprof_compat_is_up_read() - does a call return to up_read()?
 * @addr: return address
 *
 * What it calls to wake waiters, it does not jump to: it has preemption to enable, or
 * its frame to leave.
 *
 * Context: Any.
 */
static inline bool kmprof_compat_is_up_read(unsigned long addr)
{
	return kmprof_extents_have(kmprof_compat_unlock, KMPROF_COMPAT_NR_UP_READ, addr);
}

/**
 * kmprof_compat_is_downgrade() - does a call return to downgrade_write()?
 * @addr: return address
 *
 * Context: Any.
 */
static inline bool kmprof_compat_is_downgrade(unsigned long addr)
{
	return kmprof_extent_has(&kmprof_compat_unlock[KMPROF_COMPAT_DOWNGRADE_WRITE], addr);
}

unsigned int kmprof_compat_copies(const char *name, unsigned long *addrs, unsigned int max);
void kmprof_compat_init(void);
void kmprof_compat_init_releases(void);

/**
 * kmprof_compat_vma_fixed() - a mapping stays as it is made
 * @vma: being mapped
 *
 * mprotect() may not add PROT_WRITE, mremap() may not make it longer. vm_flags is
 * read-only since v6.3.
 */
static inline void kmprof_compat_vma_fixed(struct vm_area_struct *vma)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
	vm_flags_mod(vma, VM_DONTEXPAND | VM_DONTDUMP, VM_MAYWRITE);
#else
	vma->vm_flags |= VM_DONTEXPAND | VM_DONTDUMP;
	vma->vm_flags &= ~VM_MAYWRITE;
#endif
}

#endif /* __ASSEMBLY__ */

#endif
