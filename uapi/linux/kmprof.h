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
 * Errors of all ioctls. A rejected call changes nothing, with three exceptions: see struct
 * kmprof_config and struct kmprof_snapshot; and a call that fails with EFAULT may be done, if the
 * caller has unmapped the structure meanwhile.
 *   ENOTTY      unknown command
 *   EINVAL      the size is smaller than the first version of the structure,
 *               or a value is out of range
 *   E2BIG       the size is larger than the kernel's structure and the surplus
 *               is not zero, or the size exceeds one page
 *   EOPNOTSUPP  unknown flag, non-zero reserved field, unknown setting
 *   EFAULT      the pointer is not readable or not writable
 *   EPERM       the command changes the profiler or the kernel, and the caller does
 *               not have CAP_SYS_ADMIN
 *
 * EINTR, where it is listed, means that a signal came while the call waited for another caller.
 * What a call has begun is not interrupted.
 *
 * Errors of one ioctl only are documented at its structure.
 */
#ifndef _UAPI_LINUX_KMPROF_H
#define _UAPI_LINUX_KMPROF_H

#include <linux/const.h>
#include <linux/ioctl.h>
#include <linux/types.h>

#define KMPROF_DEVICE_PATH	"/dev/kmprof"
#define KMPROF_ABI_VERSION	2

#define KMPROF_IOC_TYPE		0xBC

/* Bytes of a name of a profile or a setting, with its NUL. */
#define KMPROF_NAME_LEN		32
/* Bytes of the text of a setting, with its NUL. */
#define KMPROF_TEXT_LEN		200

/**
 * struct kmprof_info - KMPROF_IOC_INFO: version, capabilities and limits
 * @size: sizeof(struct kmprof_info)
 * @flags: must be 0
 * @abi_version: out: KMPROF_ABI_VERSION of the module
 * @stack_depth: out: largest number of frames kept of a stack
 * @lacks: out: bit mask KMPROF_LACKS_*: what could not be probed when probes were last
 *	armed, and what has become of the probes since; the kernel log has the names
 * @max_buckets: out: largest number of buckets of each profile
 * @max_live: out: objects that fit into the live table
 * @max_waits: out: number of waits for locks that there is room for at first; the table grows
 * @ring_bytes: out: size of each CPU's record ring, in bytes
 * @max_snapshots: out: largest value of @snapshots
 * @snapshots: out: images that exist now: of open snapshot descriptors, and of files whose
 *	text is being read
 * @live: out: objects in the live table now; can be more than @max_live
 * @max_objects: out: largest number of objects and tasks that all profiles of objects follow
 */
struct kmprof_info {
	__u32 size;
	__u32 flags;
	__u32 abi_version;
	__u32 stack_depth;
	__u64 lacks;
	__u32 max_buckets;
	__u32 max_live;
	__u32 max_waits;
	__u32 ring_bytes;
	__u32 max_snapshots;
	__u32 snapshots;
	__u32 live;
	__u32 max_objects;
};

#define KMPROF_LACKS_ALLOC	_BITULL(0)	/* an allocator's entry point */
#define KMPROF_LACKS_BULK_ALLOC	_BITULL(1)	/* kmem_cache_alloc_bulk() */
#define KMPROF_LACKS_CONTENTION	_BITULL(2)	/* waits for some or all kinds of locks */
#define KMPROF_LACKS_RELEASE	_BITULL(3)	/* releases of some or all kinds of locks */
#define KMPROF_LACKS_KPROBES	_BITULL(4)	/* kprobes are switched off now, all of them */
#define KMPROF_LACKS_BULK_PAGES	_BITULL(5)	/* alloc_pages_bulk() */

/**
 * enum kmprof_source_id - how allocations, or waits for locks, are seen: values of the
 *	scalars "source" and "wait_source" of an image
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
 * struct kmprof_profile_info - KMPROF_IOC_PROFILE: a profile by its number. Numbers count
 *	from 0; a profile keeps its number while the module is loaded.
 * @size: sizeof(struct kmprof_profile_info)
 * @flags: must be 0
 * @index: the number
 * @buckets: out: buckets that the profile's table has in use now
 * @name: out: name of the profile, for KMPROF_IOC_SELECT
 * @table: out: name of its table in an image: the same, or another one if the profile is
 *	the same table in another order, as "allocs" is of "heap"
 *
 * Errors: ENOENT: there is no such number, and no larger one.
 * Source: Profiles() of Go's runtime/pprof.
 */
struct kmprof_profile_info {
	__u32 size;
	__u32 flags;
	__u32 index;
	__u32 buckets;
	char name[KMPROF_NAME_LEN];
	char table[KMPROF_NAME_LEN];
};

/**
 * enum kmprof_setting_id - settings
 * @KMPROF_SETTING_HEAP_RATE: bytes allocated per sample on average. 1 samples every
 *	allocation, 0 detaches the allocators' probes. Source: Go's runtime.MemProfileRate.
 *	SET fails when no allocation (ENOENT), or not every free, can be seen.
 *	kmprof_info.lacks tells what else cannot be probed.
 * @KMPROF_SETTING_BLOCK_RATE: ns. A wait of d ns is sampled with probability
 *	min(d / block_rate, 1). 1 samples every wait, 0 detaches the locks' probes. Source:
 *	Go's SetBlockProfileRate(). SET fails with ENOENT when no wait can be seen.
 * @KMPROF_SETTING_MUTEX_FRACTION: one of this many contended releases is sampled on
 *	average. 1 samples every release, 0 detaches the probes on releases. Source: Go's
 *	SetMutexProfileFraction(). SET fails with ENOENT when no wait, or no release, can be
 *	seen.
 * @KMPROF_SETTING_LABELS: bit mask KMPROF_LABEL_*: what tells waits and releases apart from
 *	now on, besides stack and lock. Each label multiplies the buckets.
 * @KMPROF_SETTING_THREADCREATE: 1 follows all tasks, by the stack that created them; 0 takes
 *	the probes on new tasks and exits off. Source: ThreadCreateProfile() of Go's mprof.go.
 * @KMPROF_SETTING_HEAP: bit mask KMPROF_HEAP_*: the kinds of memory that the heap profile
 *	sees while KMPROF_SETTING_HEAP_RATE is not 0; slab after loading. KMPROF_HEAP_MOVABLE adds
 *	movable pages to KMPROF_HEAP_PAGE, without which SET fails with EINVAL. Each kind is probed
 *	by itself: the others are not disturbed when it comes or goes. The live objects of a
 *	kind that goes are booked as freed, and in the ledger as untracked. SET fails when not
 *	every free of a kind can be seen, or nothing of its allocations.
 * @KMPROF_SETTING_HEAP_LABELS: bit mask KMPROF_LABEL_*: what tells allocations apart from now
 *	on, besides stack and size; KMPROF_LABEL_NODE, too. Each label multiplies the buckets of
 *	the heap profile.
 * @KMPROF_SETTING_OWNERS: 1: from now on, each sampled object has the task that has allocated
 *	it, for the table of objects of an image; 0: it has not. SET to 1 for the first time
 *	allocates memory, and fails with ENOMEM if there is none.
 * @KMPROF_SETTING_HEAP_FILTER: a text: which of the allocations that the sampler chooses are
 *	sampled: those for which all of its conditions hold. They are KEY=VALUE, with commas
 *	between them, at most one of each key: pid=ID of the task or its process; comm=NAME of
 *	the task, of at most 15 characters, in which "?" is any one, "[softirq]" or "[hardirq]";
 *	cgroup=PATH (version 2), or its id: the task is in it or in one below it; size=MIN-MAX,
 *	SIZE, MIN- or -MAX: bytes of the object as the profile shows it, of a block of pages of
 *	all together; K, M and G are powers of 1024; kind=KIND of memory: slab, percpu, vmalloc
 *	or page; gfp=CLASS: enum kmprof_gfp_class in small letters, of a slab's object that of its
 *	cache; cache=NAME of the slab cache; module=NAME: the return address of the allocation
 *	lies in this module, which may come, go and come back. An interrupt has no task: of the
 *	keys of a task only comm can hold there. A PATH is looked up once: what comes to the same
 *	path later is another cgroup. What is left out is in the totals, and in the scalars
 *	"filtered" and "filtered_bytes" of an image, as far as the sampler has chosen it. SET fails
 *	with EINVAL if the text is none of a filter, has other characters than printable ones of
 *	ASCII, or the cgroup is not there: the kernel log tells which condition
 * @KMPROF_SETTING_HEAP_PEAK: 1: each row of the heap profile has what was in use when most was in
 *	use, in all rows together, since the last reset, while this was 1: @peak of struct
 *	kmprof_image_sample. Looks every 0.1 s, without a probe; a sum that is less than 1 % higher
 *	does not replace the peak; a new peak closes a cycle. 0 keeps the mark that there is
 * @KMPROF_SETTING_HEAP_AT: the same, once, when so many bytes are in use: @at of struct
 *	kmprof_image_sample. Another value, or a reset, lets it happen again. Until then, rows have
 *	the mark of the value before. 0 keeps that, and lets the same value happen again
 * @KMPROF_SETTING_HEAP_CALL_RCU: 1: an object of a slab counts as freed, and as @rcu_pending of
 *	struct kmprof_image_sample, from the moment at which it is passed to call_rcu(). If the
 *	callback has not freed it when SETTLE has waited for it, or some seconds later by itself,
 *	both are taken back, and it is in use again: then @frees is less than it was, and a cycle
 *	is closed. 0: it counts as freed when the callback frees it. SET fails with ENOENT if the
 *	kernel does not tell in which object an rcu_head is and slabs are probed; if they are not,
 *	they cannot be probed until it is 0
 *
 * GET_CONFIG tells the largest value of each.
 */
enum kmprof_setting_id {
	KMPROF_SETTING_HEAP_RATE	= 0,
	KMPROF_SETTING_BLOCK_RATE	= 1,
	KMPROF_SETTING_MUTEX_FRACTION	= 2,
	KMPROF_SETTING_LABELS		= 3,
	KMPROF_SETTING_THREADCREATE	= 4,
	KMPROF_SETTING_HEAP		= 5,
	KMPROF_SETTING_HEAP_LABELS	= 6,
	KMPROF_SETTING_OWNERS		= 7,
	KMPROF_SETTING_HEAP_FILTER	= 8,
	KMPROF_SETTING_HEAP_PEAK	= 9,
	KMPROF_SETTING_HEAP_AT		= 10,
	KMPROF_SETTING_HEAP_CALL_RCU	= 11,
};

/**
 * struct kmprof_setting_value - an entry of the array of struct kmprof_config
 * @id: enum kmprof_setting_id
 * @flags: SET: must be 0; GET: out: KMPROF_SETTING_*
 * @value: the value; 0 is off; 1: with KMPROF_SETTING_IS_TEXT, it is @text
 * @max: GET: out: largest value; SET: not read
 * @name: GET: out: name of the setting and of its module parameter; SET: not read
 * @text: of a setting with KMPROF_SETTING_IS_TEXT, NUL-terminated. GET: out: "none" if @value is 0;
 *	SET: not read if @value is 0; else EINVAL if it is empty or "none". Others: GET: out: empty;
 *	SET: not read
 */
struct kmprof_setting_value {
	__u32 id;
	__u32 flags;
	__u64 value;
	__u64 max;
	char name[KMPROF_NAME_LEN];
	char text[KMPROF_TEXT_LEN];
};

#define KMPROF_SETTING_ATTACHED		_BITUL(0)	/* its probes are armed */
#define KMPROF_SETTING_HAS_PROBES	_BITUL(1)	/* unless it is 0, it arms probes */
#define KMPROF_SETTING_IS_TEXT		_BITUL(2)	/* its value is a text */

/**
 * struct kmprof_config - KMPROF_IOC_GET_CONFIG, KMPROF_IOC_SET_CONFIG
 * @size: sizeof(struct kmprof_config)
 * @flags: must be 0
 * @count: SET: number of entries; settings without an entry do not change. GET: in: room
 *	for so many entries; out: number of settings, of which the first ones are returned
 *	if there is no room for all
 * @entry_size: bytes of an entry: at least up to and with @value of struct
 *	kmprof_setting_value, and at most a page (E2BIG), also when @count is 0. GET fills
 *	what is behind the kernel's structure with 0
 * @settings: address of the array
 *
 * Errors of SET: EOPNOTSUPP for an unknown id or flag, EINVAL for a value that is too large, a
 * text that is wrong, or an id that comes twice, E2BIG for more entries than settings or an entry
 * with a surplus that is not zero, EINTR, or why a probe could not be armed: see the setting. When
 * SET fails, all settings are as they were, except that a setting whose probes could not be
 * armed again is 0.
 */
struct kmprof_config {
	__u32 size;
	__u32 flags;
	__u32 count;
	__u32 entry_size;
	__u64 settings;
};

#define KMPROF_HEAP_RATE_MAX		_BITULL(30)
#define KMPROF_HEAP_AT_MAX		_BITULL(62)
#define KMPROF_BLOCK_RATE_MAX		_BITULL(36)
#define KMPROF_MUTEX_FRACTION_MAX	_BITULL(16)

/**
 * enum kmprof_kind_id - kinds of memory of the heap profile
 * @KMPROF_KIND_SLAB: objects of slab caches, and kmalloc() of any size
 * @KMPROF_KIND_PERCPU: per-CPU memory. The size of an object is that on all possible CPUs
 *	together; the allocator rounds the size on one CPU up to a multiple of 4
 * @KMPROF_KIND_VMALLOC: what vmalloc() and its like allocate, kvmalloc() among them when it does
 *	not get the memory from a slab. The size of an object is that of its pages, without the
 *	guard page. Mappings of other pages (vmap(), ioremap()) are none of it
 * @KMPROF_KIND_PAGE: pages of the page allocator. Those that were asked for as movable are seen
 *	with KMPROF_HEAP_MOVABLE only: most of them are memory of user space and the page cache.
 *	A page that compaction moves counts as freed, and is not seen where it is then. Pages of
 *	slabs, vmalloc, kmalloc() and per-CPU memory are none of it. An object is one page: the
 *	pages of a block are sampled together, and can be freed one by one
 */
enum kmprof_kind_id {
	KMPROF_KIND_SLAB	= 0,
	KMPROF_KIND_PERCPU	= 1,
	KMPROF_KIND_VMALLOC	= 2,
	KMPROF_KIND_PAGE	= 3,
};

#define KMPROF_HEAP_SLAB	_BITUL(KMPROF_KIND_SLAB)
#define KMPROF_HEAP_PERCPU	_BITUL(KMPROF_KIND_PERCPU)
#define KMPROF_HEAP_VMALLOC	_BITUL(KMPROF_KIND_VMALLOC)
#define KMPROF_HEAP_PAGE	_BITUL(KMPROF_KIND_PAGE)
/* No kind: movable pages are seen, too. */
#define KMPROF_HEAP_MOVABLE	_BITUL(4)
#define KMPROF_HEAP_KINDS							\
	(KMPROF_HEAP_SLAB | KMPROF_HEAP_PERCPU | KMPROF_HEAP_VMALLOC | KMPROF_HEAP_PAGE)

/**
 * enum kmprof_gfp_class - how movable the pages under an object were asked to be, by GFP flags:
 *	what the kernel calls the migrate type, and /proc/pagetypeinfo counts
 * @KMPROF_GFP_UNMOVABLE: without __GFP_MOVABLE and __GFP_RECLAIMABLE; vmalloc and per-CPU memory
 * @KMPROF_GFP_MOVABLE: with __GFP_MOVABLE
 * @KMPROF_GFP_RECLAIMABLE: with __GFP_RECLAIMABLE; of a slab: the cache shrinks when memory is
 *	short (SLAB_RECLAIM_ACCOUNT)
 */
enum kmprof_gfp_class {
	KMPROF_GFP_UNMOVABLE	= 0,
	KMPROF_GFP_MOVABLE	= 1,
	KMPROF_GFP_RECLAIMABLE	= 2,
};

/* Labels: of the task that has waited, has released the lock, or has allocated. */
#define KMPROF_LABEL_COMM	_BITUL(0)	/* its name */
#define KMPROF_LABEL_PID	_BITUL(1)	/* its process id */
#define KMPROF_LABEL_CGROUP	_BITUL(2)	/* its cgroup (version 2) */
#define KMPROF_LABELS		(KMPROF_LABEL_COMM | KMPROF_LABEL_PID | KMPROF_LABEL_CGROUP)
/* Of allocations only: of the memory. */
#define KMPROF_LABEL_NODE	_BITUL(3)	/* its NUMA node */
#define KMPROF_HEAP_LABELS	(KMPROF_LABELS | KMPROF_LABEL_NODE)
/* The node of what is on several nodes, or not known: vmalloc and per-CPU memory. */
#define KMPROF_NO_NODE		0xffffffffU
#define KMPROF_COMM_LEN		16

/**
 * struct kmprof_select - KMPROF_IOC_SELECT: choose the profile that read() of this open file
 *	returns as text; the next read starts from the beginning
 * @size: sizeof(struct kmprof_select)
 * @flags: must be 0
 * @name: name of the profile, NUL-terminated; "heap" after open()
 *
 * Errors: ENOENT: there is no profile of that name.
 * Source: Lookup() of Go's runtime/pprof.
 */
struct kmprof_select {
	__u32 size;
	__u32 flags;
	char name[KMPROF_NAME_LEN];
};

/**
 * struct kmprof_snapshot - KMPROF_IOC_SNAPSHOT: take a snapshot
 * @size: sizeof(struct kmprof_snapshot)
 * @flags: KMPROF_SNAPSHOT_*; 0: close the current cycle first
 * @fd: out: a new descriptor (close-on-exec) of the immutable image, for read(), pread()
 *	and mmap(PROT_READ). Mapped memory cannot be pinned: a write() from it fails with
 *	EFAULT if the file system or O_DIRECT pins the pages.
 * @__reserved: must be 0
 * @cycle: out: the cycle that the image shows
 * @bytes: out: size of the image
 *
 * KMPROF_SNAPSHOT_BYTES needs KMPROF_SNAPSHOT_OBJECTS (EINVAL). It shows what is in the kernel's
 * memory, so it needs CAP_SYS_ADMIN, a file that may show addresses, and a kernel that is not
 * locked down for confidentiality (EPERM).
 *
 * Errors: ENOSPC when max_snapshots images exist, EMFILE, ENFILE, ENOMEM, EINTR, also when the
 * task is killed while memory is allocated. There is a descriptor, and memory for the image,
 * before the cycle is closed. If so many new stacks or objects come in between that the memory is
 * too small for them, it is allocated anew; when that fails, the cycle is closed, and the next
 * snapshot has its events.
 */
struct kmprof_snapshot {
	__u32 size;
	__u32 flags;
	__s32 fd;
	__u32 __reserved;
	__u64 cycle;
	__u64 bytes;
};

#define KMPROF_SNAPSHOT_PUBLISHED	_BITUL(0)	/* show the last published cycle */
#define KMPROF_SNAPSHOT_OBJECTS		_BITUL(1)	/* with the table of objects in use */
#define KMPROF_SNAPSHOT_BYTES		_BITUL(2)	/* ... with the first bytes of each */

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
 *	losses. Existing snapshots do not change. Waits in flight count from now on.
 * @size: sizeof(struct kmprof_reset)
 * @flags: must be 0
 *
 * Errors: EINTR.
 */
struct kmprof_reset {
	__u32 size;
	__u32 flags;
};

/**
 * struct kmprof_settle - KMPROF_IOC_SETTLE: wait until memory that is only on its way to be
 *	freed has been freed. A snapshot that is taken next shows what is held by somebody.
 * @size: sizeof(struct kmprof_settle)
 * @flags: must be 0
 *
 * Waits for callbacks of call_rcu() and for those that they queue, and for what was passed to
 * kfree_rcu() or kvfree_rcu(), if that was before the call: rcu_pending of these objects is 0
 * then, and what a callback has not freed is in use. Has address ranges unmapped that vfree() and
 * vunmap() have left for later; since v6.9 the kernel may keep the descriptions of these ranges
 * for new ones. Does not wait for longer chains of callbacks, for work items and timers, or for
 * SRCU and RCU tasks.
 *
 * Errors: EINTR: a signal came between two of these steps; the others were not begun.
 */
struct kmprof_settle {
	__u32 size;
	__u32 flags;
};

/**
 * struct kmprof_trace_start - KMPROF_IOC_TRACE_START: start to trace
 * @size: sizeof(struct kmprof_trace_start)
 * @flags: KMPROF_TRACE_START_STACKS, KMPROF_TRACE_START_FLIGHT, both or 0
 * @events: bit mask of 1 << enum kmprof_trace_event: what is traced; EINVAL if it is 0 or has a bit
 *	that cannot be chosen. KMPROF_TRACE_SWITCH is always traced: it tells which task the other
 *	records are of
 * @fd: out: a new descriptor (close-on-exec), for read(), poll() and write(). See struct
 *	kmprof_trace_header for what is read. Closing the last copy of it ends the trace. write()
 *	records a mark, as write() to the device does
 * @buffer_bytes: room for records of each CPU that is online; 0: KMPROF_TRACE_BUFFER_DEFAULT. out:
 *	rounded up to a power of two, of at least four times KMPROF_TRACE_BATCH_MAX. EINVAL above
 *	KMPROF_TRACE_BUFFER_MAX; ENOMEM if the system does not have as much to spare
 * @filter: what is traced, NUL-terminated: conditions that all have to hold, with commas between
 *	them; empty: all. Which processes: pid=, comm=, cgroup= of KMPROF_SETTING_HEAP_FILTER, for
 *	one of its tasks. Which CPUs: cpu=LIST, as 0-3+8. What lasts at least as long: duration=
 *	and a number of ns, us, ms or s, up to an hour. EINVAL if it has no end or is none, or its
 *	cgroup or CPUs are not there: see the kernel log. A shorter argument of an older program
 *	has none
 *
 * With pid=, comm= or cgroup= in @filter, a process is traced from the moment when they hold until
 * it exits, with all its threads, and so are all processes that it creates meanwhile. Idle tasks
 * are not. Of other tasks, there is not what they do themselves, or an interrupt on top of them
 * (system calls, waits for locks, allocations, reclaim), and no stack, but where they wake a traced
 * task. When they run and are woken is there, and so are all frees, and what is of no task: marks,
 * interrupts, softirqs, idle states, frequencies, grace periods.
 *
 * With cpu=, of other CPUs there is not what begins there, or is allocated, and no stack,
 * interrupt, softirq, idle state or frequency. When tasks run and are woken is there, and so are
 * all frees, marks and grace periods, and all ends of system calls, waits, reclaim and compaction:
 * what has begun on a traced CPU can end on another one. Readers leave out an end without a begin.
 *
 * With duration=, system calls, waits for locks, interrupts, softirqs, reclaim and compaction are
 * not there if they take less time, and their CPU has recorded nothing else between begin and end.
 * A wait for a mutex is there, too, if another task sleeps for it; and so is what is in the middle
 * of something when a batch ends.
 *
 * With any @filter, KMPROF_TRACE_FORK and _RENAME are always traced.
 *
 * With KMPROF_TRACE_START_STACKS, there is a stack where a task is switched out; where one is
 * woken: that of the task or interrupt which wakes it; where a task or interrupt begins to wait for
 * a lock; and where memory is allocated. The records have its number, for which there is one
 * argument more: see struct kmprof_trace_stack. All CPUs together have room for stacks: a quarter
 * of @buffer_bytes, at most KMPROF_TRACE_STACKS_MAX. Each possible CPU has 80 KiB to find them
 * again. EPERM if kptr_restrict and CAP_SYSLOG do not allow the opener of the device to see kernel
 * addresses.
 *
 * With KMPROF_TRACE_START_FLIGHT, it is a flight recorder: each CPU writes over its oldest records.
 * Until KMPROF_IOC_TRACE_STOP or KMPROF_IOC_TRACE_SNAPSHOT there is nothing to read. Then it is a
 * trace that begins when the CPU with the most events still had its oldest ones. Stacks are not
 * written over: where there is no more room for new ones, events have none. The table of tasks has
 * those that are there when it is stopped, with the names that they have then; if there is no
 * memory for that, those of the start.
 *
 * Errors: EBUSY when there is a trace; ENOENT when this kernel does not have one of the events, or
 * does not let it be hooked, see the kernel log; EMFILE, ENFILE, ENOMEM, EINTR. Source:
 * StartTrace() of Go's trace.go.
 */
struct kmprof_trace_start {
	__u32 size;
	__u32 flags;
	__u64 events;
	__s32 fd;
	__u32 buffer_bytes;
	char filter[KMPROF_TEXT_LEN];
};

#define KMPROF_TRACE_START_STACKS	_BITUL(0)
#define KMPROF_TRACE_START_FLIGHT	_BITUL(1)

#define KMPROF_TRACE_BUFFER_DEFAULT	_BITUL(22)
#define KMPROF_TRACE_BUFFER_MAX		_BITUL(30)
#define KMPROF_TRACE_STACKS_MAX		_BITUL(24)	/* 160000 stacks of 12 frames */

/**
 * struct kmprof_trace_stop - KMPROF_IOC_TRACE_STOP: record nothing more. What was recorded can
 *	be read from the descriptor, then read() returns 0
 * @size: sizeof(struct kmprof_trace_stop)
 * @flags: must be 0
 * @fd: descriptor from KMPROF_IOC_TRACE_START; EBADF if it is none
 * @__reserved: must be 0
 * @events: out: number of events that were recorded
 * @lost: out: number of events for which there was no room; batches say where they are missing
 * @stackless: out: number of events without a stack, because there was no room for it; of a flight
 *	recorder, with those that were written over
 *
 * A trace that has been stopped can be stopped again. Errors: EINTR. Source: StopTrace() of Go's
 * trace.go.
 */
struct kmprof_trace_stop {
	__u32 size;
	__u32 flags;
	__s32 fd;
	__u32 __reserved;
	__u64 events;
	__u64 lost;
	__u64 stackless;
};

/**
 * struct kmprof_trace_snapshot - KMPROF_IOC_TRACE_SNAPSHOT: stop the flight recorder, whoever has
 *	started it: its descriptor can be read then
 * @size: sizeof(struct kmprof_trace_snapshot)
 * @flags: must be 0
 *
 * Errors: ENODATA: no flight recorder records; EINTR.
 */
struct kmprof_trace_snapshot {
	__u32 size;
	__u32 flags;
};

/*
 * A command's number does not contain a size, because the structure does. All commands need
 * an open file; SET_CONFIG, RESET and SETTLE also need CAP_SYS_ADMIN.
 *
 * write() to the device records its text as a KMPROF_TRACE_MARK. A newline at the end is left out.
 * ENODATA: nobody traces; EINVAL: it is empty, or longer than KMPROF_TRACE_TEXT_MAX. A file that is
 * written to should not be read by others at the same time: the text would begin anew.
 */
enum {
	KMPROF_CMD_INFO = 0,
	KMPROF_CMD_PROFILE,
	KMPROF_CMD_GET_CONFIG,
	KMPROF_CMD_SET_CONFIG,
	KMPROF_CMD_SELECT,
	KMPROF_CMD_SNAPSHOT,
	KMPROF_CMD_ADVANCE,
	KMPROF_CMD_RESET,
	KMPROF_CMD_SETTLE,
	KMPROF_CMD_TRACE_START,
	KMPROF_CMD_TRACE_STOP,
	KMPROF_CMD_TRACE_SNAPSHOT,
};

#define KMPROF_IOC_INFO		_IO(KMPROF_IOC_TYPE, KMPROF_CMD_INFO)
#define KMPROF_IOC_PROFILE	_IO(KMPROF_IOC_TYPE, KMPROF_CMD_PROFILE)
#define KMPROF_IOC_GET_CONFIG	_IO(KMPROF_IOC_TYPE, KMPROF_CMD_GET_CONFIG)
#define KMPROF_IOC_SET_CONFIG	_IO(KMPROF_IOC_TYPE, KMPROF_CMD_SET_CONFIG)
#define KMPROF_IOC_SELECT	_IO(KMPROF_IOC_TYPE, KMPROF_CMD_SELECT)
#define KMPROF_IOC_SNAPSHOT	_IO(KMPROF_IOC_TYPE, KMPROF_CMD_SNAPSHOT)
#define KMPROF_IOC_ADVANCE	_IO(KMPROF_IOC_TYPE, KMPROF_CMD_ADVANCE)
#define KMPROF_IOC_RESET	_IO(KMPROF_IOC_TYPE, KMPROF_CMD_RESET)
#define KMPROF_IOC_SETTLE	_IO(KMPROF_IOC_TYPE, KMPROF_CMD_SETTLE)
#define KMPROF_IOC_TRACE_START	_IO(KMPROF_IOC_TYPE, KMPROF_CMD_TRACE_START)
#define KMPROF_IOC_TRACE_STOP	_IO(KMPROF_IOC_TYPE, KMPROF_CMD_TRACE_STOP)
#define KMPROF_IOC_TRACE_SNAPSHOT	_IO(KMPROF_IOC_TYPE, KMPROF_CMD_TRACE_SNAPSHOT)

/*
 * The image of a snapshot: a header, then tables. The header says where the directory of
 * profiles, the scalars, labels, frames and strings are; the directory says where the rows
 * of each profile are, and names the columns that can be added up. So a reader can show a
 * profile that it has never heard of.
 *
 * Use @entry_size of each table, because entries may grow. Offsets count from the start of
 * the image and are multiples of 8. A string is named by its byte offset in the table of
 * strings; offset 0 is the empty string.
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
 * @cycle: the image has every event of this and all earlier cycles, and none of a later one;
 *	but events that a probe missed, and objects that could not be added ("ledger.*.lost"),
 *	count up to the moment at which the image is made
 * @start_ns: CLOCK_REALTIME at which counting started (first attach, or last reset)
 * @time_ns: CLOCK_REALTIME at which the cycle was closed
 * @profiles: the directory: table of struct kmprof_image_profile
 * @scalars: table of struct kmprof_image_scalar: settings, totals, and the loss ledger
 * @labels: table of struct kmprof_image_label
 * @frames: table of __u64 return addresses, leaf first; all 0 without
 *	KMPROF_IMAGE_ADDRESSES
 * @strings: NUL-terminated strings; the first one is empty
 * @modules: table of struct kmprof_image_module: modules that are gone; in a completed image,
 *	the kernel and the other modules that @symbols are of, too. Empty without
 *	KMPROF_IMAGE_ADDRESSES
 * @symbols: table of struct kmprof_image_symbol, by ascending addresses: of @modules
 * @objects: table of struct kmprof_image_object: the sampled objects in use, in no order; empty
 *	without KMPROF_SNAPSHOT_OBJECTS. A shorter header of an older module has none
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
	struct kmprof_table profiles;
	struct kmprof_table scalars;
	struct kmprof_table labels;
	struct kmprof_table frames;
	struct kmprof_table strings;
	struct kmprof_table modules;
	struct kmprof_table symbols;
	struct kmprof_table objects;
};

/* The image contains kernel addresses: kptr_restrict and CAP_SYSLOG allow it. */
#define KMPROF_IMAGE_ADDRESSES		_BITUL(0)

/**
 * enum kmprof_row_format - what is known about the rows of a profile
 * @KMPROF_ROWS_OBJECTS: they start with struct kmprof_image_row; columns tell the rest
 * @KMPROF_ROWS_HEAP: struct kmprof_image_sample
 * @KMPROF_ROWS_BLOCK: struct kmprof_image_contention, of waits
 * @KMPROF_ROWS_MUTEX: struct kmprof_image_contention, of releases
 *
 * A reader treats a format that it does not know as KMPROF_ROWS_OBJECTS.
 */
enum kmprof_row_format {
	KMPROF_ROWS_OBJECTS	= 0,
	KMPROF_ROWS_HEAP	= 1,
	KMPROF_ROWS_BLOCK	= 2,
	KMPROF_ROWS_MUTEX	= 3,
};

/**
 * struct kmprof_image_profile - a profile of the directory
 * @name: string: the name
 * @format: enum kmprof_row_format
 * @rows: the rows, one for each bucket that has counted anything
 * @columns: table of struct kmprof_image_column: the numbers of a row that can be added up
 *	over rows; the first one is the one to sort by
 */
struct kmprof_image_profile {
	__u32 name;
	__u32 format;
	struct kmprof_table rows;
	struct kmprof_table columns;
};

/**
 * struct kmprof_image_column - a __u64 of each row of a profile
 * @name: string: what is counted
 * @unit: string: "count", "bytes", "nanoseconds", or another unit
 * @offset: bytes from the start of a row, a multiple of 8
 * @shift: the number is in units of 1 / (1 << shift) of @unit; less than 64
 */
struct kmprof_image_column {
	__u32 name;
	__u32 unit;
	__u32 offset;
	__u32 shift;
};

/**
 * struct kmprof_image_scalar - a named number
 * @name: string: the name, a word; names of the loss ledger start with "ledger."
 * @unit: string: as of a column; empty if the number has none
 * @text: string: what to show in the place of @value; empty: show @value
 * @profile: 1 + index in the directory of the profile that the number belongs to; 0: none
 * @flags: KMPROF_SCALAR_*
 * @__reserved: 0
 * @value: the number
 */
struct kmprof_image_scalar {
	__u32 name;
	__u32 unit;
	__u32 text;
	__u32 profile;
	__u32 flags;
	__u32 __reserved;
	__u64 value;
};

#define KMPROF_SCALAR_SETTING	_BITUL(0)	/* the value of a setting now */
#define KMPROF_SCALAR_TOTAL	_BITUL(1)	/* exact since counting started, sampled or not */
#define KMPROF_SCALAR_LEDGER	_BITUL(2)	/* a counter of the loss ledger */
/*
 * The account of a profile. In every image, over the scalars of each profile,
 * SAMPLED == COUNTED + the sum of LOST.
 */
#define KMPROF_SCALAR_SAMPLED	_BITUL(3)	/* events chosen by the sampler */
#define KMPROF_SCALAR_COUNTED	_BITUL(4)	/* those that are in the rows */
#define KMPROF_SCALAR_LOST	_BITUL(5)	/* those that are not, for one reason */
/* Events that the sampler has chosen, and a setting has left out: not among SAMPLED. */
#define KMPROF_SCALAR_FILTERED	_BITUL(6)
/* Of a moment that has passed: see @peak of struct kmprof_image_sample. */
#define KMPROF_SCALAR_MARK	_BITUL(7)

/**
 * struct kmprof_image_row - start of the row of any profile: a bucket
 * @nr_frames: number of frames of the stack
 * @label: 1 + index in the table of labels; 0: no labels
 * @first_frame: index of the leaf in the table of frames
 */
struct kmprof_image_row {
	__u32 nr_frames;
	__u32 label;
	__u64 first_frame;
};

#define KMPROF_CACHE_NAME_LEN	32

#define KMPROF_AGES		28
#define KMPROF_AGE_SHIFT	24

/**
 * struct kmprof_image_sample - a row of the heap profile: a stack, a kind, an object size, a
 *	period
 * @row: the stack
 * @period: sampling period of these objects, in bytes. An object of s bytes was sampled
 *	with probability 1 - exp(-s / period), or always if period is 1. Of blocks of pages, it is
 *	the one by which the probability is that of the block
 * @object_size: bytes requested per object; see enum kmprof_kind_id
 * @allocs: sampled objects allocated (raw, not scaled)
 * @frees: sampled objects freed; 0 <= frees <= allocs. An object is freed when it is passed
 *	to kfree_rcu(), with KMPROF_SETTING_HEAP_CALL_RCU also when it is passed to call_rcu()
 * @rcu_pending: freed objects whose memory waits for a grace period; <= frees
 * @kind: enum kmprof_kind_id; a shorter row of an older module has objects of slabs
 * @together: so many objects were sampled together, a power of two: the pages of a block; else 1.
 *	0 in an image of an older module: 1
 * @oldest_ns: the greatest age of the objects in @ages; 0: there are none
 * @ages: number of sampled objects in use, by age: [0] counts those younger than
 *	1 << KMPROF_AGE_SHIFT ns; [i] those of at least 1 << (KMPROF_AGE_SHIFT - 1 + i) ns, and less
 *	than twice as much; the last one all that are older, too
 * @cache: name of the slab cache, NUL-terminated: that of the first object of the row; empty: of
 *	another kind than slab, of large objects of kmalloc(), and if it is not known. A shorter row
 *	of an older module has none
 * @peak: sampled objects in use when most bytes were in use: see KMPROF_SETTING_HEAP_PEAK. The
 *	scalars "mark.peak_bytes" and "mark.peak_time_ns" have the estimate of these bytes, over all
 *	rows, and the time (CLOCK_REALTIME); both are 0 as long as there was no such moment. A
 *	shorter row of an older module has none of these three
 * @at: the same, when as many bytes were in use as KMPROF_SETTING_HEAP_AT was: "mark.at_bytes", ...
 * @oom: the same, when the kernel had run out of memory: "mark.oom_bytes", ... No setting asks for
 *	it. The last time counts, but within a second of the last mark there is no other. OOMs of
 *	memory cgroups are not marked
 * @gfp_class: enum kmprof_gfp_class. A shorter row of an older module has none
 * @__reserved: 0
 *
 * Ages are the time from the allocation to @time_ns of the header, exact to about 20 ms, without
 * the time for which the system was suspended. After more than a year they begin anew. Objects
 * that were in use at @time_ns, but were freed before the image was made, may be missing:
 * the sum of @ages is at most @allocs - @frees. A shorter row of an older module has no ages.
 */
struct kmprof_image_sample {
	struct kmprof_image_row row;
	__u64 period;
	__u64 object_size;
	__u64 allocs;
	__u64 frees;
	__u64 rcu_pending;
	__u32 kind;
	__u32 together;
	__u64 oldest_ns;
	__u32 ages[KMPROF_AGES];
	char cache[KMPROF_CACHE_NAME_LEN];
	__u64 peak;
	__u64 at;
	__u64 oom;
	__u32 gfp_class;
	__u32 __reserved;
};

#define KMPROF_OBJECT_BYTES	64

/**
 * struct kmprof_image_object - an object in use that was sampled, or a block of pages
 * @address: its address; per-CPU memory: the pointer as alloc_percpu() returned it, an offset;
 *	0 without KMPROF_IMAGE_ADDRESSES
 * @age_ns: time from its allocation to @time_ns of the header: see struct kmprof_image_sample
 * @cycle: the cycle in which it was allocated
 * @profile: index of its profile in the directory
 * @row: index of its row in the table of that profile
 * @parts: bit i: the page at @address + i * @object_size of its row is in use; other kinds: 1
 * @tid: id of the task that has allocated it, in the initial PID namespace: what the kernel calls
 *	its pid; 0 in an interrupt, of an idle task, and if it is not known: see
 *	KMPROF_SETTING_OWNERS
 * @comm: name of the task at that time, NUL-terminated; "[hardirq]" or "[softirq]" in an
 *	interrupt; empty if it is not known
 * @nr_bytes: how many of @bytes there are: as many as the object has, but not more than there is
 *	room for; 0: of per-CPU memory, and if they could not be read. An entry ends before this
 *	without KMPROF_SNAPSHOT_BYTES
 * @__reserved: 0
 * @bytes: the first bytes of the object, or of the first page of @parts that is in use, at the
 *	time at which the image is made
 *
 * As for @ages of struct kmprof_image_sample, which counts the parts: objects that were freed
 * before the image was made may be missing.
 */
struct kmprof_image_object {
	__u64 address;
	__u64 age_ns;
	__u64 cycle;
	__u32 profile;
	__u32 row;
	__u32 parts;
	__u32 tid;
	char comm[KMPROF_COMM_LEN];
	__u32 nr_bytes;
	__u32 __reserved;
	__u8 bytes[KMPROF_OBJECT_BYTES];
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
 * struct kmprof_image_contention - a row of the block or mutex profile: a stack, a lock, a
 *	period
 * @row: the stack; no frames with KMPROF_WAIT_UNBLAMED
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
 *	At most 2^63 - 1: the scalars ledger.wait_saturated and ledger.delay_saturated count
 *	the additions that were cut.
 * @longest_ns: longest sampled delay, in ns
 * @cache: name of the slab cache whose object contains the lock, NUL-terminated; empty: no
 *	name
 */
struct kmprof_image_contention {
	struct kmprof_image_row row;
	__u64 period;
	__u32 kind;
	__u32 flags;
	__u64 lock;
	__u64 count;
	__u64 delay_ns;
	__u64 longest_ns;
	char cache[KMPROF_CACHE_NAME_LEN];
};

#define KMPROF_WAIT_READ		_BITUL(0)	/* the task is a reader */
#define KMPROF_WAIT_WRITE		_BITUL(1)	/* the task is a writer (rwsem, ...) */
#define KMPROF_WAIT_SPUN		_BITUL(2)	/* the waiter did not sleep */
#define KMPROF_WAIT_FAILED		_BITUL(3)	/* ended without the lock: a signal, ... */
#define KMPROF_WAIT_UNBLAMED		_BITUL(4)	/* mutex: blamed on no release */

#define KMPROF_WAIT_COUNT_SHIFT		16

/**
 * struct kmprof_image_label - the task whose waits, releases or allocations are in a bucket
 * @labels: bit mask KMPROF_LABEL_* of the fields that are set; the others are 0
 * @pid: id of the process, in the initial PID namespace; 0 in an interrupt, which has no task
 * @cgroup: id of the cgroup, as name_to_handle_at() of its directory returns it; 0 in an
 *	interrupt, and in a kernel without cgroups
 * @comm: name of the task, NUL-terminated; "[hardirq]" or "[softirq]" in an interrupt
 * @node: NUMA node of the memory, or KMPROF_NO_NODE. A shorter label of an older module has none
 * @__reserved: 0
 */
struct kmprof_image_label {
	__u32 labels;
	__u32 pid;
	__u64 cgroup;
	char comm[KMPROF_COMM_LEN];
	__u32 node;
	__u32 __reserved;
};

#define KMPROF_BUILD_ID_LEN	20

/**
 * struct kmprof_image_module - a piece of memory of a module, or of the kernel itself
 * @name: string: name of the module; empty if not known, as of generated code
 * @flags: KMPROF_MODULE_*
 * @build_id_size: length of @build_id in bytes; 0: not known
 * @build_id: its build id; the rest is 0
 * @start: first address of the piece in the frames and locks of the image
 * @size: bytes
 * @loaded_at: first address of the piece while it was in the kernel
 */
struct kmprof_image_module {
	__u32 name;
	__u32 flags;
	__u32 build_id_size;
	__u8 build_id[KMPROF_BUILD_ID_LEN];
	__u64 start;
	__u64 size;
	__u64 loaded_at;
};

/*
 * The piece was freed: the module was removed, or it is the init part of a module that has
 * started. @start is an address that nothing in a running kernel has, nor any other piece while
 * kmprof is loaded, so that what comes to the same place later is not taken for this piece.
 */
#define KMPROF_MODULE_GONE	_BITUL(0)
/*
 * The kernel's own text, in an image that a program has completed: its tables of modules and
 * symbols have all that its frames and locks lie in, as far as that was known.
 */
#define KMPROF_MODULE_KERNEL	_BITUL(1)

/**
 * struct kmprof_image_symbol - a function or variable that frames or locks of the image lie in
 * @start: its first address
 * @size: bytes up to the next symbol, or to the end of its piece of memory
 * @name: string: its name
 * @module: index in the table of modules
 */
struct kmprof_image_symbol {
	__u64 start;
	__u64 size;
	__u32 name;
	__u32 module;
};

/*
 * What is read from the descriptor of a trace, and what a saved trace is:
 *
 *	struct kmprof_trace_header
 *	@nr_types of struct kmprof_trace_type
 *	@nr_tasks of struct kmprof_trace_task
 *	batches: struct kmprof_trace_batch, then records, up to @bytes; or, with
 *		KMPROF_TRACE_STACKS, stacks: struct kmprof_trace_stack, then its frames
 *	the last batch, with KMPROF_TRACE_END: struct kmprof_trace_end
 *	perhaps, in a saved trace only, another one, with KMPROF_TRACE_NAMES
 *
 * read() returns batches as a whole, as soon as one is full, and those that are not full when the
 * trace has been stopped, or the CPU is offline. So a CPU with few events may be far behind others.
 * It waits for a batch, unless the file is O_NONBLOCK (EAGAIN). EINVAL: there is less room than
 * KMPROF_TRACE_BATCH_MAX; with stacks, a read() of less than twice that may return stacks alone,
 * again and again, while new ones come. One reader at a time: another one waits.
 *
 * The batches of one CPU come in the order in which they were recorded; those of different CPUs in
 * no order. Stacks come before the first batch with a record that has their number, so that a trace
 * which is cut short has all that it needs. A record is
 *
 *	a byte: type | context << KMPROF_TRACE_CONTEXT_SHIFT
 *	a varint: ticks since the record before it; of the first one since @ticks of the batch
 *	@nr_args varints, and a text if the type has one: a byte with its length, then its bytes
 *
 * A varint has 7 bits in each byte, the lowest ones first; the last byte is less than 128. Batches
 * and records are not aligned. The task that runs is @tid of the batch, and after a
 * KMPROF_TRACE_SWITCH the one that it switches to, until it gets another tid: see
 * KMPROF_TRACE_EXEC. Each CPU that is online at @start has a batch of that time, even if nothing
 * happens there, unless it has come meanwhile and there was no memory for it.
 *
 * From @start to @end, all events are recorded, or counted as lost. Readers leave out what was
 * recorded before or after that, since other events of that time are missing: a task runs there
 * that nobody has woken. But KMPROF_TRACE_SWITCH before @start tells which task runs.
 *
 * All CPUs count the same ticks. ns of CLOCK_MONOTONIC:
 *	start.mono_ns + (ticks - start.ticks) * (end.mono_ns - start.mono_ns) /
 *	(end.ticks - start.ticks)
 * or, without the last batch, start.mono_ns + (ticks - start.ticks) * 10^9 / ticks_per_s. The
 * products need more than 64 bits. If the system was suspended meanwhile, the ticks mean nothing:
 * then boot_ns - mono_ns of @end is greater than that of @start.
 *
 * Source: Go's trace.go: batches, deltas, varints; traceEvFrequency.
 */
#define KMPROF_TRACE_MAGIC		0x54504d4b	/* "KMPT" in memory order */
#define KMPROF_TRACE_BATCH_MAX		_BITUL(14)	/* bytes of the largest batch */
#define KMPROF_TRACE_TEXT_MAX		255
#define KMPROF_TRACE_IRQ_NAME_MAX	32
#define KMPROF_TRACE_CONTEXT_SHIFT	6

/**
 * struct kmprof_trace_clock - one moment in several clocks
 * @ticks: ticks of the records
 * @mono_ns: CLOCK_MONOTONIC
 * @boot_ns: CLOCK_BOOTTIME
 * @real_ns: CLOCK_REALTIME
 */
struct kmprof_trace_clock {
	__u64 ticks;
	__u64 mono_ns;
	__u64 boot_ns;
	__u64 real_ns;
};

/**
 * struct kmprof_trace_header - start of a trace
 * @magic: KMPROF_TRACE_MAGIC
 * @abi_version: KMPROF_ABI_VERSION
 * @header_size: bytes of this header
 * @type_size: bytes of an entry of the table of types
 * @nr_types: entries of the table of types
 * @task_size: bytes of an entry of the table of tasks
 * @nr_tasks: entries of the table of tasks
 * @nr_cpus: CPUs are numbered from 0 to @nr_cpus - 1
 * @events: as of struct kmprof_trace_start
 * @ticks_per_s: ticks in a second, as the kernel has measured it
 * @start: when the trace began
 * @filter: as of struct kmprof_trace_start. The shorter header of an older module has none
 */
struct kmprof_trace_header {
	__u32 magic;
	__u32 abi_version;
	__u32 header_size;
	__u32 type_size;
	__u32 nr_types;
	__u32 task_size;
	__u32 nr_tasks;
	__u32 nr_cpus;
	__u64 events;
	__u64 ticks_per_s;
	struct kmprof_trace_clock start;
	char filter[KMPROF_TEXT_LEN];
};

/**
 * struct kmprof_trace_type - a type of records: enough to skip or show one that is not known
 * @type: enum kmprof_trace_event
 * @nr_args: number of its arguments
 * @has_text: 1: a text follows; 0: none
 * @has_stack: 1: the last one of its arguments is the number of a stack, or 0: there was no room
 *	for the stack, or an idle task is switched out, a filter wants neither the task nor the one
 *	that it wakes, or not the CPU, or kmprof itself waits, whose stack is not told; 0: none is
 * @name: its name, NUL-terminated
 */
struct kmprof_trace_type {
	__u8 type;
	__u8 nr_args;
	__u8 has_text;
	__u8 has_stack;
	char name[20];
};

/**
 * struct kmprof_trace_task - a task that was there when the trace started
 * @tid: its id in the initial PID namespace: what the kernel calls its pid
 * @tgid: id of its process
 * @comm: its name, NUL-terminated
 *
 * The table is made after @start. Tasks that have come since may be there, too; of a task that has
 * exited since, KMPROF_TRACE_EXIT has the name. Idle tasks, with tid 0, are not there.
 */
struct kmprof_trace_task {
	__u32 tid;
	__u32 tgid;
	char comm[KMPROF_COMM_LEN];
};

/**
 * struct kmprof_trace_batch - start of a batch: records of one CPU, in their order
 * @bytes: bytes of the batch, with this
 * @cpu: the CPU; with KMPROF_TRACE_END or KMPROF_TRACE_STACKS, @nr_cpus; with _NAMES, 0
 * @flags: KMPROF_TRACE_END, KMPROF_TRACE_STACKS, KMPROF_TRACE_NAMES or 0
 * @tid: the task that ran when the batch was begun; means nothing if losses at the end are told. It
 *	is 0, whatever the last switch says, if the CPU was offline: its last switch is not seen
 * @number: number of events of this CPU before the first one of this batch, with those that were
 *	lost: what is missing from @number + @nr of the batch before, or from 0, was lost in between
 * @ticks: when the batch was begun
 * @nr: number of records or stacks in it
 * @__reserved: 0
 *
 * Of stacks, and of names, @tid, @number and @ticks are 0.
 */
struct kmprof_trace_batch {
	__u32 bytes;
	__u32 cpu;
	__u32 flags;
	__u32 tid;
	__u64 number;
	__u64 ticks;
	__u32 nr;
	__u32 __reserved;
};

#define KMPROF_TRACE_END	_BITUL(0)	/* the last batch: struct kmprof_trace_end */
#define KMPROF_TRACE_STACKS	_BITUL(1)	/* of any CPU: struct kmprof_trace_stack */
/*
 * Only in a trace that a program has saved, behind the last batch: an image, with what the frames
 * of all stacks are in. It has KMPROF_MODULE_KERNEL, and may be larger than KMPROF_TRACE_BATCH_MAX.
 */
#define KMPROF_TRACE_NAMES	_BITUL(2)

/**
 * struct kmprof_trace_stack - a stack
 * @number: its number. Stacks are numbered from 1 on, without gaps, in the order of the trace
 * @nr_frames: number of its frames, not 0
 * @flags: KMPROF_TRACE_STACK_*
 * @frames: return addresses, leaf first
 *
 * The stack of a task that is switched out begins at the caller of __schedule(), that of a task
 * which wakes another one at the caller of try_to_wake_up(), that of a wait for a lock at the
 * caller of the lock function, and that of an allocation at the caller of the allocator. That of an
 * interrupt ends at the interrupt's entry, and so does that of a task which an interrupt preempts
 * in the kernel.
 *
 * Each stack is there once, but for one that two CPUs have seen for the first time at the same
 * time. A module that is removed during the trace leaves its addresses, which another module may
 * get.
 */
struct kmprof_trace_stack {
	__u32 number;
	__u16 nr_frames;
	__u16 flags;
	__u64 frames[];
};

#define KMPROF_TRACE_STACK_TRUNCATED	_BITUL(0)	/* it has more frames: stack_depth */

/**
 * struct kmprof_trace_end - contents of the last batch
 * @end: when the trace ended
 * @events: number of all records, also of those after @end
 * @lost: number of all events for which there was no room. Each CPU that has lost some has a batch
 *	after them, which can be without records
 * @stackless: as of struct kmprof_trace_stop. The end that a module without stacks writes does not
 *	have it
 */
struct kmprof_trace_end {
	struct kmprof_trace_clock end;
	__u64 events;
	__u64 lost;
	__u64 stackless;
};

/**
 * struct kmprof_trace_crash - where a flight recorder's trace is, in a dump of the kernel's memory
 * @magic: KMPROF_TRACE_CRASH_MAGIC
 * @abi_version: KMPROF_ABI_VERSION
 * @size: sizeof(struct kmprof_trace_crash)
 * @head: address of a pointer to the header, which has the tables of types and tasks behind it
 * @stacks: address of the first stack; 0: it has none
 * @stacks_used: address of 64 bits. Lower half: words (of 64 bits) up to the end of the stacks,
 *	counted from one word before the first one; upper half: number of stacks. One that was being
 *	written has the number 0; no record has it
 * @rings: per-CPU address of the rings
 * @cpu_offsets: address of what is added to @rings for each CPU: 64 bits each
 * @possible: address of the bit mask of CPUs that there are
 * @nr_cpus: CPUs are numbered from 0 to @nr_cpus - 1
 * @blocks: offset in a ring of the address of its blocks, of KMPROF_TRACE_BATCH_MAX bytes each; 0:
 *	it has none
 * @mask: number of blocks - 1
 * @head_block: number of blocks that were filled so far. Block n is at n & @mask
 * @tail_block: number of the first block that is of interest
 * @batch: address of the block that is being filled, number @head_block; 0: none is. The start of
 *	its batch does not have the length yet
 * @at: address of the end of its last record
 * @number: number of events so far, with those that were lost. A CPU that was being stopped may
 *	have recorded one more
 * @stackless: number of records without a stack, because there was no room for it
 * @init_task: address of the first task of the kernel's list of processes
 * @task_next: offset in a task of its place in that list
 * @task_signal: of the address of what its threads have in common
 * @signal_threads: offset in there of the list of the threads
 * @task_thread: offset in a task of its place in that list
 * @task_tid: of its tid
 * @task_tgid: of its tgid
 * @task_comm: of its name
 * @module_next: offset in a module of its place in the kernel's list of modules
 * @module_name: of its name
 * @module_symbols: of the address of its symbols
 * @symbols_table: offset in these of the address of an array of Elf64_Sym
 * @symbols_nr: of the number of entries
 * @symbols_names: of the address of their names
 * @symbols_types: of the address of a letter for each, as in /proc/kallsyms
 * @flags: KMPROF_TRACE_CRASH_STOPPED or 0
 *
 * It is behind a struct notifier_block in the kernel's panic_notifier_list, from the start of a
 * flight recorder until its descriptor is closed. On a panic, when notifiers are called, a mark
 * with its text is recorded, and blocks are not written over any more. kdump's kernel is started
 * without that, unless crash_kexec_post_notifiers was given: nothing depends on it.
 *
 * @blocks to @stackless are offsets in a ring; each is of 64 bits there. While a recorder is being
 * stopped, numbers of blocks and of its ring may not fit together.
 */
struct kmprof_trace_crash {
	__u64 magic;
	__u32 abi_version;
	__u32 size;
	__u64 head;
	__u64 stacks;
	__u64 stacks_used;
	__u64 rings;
	__u64 cpu_offsets;
	__u64 possible;
	__u64 init_task;
	__u32 nr_cpus;
	__u32 blocks;
	__u32 mask;
	__u32 head_block;
	__u32 tail_block;
	__u32 batch;
	__u32 at;
	__u32 number;
	__u32 stackless;
	__u32 task_next;
	__u32 task_signal;
	__u32 signal_threads;
	__u32 task_thread;
	__u32 task_tid;
	__u32 task_tgid;
	__u32 task_comm;
	__u32 module_next;
	__u32 module_name;
	__u32 module_symbols;
	__u32 symbols_table;
	__u32 symbols_nr;
	__u32 symbols_names;
	__u32 symbols_types;
	__u32 flags;
};

/* The recorder was stopped: the header has the tasks of then. */
#define KMPROF_TRACE_CRASH_STOPPED	_BITUL(0)

#define KMPROF_TRACE_CRASH_MAGIC	0x68736172632d6d6bULL	/* "km-crash" in memory order */

/**
 * enum kmprof_trace_event - types of records, with their arguments
 * @KMPROF_TRACE_SWITCH: the CPU runs another task: (tid of that task, enum kmprof_trace_state of
 *	the task that ran); the stack is that of the task that ran. An idle task has none: 0
 * @KMPROF_TRACE_WAKING: a task is woken, by the task that runs or by an interrupt: (its tid). It
 *	may still be running, on its way to sleep: whether it sleeps after that is known when it
 *	runs again, with or without another one
 * @KMPROF_TRACE_MIGRATE: a task moves to another CPU: (its tid, CPU)
 * @KMPROF_TRACE_FORK: the task that runs creates a task, which becomes runnable: (its tid, its
 *	tgid), text: its name. Threads that the kernel creates for a process, too
 * @KMPROF_TRACE_EXEC: the task that runs executes another program: (the tid that it had), text: its
 *	new name. If it was not the main thread, it has taken over the tid of that, before its
 *	KMPROF_TRACE_RENAME, and no KMPROF_TRACE_SWITCH ends the old one
 * @KMPROF_TRACE_EXIT: the task that runs exits; it runs on until it is switched out as
 *	KMPROF_TRACE_DEAD: (its tgid), text: its name
 * @KMPROF_TRACE_RENAME: a task gets another name, also before KMPROF_TRACE_EXEC: (its tid), text:
 *	the new name
 * @KMPROF_TRACE_MARK: a program has written a text, as the task that runs: text. Always recorded:
 *	not among the events that can be chosen
 * @KMPROF_TRACE_CONTENTION_BEGIN: the task that runs, or an interrupt, begins to wait for a lock:
 *	(the lock, enum kmprof_lock_kind, KMPROF_WAIT_READ or _WRITE and _SPUN, tid of the task
 *	that holds it at this moment). KMPROF_WAIT_SPUN: it spins now. Tid 0: it is not known who
 *	holds it (readers, or a lock without an owner), or nobody does
 * @KMPROF_TRACE_CONTENTION_END: it has the lock, or gives up: (the lock, KMPROF_WAIT_FAILED or 0)
 * @KMPROF_TRACE_IRQ_ENTRY: the handler of a device's interrupt begins: (number of the interrupt),
 *	text: its name, as in /proc/interrupts, or its first KMPROF_TRACE_IRQ_NAME_MAX bytes
 * @KMPROF_TRACE_IRQ_EXIT: it ends: (number of the interrupt, what it returns: 0: the interrupt was
 *	not for it; 1: it is handled; 2: the handler's thread does the rest)
 * @KMPROF_TRACE_SOFTIRQ_ENTRY: a softirq begins: (its number, from 0: HI, TIMER, NET_TX, NET_RX,
 *	BLOCK, IRQ_POLL, TASKLET, SCHED, HRTIMER, RCU: the lines of /proc/softirqs)
 * @KMPROF_TRACE_SOFTIRQ_EXIT: it ends: (its number)
 * @KMPROF_TRACE_RECLAIM_BEGIN: the task that runs begins to reclaim memory, since there is too
 *	little for what it asks for: (order of the pages)
 * @KMPROF_TRACE_RECLAIM_END: it is done: (pages that it has reclaimed)
 * @KMPROF_TRACE_MEMCG_RECLAIM_BEGIN: the same, since a memory cgroup has reached a limit, or
 *	somebody has asked for it: (order of the pages)
 * @KMPROF_TRACE_MEMCG_RECLAIM_END: it is done: (pages that it has reclaimed)
 * @KMPROF_TRACE_COMPACTION_BEGIN: the task that runs begins to compact a zone: (1: it may wait for
 *	pages; 0: it does not)
 * @KMPROF_TRACE_COMPACTION_END: it is done: (how it has ended: enum compact_result of the kernel)
 * @KMPROF_TRACE_ALLOC: the heap profile has sampled an allocation of the task that runs, or of an
 *	interrupt: (the memory, enum kmprof_kind_id, bytes requested, bytes that it stands for); the
 *	stack is that of the profile, without labels
 * @KMPROF_TRACE_FREE: what was sampled is freed: (the memory, enum kmprof_kind_id, its bytes, bytes
 *	that it stands for)
 * @KMPROF_TRACE_SYSCALL_ENTER: the task that runs begins a system call: (its number)
 * @KMPROF_TRACE_SYSCALL_EXIT: it goes back to its program: (number of the system call, its result
 *	r, which is a negative errno if it has failed: 2 * r, or -2 * r - 1 if r is negative)
 * @KMPROF_TRACE_CPU_IDLE: the CPU enters an idle state, or leaves it: (1 + number of the state; 0:
 *	it leaves)
 * @KMPROF_TRACE_CPU_FREQUENCY: a CPU is set to a frequency, perhaps the one that it has: (the CPU,
 *	kHz)
 * @KMPROF_TRACE_GRACE_PERIOD_BEGIN: a grace period of RCU begins
 * @KMPROF_TRACE_GRACE_PERIOD_END: it ends: no reader is left of those that there were
 *
 * The contention events are the kernel's contention_begin and contention_end. A lock is its address
 * with KMPROF_TRACE_START_STACKS. Else it is a number of 32 bits, not 0, the same for all of the
 * trace; that two locks have the same is unlikely, but possible. The stack begins at the caller of
 * the lock function; it is 0 if there was no room, and if kmprof itself waits.
 *
 * The first waiter of a mutex begins again, without an end, when it changes between spinning and
 * sleeping. Within a wait for a lock that sleeps, there can be others for spinlocks, such as the
 * one that guards its list of waiters; within a wait for an rwlock_t, one for the spinlock inside
 * it; within a writer's wait for a percpu_rwsem, any; with PREEMPT_RT, within a reader's wait for a
 * rw_semaphore or rwlock_t, one for the rtmutex inside it. A writer waits for that before it begins
 * to wait for readers. With PREEMPT_RT, a softirq can sleep: its waits are those of its task.
 *
 * Not there are waits of NMIs; of the first waiter of a spinlock, unless the kernel runs in a guest
 * with paravirtual spinlocks; of writers that get a rw_semaphore by spinning; and for a futex with
 * priority inheritance. A wait that goes on when the trace is started has an end only; one that
 * goes on when it is stopped, a begin only. With CONFIG_DEBUG_LOCK_ALLOC, each mutex_lock() is a
 * wait.
 *
 * Those of interrupts are the kernel's tracepoints irq_handler_entry, irq_handler_exit,
 * softirq_entry and softirq_exit. Interrupts that share a line have one handler after the other. A
 * softirq can be interrupted by a handler, but not by another softirq of its CPU. With PREEMPT_RT,
 * it can be preempted. What a handler leaves to its thread is done by a task. Not there are
 * interrupts that have no number in /proc/interrupts: those of the local timer and from other CPUs;
 * and NMIs.
 *
 * Those of reclaim and compaction are the kernel's mm_vmscan_direct_reclaim_begin and _end,
 * mm_vmscan_memcg_reclaim_begin and _end, mm_compaction_begin and _end. The task can sleep between
 * begin and end. What kswapd reclaims is not there: it is what that task does while it runs.
 *
 * Allocations are those that are counted as sampled while the heap profile is on, for its rate,
 * kinds and filters: with heap_rate=1, all that the profile sees. The memory is its address with
 * KMPROF_TRACE_START_STACKS; of per-CPU memory, its offset. Else it is a number of 56 bits. The
 * bytes that a sample stands for are what it adds to the estimates of the profile, rounded down for
 * each object or page, and the same when it is freed: the sum over what is not freed yet is in use.
 *
 * Up to eight pages that were allocated together are one record. They can be freed in parts: then
 * the memory is the first one of those that are next to each other. Memory that was sampled before
 * the trace is freed in it, too. What is passed to kfree_rcu() or call_rcu() is freed when the
 * grace period has ended. Told as freed are also samples that are not followed any more, because
 * the profile is reset, a kind of memory is turned off, there is no room for a new stack, or the
 * memory is allocated again and its free was missed; that can come after the memory is allocated
 * again. What a CPU does while it goes offline or comes is not told.
 *
 * Those of system calls are the kernel's sys_enter and sys_exit. A number is that of the machine,
 * which is x86-64, or of x32, with bit 30; with KMPROF_TRACE_SYSCALL_I386, of a call by int 0x80 or
 * by a program of 32 bits, it is that of i386. A number that is not used is told, too. A task can
 * sleep in a call, and is in one at a time. Not all have both: exit() and exit_group() have no
 * exit; a task that is created has the exit of the call that has created it, and a call that
 * seccomp or a debugger refuses has an exit, without an enter. For what they hold it up, it is not
 * in the call. The exit from execve() or execveat() has the number that execve() has for the new
 * program, and is that of the main thread; the one from rt_sigreturn() has 0xffffffff, and no
 * result. A call that a signal interrupts can end with an errno by which the kernel tells itself
 * what to do, from 512 on; if the kernel repeats it, it is entered again, or restart_syscall() is.
 *
 * Those of power management are the kernel's cpu_idle and cpu_frequency. The idle states have the
 * numbers of /sys/devices/system/cpu/cpuN/cpuidle; without cpuidle, 1 is what the machine has to
 * wait for an interrupt. Where the kernel polls instead, it is 0. The CPU is idle before it enters
 * a state and after it has left it, unless a task that injects idle time does so. The interrupt
 * that wakes it is handled before the record that it leaves, or behind it. Not told is what the
 * hardware does by itself, a deeper state or another frequency, and suspend-to-idle.
 *
 * Those of grace periods are the calls of rcu_gp_init() and rcu_gp_cleanup(), by RCU's thread.
 * There is one at a time. Behind the end, callbacks are called, and who waits for it is woken. Not
 * told are expedited grace periods, and those of SRCU and of RCU tasks.
 */
enum kmprof_trace_event {
	KMPROF_TRACE_SWITCH	= 1,
	KMPROF_TRACE_WAKING	= 2,
	KMPROF_TRACE_MIGRATE	= 3,
	KMPROF_TRACE_FORK	= 4,
	KMPROF_TRACE_EXEC	= 5,
	KMPROF_TRACE_EXIT	= 6,
	KMPROF_TRACE_RENAME	= 7,
	KMPROF_TRACE_MARK	= 8,
	KMPROF_TRACE_CONTENTION_BEGIN	= 9,
	KMPROF_TRACE_CONTENTION_END	= 10,
	KMPROF_TRACE_IRQ_ENTRY	= 11,
	KMPROF_TRACE_IRQ_EXIT	= 12,
	KMPROF_TRACE_SOFTIRQ_ENTRY	= 13,
	KMPROF_TRACE_SOFTIRQ_EXIT	= 14,
	KMPROF_TRACE_RECLAIM_BEGIN	= 15,
	KMPROF_TRACE_RECLAIM_END	= 16,
	KMPROF_TRACE_MEMCG_RECLAIM_BEGIN	= 17,
	KMPROF_TRACE_MEMCG_RECLAIM_END	= 18,
	KMPROF_TRACE_COMPACTION_BEGIN	= 19,
	KMPROF_TRACE_COMPACTION_END	= 20,
	KMPROF_TRACE_ALLOC	= 21,
	KMPROF_TRACE_FREE	= 22,
	KMPROF_TRACE_SYSCALL_ENTER	= 23,
	KMPROF_TRACE_SYSCALL_EXIT	= 24,
	KMPROF_TRACE_CPU_IDLE	= 25,
	KMPROF_TRACE_CPU_FREQUENCY	= 26,
	KMPROF_TRACE_GRACE_PERIOD_BEGIN	= 27,
	KMPROF_TRACE_GRACE_PERIOD_END	= 28,
};

/* In the number of a system call: it is one of i386. */
#define KMPROF_TRACE_SYSCALL_I386	(1ULL << 32)

/**
 * enum kmprof_trace_context - what has made a record
 * @KMPROF_TRACE_IN_TASK: the task that runs
 * @KMPROF_TRACE_IN_SOFTIRQ: a softirq on top of it
 * @KMPROF_TRACE_IN_HARDIRQ: an interrupt on top of it
 */
enum kmprof_trace_context {
	KMPROF_TRACE_IN_TASK	= 0,
	KMPROF_TRACE_IN_SOFTIRQ	= 1,
	KMPROF_TRACE_IN_HARDIRQ	= 2,
};

/**
 * enum kmprof_trace_state - what a task does when it is switched out
 * @KMPROF_TRACE_RUNNABLE: it could go on, and has called the scheduler
 * @KMPROF_TRACE_PREEMPTED: it could go on, and was preempted
 * @KMPROF_TRACE_SLEEPING: it sleeps, and a signal would wake it
 * @KMPROF_TRACE_BLOCKED: it sleeps, and no signal wakes it, or only one that kills
 * @KMPROF_TRACE_IDLE: the same, of a kernel thread without work: not in the load average
 * @KMPROF_TRACE_STOPPED: stopped by a signal, or by a debugger
 * @KMPROF_TRACE_PARKED: a kernel thread that is parked
 * @KMPROF_TRACE_DEAD: it has exited
 * @KMPROF_TRACE_FROZEN: frozen, as for suspend
 */
enum kmprof_trace_state {
	KMPROF_TRACE_RUNNABLE	= 0,
	KMPROF_TRACE_PREEMPTED	= 1,
	KMPROF_TRACE_SLEEPING	= 2,
	KMPROF_TRACE_BLOCKED	= 3,
	KMPROF_TRACE_IDLE	= 4,
	KMPROF_TRACE_STOPPED	= 5,
	KMPROF_TRACE_PARKED	= 6,
	KMPROF_TRACE_DEAD	= 7,
	KMPROF_TRACE_FROZEN	= 8,
};

#endif /* _UAPI_LINUX_KMPROF_H */
