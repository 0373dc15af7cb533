// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timeline/html_records.h"
#include "timeline/names.h"
#include "trace/waits.h"
#include "util/escape.h"
#include "util/growing.h"

/**
 * struct wait - what a task waits for
 * @lock: the lock; 0: none
 * @kind: of that
 * @flags: of the wait: KMPROF_WAIT_*
 * @stopped_ns: when the task has left its CPU since; NEVER: it has not
 */
struct wait {
	__u64 lock;
	__u32 kind;
	__u32 flags;
	__u64 stopped_ns;
};

#define NEVER	(~0ULL)

/**
 * struct writer - records that are being written
 * @file: where to
 * @ns: the time of the last one
 * @is_first: there is none yet
 * @tasks: the tasks of the trace
 * @names: of its stacks and locks
 * @waits: table of struct wait, by the number of a task
 * @lost_ns: when the last events are lost, which can be later than now
 * @same: by number of a stack: the one that is told
 * @is_used: by number of a stack: it is told
 */
struct writer {
	FILE *file;
	__u64 ns;
	bool is_first;
	const struct kmprof_tasks *tasks;
	const struct kmprof_stack_names *names;
	struct kmprof_growing waits;
	__u64 lost_ns;
	const __u32 *same;
	bool *is_used;
};

static void put_start(struct writer *w, __u64 ns, enum kmprof_html_record kind)
{
	fprintf(w->file, "%s%llu,%u", w->is_first ? "" : ",\n", ns - w->ns, kind);
	w->is_first = false;
	w->ns = ns;
}

static void put_number(const struct writer *w, __u64 number)
{
	fprintf(w->file, ",%llu", number);
}

/* One that can be KMPROF_CPU_UNKNOWN or KMPROF_REASON_UNKNOWN. */
static void put_known(const struct writer *w, __u32 number)
{
	if (number == ~0U)
		fputs(",-1", w->file);
	else
		put_number(w, number);
}

static void put_stack(const struct writer *w, __u32 number)
{
	number = w->same[number];
	w->is_used[number] = true;
	put_number(w, number);
}

static void put_words(const struct writer *w, const char *words)
{
	fputc(',', w->file);
	kmprof_escape_json(w->file, words, strlen(words));
}

static void put_turn(struct writer *w, __u64 ns, __u32 cpu, const struct kmprof_task *task)
{
	put_start(w, ns, KMPROF_HTML_TURN);
	put_number(w, cpu);
	put_known(w, task ? task->number : ~0U);
}

static void put_state(struct writer *w, __u64 ns, enum kmprof_html_record kind,
		      const struct kmprof_task *task, __u32 cpu)
{
	put_start(w, ns, kind);
	put_number(w, task->number);
	put_number(w, task->state);
	put_known(w, cpu);
}

static int on_begin(void *to, const struct kmprof_trace *trace, const struct kmprof_tasks *tasks,
		    struct kmprof_error *err)
{
	const struct kmprof_task *task;
	struct writer *w = to;
	__u32 i;

	(void)err;
	w->tasks = tasks;
	w->ns = trace->first_ns;
	for (i = 1; i < kmprof_tasks_count(tasks); i++) {
		task = kmprof_tasks_at(tasks, i);
		if (task->state != KMPROF_TASK_ABSENT)
			put_state(w, w->ns, KMPROF_HTML_FIRST, task, task->cpu);
	}
	for (i = 0; i < trace->header.nr_cpus; i++) {
		task = kmprof_tasks_on_cpu(tasks, i);
		if (task)
			put_turn(w, w->ns, i, task);
	}
	return 0;
}

/* Return: what a task waits for; NULL: nothing was seen of that so far. */
static struct wait *wait_of(const struct writer *w, const struct kmprof_task *task)
{
	struct wait *wait = (struct wait *)w->waits.bytes;

	return task->number < w->waits.used / sizeof(*wait) ? &wait[task->number] : NULL;
}

/* Can its end be among the events that were lost? On its own CPU, the task would not be known. */
static bool may_have_ended(const struct writer *w, const struct wait *wait)
{
	return wait->stopped_ns < w->lost_ns;
}

/* Return: 0 or -ENOMEM. */
static int begin_wait(struct writer *w, const struct kmprof_event *event)
{
	const struct wait begun = {
		.lock	= event->args[0],
		.kind	= (__u32)event->args[1],
		.flags	= (__u32)event->args[2],
		.stopped_ns = NEVER,
	};
	const struct wait *wait = wait_of(w, event->task);
	static const struct wait none;
	int ret = 0;

	if (!kmprof_wait_is_of_task(event, begun.kind))
		return 0;
	if (wait && wait->lock && wait->lock != begun.lock && !may_have_ended(w, wait) &&
	    kmprof_wait_is_inner(wait->kind, wait->flags, begun.kind))
		return 0;
	while (!ret && !wait_of(w, event->task))
		ret = kmprof_growing_add(&w->waits, &none, sizeof(none));
	if (!ret)
		*wait_of(w, event->task) = begun;
	return ret;
}

static void end_wait(struct writer *w, const struct kmprof_event *event)
{
	struct wait *wait = wait_of(w, event->task);

	if (wait && wait->lock == event->args[0] && kmprof_wait_is_of_task(event, wait->kind))
		wait->lock = 0;
}

/* Behind that the task has stopped. */
static void put_lock(struct writer *w, const struct kmprof_change *change, struct wait *wait)
{
	char lock[KMPROF_LOCK_TEXT], words[KMPROF_LOCK_TEXT + 16];

	if (change->task->state != KMPROF_TASK_ASLEEP)
		return;
	/* Nobody sleeps for a lock that is spun for: its end was lost. */
	if (kmprof_wait_spins(wait->kind) || may_have_ended(w, wait)) {
		wait->lock = 0;
		return;
	}
	snprintf(words, sizeof(words), "%s %s", kmprof_lock_kind(wait->kind),
		 kmprof_lock_text(w->names, wait->lock, lock));
	put_start(w, change->ns, KMPROF_HTML_FOR);
	put_number(w, change->task->number);
	put_words(w, words);
}

static void put_stop(struct writer *w, const struct kmprof_change *change)
{
	struct wait *wait = wait_of(w, change->task);

	put_start(w, change->ns, KMPROF_HTML_STOPS);
	put_number(w, change->task->number);
	put_number(w, change->task->state);
	put_known(w, change->task->reason);
	put_stack(w, change->stack);
	if (wait && wait->lock)
		put_lock(w, change, wait);
}

static void put_wake(struct writer *w, const struct kmprof_change *change)
{
	put_start(w, change->ns, KMPROF_HTML_WOKEN);
	put_number(w, change->task->number);
	put_known(w, change->cpu);
	put_number(w, change->waker->number);
	put_number(w, change->waker_context);
	put_stack(w, change->stack);
}

static int on_change(void *to, const struct kmprof_change *change, struct kmprof_error *err)
{
	const struct kmprof_task *task = change->task;
	struct writer *w = to;
	struct wait *wait = wait_of(w, task);

	(void)err;
	/* The end of a wait can have been lost. */
	if (wait && (task->state == KMPROF_TASK_DEAD || task->state == KMPROF_TASK_UNKNOWN))
		wait->lock = 0;
	if (!change->event) {
		put_state(w, change->ns, KMPROF_HTML_INFERRED, task,
			  change->cpu == KMPROF_CPU_UNKNOWN ? task->cpu : change->cpu);
	} else if (task->state == KMPROF_TASK_RUNNING) {
		put_start(w, change->ns, KMPROF_HTML_RUNS);
		put_number(w, task->number);
		put_known(w, change->cpu);
	} else if (change->from == KMPROF_TASK_RUNNING) {
		put_stop(w, change);
	} else if (change->waker) {
		put_wake(w, change);
	} else if (task->state == KMPROF_TASK_RUNNABLE) {
		put_start(w, change->ns, KMPROF_HTML_CREATED);
		put_number(w, task->number);
		put_known(w, change->cpu);
		put_number(w, task->parent);
	} else {
		put_state(w, change->ns, KMPROF_HTML_INFERRED, task, change->cpu);
	}
	if (wait && change->from == KMPROF_TASK_RUNNING && wait->stopped_ns == NEVER)
		wait->stopped_ns = change->ns;
	return 0;
}

static int on_runs(void *to, __u32 cpu, __u64 ns, const struct kmprof_task *task,
		   struct kmprof_error *err)
{
	(void)err;
	/* Of another one, a record of the task tells. */
	if (!task || !task->number)
		put_turn(to, ns, cpu, task);
	return 0;
}

static void put_says(struct writer *w, const struct kmprof_event *event,
		     const struct kmprof_task *task)
{
	char words[KMPROF_SAYS_ROOM];

	kmprof_event_says(event, w->names, words);
	put_start(w, event->ns, KMPROF_HTML_SAYS);
	put_number(w, event->cpu);
	put_number(w, task->number);
	put_words(w, kmprof_name_of_type(event));
	put_words(w, words);
}

static int on_event(void *to, const struct kmprof_event *event, struct kmprof_error *err)
{
	struct writer *w = to;

	(void)err;
	switch (event->type) {
	case KMPROF_TRACE_SWITCH:
		if (!event->other->number)
			put_turn(w, event->ns, event->cpu, event->other);
		break;
	case KMPROF_TRACE_WAKING:
	case KMPROF_TRACE_MIGRATE:
	case KMPROF_TRACE_FORK:
	case KMPROF_TRACE_EXIT:
		break;
	/* So many flags would hide all others. */
	case KMPROF_TRACE_IRQ_ENTRY:
	case KMPROF_TRACE_IRQ_EXIT:
	case KMPROF_TRACE_SOFTIRQ_ENTRY:
	case KMPROF_TRACE_SOFTIRQ_EXIT:
	case KMPROF_TRACE_SYSCALL_ENTER:
	case KMPROF_TRACE_SYSCALL_EXIT:
	case KMPROF_TRACE_CPU_IDLE:
	case KMPROF_TRACE_CPU_FREQUENCY:
	case KMPROF_TRACE_GRACE_PERIOD_BEGIN:
	case KMPROF_TRACE_GRACE_PERIOD_END:
		break;
	case KMPROF_TRACE_RENAME:
		put_says(w, event, event->other);
		break;
	case KMPROF_TRACE_CONTENTION_END:
		end_wait(w, event);
		break;
	case KMPROF_TRACE_CONTENTION_BEGIN:
		if (begin_wait(w, event))
			return kmprof_error_set(err, -ENOMEM, NULL,
						"writing the page: out of memory");
		break;
	default:
		put_says(w, event, event->task);
	}
	return ferror(w->file) ? kmprof_error_set(err, errno ? -errno : -EIO, NULL,
						  "writing the page") : 0;
}

static int on_loses(void *to, const struct kmprof_gap *gap, struct kmprof_error *err)
{
	struct writer *w = to;

	(void)err;
	if (w->lost_ns < gap->to_ns)
		w->lost_ns = gap->to_ns;
	return 0;
}

static int on_lost(void *to, const struct kmprof_gap *gap, struct kmprof_error *err)
{
	struct writer *w = to;

	/* Those of a CPU that has had no event so far. */
	on_loses(to, gap, err);
	put_start(w, gap->to_ns, KMPROF_HTML_LOST);
	put_number(w, gap->cpu);
	put_number(w, gap->count);
	put_number(w, gap->to_ns - gap->from_ns);
	return 0;
}

static int on_end(void *to, const struct kmprof_trace *trace, struct kmprof_error *err)
{
	const struct kmprof_task *task;
	struct writer *w = to;
	__u32 i;

	(void)trace;
	(void)err;
	fputs("]</script>\n<script type=\"application/json\" id=\"tasks\">[", w->file);
	for (i = 1; i < kmprof_tasks_count(w->tasks); i++) {
		task = kmprof_tasks_at(w->tasks, i);
		fprintf(w->file, "%s%u,%u", i > 1 ? ",\n" : "", task->tid, task->tgid);
		put_words(w, task->comm);
	}
	fputs("]</script>\n", w->file);
	return 0;
}

int kmprof_html_records_write(FILE *file, const struct kmprof_trace *trace,
			      const struct kmprof_stack_names *names, const __u32 *same,
			      bool *is_used, struct kmprof_error *err)
{
	static const struct kmprof_visitor visitor = {
		.begin = on_begin,
		.event = on_event,
		.change = on_change,
		.runs = on_runs,
		.loses = on_loses,
		.lost = on_lost,
		.end = on_end,
	};
	struct writer w = {
		.file = file, .is_first = true, .names = names, .same = same, .is_used = is_used,
	};
	int ret;

	fputs("<script type=\"application/json\" id=\"records\">[", file);
	ret = kmprof_trace_walk(trace, &visitor, &w, err);
	free(w.waits.bytes);
	return ret;
}
