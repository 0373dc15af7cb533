// SPDX-License-Identifier: GPL-2.0
/*
 * Chrome's JSON is a list of objects in any order, so a slice is written when it ends. Slices of a
 * row must not overlap: those of a CPU, of tasks and of idle states, do not. System calls, which
 * can go on elsewhere, have a row for each task.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "timeline/chrome.h"
#include "timeline/heap_use.h"
#include "timeline/names.h"
#include "timeline/open_calls.h"
#include "trace/grace_period.h"
#include "trace/power.h"
#include "trace/syscalls.h"
#include "trace/words.h"
#include "util/escape.h"

/**
 * struct idle - the idle state of a CPU
 * @from_ns: when it has entered it
 * @state: number of the state
 * @is_in: it is in one
 */
struct idle {
	__u64 from_ns;
	__u32 state;
	bool is_in;
};

/**
 * struct writer - a trace that is being written
 * @file: where to
 * @first_ns: when it begins
 * @nr_cpus: number of its CPUs
 * @tasks: its tasks
 * @use: memory in use
 * @calls: system calls that have begun
 * @idle: by CPU: the idle state that it is in
 * @period: the grace period of RCU
 * @names: of its stacks
 */
struct writer {
	FILE *file;
	__u64 first_ns;
	__u32 nr_cpus;
	const struct kmprof_tasks *tasks;
	struct kmprof_heap_use use;
	struct kmprof_open_calls calls;
	struct idle *idle;
	struct kmprof_grace_period period;
	const struct kmprof_stack_names *names;
};

/* Microseconds with three digits behind the point. */
static void put_time(const struct writer *w, const char *key, __u64 ns)
{
	fprintf(w->file, ",\"%s\":%llu.%03llu", key, ns / 1000, ns % 1000);
}

static void put_name(const struct writer *w, const char *name)
{
	fputs(",\n{\"name\":", w->file);
	kmprof_escape_json(w->file, name, strlen(name));
}

/* All of what follows is part of the process 0, whose threads are CPUs. */
static void put_row(const struct writer *w, const char *phase, __u32 cpu)
{
	fprintf(w->file, ",\"ph\":\"%s\",\"pid\":0,\"tid\":%u", phase, cpu);
}

static int out_of_memory(struct kmprof_error *err)
{
	return kmprof_error_set(err, -ENOMEM, NULL, "writing Chrome's trace: out of memory");
}

/* As one argument; @before: what stands before it. Return: 0 or -ENOMEM. */
static int put_stack(const struct writer *w, const char *before, __u32 number,
		     struct kmprof_error *err)
{
	const char *stack;

	if (!number)
		return 0;
	stack = kmprof_stack_text(w->names, number);
	if (!stack)
		return out_of_memory(err);
	fprintf(w->file, "%s\"stack\":", before);
	kmprof_escape_json(w->file, stack, strlen(stack));
	return 0;
}

static int put_slice(const struct writer *w, const struct kmprof_task *task, __u32 cpu,
		     __u64 from_ns, __u64 to_ns, const char *then, __u32 stack,
		     struct kmprof_error *err)
{
	int ret;

	put_name(w, kmprof_name_of_task(task));
	put_row(w, "X", cpu);
	put_time(w, "ts", from_ns - w->first_ns);
	put_time(w, "dur", to_ns - from_ns);
	fprintf(w->file, ",\"args\":{\"tid\":%u,\"tgid\":%u,\"then\":\"%s\"", task->tid,
		task->tgid, then);
	ret = put_stack(w, ",", stack, err);
	fputs("}}", w->file);
	return ret;
}

static int put_instant(const struct writer *w, __u64 ns, __u32 cpu, const char *name, __u32 stack,
		       struct kmprof_error *err)
{
	int ret;

	put_name(w, name);
	put_row(w, "i", cpu);
	put_time(w, "ts", ns - w->first_ns);
	fputs(",\"s\":\"t\",\"args\":{", w->file);
	ret = put_stack(w, "", stack, err);
	fputs("}}", w->file);
	return ret;
}

/* A point of a curve. @unit: what is counted */
static void put_point(const struct writer *w, __u64 ns, const char *name, const char *unit,
		      __s64 value)
{
	put_name(w, name);
	fputs(",\"ph\":\"C\",\"pid\":0", w->file);
	put_time(w, "ts", ns - w->first_ns);
	fprintf(w->file, ",\"args\":{\"%s\":%lld}}", unit, value);
}

static void put_frequency(const struct writer *w, const struct kmprof_event *event)
{
	char name[40];

	snprintf(name, sizeof(name), "frequency of CPU %llu", event->args[0]);
	put_point(w, event->ns, name, "kHz", (__s64)event->args[1]);
}

/* From @ns on, a CPU is in no idle state, or it is not known in which. */
static void end_idle(const struct writer *w, __u32 cpu, __u64 ns)
{
	struct idle *idle = &w->idle[cpu];
	char name[32];

	if (!idle->is_in)
		return;
	idle->is_in = false;
	snprintf(name, sizeof(name), "idle state %u", idle->state);
	put_name(w, name);
	put_row(w, "X", cpu);
	put_time(w, "ts", idle->from_ns - w->first_ns);
	put_time(w, "dur", ns - idle->from_ns);
	fputs(",\"args\":{}}", w->file);
}

static void put_idle(const struct writer *w, const struct kmprof_event *event)
{
	end_idle(w, event->cpu, event->ns);
	w->idle[event->cpu] = (struct idle){
		.from_ns	= event->ns,
		.state		= kmprof_idle_state(event),
		.is_in		= kmprof_idle_enters(event),
	};
}

/* Grace periods are the row behind the CPUs. */
static void end_grace_period(struct writer *w, __u64 ns)
{
	if (!kmprof_grace_period_end(&w->period, &ns))
		return;
	put_name(w, "grace period");
	put_row(w, "X", w->nr_cpus);
	put_time(w, "ts", w->period.from_ns - w->first_ns);
	put_time(w, "dur", ns - w->period.from_ns);
	fputs(",\"args\":{}}", w->file);
}

static void put_grace_period(struct writer *w, const struct kmprof_event *event)
{
	end_grace_period(w, event->ns);
	kmprof_grace_period_note(&w->period, event);
}

/* System calls are part of the process 1, whose threads are tasks. */
static void put_call(const struct writer *w, __u32 task, const struct kmprof_open_call *call,
		     __u64 to_ns, const char *result)
{
	char name[KMPROF_SYSCALL_NAME];

	if (call->number == KMPROF_NO_CALL)
		return;
	put_name(w, kmprof_syscall_name(name, call->number));
	fprintf(w->file, ",\"ph\":\"X\",\"pid\":1,\"tid\":%u", task);
	put_time(w, "ts", call->from_ns - w->first_ns);
	put_time(w, "dur", to_ns - call->from_ns);
	fprintf(w->file, ",\"args\":{\"result\":\"%s\"}}", result);
}

/*
 * Has a call a result, that has ended with this event? One that ends without the number with which
 * it began, sigreturn() or rt_sigreturn(), has none: the register is what the program had there.
 */
static bool has_result(const struct kmprof_open_call *ended, const struct kmprof_event *exit)
{
	return !kmprof_syscall_has_no_number(exit->args[0]) ||
	       kmprof_syscall_has_no_number(ended->number);
}

/* Return: 0 or -ENOMEM. */
static int put_syscall(struct writer *w, const struct kmprof_event *event)
{
	char result[KMPROF_SYSCALL_RESULT] = "lost";
	struct kmprof_open_call ended;

	/* An idle task makes none. */
	if (!event->task->number)
		return 0;
	if (kmprof_open_calls_note(&w->calls, event, &ended))
		return -ENOMEM;
	if (event->type == KMPROF_TRACE_SYSCALL_EXIT) {
		if (has_result(&ended, event))
			kmprof_syscall_result_text(result,
						   kmprof_syscall_result(event->args[1]));
		else
			strcpy(result, "none");
	}
	put_call(w, event->task->number, &ended, event->ns, result);
	return 0;
}

/* The names of the rows, and the calls that go on. */
static void put_calls(struct writer *w, __u64 ns)
{
	__u32 i, nr = kmprof_open_calls_count(&w->calls);
	struct kmprof_open_call call;
	char name[KMPROF_TASK_TEXT];
	bool is_named = false;

	for (i = 1; i < nr; i++) {
		call = kmprof_open_calls_end(&w->calls, i);
		if (!call.was_one)
			continue;
		if (!is_named) {
			put_name(w, "process_name");
			fputs(",\"ph\":\"M\",\"pid\":1,\"args\":{\"name\":\"system calls\"}}",
			      w->file);
			is_named = true;
		}
		put_call(w, i, &call, ns, "end of the trace");
		put_name(w, "thread_name");
		fprintf(w->file, ",\"ph\":\"M\",\"pid\":1,\"tid\":%u,\"args\":{\"name\":", i);
		kmprof_task_text(name, kmprof_tasks_at(w->tasks, i));
		kmprof_escape_json(w->file, name, strlen(name));
		fputs("}}", w->file);
	}
}

static void name_row(const struct writer *w, __u32 row, const char *name)
{
	put_name(w, "thread_name");
	put_row(w, "M", row);
	fprintf(w->file, ",\"args\":{\"name\":\"%s\"}}", name);
	put_name(w, "thread_sort_index");
	put_row(w, "M", row);
	fprintf(w->file, ",\"args\":{\"sort_index\":%u}}", row);
}

static int on_begin(void *to, const struct kmprof_trace *trace, const struct kmprof_tasks *tasks,
		    struct kmprof_error *err)
{
	struct writer *w = to;
	char name[32];
	__u32 i;

	(void)err;
	w->tasks = tasks;
	w->first_ns = trace->first_ns;
	w->nr_cpus = trace->header.nr_cpus;
	fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
	      "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,\"args\":{\"name\":\"CPUs\"}}",
	      w->file);
	for (i = 0; i < w->nr_cpus; i++) {
		snprintf(name, sizeof(name), "CPU %u", i);
		name_row(w, i, name);
	}
	if (kmprof_trace_records(trace, 1ULL << KMPROF_TRACE_GRACE_PERIOD_BEGIN))
		name_row(w, w->nr_cpus, "RCU");
	return 0;
}

static int on_change(void *to, const struct kmprof_change *change, struct kmprof_error *err)
{
	char text[KMPROF_STATE_TEXT];
	const struct kmprof_task *task = change->task;
	struct kmprof_open_call call;
	const char *then = "lost";
	struct writer *w = to;

	/* Nobody returns from exit(). */
	if (task->state == KMPROF_TASK_DEAD || task->state == KMPROF_TASK_UNKNOWN) {
		call = kmprof_open_calls_end(&w->calls, task->number);
		put_call(w, task->number, &call, change->ns,
			 task->state == KMPROF_TASK_DEAD ? "none" : "lost");
	}
	if (change->event)
		then = kmprof_trace_state_word(text, task->reason);
	if (change->from != KMPROF_TASK_RUNNING)
		return 0;
	return put_slice(to, task, task->cpu, change->from_ns, change->ns, then, change->stack,
			 err);
}

static int on_event(void *to, const struct kmprof_event *event, struct kmprof_error *err)
{
	static const char *const verbs[] = {
		[KMPROF_TRACE_WAKING] = "wakes",
		[KMPROF_TRACE_MIGRATE] = "moves",
		[KMPROF_TRACE_FORK] = "creates",
		[KMPROF_TRACE_EXEC] = "executes",
		[KMPROF_TRACE_EXIT] = "exits:",
		[KMPROF_TRACE_RENAME] = "renames to",
		[KMPROF_TRACE_MARK] = "mark:",
	};
	char words[KMPROF_SAYS_ROOM], name[KMPROF_SAYS_ROOM + 32];
	struct writer *w = to;

	switch (event->type) {
	case KMPROF_TRACE_SWITCH:
		end_idle(w, event->cpu, event->ns);
		return 0;
	case KMPROF_TRACE_SYSCALL_ENTER:
	case KMPROF_TRACE_SYSCALL_EXIT:
		return put_syscall(w, event) ? out_of_memory(err) : 0;
	case KMPROF_TRACE_CPU_IDLE:
		put_idle(w, event);
		return 0;
	case KMPROF_TRACE_CPU_FREQUENCY:
		put_frequency(w, event);
		return 0;
	case KMPROF_TRACE_GRACE_PERIOD_BEGIN:
	case KMPROF_TRACE_GRACE_PERIOD_END:
		put_grace_period(w, event);
		return 0;
	}
	if (kmprof_heap_use_note(&w->use, event))
		put_point(w, event->ns, "heap in use since the start", "bytes", w->use.bytes);
	kmprof_event_says(event, w->names, words);
	if (event->type == KMPROF_TRACE_WAKING || event->type == KMPROF_TRACE_MIGRATE ||
	    event->type == KMPROF_TRACE_FORK)
		snprintf(words, sizeof(words), "%s %u", kmprof_name_of_task(event->other),
			 event->other->tid);
	snprintf(name, sizeof(name), "%s %s", kmprof_event_is_known(event) ? verbs[event->type] :
		 kmprof_name_of_type(event), words);
	return put_instant(w, event->ns, event->cpu, name, event->stack, err);
}

/* What a CPU does from @ns on is not known if there is no task. */
static int on_runs(void *to, __u32 cpu, __u64 ns, const struct kmprof_task *task,
		   struct kmprof_error *err)
{
	(void)err;
	if (!task)
		end_idle(to, cpu, ns);
	return 0;
}

static int on_lost(void *to, const struct kmprof_gap *gap, struct kmprof_error *err)
{
	struct writer *w = to;
	char name[48];

	end_idle(w, gap->cpu, gap->from_ns);
	/* RCU's thread can have been on that CPU. */
	end_grace_period(w, gap->from_ns);
	snprintf(name, sizeof(name), "%llu events lost", gap->count);
	return put_instant(to, gap->to_ns, gap->cpu, name, 0, err);
}

static int on_end(void *to, const struct kmprof_trace *trace, struct kmprof_error *err)
{
	const struct kmprof_task *task;
	struct writer *w = to;
	__u32 i;

	for (i = 0; i < trace->header.nr_cpus; i++) {
		end_idle(w, i, trace->last_ns);
		task = kmprof_tasks_on_cpu(w->tasks, i);
		if (task && task->number)
			put_slice(w, task, i, task->since_ns, trace->last_ns, "end of the trace",
				  0, err);
	}
	end_grace_period(w, trace->last_ns);
	put_calls(w, trace->last_ns);
	fputs("\n]}\n", w->file);
	return 0;
}

int kmprof_timeline_chrome(FILE *file, const struct kmprof_trace *trace,
			   const struct kmprof_stack_names *names, struct kmprof_error *err)
{
	static const struct kmprof_visitor visitor = {
		.begin = on_begin,
		.event = on_event,
		.change = on_change,
		.runs = on_runs,
		.lost = on_lost,
		.end = on_end,
	};
	struct writer w = {
		.file = file, .names = names, .use = kmprof_heap_use_begin(trace),
		.idle = calloc(trace->header.nr_cpus + 1, sizeof(*w.idle)),
	};
	int ret;

	ret = w.idle ? kmprof_trace_walk(trace, &visitor, &w, err) : out_of_memory(err);
	free(w.calls.calls.bytes);
	free(w.idle);
	return ret;
}
