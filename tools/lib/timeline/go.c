// SPDX-License-Identifier: GPL-2.0
/*
 * A trace as one of a Go program. The reader rejects the whole file for one goroutine that does
 * what its state does not allow: each step of a task becomes as many events as that takes, from
 * the state in which the goroutine is.
 *
 * Tasks that were there at the start are created on P 0, by goroutine 0, one tick before everything
 * else. A goroutine has a start stack of its own, with one frame: the name of the task. These
 * stacks are written at the end, so a task that has executed another program has the name of that.
 *
 * Other stacks begin with a frame that says what the task does, and end with one that says who it
 * is. Between these two are the frames of the trace's stack, if there is one.
 */
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "timeline/go.h"
#include "timeline/go_file.h"
#include "timeline/heap_use.h"
#include "timeline/names.h"
#include "timeline/open_calls.h"
#include "trace/grace_period.h"
#include "trace/syscalls.h"
#include "trace/words.h"

/* Ticks of what comes before the events, and of an event when the trace was started. */
enum { CREATION_TICK = 1, FIRST_TICK = 2 };

/* Stand for what is not known. */
#define LOST_FRAME		"[lost]"
#define NOT_RECORDED_FRAME	"[not recorded]"

/**
 * struct goroutine - a task
 * @id: its goroutine's id
 * @seq: sequence number of the next event that has one
 * @state: state of the goroutine, as a task has it
 * @proc: the P that it runs on, if it does
 */
struct goroutine {
	__u64 id;
	__u64 seq;
	enum kmprof_task_state state;
	size_t proc;
};

/**
 * struct proc - a CPU
 * @started: the P is started
 * @running: number of the task that runs there; 0: none
 * @free_since: tick since when none does
 */
struct proc {
	bool started;
	__u32 running;
	__u64 free_since;
};

/**
 * struct uses - how often an id was used
 * @tid: the id
 * @nr: number of tasks that had it when they were created
 */
struct uses {
	__u32 tid;
	__u32 nr;
};

/**
 * struct writer - a trace that is being written
 * @go: the file
 * @trace: the trace
 * @tasks: its tasks
 * @goroutine: by number of the task
 * @nr: how many there are
 * @proc: by number of the CPU
 * @timers: index of the P of interrupts
 * @now: tick of the last event
 * @use: memory in use
 * @calls: system calls that are regions
 * @period: the grace period of RCU
 * @nr_periods: how many have begun
 * @tids: root of a search tree of struct uses
 * @names: of the trace's stacks
 * @stacks: stacks that were written, by what makes them up
 */
struct writer {
	struct kmprof_go_file go;
	const struct kmprof_trace *trace;
	const struct kmprof_tasks *tasks;
	struct goroutine *goroutine;
	size_t nr;
	struct proc *proc;
	size_t timers;
	__u64 now;
	struct kmprof_heap_use use;
	struct kmprof_open_calls calls;
	struct kmprof_grace_period period;
	__u64 nr_periods;
	void *tids;
	const struct kmprof_stack_names *names;
	struct kmprof_intern stacks;
};

/* How a task is shown that goes to sleep: this one is on the page of what blocks. */
static enum kmprof_go_event sleep_event(__u32 reason)
{
	return reason == KMPROF_TRACE_BLOCKED ? KMPROF_GO_BLOCK_SYNC : KMPROF_GO_BLOCK;
}

/* Nothing else fails here; a failed write leaves its mark on the stream. */
static int explain(struct kmprof_error *err, int ret)
{
	return kmprof_error_set(err, ret, NULL, "writing Go's trace: out of memory");
}

static int by_tid(const void *a, const void *b)
{
	const struct uses *x = a, *y = b;

	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

/* Ids of tasks fit into 31 bits. */
static int new_id(struct writer *w, __u32 tid, __u64 *id)
{
	struct uses wanted = { .tid = tid }, *uses, **found;

	found = tfind(&wanted, &w->tids, by_tid);
	if (!found) {
		uses = calloc(1, sizeof(*uses));
		if (!uses)
			return -ENOMEM;
		uses->tid = tid;
		found = tsearch(uses, &w->tids, by_tid);
		if (!found) {
			free(uses);
			return -ENOMEM;
		}
	}
	*id = tid + ((__u64)(*found)->nr++ << 31);
	return 0;
}

/* What a goroutine is that does what is not known: the time of this wait is added to nothing. */
static enum kmprof_task_state state_of(const struct kmprof_task *task)
{
	return task->state == KMPROF_TASK_UNKNOWN ? KMPROF_TASK_ASLEEP : task->state;
}

static int goroutine_of(struct writer *w, const struct kmprof_task *task, struct goroutine **g)
{
	size_t nr = kmprof_tasks_count(w->tasks);
	struct goroutine *more;

	if (nr > w->nr) {
		more = reallocarray(w->goroutine, nr, sizeof(*more));
		if (!more)
			return -ENOMEM;
		memset(more + w->nr, 0, (nr - w->nr) * sizeof(*more));
		w->goroutine = more;
		w->nr = nr;
	}
	*g = &w->goroutine[task->number];
	return 0;
}

/* Start stacks have even numbers, all others odd ones. */
static __u64 start_stack(const struct kmprof_task *task)
{
	return 2ULL * task->number;
}

/* The frames of stack @number of the trace, if it is not 0, between two others. */
static int put_stack(struct writer *w, __u64 id, const char *inner, __u32 number,
		     const char *outer)
{
	const struct kmprof_trace_stack *stack;
	const char *frames[KMPROF_GO_FRAMES];
	char (*name)[KMPROF_FRAME_NAME];
	unsigned int nr = 0, between = 0;
	int ret;

	if (number) {
		stack = kmprof_trace_stack_at(w->trace, number);
		between = stack->nr_frames < KMPROF_GO_FRAMES - 2 ? stack->nr_frames :
								    KMPROF_GO_FRAMES - 2;
	}
	name = calloc(between + 1, sizeof(*name));
	if (!name)
		return -ENOMEM;
	frames[nr++] = inner;
	for (; nr <= between; nr++) {
		kmprof_frame_name(name[nr - 1], &w->names->resolver, stack->frames[nr - 1]);
		frames[nr] = name[nr - 1];
	}
	frames[nr++] = outer;
	ret = kmprof_go_file_stack(&w->go, id, nr, frames);
	free(name);
	return ret;
}

/* The id of such a stack, which is written when it is new. */
static int find_stack(struct writer *w, const char *inner, __u32 stack, const char *outer,
		      __u64 *id)
{
	char key[128];
	__s64 number;
	bool is_new;

	snprintf(key, sizeof(key), "%s\n%u\n%s", inner, stack, outer);
	number = kmprof_intern_number(&w->stacks, key, &is_new);
	if (number < 0)
		return (int)number;
	*id = 2 * (__u64)number + 1;
	return is_new ? put_stack(w, *id, inner, stack, outer) : 0;
}

static int put(struct writer *w, size_t proc, enum kmprof_go_event event, unsigned int nr_args,
	       const __u64 *args)
{
	return kmprof_go_file_put(&w->go, proc, w->now, event, nr_args, args);
}

static void move_on(struct writer *w, __u64 ns)
{
	__u64 tick = FIRST_TICK + ns - w->trace->first_ns;

	if (ns >= w->trace->first_ns && tick > w->now)
		w->now = tick;
}

/* --- CPUs --- */

/* A P that has been free for a while was stopped; one that goes on at the same tick was not. */
static int stop_free(struct writer *w, size_t proc, __u64 now)
{
	struct proc *p = &w->proc[proc];

	if (!p->started || p->running || p->free_since == now)
		return 0;
	p->started = false;
	return kmprof_go_file_put(&w->go, proc, p->free_since, KMPROF_GO_PROC_STOP, 0, NULL);
}

static int start_proc(struct writer *w, size_t proc)
{
	struct proc *p = &w->proc[proc];
	int ret = stop_free(w, proc, w->now);

	if (ret || p->started)
		return ret;
	p->started = true;
	return put(w, proc, KMPROF_GO_PROC_START, 1, (__u64[]){ proc });
}

/* Where an event of a task is shown that the CPU runs at this time; else among the interrupts'. */
static size_t proc_of(const struct writer *w, __u32 cpu, const struct kmprof_task *task)
{
	if (cpu == KMPROF_CPU_UNKNOWN || !task || !task->number ||
	    w->proc[cpu].running != task->number)
		return w->timers;
	return cpu;
}

/* --- the steps of a goroutine --- */

static int create(struct writer *w, struct goroutine *g, const struct kmprof_task *task,
		  size_t proc, __u64 stack)
{
	int ret = new_id(w, task->tid, &g->id);

	if (ret)
		return ret;
	g->seq = 1;
	g->state = KMPROF_TASK_RUNNABLE;
	return put(w, proc, KMPROF_GO_CREATE, 3, (__u64[]){ g->id, start_stack(task), stack });
}

/* Only of a goroutine that was just created. */
static int wait_from_start(struct writer *w, struct goroutine *g, size_t proc)
{
	g->seq++;
	g->state = KMPROF_TASK_ASLEEP;
	return put(w, proc, KMPROF_GO_WAITING, 1, &g->id);
}

static int unblock(struct writer *w, struct goroutine *g, size_t proc, __u64 stack)
{
	g->state = KMPROF_TASK_RUNNABLE;
	return put(w, proc, KMPROF_GO_UNBLOCK, 3, (__u64[]){ g->id, g->seq++, stack });
}

/* On a CPU, or for no time among the interrupts' events. */
static int start(struct writer *w, struct goroutine *g, const struct kmprof_task *task, size_t proc)
{
	int ret = 0;

	if (proc != w->timers) {
		ret = start_proc(w, proc);
		w->proc[proc].running = task->number;
	}
	g->state = KMPROF_TASK_RUNNING;
	g->proc = proc;
	return ret ? ret : put(w, proc, KMPROF_GO_START, 2, (__u64[]){ g->id, g->seq++ });
}

static int stop(struct writer *w, struct goroutine *g, enum kmprof_task_state to,
		enum kmprof_go_event event, unsigned int nr_args, const __u64 *args)
{
	if (g->proc != w->timers) {
		w->proc[g->proc].running = 0;
		w->proc[g->proc].free_since = w->now;
	}
	g->state = to;
	return put(w, g->proc, event, nr_args, args);
}

static int stop_for(struct writer *w, struct goroutine *g, const struct kmprof_change *change)
{
	const struct kmprof_task *task = change->task;
	enum kmprof_go_event event = KMPROF_GO_PREEMPT;
	char text[KMPROF_STATE_TEXT];
	const char *frame = LOST_FRAME;
	__u64 stack;
	int ret;

	if (task->state == KMPROF_TASK_DEAD)
		return stop(w, g, KMPROF_TASK_DEAD, KMPROF_GO_END, 0, NULL);
	if (change->event)
		frame = kmprof_trace_state_word(text, task->reason);
	if (state_of(task) == KMPROF_TASK_ASLEEP)
		event = sleep_event(task->reason);
	else if (task->reason == KMPROF_TRACE_RUNNABLE)
		event = KMPROF_GO_SCHED;
	ret = find_stack(w, frame, change->stack, kmprof_name_of_task(task), &stack);
	return ret ? ret : stop(w, g, state_of(task), event, 1, &stack);
}

/* Why there is no event of a type that there must have been. */
static const char *why_missing(const struct writer *w, enum kmprof_trace_event type)
{
	return kmprof_trace_records(w->trace, 1ULL << type) ? LOST_FRAME : NOT_RECORDED_FRAME;
}

/* Who woke or created the task. */
static int cause_stack(struct writer *w, const struct kmprof_change *change, const char *what,
		       __u64 *stack)
{
	const char *by = why_missing(w, KMPROF_TRACE_WAKING);

	if (change->waker && change->waker_context == KMPROF_TRACE_IN_TASK)
		by = kmprof_name_of_task(change->waker);
	else if (change->waker)
		by = kmprof_trace_context_word(change->waker_context);
	return find_stack(w, what, change->stack, by, stack);
}

static int wake(struct writer *w, struct goroutine *g, const struct kmprof_change *change)
{
	size_t proc = w->timers;
	__u64 stack;
	int ret;

	if (change->waker_context == KMPROF_TRACE_IN_TASK)
		proc = proc_of(w, change->cpu, change->waker);
	ret = cause_stack(w, change, "wakes", &stack);
	return ret ? ret : unblock(w, g, proc, stack);
}

static int bear(struct writer *w, struct goroutine *g, const struct kmprof_change *change)
{
	const struct kmprof_task *parent = change->event ? change->event->task : NULL;
	__u64 stack;
	int ret;

	ret = find_stack(w, "creates", 0, parent ? kmprof_name_of_task(parent) :
						   why_missing(w, KMPROF_TRACE_FORK), &stack);
	if (ret)
		return ret;
	return create(w, g, change->task, proc_of(w, change->cpu, parent), stack);
}

/* The next step of a goroutine to the state that the task has. */
static int step(struct writer *w, struct goroutine *g, const struct kmprof_change *change)
{
	const struct kmprof_task *task = change->task;

	switch (g->state) {
	case KMPROF_TASK_ABSENT:
		return bear(w, g, change);
	case KMPROF_TASK_ASLEEP:
		return wake(w, g, change);
	case KMPROF_TASK_RUNNABLE:
		return start(w, g, task,
			     task->state == KMPROF_TASK_RUNNING ? change->cpu : w->timers);
	default:
		return stop_for(w, g, change);
	}
}

/* Its innermost function is the task: the reader adds up the regions of each. */
static int put_region(struct writer *w, const struct kmprof_task *task, size_t proc, bool begins,
		      __u64 call)
{
	char name[KMPROF_SYSCALL_NAME];
	__u64 stack;
	int ret;

	kmprof_syscall_name(name, call);
	ret = find_stack(w, kmprof_name_of_task(task), 0, name, &stack);
	return ret ? ret : kmprof_go_file_region(&w->go, proc, w->now, begins, name, stack);
}

/* What a task is in whose CPU loses events: the exit may be among them. */
static int cut_call(struct writer *w, const struct kmprof_task *task, const struct goroutine *g)
{
	struct kmprof_open_call call;

	if (task->state != KMPROF_TASK_UNKNOWN || g->state != KMPROF_TASK_RUNNING)
		return 0;
	call = kmprof_open_calls_end(&w->calls, task->number);
	return call.number == KMPROF_NO_CALL ? 0 : put_region(w, task, g->proc, false, call.number);
}

static int on_change(void *to, const struct kmprof_change *change, struct kmprof_error *err)
{
	const struct kmprof_task *task = change->task;
	struct writer *w = to;
	struct goroutine *g;
	int ret;

	if (!task->number)
		return 0;
	move_on(w, change->ns);
	ret = goroutine_of(w, task, &g);
	if (!ret)
		ret = cut_call(w, task, g);
	/* It runs on another CPU than it seemed. */
	if (!ret && g->state == KMPROF_TASK_RUNNING && task->state == KMPROF_TASK_RUNNING &&
	    g->proc != change->cpu)
		ret = stop(w, g, KMPROF_TASK_RUNNABLE, KMPROF_GO_PREEMPT, 1, (__u64[]){ 0 });
	while (!ret && g->state != state_of(task))
		ret = step(w, g, change);
	if (ret)
		return explain(err, ret);
	return 0;
}

/* --- all else --- */

static int put_log(struct writer *w, __u32 cpu, const char *key, const char *text, size_t length,
		   struct kmprof_error *err)
{
	int ret = stop_free(w, cpu, w->now);

	if (!ret)
		ret = kmprof_go_file_log(&w->go, cpu, w->now, key, text, length);
	if (ret)
		return explain(err, ret);
	return 0;
}

/* The viewer's curve of the heap cannot go below 0. */
static int put_heap_use(struct writer *w, __u32 cpu, struct kmprof_error *err)
{
	__u64 bytes = kmprof_heap_use_above_lowest(&w->use);
	int ret = stop_free(w, cpu, w->now);

	if (!ret)
		ret = put(w, cpu, KMPROF_GO_HEAP_ALLOC, 1, &bytes);
	return ret ? explain(err, ret) : 0;
}

/*
 * A system call is a region. The reader rejects the whole file if a region ends that is not the
 * last one of its goroutine, which is the one that runs on the P.
 */
static int put_call(struct writer *w, const struct kmprof_event *event)
{
	size_t proc = proc_of(w, event->cpu, event->task);
	struct kmprof_open_call ended;
	int ret;

	if (proc == w->timers)
		return 0;
	ret = kmprof_open_calls_note(&w->calls, event, &ended);
	if (!ret && ended.number != KMPROF_NO_CALL)
		ret = put_region(w, event->task, proc, false, ended.number);
	if (!ret && event->type == KMPROF_TRACE_SYSCALL_ENTER)
		ret = put_region(w, event->task, proc, true, event->args[0]);
	return ret;
}

/* All on one P, so that the reader has them in their order. */
static int end_grace_period(struct writer *w)
{
	__u64 ns = 0;

	if (!kmprof_grace_period_end(&w->period, &ns))
		return 0;
	return put(w, w->timers, KMPROF_GO_GC_DONE, 0, NULL);
}

/* A grace period is a collection: then memory that was passed to RCU is freed. */
static int put_grace_period(struct writer *w, const struct kmprof_event *event)
{
	int ret = end_grace_period(w);

	kmprof_grace_period_note(&w->period, event);
	if (ret || !w->period.goes_on)
		return ret;
	return put(w, w->timers, KMPROF_GO_GC_START, 2, (__u64[]){ w->nr_periods++, 0 });
}

static int on_event(void *to, const struct kmprof_event *event, struct kmprof_error *err)
{
	char words[KMPROF_SAYS_ROOM];
	struct writer *w = to;
	const char *key;

	move_on(w, event->ns);
	if (kmprof_is_syscall(event))
		return put_call(w, event) ? explain(err, -ENOMEM) : 0;
	if (kmprof_is_grace_period(event))
		return put_grace_period(w, event) ? explain(err, -ENOMEM) : 0;
	if (kmprof_heap_use_note(&w->use, event) && put_heap_use(w, event->cpu, err))
		return -ENOMEM;
	if (event->type == KMPROF_TRACE_MARK)
		key = "mark";
	else if (event->type == KMPROF_TRACE_EXEC)
		key = "exec";
	else if (!kmprof_event_is_known(event))
		key = kmprof_name_of_type(event);
	else
		return 0;
	return put_log(w, event->cpu, key, words, kmprof_event_says(event, w->names, words), err);
}

static int on_lost(void *to, const struct kmprof_gap *gap, struct kmprof_error *err)
{
	struct writer *w = to;
	char text[64];

	move_on(w, gap->to_ns);
	if (end_grace_period(w))
		return explain(err, -ENOMEM);
	return put_log(w, gap->cpu, "lost", text,
		       (size_t)snprintf(text, sizeof(text), "%llu events", gap->count), err);
}

static int put_start(struct writer *w)
{
	const struct kmprof_task *task;
	struct goroutine *g;
	__u32 i, nr = kmprof_tasks_count(w->tasks);
	int ret = 0;

	w->now = CREATION_TICK;
	for (i = 1; !ret && i < nr; i++) {
		task = kmprof_tasks_at(w->tasks, i);
		if (task->state == KMPROF_TASK_ABSENT || task->state == KMPROF_TASK_DEAD)
			continue;
		ret = goroutine_of(w, task, &g);
		if (!ret)
			ret = create(w, g, task, 0, 0);
		if (!ret && state_of(task) == KMPROF_TASK_ASLEEP)
			ret = wait_from_start(w, g, 0);
	}
	if (!ret)
		ret = put(w, 0, KMPROF_GO_GOMAXPROCS, 2, (__u64[]){ w->trace->header.nr_cpus, 0 });
	w->now = FIRST_TICK;
	for (i = 1; !ret && i < nr; i++) {
		task = kmprof_tasks_at(w->tasks, i);
		if (task->state != KMPROF_TASK_RUNNING)
			continue;
		ret = goroutine_of(w, task, &g);
		if (!ret)
			ret = start(w, g, task, task->cpu);
	}
	return ret;
}

static int on_begin(void *to, const struct kmprof_trace *trace, const struct kmprof_tasks *tasks,
		    struct kmprof_error *err)
{
	struct writer *w = to;
	int ret;

	w->trace = trace;
	w->tasks = tasks;
	ret = put_start(w);
	return ret ? explain(err, ret) : 0;
}

/* The viewer wants the end of each goroutine that runs, and the start stack of all. */
static int put_end(struct writer *w, __u64 ns)
{
	const struct kmprof_task *task;
	const char *name;
	size_t i;
	int ret;

	move_on(w, ns);
	ret = end_grace_period(w);
	for (i = 1; !ret && i < w->nr; i++) {
		if (w->goroutine[i].state == KMPROF_TASK_ABSENT)
			continue;
		task = kmprof_tasks_at(w->tasks, (__u32)i);
		name = kmprof_name_of_task(task);
		ret = kmprof_go_file_stack(&w->go, start_stack(task), 1, &name);
		if (!ret && w->goroutine[i].state == KMPROF_TASK_RUNNING)
			ret = stop(w, &w->goroutine[i], KMPROF_TASK_RUNNABLE, KMPROF_GO_PREEMPT, 1,
				   (__u64[]){ 0 });
	}
	for (i = 0; !ret && i < w->timers; i++)
		ret = stop_free(w, i, w->now + 1);
	return ret;
}

static int on_end(void *to, const struct kmprof_trace *trace, struct kmprof_error *err)
{
	struct writer *w = to;
	int ret;

	ret = put_end(w, trace->last_ns);
	if (ret)
		return explain(err, ret);
	kmprof_go_file_finish(&w->go);
	return 0;
}

int kmprof_timeline_go(FILE *file, const struct kmprof_trace *trace,
		       const struct kmprof_stack_names *names, struct kmprof_error *err)
{
	static const struct kmprof_visitor visitor = {
		.begin = on_begin,
		.event = on_event,
		.change = on_change,
		.lost = on_lost,
		.end = on_end,
	};
	struct writer w = {
		.timers = trace->header.nr_cpus, .names = names,
		.use = kmprof_heap_use_begin(trace),
	};
	int ret;

	w.proc = calloc((size_t)trace->header.nr_cpus + 1, sizeof(*w.proc));
	ret = kmprof_go_file_init(&w.go, file, trace->header.nr_cpus);
	if (!w.proc)
		ret = -ENOMEM;
	if (ret)
		explain(err, ret);
	else
		ret = kmprof_trace_walk(trace, &visitor, &w, err);
	kmprof_go_file_exit(&w.go);
	kmprof_intern_release(&w.stacks);
	tdestroy(w.tids, free);
	free(w.calls.calls.bytes);
	free(w.goroutine);
	free(w.proc);
	return ret;
}
