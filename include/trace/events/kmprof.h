/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The trace events of kmprof: every allocation, free, wait for a lock and release that kmprof
 * sees, not only those that it samples. Documentation/events.rst describes the fields; they are
 * stable: new ones come last.
 *
 * The probes of an event are armed while it is listened to, or a profile needs them. perf
 * counts by the weight of an event: -c 524288 takes a sample every 524288 bytes, or ns.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM kmprof

#if !defined(_TRACE_KMPROF_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRACE_KMPROF_H

#include <linux/tracepoint.h>
#include <uapi/linux/kmprof.h>

#ifndef KMPROF_EVENT_HEARD
#define KMPROF_EVENT_HEARD
/* module/event/event.c: somebody begins or ceases to listen. */
int kmprof_event_alloc_heard(void);
void kmprof_event_alloc_unheard(void);
int kmprof_event_free_heard(void);
void kmprof_event_free_unheard(void);
int kmprof_event_block_heard(void);
void kmprof_event_block_unheard(void);
int kmprof_event_release_heard(void);
void kmprof_event_release_unheard(void);
#endif

TRACE_DEFINE_ENUM(KMPROF_KIND_SLAB);
TRACE_DEFINE_ENUM(KMPROF_KIND_PERCPU);
TRACE_DEFINE_ENUM(KMPROF_KIND_VMALLOC);
TRACE_DEFINE_ENUM(KMPROF_KIND_PAGE);

TRACE_DEFINE_ENUM(KMPROF_LOCK_MUTEX);
TRACE_DEFINE_ENUM(KMPROF_LOCK_RWSEM);
TRACE_DEFINE_ENUM(KMPROF_LOCK_SEMAPHORE);
TRACE_DEFINE_ENUM(KMPROF_LOCK_RTMUTEX);
TRACE_DEFINE_ENUM(KMPROF_LOCK_PERCPU_RWSEM);
TRACE_DEFINE_ENUM(KMPROF_LOCK_SPINLOCK);
TRACE_DEFINE_ENUM(KMPROF_LOCK_RWLOCK);

#define kmprof_show_kind(kind)					\
	__print_symbolic(kind,					\
			 { KMPROF_KIND_SLAB, "slab" },		\
			 { KMPROF_KIND_PERCPU, "percpu" },	\
			 { KMPROF_KIND_VMALLOC, "vmalloc" },	\
			 { KMPROF_KIND_PAGE, "page" })

#define kmprof_show_lock(kind)						\
	__print_symbolic(kind,						\
			 { KMPROF_LOCK_MUTEX, "mutex" },		\
			 { KMPROF_LOCK_RWSEM, "rwsem" },		\
			 { KMPROF_LOCK_SEMAPHORE, "semaphore" },	\
			 { KMPROF_LOCK_RTMUTEX, "rtmutex" },		\
			 { KMPROF_LOCK_PERCPU_RWSEM, "percpu_rwsem" },	\
			 { KMPROF_LOCK_SPINLOCK, "spinlock" },		\
			 { KMPROF_LOCK_RWLOCK, "rwlock" })

#define kmprof_show_wait(flags)						\
	__print_flags(flags, "|",					\
		      { KMPROF_WAIT_READ, "read" },			\
		      { KMPROF_WAIT_WRITE, "write" },			\
		      { KMPROF_WAIT_SPUN, "spun" },			\
		      { KMPROF_WAIT_FAILED, "failed" })

DECLARE_EVENT_CLASS(kmprof_alloc,
	TP_PROTO(u32 kind, unsigned long call_site, const void *ptr, u64 bytes),
	TP_ARGS(kind, call_site, ptr, __perf_count(bytes)),
	TP_STRUCT__entry(
		__field(unsigned long, call_site)
		__field(const void *, ptr)
		__field(u64, bytes)
		__field(u32, kind)
	),
	TP_fast_assign(
		__entry->call_site = call_site;
		__entry->ptr = ptr;
		__entry->bytes = bytes;
		__entry->kind = kind;
	),
	TP_printk("kind=%s call_site=%pS ptr=%p bytes=%llu", kmprof_show_kind(__entry->kind),
		  (void *)__entry->call_site, __entry->ptr, __entry->bytes)
);

/*
 * kmprof:alloc - memory was allocated
 * @kind: enum kmprof_kind_id
 * @call_site: return address of the allocation; 0 where only the stack tells it
 * @ptr: the memory; NULL when the allocation failed; of per-CPU memory its offset
 * @bytes: bytes requested; of per-CPU memory, on all CPUs together. The weight for perf
 */
DEFINE_EVENT_FN(kmprof_alloc, alloc,
	TP_PROTO(u32 kind, unsigned long call_site, const void *ptr, u64 bytes),
	TP_ARGS(kind, call_site, ptr, bytes),
	kmprof_event_alloc_heard, kmprof_event_alloc_unheard
);

DECLARE_EVENT_CLASS(kmprof_free,
	TP_PROTO(u32 kind, unsigned long call_site, const void *ptr, u64 objects),
	TP_ARGS(kind, call_site, ptr, __perf_count(objects)),
	TP_STRUCT__entry(
		__field(unsigned long, call_site)
		__field(const void *, ptr)
		__field(u64, objects)
		__field(u32, kind)
	),
	TP_fast_assign(
		__entry->call_site = call_site;
		__entry->ptr = ptr;
		__entry->objects = objects;
		__entry->kind = kind;
	),
	TP_printk("kind=%s call_site=%pS ptr=%p objects=%llu", kmprof_show_kind(__entry->kind),
		  (void *)__entry->call_site, __entry->ptr, __entry->objects)
);

/*
 * kmprof:free - memory is about to be freed
 * @kind: enum kmprof_kind_id
 * @call_site: return address of the free; 0 where only the stack tells it
 * @ptr: the memory
 * @objects: number of objects: pages of a block, else 1. The weight for perf
 */
DEFINE_EVENT_FN(kmprof_free, free,
	TP_PROTO(u32 kind, unsigned long call_site, const void *ptr, u64 objects),
	TP_ARGS(kind, call_site, ptr, objects),
	kmprof_event_free_heard, kmprof_event_free_unheard
);

DECLARE_EVENT_CLASS(kmprof_lock,
	TP_PROTO(const void *lock, u32 kind, u32 flags, u64 ns),
	TP_ARGS(lock, kind, flags, __perf_count(ns)),
	TP_STRUCT__entry(
		__field(const void *, lock)
		__field(u64, ns)
		__field(u32, kind)
		__field(u32, flags)
	),
	TP_fast_assign(
		__entry->lock = lock;
		__entry->ns = ns;
		__entry->kind = kind;
		__entry->flags = flags;
	),
	TP_printk("lock=%p kind=%s flags=%s ns=%llu", __entry->lock,
		  kmprof_show_lock(__entry->kind), kmprof_show_wait(__entry->flags), __entry->ns)
);

/*
 * kmprof:block - the current context no longer waits for a lock
 * @lock: the lock; NULL when the task has died while it waited
 * @kind: enum kmprof_lock_kind
 * @flags: KMPROF_WAIT_*
 * @ns: how long it has waited since the last reset, in ns. The weight for perf
 */
DEFINE_EVENT_FN(kmprof_lock, block,
	TP_PROTO(const void *lock, u32 kind, u32 flags, u64 ns),
	TP_ARGS(lock, kind, flags, ns),
	kmprof_event_block_heard, kmprof_event_block_unheard
);

/*
 * kmprof:release - a lock for which others wait is released
 * @lock: the lock
 * @kind: enum kmprof_lock_kind
 * @flags: how it was held: KMPROF_WAIT_READ, KMPROF_WAIT_WRITE, or 0
 * @ns: how long they all have waited for this release, in ns. The weight for perf
 */
DEFINE_EVENT_FN(kmprof_lock, release,
	TP_PROTO(const void *lock, u32 kind, u32 flags, u64 ns),
	TP_ARGS(lock, kind, flags, ns),
	kmprof_event_release_heard, kmprof_event_release_unheard
);

#endif

#include <trace/define_trace.h>
