/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All that differs between kernels. No other folder tests for a kernel version or a kernel
 * option.
 */
#ifndef KMPROF_COMPAT_H
#define KMPROF_COMPAT_H

#include <linux/version.h>

/*
 * "mm: enable page allocation tagging" and related commits (v6.10) append _noprof to the
 * names of the allocators: see entry_points.h.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 10, 0)
#define KMPROF_ALLOC_NOPROF
#endif

/*
 * The bulk allocator. It returns a count instead of a pointer and needs its own thunk, so
 * entry_points.h does not list it.
 */
#ifdef KMPROF_ALLOC_NOPROF
#define KMPROF_ALLOC_BULK	kmem_cache_alloc_bulk_noprof
#else
#define KMPROF_ALLOC_BULK	kmem_cache_alloc_bulk
#endif

/* The function of the page allocator that fires no event. It has a thunk of its own, too. */
#ifdef KMPROF_ALLOC_NOPROF
#define KMPROF_ALLOC_PAGES_BULK	alloc_pages_bulk_noprof
#else
#define KMPROF_ALLOC_PAGES_BULK	__alloc_pages_bulk
#endif

/*
 * The argument of __kmalloc_node_track_caller() that holds the call site. "mm/slab: Plumb
 * kmem_buckets into __do_kmalloc_node()" (v6.11) inserts an argument before it.
 */
#ifdef CONFIG_SLAB_BUCKETS
#define KMPROF_TRACK_CALLER_RULE	size_arg0_site_arg4
#else
#define KMPROF_TRACK_CALLER_RULE	size_arg0_site_arg3
#endif

/*
 * Bytes from a function's symbol to the instruction behind its ftrace call: the call and,
 * with IBT, the landing pad before it.
 */
#ifdef CONFIG_X86_KERNEL_IBT
#define KMPROF_ENTRY_SKIP	9
#else
#define KMPROF_ENTRY_SKIP	5
#endif

/* Sleeping locks, spinlock_t and rwlock_t are built on rtmutexes. */
#ifdef CONFIG_PREEMPT_RT
#define KMPROF_COMPAT_RT
#endif

/* "ftrace: abstract DYNAMIC_FTRACE_WITH_ARGS accesses" (v6.2): see hook_argument.h. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
#define KMPROF_COMPAT_FTRACE_ARGUMENT
#endif

/* "rcu/kvfree: Add kvfree_rcu_barrier() API" (v6.12): see kvfree_rcu.c. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#define KMPROF_COMPAT_KVFREE_BARRIER
#endif

/* The kernel unwinds stacks with ORC: see stack/unwind.c. */
#ifdef CONFIG_UNWINDER_ORC
#define KMPROF_COMPAT_ORC
#endif

#ifndef __ASSEMBLY__

#include <linux/atomic.h>
#include <linux/cgroup.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/rcu_sync.h>
#include <linux/rwbase_rt.h>
#include <linux/rwsem.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

/*
 * A per-CPU variable as an operand of an asm(), named by its symbol. Where the kernel's
 * accessors use named address spaces (v6.10), __percpu_arg() has no segment prefix.
 */
#ifdef __force_percpu_arg
#define KMPROF_PERCPU_OPERAND(x)	__force_percpu_arg(x)
#else
#define KMPROF_PERCPU_OPERAND(x)	__percpu_arg(x)
#endif

/**
 * struct kmprof_pair - two words that change together
 * @lo: word at the lower address
 * @hi: word at the higher address
 */
struct kmprof_pair {
	u64 lo;
	u64 hi;
} __aligned(16);

/**
 * kmprof_compat_cmpxchg_pair() - compare and exchange two words
 * @pair: the words
 * @old: expected values
 * @new: new values
 *
 * A full barrier, for the compiler too. "arch: Remove cmpxchg_double" (v6.5) replaced
 * cmpxchg_double() by cmpxchg128(). The CPU must have X86_FEATURE_CX16.
 *
 * Context: Any.
 * Return: true when @pair was @old and is @new now.
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

/* Where a cache's object size is in struct kmem_cache: kmprof_compat_init_cache_size(). */
extern unsigned int kmprof_compat_object_size_at;

/**
 * kmprof_compat_cache_size() - get the size of a cache's objects
 * @s: the cache
 *
 * Does what kmem_cache_size() does, without a call.
 *
 * Context: Any.
 * Return: bytes of an object.
 */
static __always_inline size_t kmprof_compat_cache_size(const struct kmem_cache *s)
{
	return *(const unsigned int *)((const char *)s + kmprof_compat_object_size_at);
}

/**
 * kmprof_compat_kvfree_rcu_ptr() - get the object that is passed to kvfree_call_rcu()
 * @regs: registers at the function's entry
 *
 * Its second argument is the offset of the rcu_head in the object or, without an rcu_head,
 * the object. Since "rcu: Refactor kvfree_call_rcu() and high-level helpers" (v6.3) it is
 * always the object.
 *
 * Context: In a probe at the entry of kvfree_call_rcu().
 * Return: the object.
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
 * struct kmprof_extent - the address range of a function
 * @begin: address of the first byte
 * @end: address behind the last byte; both are 0 if the kernel has no such function
 */
struct kmprof_extent {
	unsigned long begin;
	unsigned long end;
};

/* Does a return address belong to the function? Its last instruction may be the call. */
static inline bool kmprof_extent_has(const struct kmprof_extent *extent, unsigned long addr)
{
	return addr > extent->begin && addr <= extent->end;
}

/* Does a return address belong to one of several functions? */
static inline bool kmprof_extents_have(const struct kmprof_extent *extents, unsigned int nr,
				       unsigned long addr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (kmprof_extent_has(&extents[i], addr))
			return true;
	return false;
}

enum {
	KMPROF_COMPAT_NR_TRAMPOLINES = 3,
};

extern struct kmprof_extent kmprof_compat_trampolines[KMPROF_COMPAT_NR_TRAMPOLINES];

/**
 * kmprof_compat_is_trampoline() - does an address stand in for a return address?
 * @addr: return address
 *
 * The function graph tracer and kretprobes replace return addresses by that of a trampoline's
 * first instruction; frames of what a trampoline calls belong to it as well.
 *
 * Context: Any.
 * Return: true when the caller's frame is not where the code at @addr says.
 */
static inline bool kmprof_compat_is_trampoline(unsigned long addr)
{
	unsigned int i;

	for (i = 0; i < KMPROF_COMPAT_NR_TRAMPOLINES; i++)
		if (addr == kmprof_compat_trampolines[i].begin ||
		    kmprof_extent_has(&kmprof_compat_trampolines[i], addr))
			return true;
	return false;
}

extern struct kmprof_extent kmprof_compat_softirq;

/**
 * kmprof_compat_is_softirq_entry() - is it a frame of the entry of a softirq?
 * @addr: return address
 *
 * Since "softirq: Fix suspicious RCU usage in __do_softirq()" (v6.10, and stable kernels),
 * __do_softirq() jumps to handle_softirqs(), which is not in the text section that
 * filter_irq_stacks() takes for entries.
 *
 * Context: Any.
 * Return: true when the frames of the callers are what the softirq interrupted.
 */
static inline bool kmprof_compat_is_softirq_entry(unsigned long addr)
{
	return kmprof_extent_has(&kmprof_compat_softirq, addr);
}

/* What the tracepoints of the scheduler, and of waits, call if they have several handlers. */
enum {
	KMPROF_COMPAT_NR_SCHED_ITERS	= 2,
	KMPROF_COMPAT_NR_WAIT_ITERS	= 2,
};

extern struct kmprof_extent kmprof_compat_sched_iters[KMPROF_COMPAT_NR_SCHED_ITERS];
extern struct kmprof_extent kmprof_compat_wait_iters[KMPROF_COMPAT_NR_WAIT_ITERS];

extern struct kmprof_extent kmprof_compat_page_fault;

/**
 * kmprof_compat_is_page_fault_entry() - is it a frame of the entry of a page fault?
 * @addr: return address
 *
 * It is in the text section that filter_irq_stacks() takes for entries of interrupts.
 *
 * Context: Any.
 * Return: true when the frames of the callers are those of the code that caused the fault.
 */
static inline bool kmprof_compat_is_page_fault_entry(unsigned long addr)
{
	return kmprof_extent_has(&kmprof_compat_page_fault, addr);
}

/**
 * kmprof_compat_is_static() - is a lock part of the data of the kernel or a module?
 * @lock: address of the lock
 *
 * Context: Any.
 * Return: true when the lock's address has a symbol.
 */
static inline bool kmprof_compat_is_static(const void *lock)
{
	return (unsigned long)lock >= __START_KERNEL_map;
}

/**
 * kmprof_compat_cgroup() - get the id of the current task's cgroup (version 2)
 *
 * Context: Task. Preemption off.
 * Return: the id; 0 in a kernel without cgroups.
 */
static inline u64 kmprof_compat_cgroup(void)
{
#ifdef CONFIG_CGROUPS
	return cgroup_id(task_dfl_cgroup(current));
#else
	return 0;
#endif
}

/**
 * kmprof_compat_in_cgroup() - is a task in a cgroup (version 2), or in one below it?
 * @task: the task
 * @id: id of the cgroup
 *
 * Context: Any. Preemption off.
 * Return: true if so.
 */
static inline bool kmprof_compat_in_cgroup(struct task_struct *task, u64 id)
{
#ifdef CONFIG_CGROUPS
	struct cgroup *cgroup = task_dfl_cgroup(task);

	for (; cgroup; cgroup = cgroup_parent(cgroup))
		if (cgroup_id(cgroup) == id)
			return true;
#endif
	return false;
}

/**
 * kmprof_compat_cgroup_id() - get the id of a cgroup (version 2)
 * @path: its path, below the cgroup namespace of the current task
 * @id: returns the id, which no other cgroup will have
 *
 * Context: Process context. Sleeps.
 * Return: 0; or a negative errno: -ENOENT, ..., -EOPNOTSUPP in a kernel without cgroups.
 */
static inline int kmprof_compat_cgroup_id(const char *path, u64 *id)
{
#ifdef CONFIG_CGROUPS
	struct cgroup *cgroup = cgroup_get_from_path(path);

	if (IS_ERR(cgroup))
		return PTR_ERR(cgroup);
	*id = cgroup_id(cgroup);
	cgroup_put(cgroup);
	return 0;
#else
	return -EOPNOTSUPP;
#endif
}

/* The kind of the inner lock: see kmprof_compat_whole_lock(). */
#ifdef KMPROF_COMPAT_RT
#define KMPROF_COMPAT_PART	KMPROF_LOCK_RTMUTEX
#else
#define KMPROF_COMPAT_PART	KMPROF_LOCK_SPINLOCK
#endif

/**
 * kmprof_compat_whole_lock() - get the lock that contains an inner lock
 * @lock: the inner lock; or any lock of its kind, and then the result is no lock
 *
 * A task that waits for an rwlock_t queues on the spinlock inside it. With PREEMPT_RT a
 * reader that waits for an rwlock_t or rw_semaphore waits for the rtmutex inside it. Both
 * locks fire contention_begin.
 *
 * Context: Any. The result is not dereferenced.
 * Return: the address that the outer lock would have.
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
 * kmprof_compat_has_orc() - does the kernel unwind stacks with ORC?
 *
 * With frame pointers, the kernel's stack of a redirected call begins one frame too high: a
 * thunk has no frame pointer of its own.
 *
 * Context: Any.
 * Return: true if so.
 */
static inline bool kmprof_compat_has_orc(void)
{
#ifdef KMPROF_COMPAT_ORC
	return true;
#else
	return false;
#endif
}

/**
 * kmprof_compat_has_slow_paths() - do only contended locks enter the slow paths?
 *
 * With PREEMPT_RT they do not: a writer enters rwbase_write_lock() of a rw_semaphore in any
 * case, and the slow path of an rwlock_t is inlined into other functions.
 *
 * Context: Any.
 * Return: false when waits can only be seen by tracepoints.
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
 * kmprof_compat_is_written() - is a rw_semaphore held by a writer?
 * @count: the semaphore's count, as passed to rwsem_down_read_slowpath()
 *
 * Tests RWSEM_WRITER_LOCKED of rwsem.c.
 *
 * Context: Any.
 * Return: true when a writer holds the semaphore.
 */
static inline bool kmprof_compat_is_written(unsigned long count)
{
	return count & 1;
}

/**
 * kmprof_compat_has_queue() - do tasks sleep for a rw_semaphore?
 * @lock: the semaphore; it must not be freed meanwhile
 *
 * Tests RWSEM_FLAG_WAITERS of rwsem.c.
 *
 * Context: Any.
 * Return: true when its queue is not empty; always false with PREEMPT_RT.
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
extern struct kmprof_extent kmprof_compat_lock_text[KMPROF_COMPAT_NR_LOCK_TEXT];

/**
 * kmprof_compat_is_lock_text() - is it a frame of the functions that take a lock?
 * @addr: return address
 * @sleeps: tasks sleep for the lock; false: they spin
 *
 * The functions of sleeping locks are in the scheduler's text section. That section cannot
 * be used for spinning locks, because the scheduler itself spins for locks there. Parts of
 * the rtmutex and, with DEBUG_SPINLOCK, of spinning locks are in no section of their own.
 *
 * Context: Any.
 * Return: false for the caller of these functions.
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
 * kmprof_compat_is_percpu_try() - does a failing reader call rcuwait_wake_up()?
 * @addr: return address of the call
 *
 * A reader of a percpu_rw_semaphore increments the count of readers before it looks for a
 * writer. If there is a writer, it decrements the count again and wakes the writer, as a
 * release does.
 *
 * Context: Any.
 * Return: true when the call is no release.
 */
static inline bool kmprof_compat_is_percpu_try(unsigned long addr)
{
	return kmprof_extents_have(kmprof_compat_percpu_try, KMPROF_COMPAT_NR_PERCPU_TRY, addr);
}

/**
 * kmprof_compat_is_entering() - does a task wait for the grace period of rcu_sync_enter()?
 * @rss: an rcu_sync
 *
 * Tests for GP_ENTER of kernel/rcu/sync.c. In this state only that task calls rcu_sync_func().
 *
 * Context: Any.
 * Return: true from the first rcu_sync_enter() of several to the end of the grace period.
 */
static inline bool kmprof_compat_is_entering(const struct rcu_sync *rss)
{
	return READ_ONCE(rss->gp_state) == 1;
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
 * kmprof_compat_is_unlock_text() - is it a frame of the functions that release a lock?
 * @addr: return address
 *
 * Some of these functions are in the scheduler's text section, others in no section of
 * their own.
 *
 * Context: Any.
 * Return: false for the caller of these functions.
 */
static inline bool kmprof_compat_is_unlock_text(unsigned long addr)
{
	return kmprof_extent_has(&kmprof_compat_sched_text, addr) ||
	       kmprof_extents_have(kmprof_compat_unlock, KMPROF_COMPAT_NR_UNLOCK, addr);
}

/**
 * kmprof_compat_is_up_read() - is a function called by up_read()?
 * @addr: return address of the call
 *
 * up_read() does not wake waiters by a tail call, so @addr lies in up_read(): it has to
 * enable preemption or to leave its frame after the call.
 *
 * Context: Any.
 * Return: true when up_read() or a variant of it is the caller.
 */
static inline bool kmprof_compat_is_up_read(unsigned long addr)
{
	return kmprof_extents_have(kmprof_compat_unlock, KMPROF_COMPAT_NR_UP_READ, addr);
}

/**
 * kmprof_compat_is_downgrade() - is a function called by downgrade_write()?
 * @addr: return address of the call
 *
 * Context: Any.
 * Return: true when downgrade_write() is the caller.
 */
static inline bool kmprof_compat_is_downgrade(unsigned long addr)
{
	return kmprof_extent_has(&kmprof_compat_unlock[KMPROF_COMPAT_DOWNGRADE_WRITE], addr);
}

unsigned long kmprof_compat_symbol(const char *name);
unsigned long kmprof_compat_symbol_size(unsigned long addr);
void kmprof_compat_look_up(struct kmprof_extent *extent, const char *function);
unsigned int kmprof_compat_copies(const char *name, unsigned long *addrs, unsigned int max);
void kmprof_compat_init(void);
int kmprof_compat_init_cache_size(void);
void kmprof_compat_init_releases(void);

/**
 * kmprof_compat_vma_fixed() - forbid later changes of a read-only mapping
 * @vma: the mapping, in mmap()
 *
 * mprotect() cannot add PROT_WRITE and mremap() cannot extend it. vm_flags is read-only
 * since v6.3.
 *
 * Context: Process context, mmap lock held for writing.
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
