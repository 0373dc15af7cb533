// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>
#include <time.h>

#include "timeline/names.h"
#include "timeline/text.h"
#include "trace/words.h"

#define NSEC_PER_SEC	1000000000ULL

/**
 * struct text - a text in the making
 * @file: where to
 * @first_ns: what times are counted from
 * @names: of the stacks
 */
struct text {
	FILE *file;
	__u64 first_ns;
	const struct kmprof_stack_names *names;
};

/* Return: 0, or a negative errno if @file has failed. */
static int check_file(FILE *file, struct kmprof_error *err)
{
	int ret = errno ? -errno : -EIO;

	return ferror(file) ? kmprof_error_set(err, ret, NULL, "writing the text: %s",
					       strerror(-ret)) : 0;
}

static void put_time(const struct text *t, __u64 ns)
{
	ns -= t->first_ns;
	fprintf(t->file, "%6llu.%09llu", ns / NSEC_PER_SEC, ns % NSEC_PER_SEC);
}

/* The rest of the program may have any bytes in its marks. */
static void put_quoted(FILE *file, const char *text, size_t length)
{
	size_t i;

	putc('"', file);
	for (i = 0; i < length; i++)
		putc(text[i] < ' ' || text[i] > '~' ? '?' : text[i], file);
	putc('"', file);
}

static void put_other(FILE *file, const struct kmprof_event *event)
{
	__u32 i;

	for (i = 0; i < event->nr_args; i++)
		fprintf(file, " %llu", event->args[i]);
	if (event->length) {
		putc(' ', file);
		put_quoted(file, event->text, event->length);
	}
}

static void put_switch(FILE *file, const struct kmprof_event *event)
{
	char next[KMPROF_TASK_TEXT], state[KMPROF_STATE_TEXT];

	fprintf(file, " to %s", kmprof_task_text(next, event->other));
	/* The idle task has no other state. */
	if (event->task->number)
		fprintf(file, ", %s", kmprof_trace_state_word(state, event->args[1]));
}

static void put_args(const struct text *t, const struct kmprof_event *event)
{
	char other[KMPROF_TASK_TEXT], words[KMPROF_SAYS_ROOM];
	FILE *file = t->file;

	switch (event->type) {
	case KMPROF_TRACE_SWITCH:
		put_switch(file, event);
		break;
	case KMPROF_TRACE_WAKING:
		fprintf(file, " %s", kmprof_task_text(other, event->other));
		break;
	case KMPROF_TRACE_MIGRATE:
		fprintf(file, " %s to CPU %llu", kmprof_task_text(other, event->other),
			event->args[1]);
		break;
	case KMPROF_TRACE_FORK:
		fprintf(file, " %s of process %llu", kmprof_task_text(other, event->other),
			event->args[1]);
		break;
	case KMPROF_TRACE_EXEC:
		fputs(" as ", file);
		put_quoted(file, event->text, event->length);
		/* Another thread than the main one is the main one from now on. */
		if (event->args[0] != event->task->tgid && event->task->tgid)
			fprintf(file, ", from now on with id %u", event->task->tgid);
		break;
	case KMPROF_TRACE_EXIT:
		fprintf(file, " of process %llu", event->args[0]);
		break;
	case KMPROF_TRACE_RENAME:
		fprintf(file, " %s to ", kmprof_task_text(other, event->other));
		put_quoted(file, event->text, event->length);
		break;
	case KMPROF_TRACE_MARK:
		putc(' ', file);
		put_quoted(file, event->text, event->length);
		break;
	case KMPROF_TRACE_CONTENTION_BEGIN:
	case KMPROF_TRACE_CONTENTION_END:
	case KMPROF_TRACE_IRQ_ENTRY:
	case KMPROF_TRACE_IRQ_EXIT:
	case KMPROF_TRACE_SOFTIRQ_ENTRY:
	case KMPROF_TRACE_SOFTIRQ_EXIT:
	case KMPROF_TRACE_RECLAIM_BEGIN:
	case KMPROF_TRACE_RECLAIM_END:
	case KMPROF_TRACE_MEMCG_RECLAIM_BEGIN:
	case KMPROF_TRACE_MEMCG_RECLAIM_END:
	case KMPROF_TRACE_COMPACTION_BEGIN:
	case KMPROF_TRACE_COMPACTION_END:
	case KMPROF_TRACE_ALLOC:
	case KMPROF_TRACE_FREE:
	case KMPROF_TRACE_SYSCALL_ENTER:
	case KMPROF_TRACE_SYSCALL_EXIT:
	case KMPROF_TRACE_CPU_IDLE:
	case KMPROF_TRACE_CPU_FREQUENCY:
		kmprof_event_says(event, t->names, words);
		fprintf(file, " %s", words);
		break;
	default:
		put_other(file, event);
	}
}

/* Return: 0 or -ENOMEM. */
static int put_stack(const struct text *t, __u32 number, struct kmprof_error *err)
{
	const char *stack = kmprof_stack_text(t->names, number);

	if (!stack)
		return kmprof_error_set(err, -ENOMEM, NULL, "writing the text: out of memory");
	fprintf(t->file, ": %s", stack);
	return 0;
}

static int put_event(void *to, const struct kmprof_event *event, struct kmprof_error *err)
{
	const char *context = kmprof_trace_context_word(event->context);
	const struct text *t = to;
	char task[KMPROF_TASK_TEXT];

	errno = 0;
	put_time(t, event->ns);
	fprintf(t->file, " %4u  %-22s  %s", event->cpu, kmprof_task_text(task, event->task),
		event->name);
	put_args(t, event);
	if (*context && !kmprof_event_says_context(event))
		fprintf(t->file, " (%s)", context);
	if (event->stack && put_stack(t, event->stack, err))
		return -ENOMEM;
	putc('\n', t->file);
	return check_file(t->file, err);
}

static int put_loss(void *to, const struct kmprof_gap *loss, struct kmprof_error *err)
{
	const struct text *t = to;

	errno = 0;
	put_time(t, loss->to_ns);
	fprintf(t->file, " %4u  %-22s  %llu event%s lost since ", loss->cpu, "-", loss->count,
		loss->count == 1 ? "" : "s");
	put_time(t, loss->from_ns);
	putc('\n', t->file);
	return check_file(t->file, err);
}

static int put_head(void *to, const struct kmprof_trace *trace, const struct kmprof_tasks *tasks,
		    struct kmprof_error *err)
{
	time_t seconds = (time_t)(trace->header.start.real_ns / NSEC_PER_SEC);
	const struct text *t = to;
	char date[32] = "?";
	struct tm tm;

	(void)tasks;
	errno = 0;
	if (gmtime_r(&seconds, &tm))
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &tm);
	fprintf(t->file, "# %llu events, %llu lost, in %.6f s on %u CPUs\n", trace->events,
		trace->lost, (double)(trace->last_ns - trace->first_ns) / (double)NSEC_PER_SEC,
		trace->header.nr_cpus);
	if (trace->header.filter[0])
		fprintf(t->file, "# filter: %s; %s\n", trace->header.filter, KMPROF_FILTER_WORDS);
	fprintf(t->file, "# 0 s is %s.%09llu UTC, CLOCK_MONOTONIC %llu.%09llu\n", date,
		trace->header.start.real_ns % NSEC_PER_SEC, trace->first_ns / NSEC_PER_SEC,
		trace->first_ns % NSEC_PER_SEC);
	if (!trace->has_end)
		fputs("# it was cut short\n", t->file);
	if (trace->was_suspended)
		fputs("# the system was suspended meanwhile: the times mean nothing\n", t->file);
	if (trace->end.stackless)
		fprintf(t->file, "# %llu events without a stack: there was no room for it\n",
			trace->end.stackless);
	fprintf(t->file, "#%15s %4s  %-22s  %s\n", "s", "CPU", "task", "event");
	return check_file(t->file, err);
}

int kmprof_timeline_text(FILE *file, const struct kmprof_trace *trace,
			 const struct kmprof_stack_names *names, struct kmprof_error *err)
{
	static const struct kmprof_visitor visitor = {
		.begin = put_head,
		.event = put_event,
		.lost = put_loss,
	};
	struct text t = { .file = file, .first_ns = trace->first_ns, .names = names };

	return kmprof_trace_walk(trace, &visitor, &t, err);
}
