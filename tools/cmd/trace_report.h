/* SPDX-License-Identifier: GPL-2.0 */
/* kmprof trace report: what is asked for, and the forms in which it is shown. */
#ifndef KMPROF_CMD_TRACE_REPORT_H
#define KMPROF_CMD_TRACE_REPORT_H

#include "cmd/cmd.h"
#include "schedule/called.h"
#include "schedule/cpu_times.h"
#include "schedule/ends.h"
#include "schedule/graph.h"
#include "schedule/handled.h"
#include "schedule/locks.h"
#include "schedule/memory.h"
#include "schedule/sleeps.h"
#include "schedule/stalled.h"
#include "schedule/sums.h"
#include "schedule/wakes.h"
#include "schedule/why.h"
#include "timeline/stack_names.h"
#include "trace/words.h"

/**
 * struct trace_report_request - what is asked for
 * @path: the saved trace
 * @why: --why: name or id of a task, or name of a lock; NULL: sums of all tasks
 * @has_graph: --graph
 * @sort: --sort: what of a task the rows are ordered by, the greatest first
 * @limit: -n: rows of each table; 0: all
 * @graph_ns: --graph: since the start
 * @from_ns: --from: since the start
 * @to_ns: --to: the same; U64 maximum: the end
 * @json: --json
 */
struct trace_report_request {
	const char *path;
	const char *why;
	bool has_graph;
	__u64 (*sort)(const struct kmprof_task_sums *sums);
	unsigned long limit;
	__u64 graph_ns;
	__u64 from_ns;
	__u64 to_ns;
	bool json;
};

/**
 * struct trace_report - the report
 * @request: what was asked for
 * @trace: the trace
 * @names: the names of its stacks
 * @schedule: what it tells
 * @sums: by task, in the order in which they are shown
 * @nr_sums: how many
 * @sleeps: where tasks slept, the longest first
 * @nr_sleeps: how many
 * @wakes: who woke whom, the most frequent first
 * @nr_wakes: how many
 * @locks: waits for locks, the longest first
 * @nr_locks: how many
 * @handled: what interrupts did, the longest first
 * @nr_handled: how many
 * @stalled: reclaim and compaction, the longest first
 * @nr_stalled: how many
 * @called: system calls, the longest first
 * @nr_called: how many
 * @idle: idle states of CPUs
 * @nr_idle: how many
 * @frequencies: of CPUs
 * @nr_frequencies: how many
 * @memory: what was allocated and freed, the most first
 * @nr_memory: how many
 * @nodes: who waits for whom at the time of --graph
 * @nr_nodes: how many
 * @from_ns: what @cause explains: from when: CLOCK_MONOTONIC
 * @to_ns: the same: until when
 * @nr_tasks: the same: of so many tasks
 * @is_lock: --why is the name of a lock
 * @nr_waits: the same: of so many waits for it; 0: of all the time of these tasks
 * @cause: the root of the causes
 * @ends: what all its chains come down to
 * @has_failed: there was no memory for the name of a stack
 */
struct trace_report {
	const struct trace_report_request *request;
	const struct kmprof_trace *trace;
	struct kmprof_stack_names names;
	struct kmprof_schedule schedule;
	struct kmprof_task_sums *sums;
	size_t nr_sums;
	struct kmprof_sleeps *sleeps;
	size_t nr_sleeps;
	struct kmprof_wakes *wakes;
	size_t nr_wakes;
	struct kmprof_lock_waits *locks;
	size_t nr_locks;
	struct kmprof_handled *handled;
	size_t nr_handled;
	struct kmprof_stalled *stalled;
	size_t nr_stalled;
	struct kmprof_called *called;
	size_t nr_called;
	struct kmprof_cpu_time *idle;
	size_t nr_idle;
	struct kmprof_cpu_time *frequencies;
	size_t nr_frequencies;
	struct kmprof_memory *memory;
	size_t nr_memory;
	struct kmprof_node *nodes;
	size_t nr_nodes;
	__u64 from_ns;
	__u64 to_ns;
	unsigned long nr_tasks;
	bool is_lock;
	unsigned long nr_waits;
	struct kmprof_cause cause;
	struct kmprof_cause ends;
	bool has_failed;
};

/* kmprof trace report: argv[0] is "report". Return: the exit status. */
int trace_report(int argc, char **argv);

/*
 * How a task slept: a word; of one that slept before the start, that is not known. @text:
 * KMPROF_STATE_TEXT bytes
 */
const char *trace_report_asleep(char *text, __u32 reason);

/* The name of a stack; NULL if it is 0, or there is no memory, which @r remembers. */
const char *trace_report_stack(struct trace_report *r, __u32 stack);

/* Room for a kind and a name. */
enum { TRACE_REPORT_LOCK = KMPROF_LOCK_TEXT + 16 };

/* A lock in words: "mutex rtnl_mutex". @text: TRACE_REPORT_LOCK bytes. Return: @text. */
const char *trace_report_lock(const struct trace_report *r, __u32 kind, __u64 lock, char *text);

/* Room for what a handler is called. */
enum { TRACE_REPORT_HANDLER = KMPROF_HANDLER_NAME + KMPROF_SOFTIRQ_TEXT };

/*
 * A handler by its index: "softirq NET_RX", "interrupt 24 virtio0-input.0". @text:
 * TRACE_REPORT_HANDLER bytes. Return: @text.
 */
const char *trace_report_handler(const struct trace_report *r, __u32 handler, char *text);

/* Standard output is complete. Return: the exit status, after a message if it is not. */
int trace_report_finish(const struct trace_report *r);

/* Each shows it on standard output. Return: the exit status. */
int trace_report_text(struct trace_report *r);
int trace_report_json(const struct trace_report *r);

/* Of --graph, in the language of dot(1). */
int trace_report_dot(struct trace_report *r);

#endif
