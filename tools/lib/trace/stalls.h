/* SPDX-License-Identifier: GPL-2.0 */
/* Stalls: a task that needs memory makes some free itself, by reclaim or compaction. */
#ifndef KMPROF_TRACE_STALLS_H
#define KMPROF_TRACE_STALLS_H

#include "trace/trace.h"

enum kmprof_stall_kind {
	KMPROF_STALL_NONE,
	KMPROF_STALL_RECLAIM,
	KMPROF_STALL_MEMCG_RECLAIM,
	KMPROF_STALL_COMPACTION,
};

/* The kind of the stall that an event begins; KMPROF_STALL_NONE: it begins none. */
enum kmprof_stall_kind kmprof_stall_begun(const struct kmprof_event *event);

/* The kind of the stall that an event ends; KMPROF_STALL_NONE: it ends none. */
enum kmprof_stall_kind kmprof_stall_ended(const struct kmprof_event *event);

/* Return: "direct reclaim", "memcg reclaim", "compaction". */
const char *kmprof_stall_word(enum kmprof_stall_kind kind);

#endif
