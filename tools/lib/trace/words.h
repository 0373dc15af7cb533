/* SPDX-License-Identifier: GPL-2.0 */
/* What is in a trace, in words. */
#ifndef KMPROF_TRACE_WORDS_H
#define KMPROF_TRACE_WORDS_H

#include "trace/trace.h"

enum { KMPROF_STATE_TEXT = 28 };

/* Return: "SLEEPING" and so on for an enum kmprof_trace_state; "state 99" for another number. */
const char *kmprof_trace_state_word(char text[KMPROF_STATE_TEXT], __u64 state);

/* Return: "softirq", "hardirq"; "" for a task; "context 3" for another number than those. */
const char *kmprof_trace_context_word(__u32 context);

enum { KMPROF_SOFTIRQ_TEXT = 32 };

/* Return: "NET_RX" and so on for the number of a softirq; "99" for another one. */
const char *kmprof_trace_softirq_word(char text[KMPROF_SOFTIRQ_TEXT], __u64 number);

enum { KMPROF_COMPACT_TEXT = 40 };

/* Return: "success" and so on for the result of a compaction; "result 99" for another number. */
const char *kmprof_trace_compact_word(char text[KMPROF_COMPACT_TEXT], __u64 result);

enum { KMPROF_TASK_TEXT = KMPROF_COMM_LEN + 12 };

/* Behind the filter of a trace: what it means. */
#define KMPROF_FILTER_WORDS	"of all else, only when tasks run"

/* Return: "NAME-TID", as other tracers have it; "?-TID" without a name, "idle" for an idle task. */
const char *kmprof_task_text(char text[KMPROF_TASK_TEXT], const struct kmprof_task *task);

#endif
