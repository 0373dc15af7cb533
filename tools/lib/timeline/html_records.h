/* SPDX-License-Identifier: GPL-2.0 */
/* What the tasks of a trace do, as the scripts of its page read it. */
#ifndef KMPROF_TIMELINE_HTML_RECORDS_H
#define KMPROF_TIMELINE_HTML_RECORDS_H

#include <stdbool.h>
#include <stdio.h>

#include "timeline/stack_names.h"
#include "trace/trace.h"

/**
 * enum kmprof_html_record - what is told; html_trace.js has the same numbers
 * @KMPROF_HTML_FIRST: task, state, CPU: what a task does when the trace starts
 * @KMPROF_HTML_RUNS: task, CPU: a task is put on a CPU
 * @KMPROF_HTML_STOPS: task, state, reason, stack: a task stops to run
 * @KMPROF_HTML_WOKEN: task, CPU, waker, context, stack: a task becomes runnable
 * @KMPROF_HTML_CREATED: task, CPU, parent: the same, for the first time
 * @KMPROF_HTML_INFERRED: task, state, CPU: no event tells of it
 * @KMPROF_HTML_TURN: CPU, task: what a CPU runs, where no record of a task tells
 * @KMPROF_HTML_LOST: CPU, number, ns: so many events, in so much time up to now
 * @KMPROF_HTML_SAYS: CPU, task, type, text: a mark, or another event with words
 * @KMPROF_HTML_FOR: task, text: behind a KMPROF_HTML_STOPS: the lock for which the task sleeps
 *
 * States are those of enum kmprof_task_state. What is not known is -1.
 */
enum kmprof_html_record {
	KMPROF_HTML_FIRST	= 0,
	KMPROF_HTML_RUNS	= 1,
	KMPROF_HTML_STOPS	= 2,
	KMPROF_HTML_WOKEN	= 3,
	KMPROF_HTML_CREATED	= 4,
	KMPROF_HTML_INFERRED	= 5,
	KMPROF_HTML_TURN	= 6,
	KMPROF_HTML_LOST	= 7,
	KMPROF_HTML_SAYS	= 8,
	KMPROF_HTML_FOR		= 9,
};

/**
 * kmprof_html_records_write() - write what a trace tells, and its tasks
 * @file: where to
 * @trace: the trace
 * @names: of its stacks
 * @same: by number of a stack: that of the first one with the same text
 * @is_used: array, by number of a stack, all false: becomes true for those in the records
 * @err: explanation
 *
 * Two arrays in JSON, each in a <script>. "records": for each record its ns since the one before,
 * its kind, and what that has; all in one list, since an array for each would take more memory.
 * "tasks": id, id of the process, and name of each at the end, but for the idle one.
 *
 * Return: 0 or a negative errno.
 */
int kmprof_html_records_write(FILE *file, const struct kmprof_trace *trace,
			      const struct kmprof_stack_names *names, const __u32 *same,
			      bool *is_used, struct kmprof_error *err);

#endif
