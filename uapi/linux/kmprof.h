/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The contract between kmprof.ko and its users: the ioctls of /dev/kmprof and
 * the binary image that a snapshot descriptor holds.
 *
 * Every structure starts with its own size in bytes. The kernel accepts a
 * shorter structure than its own (missing fields read as zero, surplus results
 * are not written) and a longer one whose surplus is all zero. Fields are only
 * ever appended. All fields are naturally aligned, without padding, the same
 * for 32-bit and 64-bit callers.
 *
 * Errors, common to all ioctls; a rejected call changes nothing:
 *   ENOTTY      unknown command
 *   EINVAL      the size is smaller than the first version of the structure,
 *               or a value is out of its range
 *   E2BIG       the size is larger than the kernel's structure and what is
 *               behind it is not zero, or the size exceeds one page
 *   EOPNOTSUPP  unknown flag, non-zero reserved field, unknown profile
 *   EFAULT      the pointer is not readable or not writable
 *   EPERM       the command changes the profiler and the caller does not have
 *               CAP_SYS_ADMIN
 *
 * What an errno means for one ioctl only is said there.
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
 * enum kmprof_profile_id - what a profile counts
 * @KMPROF_PROFILE_HEAP: slab objects; memory in use comes first. Source:
 *	MemProfile() and the "heap" profile of Go's runtime/pprof.
 * @KMPROF_PROFILE_ALLOCS: the same samples, memory allocated since the start
 *	comes first. Source: Go's "allocs" profile.
 * @KMPROF_PROFILE_BLOCK: waits for locks, by the stack of who waited. Source: Go's
 *	"block" profile.
 * @KMPROF_PROFILE_MUTEX: the same waits, by the stack of who released the lock and so
 *	has made others wait until then. Source: Go's "mutex" profile.
 */
enum kmprof_profile_id {
	KMPROF_PROFILE_HEAP	= 1,
	KMPROF_PROFILE_ALLOCS	= 2,
	KMPROF_PROFILE_BLOCK	= 3,
	KMPROF_PROFILE_MUTEX	= 4,
};

/**
 * enum kmprof_source_id - where allocations, or waits for locks, are seen
 * @KMPROF_SOURCE_KPROBE: kprobes on the allocators' entry points; of waits, on the
 *	slow paths of locks
 * @KMPROF_SOURCE_TRACEPOINT: the kmem:* tracepoints; of waits, lock:contention_*
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
 * @source: out: enum kmprof_source_id
 * @profiles: out: bit mask of 1 << enum kmprof_profile_id that can be selected
 * @attached: out: 1 while allocations are probed, 0 when heap_rate is 0
 * @stack_depth: out: frames kept per stack, at most
 * @max_buckets: out: buckets that each profile can have
 * @max_live: out: size of the live table, in objects
 * @ring_bytes: out: size of each CPU's record ring, in bytes
 * @buckets: out: buckets in use now, by the profile that has most of them
 * @live: out: objects in the live table now
 * @snapshots: out: images that exist now: of open snapshot descriptors, and of
 *	files whose text is being read
 * @max_snapshots: out: limit of these
 * @__reserved: must be 0
 * @lacks: out: bit mask KMPROF_LACKS_* of what could not be probed in this kernel
 *	when probes were armed last; the kernel log has the names
 * @block_attached: out: 1 while waits are sampled, 0 when block_rate is 0
 * @max_waits: out: waits that can be followed at a time
 * @mutex_attached: out: 1 while releases are probed, 0 when mutex_fraction is 0
 * @wait_source: out: how waits for locks are seen: enum kmprof_source_id; 0 from a
 *	module that knows of KMPROF_SOURCE_TRACEPOINT only
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
#define KMPROF_LACKS_CONTENTION	_BITULL(2)	/* waits for some kind of lock, or for all */
#define KMPROF_LACKS_RELEASE	_BITULL(3)	/* the release of some kind of lock */

/**
 * struct kmprof_config - KMPROF_IOC_GET_CONFIG, KMPROF_IOC_SET_CONFIG
 * @size: sizeof(struct kmprof_config)
 * @flags: must be 0
 * @fields: SET: bit mask KMPROF_CONFIG_* of the fields to change, others are
 *	left alone and must be 0. GET: in: must be 0, out: the valid fields.
 * @heap_rate: bytes allocated per sample on average, 0 .. KMPROF_HEAP_RATE_MAX.
 *	1 samples every allocation, 0 detaches the allocators' probes. Source:
 *	Go's runtime.MemProfileRate. SET fails when no allocation (ENOENT), or not
 *	every free, can be seen, and then leaves all rates as they were. What else
 *	cannot be probed is in kmprof_info.lacks.
 * @block_rate: ns, 0 .. KMPROF_BLOCK_RATE_MAX. Waits of that long and longer are
 *	all sampled, one of d ns with probability d / block_rate. 1 samples every
 *	wait, 0 detaches the locks' probes. Source: Go's SetBlockProfileRate().
 *	SET fails with ENOENT where waits cannot be seen.
 * @mutex_fraction: of so many releases for which others have waited, one is sampled
 *	on average, 0 .. KMPROF_MUTEX_FRACTION_MAX. 1 samples all of them, 0 detaches
 *	the probes on releases. Source: Go's SetMutexProfileFraction(). SET fails with
 *	ENOENT where waits, or releases, cannot be seen.
 * @labels: bit mask KMPROF_LABEL_* of what tells waits and releases apart, beside
 *	stack and lock, from now on. Each one multiplies the buckets.
 *
 * GET by a caller whose structure is shorter names the fields that it has room for.
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

/* Of the task that has waited, or that has released the lock. */
#define KMPROF_LABEL_COMM	_BITUL(0)	/* its name */
#define KMPROF_LABEL_PID	_BITUL(1)	/* its process */
#define KMPROF_LABEL_CGROUP	_BITUL(2)	/* its cgroup (version 2) */
#define KMPROF_LABELS		(KMPROF_LABEL_COMM | KMPROF_LABEL_PID | KMPROF_LABEL_CGROUP)
#define KMPROF_COMM_LEN		16

/**
 * struct kmprof_select - KMPROF_IOC_SELECT: which profile read() of this open
 *	file returns as text; restarts the text
 * @size: sizeof(struct kmprof_select)
 * @flags: must be 0
 * @profile: enum kmprof_profile_id; a new file has KMPROF_PROFILE_HEAP
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
 * @flags: 0, or KMPROF_SNAPSHOT_PUBLISHED: the cycle that was published last,
 *	instead of closing the current one first
 * @fd: out: a new descriptor (close-on-exec) of the immutable image, for
 *	read(), pread() and mmap(PROT_READ). What is mapped cannot be pinned: a
 *	write() from there with O_DIRECT, or to a file system that works that way,
 *	fails with EFAULT.
 * @__reserved: must be 0
 * @cycle: out: the cycle that the image shows
 * @bytes: out: size of the image
 *
 * Errors: ENOSPC when max_snapshots images exist, EMFILE, ENFILE,
 * ENOMEM, EINTR.
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
 * struct kmprof_advance - KMPROF_IOC_ADVANCE: close the current cycle and
 *	publish it. Source: mProf_NextCycle() + mProf_Flush().
 * @size: sizeof(struct kmprof_advance)
 * @flags: must be 0
 * @cycle: out: the cycle that is published now
 */
struct kmprof_advance {
	__u32 size;
	__u32 flags;
	__u64 cycle;
};

/**
 * struct kmprof_reset - KMPROF_IOC_RESET: forget all buckets, live objects,
 *	totals and losses. Snapshots stay as they are.
 * @size: sizeof(struct kmprof_reset)
 * @flags: must be 0
 */
struct kmprof_reset {
	__u32 size;
	__u32 flags;
};

/*
 * The commands carry no size in their number: the structure does. INFO,
 * GET_CONFIG, SELECT, SNAPSHOT and ADVANCE need an open file; SET_CONFIG and
 * RESET need CAP_SYS_ADMIN as well.
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
 * The image of a snapshot. A header, then tables; each is found by its
 * kmprof_table, whose entry_size may grow. Offsets count from the start of the
 * image and are multiples of 8.
 */
#define KMPROF_IMAGE_MAGIC	0x46504d4b	/* "KMPF" in memory order */

/**
 * struct kmprof_table - where a table lies in the image
 * @offset: bytes from the start of the image
 * @count: entries (bytes for the string table)
 * @entry_size: bytes per entry
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
 * @cycle: every event of this and all earlier cycles is in, none of a later one
 * @start_ns: CLOCK_REALTIME at which counting started (attach or reset)
 * @time_ns: CLOCK_REALTIME at which the cycle was closed
 * @heap_rate: sampling period now, in bytes; each sample has its own
 * @source: enum kmprof_source_id
 * @wait_source: the same of waits for locks; 0 in an image of a module that knows of
 *	KMPROF_SOURCE_TRACEPOINT only
 * @alloc_calls: exact number of allocations seen, in objects
 * @alloc_bytes: exact number of bytes requested by them
 * @free_calls: exact number of frees seen, in objects
 * @sampled: allocations chosen by the sampler
 * @counted: of these, the ones counted in the sample table. In every image
 *	sampled == counted + the sum of the losses with KMPROF_LOSS_SAMPLE.
 * @samples: table of struct kmprof_image_sample
 * @frames: table of __u64 return addresses, leaf first; all 0 without
 *	KMPROF_IMAGE_ADDRESSES
 * @losses: table of struct kmprof_image_loss: the ledger, always complete
 * @strings: NUL-terminated strings, addressed by byte offset; the first one is empty
 * @block_rate: sampling period of waits now, in ns; each entry has its own
 * @waits: exact number of waits for locks that have ended
 * @wait_ns: exact sum of what they took, in ns. Who waits for a sleeping lock can
 *	spin for the spinlock inside of it meanwhile: those are two waits.
 * @waits_sampled: waits chosen by the sampler
 * @waits_counted: of these, the ones counted in the contention table. In every
 *	image waits_sampled == waits_counted + the sum of the losses with
 *	KMPROF_LOSS_WAIT.
 * @contentions: table of struct kmprof_image_contention; its stacks are in @frames
 * @mutex_fraction: of so many releases, one is sampled now; each entry has its own
 * @releases: exact number of releases for which others have waited
 * @blamed_ns: exact sum of what all of them have waited because of these. Each wait
 *	that ends with mutex_fraction on has added all that it took, to this or to the
 *	next.
 * @unblamed_ns: exact sum of what no release could be blamed for: from the last
 *	release that was seen until somebody got the lock; all of it, if the lock tells
 *	of no release (spinlock, rwlock, a mutex for which only spinning tasks wait), or
 *	if the wait began while mutex_fraction was off
 * @delays_sampled: releases, and waits with a part of @unblamed_ns, that were chosen
 *	by the sampler
 * @delays_counted: of these, the ones counted in the contention table. In every
 *	image delays_sampled == delays_counted + the sum of the losses with
 *	KMPROF_LOSS_DELAY.
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

/* The reader may see kernel addresses (kptr_restrict, CAP_SYSLOG). */
#define KMPROF_IMAGE_ADDRESSES		_BITUL(0)

/**
 * struct kmprof_image_sample - one bucket: a stack, an object size, a period
 * @profile: KMPROF_PROFILE_HEAP
 * @nr_frames: frames of the stack
 * @first_frame: index of its leaf in the frame table
 * @period: sampling period in bytes under which these objects were sampled.
 *	An object of s bytes was sampled with probability 1 - exp(-s / period),
 *	or always when period is 1.
 * @object_size: bytes requested per object
 * @allocs: sampled objects allocated (raw, not scaled)
 * @frees: of these, the ones freed; 0 <= frees <= allocs. An object handed to
 *	kfree_rcu() is free from then on.
 * @rcu_pending: of the freed, the ones whose memory waits for a grace period
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
 * @KMPROF_LOCK_RWSEM: struct rw_semaphore; with PREEMPT_RT rwlock_t as well
 * @KMPROF_LOCK_SEMAPHORE: struct semaphore
 * @KMPROF_LOCK_RTMUTEX: struct rt_mutex; with PREEMPT_RT what mutex, ww_mutex and
 *	spinlock_t are made of
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
 * struct kmprof_image_contention - one bucket: a stack, a lock, a period
 * @profile: KMPROF_PROFILE_BLOCK or KMPROF_PROFILE_MUTEX
 * @nr_frames: frames of the stack; 0 with KMPROF_WAIT_UNBLAMED
 * @first_frame: index of its leaf in the frame table
 * @period: block: sampling period in ns under which these waits were sampled; mutex:
 *	of so many, one was sampled
 * @kind: enum kmprof_lock_kind
 * @flags: KMPROF_WAIT_*
 * @lock: address of the lock, if it is a static one of the kernel or a module; 0
 *	for any other, and without KMPROF_IMAGE_ADDRESSES
 * @count: estimated number of waits or, mutex, of releases (with
 *	KMPROF_WAIT_UNBLAMED, of waits), times 1 << KMPROF_WAIT_COUNT_SHIFT: a sampled
 *	wait of d ns counts period / d, or 1 if that is less; mutex: counts @period
 * @delay_ns: estimated sum of what they took: of each sampled one d or @period,
 *	whichever is more; of each sampled release what all have waited because of it,
 *	times @period. Source: saveblockevent() of Go's mprof.go.
 * @longest_ns: the longest one that was sampled
 * @cache: offset in the string table of the name of the slab cache that the lock's
 *	object is from, or 0
 * @label: 1 + the index of its labels in the table of these, or 0 without
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
 * struct kmprof_image_label - whose waits or releases are in a bucket
 * @labels: bit mask KMPROF_LABEL_* of what is known; the other fields are 0
 * @pid: of the process, in the initial PID namespace; 0 in an interrupt, which has no
 *	task
 * @cgroup: the cgroup's id, as name_to_handle_at() of its directory has it; 0 in an
 *	interrupt, and in a kernel without cgroups
 * @comm: name of the task, NUL-terminated; "[hardirq]" or "[softirq]" in an interrupt
 */
struct kmprof_image_label {
	__u32 labels;
	__u32 pid;
	__u64 cgroup;
	char comm[KMPROF_COMM_LEN];
};

#define KMPROF_WAIT_READ		_BITUL(0)	/* for reading */
#define KMPROF_WAIT_WRITE		_BITUL(1)	/* for writing, where there are readers */
#define KMPROF_WAIT_SPUN		_BITUL(2)	/* ended without having slept */
#define KMPROF_WAIT_FAILED		_BITUL(3)	/* without the lock: a signal, ... */
#define KMPROF_WAIT_UNBLAMED		_BITUL(4)	/* mutex: nobody's fault: see unblamed_ns */

#define KMPROF_WAIT_COUNT_SHIFT		16

/**
 * struct kmprof_image_loss - one counter of the loss ledger
 * @name: offset of its name in the string table
 * @flags: KMPROF_LOSS_*
 * @count: events
 */
struct kmprof_image_loss {
	__u32 name;
	__u32 flags;
	__u64 count;
};

/* A sampled allocation that is not in the sample table. */
#define KMPROF_LOSS_SAMPLE		_BITUL(0)
/* A sampled wait that is not in the contention table. */
#define KMPROF_LOSS_WAIT		_BITUL(1)
/* The same of the mutex profile. */
#define KMPROF_LOSS_DELAY		_BITUL(2)

#endif /* _UAPI_LINUX_KMPROF_H */
