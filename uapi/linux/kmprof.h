/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The contract between kmprof.ko and its users: the ioctls of /dev/kmprof, and the binary
 * image that a snapshot descriptor holds.
 *
 * The structure of each ioctl starts with its own size in bytes. The kernel accepts a
 * structure shorter than its own (missing fields read as zero, results that do not fit are
 * not written) and a longer one if the surplus is zero. Fields are only ever appended. All
 * fields are naturally aligned, without padding, and the same for 32-bit and 64-bit callers.
 *
 * Errors of all ioctls. A rejected call changes nothing, with one exception: see
 * struct kmprof_config.
 *   ENOTTY      unknown command
 *   EINVAL      the size is smaller than the first version of the structure,
 *               or a value is out of range
 *   E2BIG       the size is larger than the kernel's structure and the surplus
 *               is not zero, or the size exceeds one page
 *   EOPNOTSUPP  unknown flag, non-zero reserved field, unknown profile
 *   EFAULT      the pointer is not readable or not writable
 *   EPERM       the command changes the profiler and the caller does not have
 *               CAP_SYS_ADMIN
 *
 * Errors of one ioctl only are documented at its structure.
 */
#ifndef _UAPI_LINUX_KMPROF_H
#define _UAPI_LINUX_KMPROF_H

#include <linux/const.h>
#include <linux/ioctl.h>
#include <linux/types.h>

#define KMPROF_DEVICE_PATH	"/dev/kmprof"
#define KMPROF_ABI_VERSION	1

#define KMPROF_IOC_TYPE		0xBC

/**
 * enum kmprof_profile_id - profiles
 * @KMPROF_PROFILE_HEAP: slab objects; the text is sorted by memory in use. Source:
 *	MemProfile() and the "heap" profile of Go's runtime/pprof.
 * @KMPROF_PROFILE_ALLOCS: the same samples; the text is sorted by memory allocated since
 *	counting started. Source: Go's "allocs" profile.
 * @KMPROF_PROFILE_BLOCK: waits for locks, by the stack of the task that waited. Source:
 *	Go's "block" profile.
 * @KMPROF_PROFILE_MUTEX: the same waits, by the stack of the release that ended them.
 *	Source: Go's "mutex" profile.
 */
enum kmprof_profile_id {
	KMPROF_PROFILE_HEAP	= 1,
	KMPROF_PROFILE_ALLOCS	= 2,
	KMPROF_PROFILE_BLOCK	= 3,
	KMPROF_PROFILE_MUTEX	= 4,
};

/**
 * enum kmprof_source_id - how allocations, or waits for locks, are seen
 * @KMPROF_SOURCE_KPROBE: kprobes on the allocators' entry points; waits: kretprobes on the
 *	slow paths of locks
 * @KMPROF_SOURCE_TRACEPOINT: the kmem:* tracepoints; waits: the lock:contention_*
 *	tracepoints
 */
enum kmprof_source_id {
	KMPROF_SOURCE_KPROBE		= 1,
	KMPROF_SOURCE_TRACEPOINT	= 2,
};

/**
 * struct kmprof_info - KMPROF_IOC_INFO: version, capabilities and limits
 * @size: sizeof(struct kmprof_info)
 * @flags: must be 0
 * @abi_version: out: KMPROF_ABI_VERSION of the module
 * @source: out: how allocations are seen: enum kmprof_source_id
 * @profiles: out: bit mask of 1 << enum kmprof_profile_id that can be selected
 * @attached: out: 1 while allocations are probed, 0 when heap_rate is 0
 * @stack_depth: out: largest number of frames kept of a stack
 * @max_buckets: out: largest number of buckets of each profile
 * @max_live: out: size of the live table, in objects
 * @ring_bytes: out: size of each CPU's record ring, in bytes
 * @buckets: out: buckets in use now, by the profile that has most of them
 * @live: out: objects in the live table now
 * @snapshots: out: images that exist now: of open snapshot descriptors, and of files whose
 *	text is being read
 * @max_snapshots: out: largest value of @snapshots
 * @__reserved: must be 0
 * @lacks: out: bit mask KMPROF_LACKS_*: what could not be probed when probes were last
 *	armed; the kernel log has the names
 * @block_attached: out: 1 while waits are sampled, 0 when block_rate is 0
 * @max_waits: out: largest number of waits tracked at a time
 * @mutex_attached: out: 1 while releases are probed, 0 when mutex_fraction is 0
 * @wait_source: out: how waits for locks are seen: enum kmprof_source_id; 0: an older
 *	module, which uses KMPROF_SOURCE_TRACEPOINT
 */
struct kmprof_info {
	__u32 size;
	__u32 flags;
	__u32 abi_version;
	__u32 source;
	__u64 profiles;
	__u32 attached;
	__u32 stack_depth;
	__u32 max_buckets;
	__u32 max_live;
	__u32 ring_bytes;
	__u32 buckets;
	__u32 live;
	__u32 snapshots;
	__u32 max_snapshots;
	__u32 __reserved;
	__u64 lacks;
	__u32 block_attached;
	__u32 max_waits;
	__u32 mutex_attached;
	__u32 wait_source;
};

#define KMPROF_LACKS_ALLOC	_BITULL(0)	/* an allocator's entry point */
#define KMPROF_LACKS_BULK_ALLOC	_BITULL(1)	/* kmem_cache_alloc_bulk() */
#define KMPROF_LACKS_CONTENTION	_BITULL(2)	/* waits for some or all kinds of locks */
#define KMPROF_LACKS_RELEASE	_BITULL(3)	/* releases of some or all kinds of locks */

/**
 * struct kmprof_config - KMPROF_IOC_GET_CONFIG, KMPROF_IOC_SET_CONFIG
 * @size: sizeof(struct kmprof_config)
 * @flags: must be 0
 * @fields: SET: bit mask KMPROF_CONFIG_* of the settings to change; the others must be 0
 *	and do not change. GET: in: must be 0; out: the settings that fit into @size.
 * @heap_rate: bytes allocated per sample on average, 0 .. KMPROF_HEAP_RATE_MAX.
 *	1 samples every allocation, 0 detaches the allocators' probes. Source: Go's
 *	runtime.MemProfileRate. SET fails when no allocation (ENOENT), or not every
 *	free, can be seen. kmprof_info.lacks tells what else cannot be probed.
 * @block_rate: ns, 0 .. KMPROF_BLOCK_RATE_MAX. A wait of d ns is sampled with
 *	probability min(d / block_rate, 1). 1 samples every wait, 0 detaches the locks'
 *	probes. Source: Go's SetBlockProfileRate(). SET fails with ENOENT when no wait
 *	can be seen.
 * @mutex_fraction: one of this many contended releases is sampled on average,
 *	0 .. KMPROF_MUTEX_FRACTION_MAX. 1 samples every release, 0 detaches the probes on
 *	releases. Source: Go's SetMutexProfileFraction(). SET fails with ENOENT when no
 *	wait, or no release, can be seen.
 * @labels: bit mask KMPROF_LABEL_*: what tells waits and releases apart from now on,
 *	besides stack and lock. Each label multiplies the buckets.
 *
 * When SET fails, all settings are as they were, except that a setting whose probes could
 * not be armed again is 0. Further errors of SET: EINTR, or why a probe could not be armed.
 */
struct kmprof_config {
	__u32 size;
	__u32 flags;
	__u64 fields;
	__u64 heap_rate;
	__u64 block_rate;
	__u64 mutex_fraction;
	__u64 labels;
};

#define KMPROF_CONFIG_HEAP_RATE		_BITULL(0)
#define KMPROF_CONFIG_BLOCK_RATE	_BITULL(1)
#define KMPROF_CONFIG_MUTEX_FRACTION	_BITULL(2)
#define KMPROF_CONFIG_LABELS		_BITULL(3)
#define KMPROF_HEAP_RATE_MAX		_BITULL(30)
#define KMPROF_BLOCK_RATE_MAX		_BITULL(36)
#define KMPROF_MUTEX_FRACTION_MAX	_BITULL(16)

/* Labels: of the task that has waited, or that has released the lock. */
#define KMPROF_LABEL_COMM	_BITUL(0)	/* its name */
#define KMPROF_LABEL_PID	_BITUL(1)	/* its process id */
#define KMPROF_LABEL_CGROUP	_BITUL(2)	/* its cgroup (version 2) */
#define KMPROF_LABELS		(KMPROF_LABEL_COMM | KMPROF_LABEL_PID | KMPROF_LABEL_CGROUP)
#define KMPROF_COMM_LEN		16

/**
 * struct kmprof_select - KMPROF_IOC_SELECT: choose the profile that read() of this open file
 *	returns as text; the next read starts from the beginning
 * @size: sizeof(struct kmprof_select)
 * @flags: must be 0
 * @profile: enum kmprof_profile_id; KMPROF_PROFILE_HEAP after open()
 * @__reserved: must be 0
 */
struct kmprof_select {
	__u32 size;
	__u32 flags;
	__u32 profile;
	__u32 __reserved;
};

/**
 * struct kmprof_snapshot - KMPROF_IOC_SNAPSHOT: take a snapshot
 * @size: sizeof(struct kmprof_snapshot)
 * @flags: 0: close the current cycle first; KMPROF_SNAPSHOT_PUBLISHED: show the last
 *	published cycle
 * @fd: out: a new descriptor (close-on-exec) of the immutable image, for read(), pread()
 *	and mmap(PROT_READ). Mapped memory cannot be pinned: a write() from it fails with
 *	EFAULT if the file system or O_DIRECT pins the pages.
 * @__reserved: must be 0
 * @cycle: out: the cycle that the image shows
 * @bytes: out: size of the image
 *
 * Errors: ENOSPC when max_snapshots images exist, EMFILE, ENFILE, ENOMEM, EINTR.
 */
struct kmprof_snapshot {
	__u32 size;
	__u32 flags;
	__s32 fd;
	__u32 __reserved;
	__u64 cycle;
	__u64 bytes;
};

#define KMPROF_SNAPSHOT_PUBLISHED	_BITUL(0)

/**
 * struct kmprof_advance - KMPROF_IOC_ADVANCE: close the current cycle and publish it
 * @size: sizeof(struct kmprof_advance)
 * @flags: must be 0
 * @cycle: out: the cycle that was published
 *
 * Errors: EINTR. Source: mProf_NextCycle() + mProf_Flush().
 */
struct kmprof_advance {
	__u32 size;
	__u32 flags;
	__u64 cycle;
};

/**
 * struct kmprof_reset - KMPROF_IOC_RESET: discard all buckets, live objects, totals and
 *	losses. Existing snapshots do not change.
 * @size: sizeof(struct kmprof_reset)
 * @flags: must be 0
 *
 * Errors: EINTR.
 */
struct kmprof_reset {
	__u32 size;
	__u32 flags;
};

/*
 * A command's number does not contain a size, because the structure does. All commands need
 * an open file; SET_CONFIG and RESET also need CAP_SYS_ADMIN.
 */
enum {
	KMPROF_CMD_INFO = 0,
	KMPROF_CMD_GET_CONFIG,
	KMPROF_CMD_SET_CONFIG,
	KMPROF_CMD_SELECT,
	KMPROF_CMD_SNAPSHOT,
	KMPROF_CMD_ADVANCE,
	KMPROF_CMD_RESET,
};

#define KMPROF_IOC_INFO		_IO(KMPROF_IOC_TYPE, KMPROF_CMD_INFO)
#define KMPROF_IOC_GET_CONFIG	_IO(KMPROF_IOC_TYPE, KMPROF_CMD_GET_CONFIG)
#define KMPROF_IOC_SET_CONFIG	_IO(KMPROF_IOC_TYPE, KMPROF_CMD_SET_CONFIG)
#define KMPROF_IOC_SELECT	_IO(KMPROF_IOC_TYPE, KMPROF_CMD_SELECT)
#define KMPROF_IOC_SNAPSHOT	_IO(KMPROF_IOC_TYPE, KMPROF_CMD_SNAPSHOT)
#define KMPROF_IOC_ADVANCE	_IO(KMPROF_IOC_TYPE, KMPROF_CMD_ADVANCE)
#define KMPROF_IOC_RESET	_IO(KMPROF_IOC_TYPE, KMPROF_CMD_RESET)

/*
 * The image of a snapshot: a header, then tables. Each table is found by its kmprof_table in
 * the header; use its entry_size, because entries may grow. Offsets count from the start of
 * the image and are multiples of 8.
 */
#define KMPROF_IMAGE_MAGIC	0x46504d4b	/* "KMPF" in memory order */

/**
 * struct kmprof_table - where a table lies in the image
 * @offset: bytes from the start of the image
 * @count: number of entries; string table: bytes
 * @entry_size: bytes of an entry
 */
struct kmprof_table {
	__u64 offset;
	__u32 count;
	__u32 entry_size;
};

/**
 * struct kmprof_image_header - start of the image
 * @magic: KMPROF_IMAGE_MAGIC
 * @abi_version: KMPROF_ABI_VERSION
 * @header_size: bytes of this header
 * @flags: KMPROF_IMAGE_*
 * @image_size: bytes of the whole image
 * @cycle: the image has every event of this and all earlier cycles, and none of a later one
 * @start_ns: CLOCK_REALTIME at which counting started (first attach, or last reset)
 * @time_ns: CLOCK_REALTIME at which the cycle was closed
 * @heap_rate: setting heap_rate now, in bytes; each sample has its own period
 * @source: how allocations are seen: enum kmprof_source_id
 * @wait_source: how waits for locks are seen: enum kmprof_source_id; 0: an older module,
 *	which uses KMPROF_SOURCE_TRACEPOINT
 * @alloc_calls: exact number of objects whose allocation was seen
 * @alloc_bytes: exact number of bytes requested by these allocations
 * @free_calls: exact number of objects whose free was seen
 * @sampled: allocations chosen by the sampler
 * @counted: sampled allocations that are in the sample table. In every image
 *	sampled == counted + the sum of the losses with KMPROF_LOSS_SAMPLE.
 * @samples: table of struct kmprof_image_sample
 * @frames: table of __u64 return addresses, leaf first; all 0 without
 *	KMPROF_IMAGE_ADDRESSES
 * @losses: table of struct kmprof_image_loss: all counters of the loss ledger
 * @strings: NUL-terminated strings, addressed by byte offset; the first one is empty
 * @block_rate: setting block_rate now, in ns; each entry has its own period
 * @waits: exact number of waits for locks that have ended
 * @wait_ns: exact sum of the durations of @waits, in ns. A task that waits for a sleeping
 *	lock can spin meanwhile for the spinlock inside it: those are two waits.
 * @waits_sampled: waits chosen by the sampler
 * @waits_counted: sampled waits that are in the contention table. In every image
 *	waits_sampled == waits_counted + the sum of the losses with KMPROF_LOSS_WAIT.
 * @contentions: table of struct kmprof_image_contention; its stacks are in @frames
 * @mutex_fraction: setting mutex_fraction now; each entry has its own period
 * @releases: exact number of contended releases: releases that wait time was blamed on
 * @blamed_ns: exact sum of the wait time blamed on @releases, in ns. The duration of each
 *	wait that ends while mutex_fraction is not 0 is in blamed_ns + unblamed_ns.
 * @unblamed_ns: exact sum of the wait time blamed on no release, in ns. Of each wait: the
 *	time from the last release seen until the lock was acquired; or all of it, if no
 *	release of the lock can be seen (spinlock, rwlock, a mutex with spinning waiters
 *	only) or mutex_fraction was 0 when the wait began
 * @delays_sampled: releases, and waits with a part in @unblamed_ns, that were chosen by the
 *	sampler
 * @delays_counted: sampled delays that are in the contention table. In every image
 *	delays_sampled == delays_counted + the sum of the losses with KMPROF_LOSS_DELAY.
 * @labels: table of struct kmprof_image_label
 */
struct kmprof_image_header {
	__u32 magic;
	__u32 abi_version;
	__u32 header_size;
	__u32 flags;
	__u64 image_size;
	__u64 cycle;
	__u64 start_ns;
	__u64 time_ns;
	__u64 heap_rate;
	__u32 source;
	__u32 wait_source;
	__u64 alloc_calls;
	__u64 alloc_bytes;
	__u64 free_calls;
	__u64 sampled;
	__u64 counted;
	struct kmprof_table samples;
	struct kmprof_table frames;
	struct kmprof_table losses;
	struct kmprof_table strings;
	__u64 block_rate;
	__u64 waits;
	__u64 wait_ns;
	__u64 waits_sampled;
	__u64 waits_counted;
	struct kmprof_table contentions;
	__u64 mutex_fraction;
	__u64 releases;
	__u64 blamed_ns;
	__u64 unblamed_ns;
	__u64 delays_sampled;
	__u64 delays_counted;
	struct kmprof_table labels;
};

/* The image contains kernel addresses: kptr_restrict and CAP_SYSLOG allow it. */
#define KMPROF_IMAGE_ADDRESSES		_BITUL(0)

/**
 * struct kmprof_image_sample - a bucket of the heap profile: a stack, an object size, a
 *	period
 * @profile: KMPROF_PROFILE_HEAP
 * @nr_frames: number of frames of the stack
 * @first_frame: index of the leaf in the frame table
 * @period: sampling period of these objects, in bytes. An object of s bytes was sampled
 *	with probability 1 - exp(-s / period), or always if period is 1.
 * @object_size: bytes requested per object
 * @allocs: sampled objects allocated (raw, not scaled)
 * @frees: sampled objects freed; 0 <= frees <= allocs. An object is freed when it is passed
 *	to kfree_rcu().
 * @rcu_pending: freed objects whose memory waits for a grace period; <= frees
 */
struct kmprof_image_sample {
	__u32 profile;
	__u32 nr_frames;
	__u64 first_frame;
	__u64 period;
	__u64 object_size;
	__u64 allocs;
	__u64 frees;
	__u64 rcu_pending;
};

/**
 * enum kmprof_lock_kind - kinds of locks
 * @KMPROF_LOCK_MUTEX: struct mutex and ww_mutex
 * @KMPROF_LOCK_RWSEM: struct rw_semaphore; with PREEMPT_RT also rwlock_t
 * @KMPROF_LOCK_SEMAPHORE: struct semaphore
 * @KMPROF_LOCK_RTMUTEX: struct rt_mutex; with PREEMPT_RT also mutex, ww_mutex and spinlock_t,
 *	which are built on it
 * @KMPROF_LOCK_PERCPU_RWSEM: struct percpu_rw_semaphore
 * @KMPROF_LOCK_SPINLOCK: raw_spinlock_t, and without PREEMPT_RT spinlock_t
 * @KMPROF_LOCK_RWLOCK: rwlock_t, without PREEMPT_RT
 */
enum kmprof_lock_kind {
	KMPROF_LOCK_MUTEX		= 1,
	KMPROF_LOCK_RWSEM		= 2,
	KMPROF_LOCK_SEMAPHORE		= 3,
	KMPROF_LOCK_RTMUTEX		= 4,
	KMPROF_LOCK_PERCPU_RWSEM	= 5,
	KMPROF_LOCK_SPINLOCK		= 6,
	KMPROF_LOCK_RWLOCK		= 7,
};

/**
 * struct kmprof_image_contention - a bucket of the block or mutex profile: a stack, a lock, a
 *	period
 * @profile: KMPROF_PROFILE_BLOCK or KMPROF_PROFILE_MUTEX
 * @nr_frames: number of frames of the stack; 0 with KMPROF_WAIT_UNBLAMED
 * @first_frame: index of the leaf in the frame table
 * @period: block: sampling period of these waits, in ns; mutex: one of this many releases was
 *	sampled
 * @kind: enum kmprof_lock_kind
 * @flags: KMPROF_WAIT_*
 * @lock: address of the lock, if it is part of the data of the kernel or a module; 0 for any
 *	other lock, and without KMPROF_IMAGE_ADDRESSES
 * @count: estimated number, in units of 1 / (1 << KMPROF_WAIT_COUNT_SHIFT). Block: of waits:
 *	a sampled wait of d ns adds max(period / d, 1). Mutex: of releases (with
 *	KMPROF_WAIT_UNBLAMED, of waits): each sampled one adds period.
 * @delay_ns: estimated sum, in ns. Block: of the durations: a sampled wait of d ns adds
 *	max(d, period). Mutex: of the wait time blamed on the releases (or on none): each
 *	sampled one adds its wait time * period. Source: saveblockevent() of Go's mprof.go.
 * @longest_ns: longest sampled delay, in ns
 * @cache: offset in the string table of the name of the slab cache whose object contains the
 *	lock; 0: no name
 * @label: 1 + the index in the table of labels; 0: no labels
 */
struct kmprof_image_contention {
	__u32 profile;
	__u32 nr_frames;
	__u64 first_frame;
	__u64 period;
	__u32 kind;
	__u32 flags;
	__u64 lock;
	__u64 count;
	__u64 delay_ns;
	__u64 longest_ns;
	__u32 cache;
	__u32 label;
};

/**
 * struct kmprof_image_label - the task whose waits or releases are in a bucket
 * @labels: bit mask KMPROF_LABEL_* of the fields that are set; the others are 0
 * @pid: id of the process, in the initial PID namespace; 0 in an interrupt, which has no task
 * @cgroup: id of the cgroup, as name_to_handle_at() of its directory returns it; 0 in an
 *	interrupt, and in a kernel without cgroups
 * @comm: name of the task, NUL-terminated; "[hardirq]" or "[softirq]" in an interrupt
 */
struct kmprof_image_label {
	__u32 labels;
	__u32 pid;
	__u64 cgroup;
	char comm[KMPROF_COMM_LEN];
};

#define KMPROF_WAIT_READ		_BITUL(0)	/* the task is a reader */
#define KMPROF_WAIT_WRITE		_BITUL(1)	/* the task is a writer (rwsem, ...) */
#define KMPROF_WAIT_SPUN		_BITUL(2)	/* the waiter did not sleep */
#define KMPROF_WAIT_FAILED		_BITUL(3)	/* ended without the lock: a signal, ... */
#define KMPROF_WAIT_UNBLAMED		_BITUL(4)	/* mutex: part of unblamed_ns */

#define KMPROF_WAIT_COUNT_SHIFT		16

/**
 * struct kmprof_image_loss - a counter of the loss ledger
 * @name: offset of the counter's name in the string table
 * @flags: KMPROF_LOSS_*
 * @count: number of events
 */
struct kmprof_image_loss {
	__u32 name;
	__u32 flags;
	__u64 count;
};

/* Counts sampled allocations that are not in the sample table. */
#define KMPROF_LOSS_SAMPLE		_BITUL(0)
/* Counts sampled waits that are not in the contention table (block). */
#define KMPROF_LOSS_WAIT		_BITUL(1)
/* Counts sampled delays that are not in the contention table (mutex). */
#define KMPROF_LOSS_DELAY		_BITUL(2)

#endif /* _UAPI_LINUX_KMPROF_H */
