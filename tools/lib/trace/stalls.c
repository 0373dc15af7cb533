// SPDX-License-Identifier: GPL-2.0
#include "trace/stalls.h"
#include "util/util.h"

/* What each type of events begins or ends. */
static const struct {
	enum kmprof_stall_kind begun;
	enum kmprof_stall_kind ended;
} stalls[] = {
	[KMPROF_TRACE_RECLAIM_BEGIN]		= { .begun = KMPROF_STALL_RECLAIM },
	[KMPROF_TRACE_RECLAIM_END]		= { .ended = KMPROF_STALL_RECLAIM },
	[KMPROF_TRACE_MEMCG_RECLAIM_BEGIN]	= { .begun = KMPROF_STALL_MEMCG_RECLAIM },
	[KMPROF_TRACE_MEMCG_RECLAIM_END]	= { .ended = KMPROF_STALL_MEMCG_RECLAIM },
	[KMPROF_TRACE_COMPACTION_BEGIN]		= { .begun = KMPROF_STALL_COMPACTION },
	[KMPROF_TRACE_COMPACTION_END]		= { .ended = KMPROF_STALL_COMPACTION },
};

enum kmprof_stall_kind kmprof_stall_begun(const struct kmprof_event *event)
{
	return event->type < ARRAY_SIZE(stalls) ? stalls[event->type].begun : KMPROF_STALL_NONE;
}

enum kmprof_stall_kind kmprof_stall_ended(const struct kmprof_event *event)
{
	return event->type < ARRAY_SIZE(stalls) ? stalls[event->type].ended : KMPROF_STALL_NONE;
}

const char *kmprof_stall_word(enum kmprof_stall_kind kind)
{
	static const char *const words[] = {
		[KMPROF_STALL_NONE]		= "no stall",
		[KMPROF_STALL_RECLAIM]		= "direct reclaim",
		[KMPROF_STALL_MEMCG_RECLAIM]	= "memcg reclaim",
		[KMPROF_STALL_COMPACTION]	= "compaction",
	};

	return words[kind];
}
