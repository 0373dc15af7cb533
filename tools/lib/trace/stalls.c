// SPDX-License-Identifier: GPL-2.0
#include "trace/stalls.h"

enum kmprof_stall_kind kmprof_stall_begun(const struct kmprof_event *event)
{
	switch (event->type) {
	case KMPROF_TRACE_RECLAIM_BEGIN:
		return KMPROF_STALL_RECLAIM;
	case KMPROF_TRACE_MEMCG_RECLAIM_BEGIN:
		return KMPROF_STALL_MEMCG_RECLAIM;
	case KMPROF_TRACE_COMPACTION_BEGIN:
		return KMPROF_STALL_COMPACTION;
	}
	return KMPROF_STALL_NONE;
}

enum kmprof_stall_kind kmprof_stall_ended(const struct kmprof_event *event)
{
	switch (event->type) {
	case KMPROF_TRACE_RECLAIM_END:
		return KMPROF_STALL_RECLAIM;
	case KMPROF_TRACE_MEMCG_RECLAIM_END:
		return KMPROF_STALL_MEMCG_RECLAIM;
	case KMPROF_TRACE_COMPACTION_END:
		return KMPROF_STALL_COMPACTION;
	}
	return KMPROF_STALL_NONE;
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
