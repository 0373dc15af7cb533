/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The contract between kmprof_test.ko and the test programs.
 *
 * Every open file of the device has its own table of KMPROF_TEST_SLOTS object
 * slots; the test says which slots an operation uses. Closing the file frees
 * what is left in them. Objects are allocated through one of
 * KMPROF_TEST_CHAINS call chains, kmprof_test_cNN_leaf() called by
 * kmprof_test_cNN_middle() called by kmprof_test_cNN_outer(), NN = 00 .. 19.
 *
 * The locks belong to the module: KMPROF_TEST_LOCKS of each kind, the same for
 * every open file. They are taken in one of KMPROF_TEST_WAITERS functions
 * kmprof_test_wNN_lock() and released in kmprof_test_wNN_unlock(), NN = 00 .. 15; a
 * rwsem is downgraded in kmprof_test_wNN_downgrade().
 */
#ifndef KMPROF_TEST_H
#define KMPROF_TEST_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define KMPROF_TEST_DEVICE_PATH	"/dev/kmprof_test"
#define KMPROF_TEST_CHAINS	20
#define KMPROF_TEST_SLOTS	65536
#define KMPROF_TEST_MAX_SIZE	(4U << 20)

/*
 * The sizes that KMPROF_TEST_KMALLOC and KMPROF_TEST_KMALLOC_NODE know, as
 * X(size): they have to be constants where kmalloc() is called.
 */
#define KMPROF_TEST_CONST_SIZES(X)					\
	X(8) X(16) X(32) X(64) X(96) X(128) X(192) X(256) X(512)	\
	X(1024) X(2048) X(4096) X(8192) X(16384) X(32768) X(65536)

/* The object sizes of the module's own caches, as X(size). */
#define KMPROF_TEST_CACHE_SIZES(X)					\
	X(24) X(72) X(200) X(520) X(1000) X(3000) X(5000) X(7000)

enum kmprof_test_op_code {
	KMPROF_TEST_ALLOC = 0,	/* fill empty slots */
	KMPROF_TEST_FREE,	/* empty full slots */
	KMPROF_TEST_RESIZE,	/* krealloc() full slots through a chain */
	KMPROF_TEST_CHURN,	/* allocate and free at once, without slots */
	KMPROF_TEST_NR_OPS
};

enum kmprof_test_method {
	KMPROF_TEST_KMALLOC = 0,	/* constant size */
	KMPROF_TEST_KMALLOC_VARIABLE,	/* __kmalloc() */
	KMPROF_TEST_KMALLOC_NODE,	/* constant size */
	KMPROF_TEST_KMALLOC_NODE_VARIABLE,	/* __kmalloc_node() */
	KMPROF_TEST_KCALLOC,		/* two members of half the size */
	KMPROF_TEST_KREALLOC,		/* krealloc(NULL) */
	KMPROF_TEST_KMEMDUP,
	KMPROF_TEST_KSTRDUP,
	KMPROF_TEST_CACHE,		/* kmem_cache_alloc() */
	KMPROF_TEST_CACHE_NODE,
	KMPROF_TEST_CACHE_BULK,		/* not from hardirq or dying */
	KMPROF_TEST_NR_METHODS
};

enum kmprof_test_free_method {
	KMPROF_TEST_KFREE = 0,
	KMPROF_TEST_KFREE_SENSITIVE,
	KMPROF_TEST_KFREE_RCU,		/* at least 16 bytes */
	KMPROF_TEST_KFREE_RCU_MIGHTSLEEP,	/* task context only */
	KMPROF_TEST_KFREE_BULK,		/* not from hardirq or dying */
	KMPROF_TEST_KREALLOC_ZERO,	/* krealloc(p, 0) */
	KMPROF_TEST_CACHE_FREE,
	KMPROF_TEST_CACHE_FREE_BULK,	/* the same, slots of one cache */
	KMPROF_TEST_CALL_RCU,		/* the callback calls kfree(); at least 40 bytes */
	KMPROF_TEST_NR_FREE_METHODS
};

enum kmprof_test_context {
	KMPROF_TEST_TASK = 0,
	KMPROF_TEST_SOFTIRQ,
	KMPROF_TEST_HARDIRQ,
	KMPROF_TEST_DYING,	/* a CPU goes offline for it, and comes back */
	KMPROF_TEST_NMI,	/* kmprof_client only */
	KMPROF_TEST_NR_CONTEXTS
};

/* Charge the objects to the memory cgroup of the caller. Task, cpu -1. */
#define KMPROF_TEST_ACCOUNT	(1U << 0)

#define KMPROF_TEST_CPU_ANY	(-1)

/**
 * struct kmprof_test_op - KMPROF_TEST_IOC_RUN
 * @op: enum kmprof_test_op_code
 * @chain: ALLOC, RESIZE, CHURN: which call chain
 * @method: ALLOC, CHURN: enum kmprof_test_method
 * @free: FREE, CHURN: enum kmprof_test_free_method
 * @context: enum kmprof_test_context
 * @cpu: where, or KMPROF_TEST_CPU_ANY: where the caller runs
 * @size: ALLOC, RESIZE, CHURN: bytes per object
 * @first: ALLOC, FREE, RESIZE: the first slot
 * @count: objects
 * @flags: KMPROF_TEST_ACCOUNT
 * @done: out: objects allocated, freed or (RESIZE) moved to another address
 *
 * Errors: EINVAL out of range or the method cannot do that, EBUSY a slot to
 * fill is full or one to empty is empty, ENXIO no such CPU, EIO it did not run
 * in the context asked for, ENOMEM fewer than @count were allocated.
 */
struct kmprof_test_op {
	__u32 op;
	__u32 chain;
	__u32 method;
	__u32 free;
	__u32 context;
	__s32 cpu;
	__u32 size;
	__u32 first;
	__u32 count;
	__u32 flags;
	__u32 done;
	__u32 __reserved;
};

/**
 * struct kmprof_test_truth - KMPROF_TEST_IOC_TRUTH: what really happened, over
 *	all files, since KMPROF_TEST_IOC_FORGET or since the module was loaded
 * @chain: in
 * @size: in
 * @allocs: out: objects of that size allocated through that chain
 * @frees: out: of these, the ones freed (kfree_rcu() counts at once)
 */
struct kmprof_test_truth {
	__u32 chain;
	__u32 size;
	__u64 allocs;
	__u64 frees;
};

/**
 * struct kmprof_test_walks - KMPROF_TEST_IOC_WALKS: kmprof's walks up the stack
 *	against the kernel's, at each allocation and free of the whole machine
 * @on: in: 1 begins, 0 ends
 * @walks: out: walks compared since it began
 * @whole: out: of these, the ones that came to the end of the stack
 * @wrong: out: of these, the ones that went another way than the kernel's
 * @misread: out: of three words (one of the stack, one that is not mapped, one without a valid
 *	address), how many a walk reads as another one than what it is, 0, and 0
 *
 * Errors: EBUSY it is on already, EINVAL it is not, ENOMEM.
 */
struct kmprof_test_walks {
	__u32 on;
	__u32 __reserved;
	__u64 walks;
	__u64 whole;
	__u64 wrong;
	__u64 misread;
};

/**
 * struct kmprof_test_rule - KMPROF_TEST_IOC_RULE: what kmprof learns about a return address,
 *	while walks are on
 * @ip: in: the address
 * @kind: out: KMPROF_UNWIND_* of kmprof's stack/unwind.h
 *
 * Errors: EINVAL walks are not on.
 */
struct kmprof_test_rule {
	__u64 ip;
	__u32 kind;
	__u32 __reserved;
};

#define KMPROF_TEST_LOCKS	4	/* of each kind */
#define KMPROF_TEST_WAITERS	16	/* functions that take them */

enum kmprof_test_lock_kind {
	KMPROF_TEST_LOCK_MUTEX = 0,
	KMPROF_TEST_LOCK_SLAB_MUTEX,	/* in a slab object, the others are static */
	KMPROF_TEST_LOCK_RWSEM,
	KMPROF_TEST_LOCK_SEMAPHORE,
	KMPROF_TEST_LOCK_RTMUTEX,
	KMPROF_TEST_LOCK_PERCPU_RWSEM,
	KMPROF_TEST_LOCK_WW_MUTEX,	/* of a wait-die class */
	KMPROF_TEST_LOCK_SPINLOCK,
	KMPROF_TEST_LOCK_RAW_SPINLOCK,
	KMPROF_TEST_LOCK_RWLOCK,
	KMPROF_TEST_NR_LOCK_KINDS
};

enum kmprof_test_lock_access {
	KMPROF_TEST_WRITE = 0,
	KMPROF_TEST_READ,		/* rwsem, percpu-rwsem, rwlock */
	KMPROF_TEST_NR_ACCESSES
};

enum kmprof_test_lock_how {
	KMPROF_TEST_PLAIN = 0,
	KMPROF_TEST_INTERRUPTIBLE,	/* mutex, rwsem for reading, semaphore, rtmutex, ww_mutex */
	KMPROF_TEST_KILLABLE,		/* mutex, rwsem, semaphore, rtmutex */
	KMPROF_TEST_IO,			/* mutex */
	KMPROF_TEST_TRYLOCK,		/* all but percpu-rwsem for writing */
	KMPROF_TEST_NR_HOWS
};

/* First wait until somebody holds the lock. */
#define KMPROF_TEST_AFTER_HELD	(1U << 0)
/* Hold the lock until KMPROF_TEST_IOC_LOCK_STATE says release; not one that spins. */
#define KMPROF_TEST_KEEP	(1U << 1)
/* ww_mutex: with an acquire context. */
#define KMPROF_TEST_CONTEXT	(1U << 2)
/* ww_mutex: with a context that has the next ww_mutex (index + 1, modulo) already. */
#define KMPROF_TEST_SECOND	(1U << 3)
/* rwsem for writing: then make readers of those who wait or come, and go on for as long. */
#define KMPROF_TEST_DOWNGRADE	(1U << 4)
/* Sleep as a task does that waits for a disk. */
#define KMPROF_TEST_IOWAIT	(1U << 5)
/* With KMPROF_TEST_KEEP: run all that time, but let others have the CPU when they are due. */
#define KMPROF_TEST_RUN		(1U << 6)
/* Last, with the lock held, carry out the order that is behind this one in memory. */
#define KMPROF_TEST_INNER	(1U << 7)
#define KMPROF_TEST_NESTED	3	/* orders in each other, at most */
/* @busy_us is for a softirq on top of the task, which begins when @waiters sleep. */
#define KMPROF_TEST_INTERRUPTED	(1U << 8)

#define KMPROF_TEST_MAX_BUSY_US		20000
#define KMPROF_TEST_MAX_SLEEP_US	5000000

/**
 * struct kmprof_test_lock - KMPROF_TEST_IOC_LOCK: take a lock, hold it, release it
 * @kind: enum kmprof_test_lock_kind
 * @index: which one of them
 * @access: enum kmprof_test_lock_access
 * @how: enum kmprof_test_lock_how
 * @chain: number of the function that takes it; one task at a time for each lock
 * @flags: KMPROF_TEST_AFTER_HELD, KEEP, CONTEXT, SECOND, DOWNGRADE, IOWAIT, RUN, INNER,
 *	INTERRUPTED
 * @waiters: what follows begins when that many others sleep on their way into the
 *	lock, or, if @busy_us is not 0 or the lock spins, have been on their way
 * @busy_us: hold it that long without letting go of the CPU
 * @sleep_us: then hold it that long asleep; not a lock that spins
 * @result: out: what the lock's function returned, -EBUSY for a trylock in vain
 * @contended: out: the lock was held when the lock's function was called
 * @__reserved: must be 0
 * @start_ns: out: CLOCK_MONOTONIC when the lock's function was called
 * @wait_ns: out: how long that took
 * @held_ns: out: from then to the call of the function that releases it, 0 when
 *	it was not taken
 * @end_ns: out: CLOCK_MONOTONIC when that had returned
 * @downgrade_ns: out: CLOCK_MONOTONIC when the function that downgrades it was called,
 *	0 when none was
 *
 * A spinning lock is held with preemption off (spinlock and rwlock not with
 * PREEMPT_RT, where they count as spinning here all the same).
 *
 * Errors: EINVAL out of range or that kind of lock cannot do that, EBUSY a task is
 * in this lock through that function, EINTR a signal came before the lock was
 * taken, or a deadly one while it was held, ETIMEDOUT nobody held it, nobody came
 * to wait or nobody said release for long, EAGAIN another task has run the softirq.
 * The lock is released in any case.
 */
struct kmprof_test_lock {
	__u32 kind;
	__u32 index;
	__u32 access;
	__u32 how;
	__u32 chain;
	__u32 flags;
	__u32 waiters;
	__u32 busy_us;
	__u32 sleep_us;
	__s32 result;
	__u32 contended;
	__u32 __reserved;
	__u64 start_ns;
	__u64 wait_ns;
	__u64 held_ns;
	__u64 end_ns;
	__u64 downgrade_ns;
};

/**
 * struct kmprof_test_lock_state - KMPROF_TEST_IOC_LOCK_STATE: who has a lock
 * @kind: enum kmprof_test_lock_kind
 * @index: which one of them
 * @release: in: 1 lets whoever keeps it now go on
 * @always_traced: out: taking the lock is reported as contention also when it is
 *	free (mutexes, in a kernel with CONFIG_DEBUG_LOCK_ALLOC)
 * @held: out: tasks that hold it
 * @waiting: out: tasks on their way into it
 * @asleep: out: of these, the ones that sleep
 * @__reserved: must be 0
 * @address: out: where it is
 * @queue_address: out: where the lock inside it is that one writer waits for while
 *	another one has it, if there is one (PREEMPT_RT), else 0
 *
 * Errors: EINVAL out of range.
 */
struct kmprof_test_lock_state {
	__u32 kind;
	__u32 index;
	__u32 release;
	__u32 always_traced;
	__u32 held;
	__u32 waiting;
	__u32 asleep;
	__u32 __reserved;
	__u64 address;
	__u64 queue_address;
};

/**
 * struct kmprof_test_death - KMPROF_TEST_IOC_DIE: a kernel thread exits in the middle of a wait
 *	for a semaphore, which the caller holds meanwhile
 * @index: which semaphore
 * @sleep_us: for how long the thread waits
 *
 * Errors: EINVAL out of range, EBUSY somebody holds it, EIO the thread has not died.
 */
struct kmprof_test_death {
	__u32 index;
	__u32 sleep_us;
};

#define KMPROF_TEST_MAX_CROWD	32768

/**
 * struct kmprof_test_crowd - KMPROF_TEST_IOC_CROWD: kernel threads that all sleep for a semaphore
 *	of their own, so that many waits are in flight. They keep the module loaded
 * @count: how many, once those of the last time have been let through; 0: none
 * @__reserved: must be 0
 *
 * Errors: EINVAL out of range; what kthread_run() says.
 */
struct kmprof_test_crowd {
	__u32 count;
	__u32 __reserved;
};

/**
 * struct kmprof_test_oom - KMPROF_TEST_IOC_OOM: tell all who want to know that memory has run out
 * @notifiers: the kernel's oom_notify_list, from /proc/kallsyms
 *
 * Errors: EINVAL no address.
 */
struct kmprof_test_oom {
	__u64 notifiers;
};

#define KMPROF_TEST_PERCPU_CHAINS	4
#define KMPROF_TEST_PERCPU_SLOTS	4096

/**
 * struct kmprof_test_frequency - KMPROF_TEST_IOC_FREQUENCY: tell that a CPU has another frequency
 * @cpu: the CPU
 * @khz: the frequency
 *
 * Errors: EINVAL no such CPU.
 */
struct kmprof_test_frequency {
	__u32 cpu;
	__u32 khz;
};

/**
 * struct kmprof_test_percpu - KMPROF_TEST_IOC_PERCPU: allocate or free per-CPU memory, through
 *	one of KMPROF_TEST_PERCPU_CHAINS call chains, kmprof_test_pNN_leaf() called by
 *	kmprof_test_pNN_outer(), NN = 00 .. 03. The slots belong to the module; what is left in
 *	them is freed when it is unloaded
 * @op: KMPROF_TEST_ALLOC: fill empty slots; KMPROF_TEST_FREE: empty full slots;
 *	KMPROF_TEST_CHURN: allocate and free at once, without slots
 * @chain: ALLOC, CHURN: which call chain
 * @context: enum kmprof_test_context, but not KMPROF_TEST_DYING
 * @cpu: where, or KMPROF_TEST_CPU_ANY
 * @size: ALLOC, CHURN: bytes on one CPU
 * @first: ALLOC, FREE: the first slot
 * @count: objects
 * @atomic: ALLOC, CHURN: with GFP_ATOMIC; another context than KMPROF_TEST_TASK needs it
 * @done: out: objects allocated or freed
 * @__reserved: must be 0
 *
 * Errors: EINVAL out of range, EBUSY a slot to fill is full or one to empty is empty, ENXIO no
 * such CPU, EIO it did not run in the context asked for, ENOMEM fewer than @count were allocated.
 */
struct kmprof_test_percpu {
	__u32 op;
	__u32 chain;
	__u32 context;
	__s32 cpu;
	__u32 size;
	__u32 first;
	__u32 count;
	__u32 atomic;
	__u32 done;
	__u32 __reserved;
};

#define KMPROF_TEST_VMALLOC_CHAINS	4
#define KMPROF_TEST_VMALLOC_SLOTS	1024

enum kmprof_test_vmalloc_how {
	KMPROF_TEST_VMALLOC_PLAIN = 0,	/* vmalloc() */
	KMPROF_TEST_VMALLOC_ZEROED,	/* vzalloc() */
	KMPROF_TEST_VMALLOC_USER,	/* vmalloc_user() */
	KMPROF_TEST_VMALLOC_NODE,	/* vmalloc_node() */
	KMPROF_TEST_VMALLOC_GFP,	/* __vmalloc() */
	KMPROF_TEST_KVMALLOC,		/* kvmalloc(), of more than kmalloc() has */
	KMPROF_TEST_NR_VMALLOC_HOWS
};

enum kmprof_test_vfree_how {
	KMPROF_TEST_VFREE = 0,
	KMPROF_TEST_KVFREE,
	KMPROF_TEST_VFREE_ATOMIC,	/* vfree() in a softirq: a worker frees it later */
	KMPROF_TEST_KVFREE_RCU,		/* with a rcu_head in the object */
	KMPROF_TEST_NR_VFREE_HOWS
};

/**
 * struct kmprof_test_vmalloc - KMPROF_TEST_IOC_VMALLOC: allocate or free memory of vmalloc, through
 *	one of KMPROF_TEST_VMALLOC_CHAINS call chains, kmprof_test_vNN_leaf() called by
 *	kmprof_test_vNN_outer(), NN = 00 .. 03. The slots belong to the module; what is left in
 *	them is freed when it is unloaded
 * @op: KMPROF_TEST_ALLOC: fill empty slots; KMPROF_TEST_FREE: empty full slots;
 *	KMPROF_TEST_CHURN: allocate and free at once, without slots
 * @how: ALLOC, CHURN: enum kmprof_test_vmalloc_how; FREE: enum kmprof_test_vfree_how
 * @chain: ALLOC, CHURN: which call chain
 * @first: ALLOC, FREE: the first slot
 * @count: objects
 * @done: out: objects allocated or freed
 * @size: ALLOC, CHURN: bytes
 *
 * Errors: EINVAL out of range, EBUSY a slot to fill is full or one to empty is empty, EIO it did
 * not run in the context asked for, ENOMEM fewer than @count were allocated.
 */
struct kmprof_test_vmalloc {
	__u32 op;
	__u32 how;
	__u32 chain;
	__u32 first;
	__u32 count;
	__u32 done;
	__u64 size;
};

#define KMPROF_TEST_PAGE_CHAINS		4
#define KMPROF_TEST_PAGE_SLOTS		1024
#define KMPROF_TEST_PAGE_ORDER_MAX	6

/* Besides those of all orders. */
enum {
	KMPROF_TEST_PAGE_SPLIT	= 16,	/* split the blocks in the slots */
};

enum kmprof_test_page_how {
	KMPROF_TEST_PAGE_PLAIN = 0,	/* alloc_pages() */
	KMPROF_TEST_PAGE_COMPOUND,	/* the same, a compound page */
	KMPROF_TEST_PAGE_FREE,		/* __get_free_pages() */
	KMPROF_TEST_PAGE_ZEROED,	/* get_zeroed_page(): of order 0 */
	KMPROF_TEST_PAGE_EXACT,		/* alloc_pages_exact(), of @pages */
	KMPROF_TEST_PAGE_MOVABLE,	/* alloc_pages() of movable pages */
	/* Pages of order 0, all in one call: alloc_pages_bulk_array(); alloc_pages_bulk_list(), */
	KMPROF_TEST_PAGE_BULK_ARRAY,
	/* into a list that has a page; the same, of more than there are: one at a time comes */
	KMPROF_TEST_PAGE_BULK_LIST,
	KMPROF_TEST_PAGE_BULK_ONE,
	KMPROF_TEST_NR_PAGE_HOWS
};

enum kmprof_test_page_free_how {
	KMPROF_TEST_PAGE_FREE_WHOLE = 0,/* __free_pages() */
	KMPROF_TEST_PAGE_FREE_PUT,	/* put_page(), of compound pages */
	KMPROF_TEST_PAGE_FREE_USED,	/* __free_pages() while there is one more user, who goes */
	KMPROF_TEST_PAGE_FREE_PARTS,	/* each page by itself, of split blocks and exact pages */
	KMPROF_TEST_NR_PAGE_FREE_HOWS
};

/**
 * struct kmprof_test_page - KMPROF_TEST_IOC_PAGE: allocate or free blocks of pages, through one of
 *	KMPROF_TEST_PAGE_CHAINS call chains, kmprof_test_gNN_leaf() called by
 *	kmprof_test_gNN_outer(), NN = 00 .. 03. The slots belong to the module; whole blocks in
 *	them are freed when it is unloaded
 * @op: KMPROF_TEST_ALLOC: fill empty slots; KMPROF_TEST_FREE: empty full slots;
 *	KMPROF_TEST_PAGE_SPLIT; KMPROF_TEST_CHURN: allocate and free at once, without slots
 * @how: ALLOC, CHURN: enum kmprof_test_page_how; FREE: enum kmprof_test_page_free_how
 * @context: ALLOC, FREE but _PARTS: enum kmprof_test_context
 * @chain: ALLOC, CHURN: which call chain
 * @order: log2 of the pages of a block; not of exact pages
 * @pages: of exact pages
 * @first: the first slot
 * @count: blocks; ALLOC of BULK_ARRAY: entries of the array
 * @part: FREE_PARTS: free the pages @part, @part + @parts, ... of each block; ALLOC of BULK_ARRAY:
 *	the entries @part, @part + @parts, ... are full before, and have no slot
 * @parts: FREE: at least 1; ALLOC of BULK_ARRAY: 0: no entry is full before
 * @done: out: blocks done
 * @__reserved: must be 0
 *
 * Errors: EINVAL out of range, EBUSY a slot to fill is full or one to empty is empty, EIO it did
 * not run in the context asked for, ENOMEM fewer than @count were allocated.
 */
struct kmprof_test_page {
	__u32 op;
	__u32 how;
	__u32 context;
	__u32 chain;
	__u32 order;
	__u32 pages;
	__u32 first;
	__u32 count;
	__u32 part;
	__u32 parts;
	__u32 done;
	__u32 __reserved;
};

#define KMPROF_TEST_IOC_RUN	_IOWR(0xBD, 0, struct kmprof_test_op)
#define KMPROF_TEST_IOC_TRUTH	_IOWR(0xBD, 1, struct kmprof_test_truth)
#define KMPROF_TEST_IOC_WALKS	_IOWR(0xBD, 2, struct kmprof_test_walks)
#define KMPROF_TEST_IOC_LOCK	_IOWR(0xBD, 3, struct kmprof_test_lock)
#define KMPROF_TEST_IOC_LOCK_STATE	_IOWR(0xBD, 4, struct kmprof_test_lock_state)
#define KMPROF_TEST_IOC_FORGET	_IO(0xBD, 5)	/* all that KMPROF_TEST_IOC_TRUTH tells */
#define KMPROF_TEST_IOC_RULE	_IOWR(0xBD, 6, struct kmprof_test_rule)
#define KMPROF_TEST_IOC_DIE	_IOW(0xBD, 7, struct kmprof_test_death)
#define KMPROF_TEST_IOC_CROWD	_IOW(0xBD, 8, struct kmprof_test_crowd)
#define KMPROF_TEST_IOC_PERCPU	_IOWR(0xBD, 9, struct kmprof_test_percpu)
#define KMPROF_TEST_IOC_VMALLOC	_IOWR(0xBD, 10, struct kmprof_test_vmalloc)
#define KMPROF_TEST_IOC_PAGE	_IOWR(0xBD, 11, struct kmprof_test_page)
#define KMPROF_TEST_IOC_OOM	_IOW(0xBD, 12, struct kmprof_test_oom)
#define KMPROF_TEST_IOC_FREQUENCY	_IOW(0xBD, 13, struct kmprof_test_frequency)
/* How many grace periods of RCU have begun, without expedited ones, and a constant. */
#define KMPROF_TEST_IOC_GRACE_PERIODS	_IOR(0xBD, 14, __u64)

#endif /* KMPROF_TEST_H */
