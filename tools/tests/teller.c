// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/reporter.h"
#include "tests/teller.h"
#include "timeline/timeline.h"
#include "trace/trace.h"

static const char *const states[] = {
	"absent", "unknown", "asleep", "runnable", "running", "dead"
};

/* What has been told so far of one task. */
struct told {
	enum kmprof_task_state state;
	__u64 since_ns;
};

struct teller {
	const struct kmprof_tasks *tasks;
	struct told *told;
	__u32 nr_told;
	__u64 ns;
	bool is_quiet;
};

static void die_if(bool is_bad, const char *what)
{
	if (!is_bad)
		return;
	fflush(stdout);
	fprintf(stderr, "teller: %s\n", what);
	abort();
}

static void print_tasks(const struct teller *s)
{
	const struct kmprof_task *task;
	__u32 i;

	for (i = 1; i < kmprof_tasks_count(s->tasks); i++) {
		task = kmprof_tasks_at(s->tasks, i);
		die_if(task->number != i, "a number");
		if (!s->is_quiet)
			printf("task %u %u %u '%s' %s %d\n", i, task->tid, task->tgid, task->comm,
			       states[task->state], (int)task->cpu);
	}
}

/* Of a task that has come since, nothing was told. */
static struct told *told_of(struct teller *s, const struct kmprof_task *task)
{
	while (s->nr_told <= task->number) {
		s->told = reallocarray(s->told, s->nr_told + 1, sizeof(*s->told));
		die_if(!s->told, "out of memory");
		s->told[s->nr_told++] = (struct told){ KMPROF_TASK_ABSENT, 0 };
	}
	return &s->told[task->number];
}

static int begin(void *to, const struct kmprof_trace *trace, const struct kmprof_tasks *tasks,
		 struct kmprof_error *err)
{
	const struct kmprof_task *task;
	struct teller *s = to;
	__u32 i;

	(void)err;
	s->tasks = tasks;
	s->ns = trace->first_ns;
	print_tasks(s);
	for (i = 0; i < kmprof_tasks_count(tasks); i++) {
		task = kmprof_tasks_at(tasks, i);
		*told_of(s, task) = (struct told){ task->state, task->since_ns };
		die_if(task->state == KMPROF_TASK_ABSENT || task->state == KMPROF_TASK_DEAD,
		       "a task that was not there");
		die_if(i && task->since_ns != trace->first_ns, "not since the start");
	}
	return 0;
}

static void go_on(struct teller *s, __u64 ns)
{
	die_if(ns < s->ns, "order of time");
	s->ns = ns;
}

static int print_event(void *to, const struct kmprof_event *event, struct kmprof_error *err)
{
	struct teller *s = to;

	(void)err;
	go_on(s, event->ns);
	die_if(!event->task, "an event without a task");
	die_if(event->text[event->length], "a text without an end");
	if (s->is_quiet)
		return 0;
	printf("%llu %u %s %u", event->ns, event->cpu, event->name, event->task->number);
	if (event->other)
		printf(" %u", event->other->number);
	putchar('\n');
	return 0;
}

static int print_change(void *to, const struct kmprof_change *change, struct kmprof_error *err)
{
	const struct kmprof_task *task = change->task;
	struct teller *s = to;
	struct told *told = told_of(s, task);

	(void)err;
	/* What is inferred comes before the event that shows it. */
	go_on(s, change->ns);
	die_if(!task->number, "the idle task changes");
	die_if(told->state != change->from, "a state that does not follow");
	die_if(told->since_ns && told->since_ns != change->from_ns, "a time that does not follow");
	die_if(change->from == task->state, "a change to the same");
	die_if(change->from == KMPROF_TASK_DEAD, "a dead task changes");
	die_if(task->state == KMPROF_TASK_RUNNING && change->from != KMPROF_TASK_RUNNABLE,
	       "a task runs that was not runnable");
	die_if(task->state == KMPROF_TASK_RUNNING &&
	       kmprof_tasks_on_cpu(s->tasks, task->cpu) != task, "another task is on the CPU");
	die_if(task->since_ns != change->ns, "a time that is not now");
	*told = (struct told){ task->state, task->since_ns };
	if (s->is_quiet)
		return 0;
	printf("  %u %s -> %s %llu %d%s", task->number, states[change->from], states[task->state],
	       change->from_ns, (int)change->cpu, change->event ? "" : " inferred");
	if (change->waker)
		printf(" by %u/%u", change->waker->number, change->waker_context);
	if (task->state != KMPROF_TASK_RUNNING && change->from == KMPROF_TASK_RUNNING)
		printf(" reason %d", (int)task->reason);
	putchar('\n');
	return 0;
}

static int print_loss(void *to, const struct kmprof_gap *loss, struct kmprof_error *err)
{
	struct teller *s = to;

	(void)err;
	go_on(s, loss->to_ns);
	die_if(loss->from_ns > loss->to_ns || !loss->count, "a loss");
	if (!s->is_quiet)
		printf("%llu %u lost %llu %llu\n", loss->to_ns, loss->cpu, loss->count,
		       loss->from_ns);
	return 0;
}

static int end(void *to, const struct kmprof_trace *trace, struct kmprof_error *err)
{
	struct teller *s = to;

	(void)err;
	go_on(s, trace->last_ns);
	print_tasks(s);
	return 0;
}

/* In all formats. */
static void write_all(const struct kmprof_trace *trace)
{
	const struct kmprof_timeline *timeline;
	struct kmprof_error err = { 0 }, warning;
	FILE *nowhere = fopen("/dev/null", "w");
	struct kmprof_stack_names names;
	size_t i;

	die_if(!nowhere, "/dev/null");
	/* They may be damaged where the trace is not. */
	if (kmprof_stack_names_open(&names, trace, &warning, &err) < 0)
		goto out;
	for (i = 0; (timeline = kmprof_timeline_at(i)); i++)
		if (timeline->write)
			die_if(timeline->write(nowhere, trace, &names, &err), err.text);
out:
	kmprof_stack_names_close(&names);
	fclose(nowhere);
}

bool teller_tell(const char *path, bool is_quiet)
{
	static const struct kmprof_visitor visitor = {
		.begin = begin, .event = print_event, .change = print_change,
		.lost = print_loss, .end = end,
	};
	struct teller t = { .is_quiet = is_quiet };
	struct kmprof_error err = { 0 };
	struct kmprof_trace trace;

	if (kmprof_trace_open(&trace, path, &err)) {
		die_if(!err.text[0], "refused without words");
		if (!is_quiet)
			puts(err.text);
		return false;
	}
	if (trace.note.text[0] && !is_quiet)
		printf("note: %s\n", trace.note.text);
	die_if(kmprof_trace_walk(&trace, &visitor, &t, &err), err.text);
	if (is_quiet)
		write_all(&trace);
	/* What is not changed anywhere has a report. */
	die_if(!reporter_report(&trace) && !is_quiet, "no report");
	free(t.told);
	kmprof_trace_close(&trace);
	return true;
}

bool teller_try(const void *data, size_t size)
{
	char path[32];
	bool is_accepted;
	int fd;

	fd = memfd_create("trace", MFD_CLOEXEC);
	die_if(fd < 0 || write(fd, data, size) != (ssize_t)size, "a file in memory");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	is_accepted = teller_tell(path, true);
	close(fd);
	return is_accepted;
}
