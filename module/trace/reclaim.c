// SPDX-License-Identifier: GPL-2.0
/*
 * The events of reclaim and compaction: when a task that needs memory, or kcompactd, makes some
 * free, from begin to end. It can sleep meanwhile.
 *
 * Source: traceGCMarkAssistStart() and traceGCMarkAssistDone() of Go's trace.go: a task does the
 * work of the collector.
 */

/* Private to mm/; events/compaction.h only points to it. */
struct compact_control;

#include <trace/events/compaction.h>
#include <trace/events/vmscan.h>

#include "trace/buffer.h"
#include "trace/filter.h"
#include "trace/point.h"
#include "trace/reclaim.h"

/* Tracepoint handlers run with preemption off. All of these are called by tasks. */
static void begin(u8 type, u64 argument)
{
	struct kmprof_trace_record r;

	if (!kmprof_trace_wants_here(current) || !kmprof_trace_begin_here(&r, type))
		return;
	kmprof_trace_begun(&r, 0);
	r.to = kmprof_trace_put(r.to, argument);
	kmprof_trace_end(&r);
}

/* The type of an end is one more than that of its begin. */
static void end(u8 type, u64 argument)
{
	struct kmprof_trace_record r;

	if (!kmprof_trace_wants_end(type - 1, 0) || !kmprof_trace_begin_here(&r, type))
		return;
	r.to = kmprof_trace_put(r.to, argument);
	kmprof_trace_end(&r);
}

static void on_reclaim_begin(void *data, int order, gfp_t gfp_flags)
{
	begin(KMPROF_TRACE_RECLAIM_BEGIN, (unsigned int)order);
}

static void on_reclaim_end(void *data, unsigned long nr_reclaimed)
{
	end(KMPROF_TRACE_RECLAIM_END, nr_reclaimed);
}

static void on_memcg_reclaim_begin(void *data, int order, gfp_t gfp_flags)
{
	begin(KMPROF_TRACE_MEMCG_RECLAIM_BEGIN, (unsigned int)order);
}

static void on_memcg_reclaim_end(void *data, unsigned long nr_reclaimed)
{
	end(KMPROF_TRACE_MEMCG_RECLAIM_END, nr_reclaimed);
}

static void on_compaction_begin(void *data, struct compact_control *cc, unsigned long zone_start,
				unsigned long zone_end, bool sync)
{
	begin(KMPROF_TRACE_COMPACTION_BEGIN, sync);
}

static void on_compaction_end(void *data, struct compact_control *cc, unsigned long zone_start,
			      unsigned long zone_end, bool sync, int status)
{
	end(KMPROF_TRACE_COMPACTION_END, (unsigned int)status);
}

#define TYPE(id, name)	KMPROF_TRACE_TYPE(KMPROF_TRACE_##id, name, 1, 0)

const struct kmprof_trace_point kmprof_trace_reclaim_points[KMPROF_TRACE_NR_RECLAIM] = {
	{ TYPE(RECLAIM_BEGIN, "reclaim_begin"), "mm_vmscan_direct_reclaim_begin",
	  on_reclaim_begin },
	{ TYPE(RECLAIM_END, "reclaim_end"), "mm_vmscan_direct_reclaim_end", on_reclaim_end },
	{ TYPE(MEMCG_RECLAIM_BEGIN, "memcg_reclaim_begin"), "mm_vmscan_memcg_reclaim_begin",
	  on_memcg_reclaim_begin },
	{ TYPE(MEMCG_RECLAIM_END, "memcg_reclaim_end"), "mm_vmscan_memcg_reclaim_end",
	  on_memcg_reclaim_end },
	{ TYPE(COMPACTION_BEGIN, "compaction_begin"), "mm_compaction_begin",
	  on_compaction_begin },
	{ TYPE(COMPACTION_END, "compaction_end"), "mm_compaction_end", on_compaction_end },
};

/* Has the compiler hold the handlers against the kernel's prototypes. */
static void __maybe_unused check_prototypes(void)
{
	check_trace_callback_type_mm_vmscan_direct_reclaim_begin(on_reclaim_begin);
	check_trace_callback_type_mm_vmscan_direct_reclaim_end(on_reclaim_end);
#ifdef CONFIG_MEMCG
	check_trace_callback_type_mm_vmscan_memcg_reclaim_begin(on_memcg_reclaim_begin);
	check_trace_callback_type_mm_vmscan_memcg_reclaim_end(on_memcg_reclaim_end);
#endif
#ifdef CONFIG_COMPACTION
	check_trace_callback_type_mm_compaction_begin(on_compaction_begin);
	check_trace_callback_type_mm_compaction_end(on_compaction_end);
#endif
}
