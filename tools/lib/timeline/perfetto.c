// SPDX-License-Identifier: GPL-2.0
/*
 * A Perfetto trace is packets one after the other. Events wait in the bundle of their CPU until
 * that is full; the reader sorts them by time.
 *
 * Perfetto reads the states of sched_switch as the kernel's version has them. A trace does not have
 * the version: the states are those of 4.14 and later, and so is the version in the file.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "timeline/heap_use.h"
#include "timeline/names.h"
#include "timeline/open_calls.h"
#include "timeline/perfetto.h"
#include "timeline/perfetto_event.h"
#include "trace/grace_period.h"
#include "trace/syscalls.h"
#include "trace/words.h"
#include "util/growing.h"

#define FIRST_RELEASE	"4.14.0"
/* By which Perfetto knows the names of system calls. */
#define MACHINE		"x86_64"

enum {
	BUNDLE_EVENTS	= 128,
	TREE_TASKS	= 64,
	CLOCK_ID_REALTIME = 1,
	CLOCK_ID_MONOTONIC = 3,
	CLOCK_ID_BOOTTIME = 6,
	SEQUENCE	= 1,
	STATE_CLEARED	= 1,
	NEEDS_STATE	= 2,
};

/* Numbers of tracks: a task's is its own number, a CPU's is behind all of them, then the heap's. */
#define CPU_TRACKS	0x100000000ULL
#define HEAP_TRACK	0x200000000ULL
#define RCU_TRACK	0x300000000ULL

/**
 * struct bundle - what waits to be written of a CPU
 * @event: the events in @slot, as they are packed
 * @slot: BUNDLE_EVENTS of them; NULL until the first event
 * @nr: how many are used
 * @runs: what the CPU runs, behind them; NULL: not known
 * @lost: events before them were lost
 * @has_track: its track is described
 */
struct bundle {
	Kmprof__Perfetto__FtraceEvent **event;
	struct kmprof_perfetto_slot *slot;
	unsigned int nr;
	const struct kmprof_task *runs;
	bool lost;
	bool has_track;
};

/**
 * struct writer - a trace that is being written
 * @file: where to
 * @trace: the trace
 * @bundle: by number of the CPU
 * @has_track: by number of the task: its track is described
 * @nr_has_track: how many tasks that has
 * @any_track: any track is described
 * @has_heap_track: that of the heap is
 * @has_rcu_track: that of RCU is
 * @use: memory in use
 * @calls: system calls that have begun
 * @period: the grace period of RCU
 * @packed: a packet; its @used stays 0
 * @names: of the trace's stacks
 */
struct writer {
	FILE *file;
	const struct kmprof_trace *trace;
	struct bundle *bundle;
	bool *has_track;
	size_t nr_has_track;
	bool any_track;
	bool has_heap_track;
	bool has_rcu_track;
	struct kmprof_heap_use use;
	struct kmprof_open_calls calls;
	struct kmprof_grace_period period;
	struct kmprof_growing packed;
	const struct kmprof_stack_names *names;
};

static int explain(struct kmprof_error *err, int ret)
{
	return kmprof_error_set(err, ret, NULL, "writing Perfetto's trace: out of memory");
}

static __u64 boot_ns(const struct writer *w, __u64 ns)
{
	const struct kmprof_trace_clock *start = &w->trace->header.start;

	return ns - start->mono_ns + start->boot_ns;
}

static int put(struct writer *w, Kmprof__Perfetto__TracePacket *packet)
{
	Kmprof__Perfetto__Trace trace = KMPROF__PERFETTO__TRACE__INIT;
	size_t size;

	trace.n_packet = 1;
	trace.packet = &packet;
	size = kmprof__perfetto__trace__get_packed_size(&trace);
	if (kmprof_growing_reserve(&w->packed, size))
		return -ENOMEM;
	kmprof__perfetto__trace__pack(&trace, (unsigned char *)w->packed.bytes);
	fwrite(w->packed.bytes, 1, size, w->file);
	return 0;
}

/* --- what stands at the start --- */

static int put_clocks(struct writer *w, const struct kmprof_trace_clock *at)
{
	Kmprof__Perfetto__TracePacket packet = KMPROF__PERFETTO__TRACE_PACKET__INIT;
	Kmprof__Perfetto__ClockSnapshot snapshot = KMPROF__PERFETTO__CLOCK_SNAPSHOT__INIT;
	const __u64 ns[] = { at->real_ns, at->mono_ns, at->boot_ns };
	static const __u32 ids[] = { CLOCK_ID_REALTIME, CLOCK_ID_MONOTONIC, CLOCK_ID_BOOTTIME };
	Kmprof__Perfetto__ClockSnapshot__Clock clock[ARRAY_SIZE(ids)], *clocks[ARRAY_SIZE(ids)];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		kmprof__perfetto__clock_snapshot__clock__init(&clock[i]);
		clock[i].clock_id = ids[i];
		clock[i].timestamp = ns[i];
		clocks[i] = &clock[i];
	}
	snapshot.n_clocks = ARRAY_SIZE(ids);
	snapshot.clocks = clocks;
	packet.clock_snapshot = &snapshot;
	return put(w, &packet);
}

static int put_system(struct writer *w)
{
	Kmprof__Perfetto__TracePacket packet = KMPROF__PERFETTO__TRACE_PACKET__INIT;
	Kmprof__Perfetto__SystemInfo info = KMPROF__PERFETTO__SYSTEM_INFO__INIT;
	Kmprof__Perfetto__Utsname name = KMPROF__PERFETTO__UTSNAME__INIT;

	name.sysname = "Linux";
	name.release = FIRST_RELEASE;
	name.version = "or later: not recorded";
	name.machine = MACHINE;
	info.utsname = &name;
	info.num_cpus = w->trace->header.nr_cpus;
	packet.system_info = &info;
	return put(w, &packet);
}

/* A piece of the tree of processes, from the task @from on; *@next: the first one after it. */
static int put_tree(struct writer *w, const struct kmprof_tasks *tasks, __u32 from, __u32 *next)
{
	Kmprof__Perfetto__TracePacket packet = KMPROF__PERFETTO__TRACE_PACKET__INIT;
	Kmprof__Perfetto__ProcessTree tree = KMPROF__PERFETTO__PROCESS_TREE__INIT;
	Kmprof__Perfetto__ProcessTree__Process process[TREE_TASKS], *processes[TREE_TASKS];
	Kmprof__Perfetto__ProcessTree__Thread thread[TREE_TASKS], *threads[TREE_TASKS];
	char *name[TREE_TASKS];
	const struct kmprof_task *task;
	__u32 i;

	for (i = from; i < kmprof_tasks_count(tasks); i++) {
		if (tree.n_processes == TREE_TASKS || tree.n_threads == TREE_TASKS)
			break;
		task = kmprof_tasks_at(tasks, i);
		/* One whose process is not known shows up with its first event. */
		if (!task->tgid || task->state == KMPROF_TASK_ABSENT)
			continue;
		if (task->tid == task->tgid) {
			name[tree.n_processes] = (char *)task->comm;
			kmprof__perfetto__process_tree__process__init(&process[tree.n_processes]);
			process[tree.n_processes].pid = (int32_t)task->tid;
			process[tree.n_processes].n_cmdline = 1;
			process[tree.n_processes].cmdline = &name[tree.n_processes];
			processes[tree.n_processes] = &process[tree.n_processes];
			tree.n_processes++;
		} else {
			kmprof__perfetto__process_tree__thread__init(&thread[tree.n_threads]);
			thread[tree.n_threads].tid = (int32_t)task->tid;
			thread[tree.n_threads].tgid = (int32_t)task->tgid;
			thread[tree.n_threads].name = (char *)task->comm;
			threads[tree.n_threads] = &thread[tree.n_threads];
			tree.n_threads++;
		}
	}
	*next = i;
	tree.processes = processes;
	tree.threads = threads;
	packet.timestamp = boot_ns(w, w->trace->first_ns);
	packet.process_tree = &tree;
	return put(w, &packet);
}

/* --- bundles of ftrace's events --- */

static int flush(struct writer *w, __u32 cpu)
{
	Kmprof__Perfetto__TracePacket packet = KMPROF__PERFETTO__TRACE_PACKET__INIT;
	Kmprof__Perfetto__FtraceEventBundle bundle = KMPROF__PERFETTO__FTRACE_EVENT_BUNDLE__INIT;
	struct bundle *b = &w->bundle[cpu];

	if (!b->nr && !b->lost)
		return 0;
	bundle.with_cpu_case = KMPROF__PERFETTO__FTRACE_EVENT_BUNDLE__WITH_CPU_CPU;
	bundle.cpu = cpu;
	bundle.n_event = b->nr;
	bundle.event = b->event;
	bundle.lost_events = b->lost;
	packet.ftrace_events = &bundle;
	b->nr = 0;
	b->lost = false;
	return put(w, &packet);
}

static int new_slot(struct writer *w, __u32 cpu, struct kmprof_perfetto_slot **slot)
{
	struct bundle *b = &w->bundle[cpu];
	int ret;

	if (!b->slot)
		b->slot = calloc(BUNDLE_EVENTS, sizeof(*b->slot));
	if (!b->event)
		b->event = calloc(BUNDLE_EVENTS, sizeof(*b->event));
	if (!b->slot || !b->event)
		return -ENOMEM;
	if (b->nr == BUNDLE_EVENTS) {
		ret = flush(w, cpu);
		if (ret)
			return ret;
	}
	*slot = &b->slot[b->nr];
	b->event[b->nr++] = &(*slot)->event;
	return 0;
}

/* --- tracks of tasks and CPUs, for what ftrace has no event for --- */

static int put_on_sequence(struct writer *w, Kmprof__Perfetto__TracePacket *packet)
{
	packet->trusted_packet_sequence_id = SEQUENCE;
	packet->sequence_flags = w->any_track ? NEEDS_STATE : STATE_CLEARED;
	w->any_track = true;
	return put(w, packet);
}

/* @has_track: it is described; else that is done. @counter: what it counts; NULL: nothing */
static int describe_track(struct writer *w, bool *has_track, __u64 track, const char *name,
			  Kmprof__Perfetto__CounterDescriptor *counter)
{
	Kmprof__Perfetto__TracePacket packet = KMPROF__PERFETTO__TRACE_PACKET__INIT;
	Kmprof__Perfetto__TrackDescriptor descriptor = KMPROF__PERFETTO__TRACK_DESCRIPTOR__INIT;

	if (*has_track)
		return 0;
	*has_track = true;
	descriptor.uuid = track;
	descriptor.name = (char *)name;
	descriptor.counter = counter;
	packet.track_descriptor = &descriptor;
	return put_on_sequence(w, &packet);
}

static int describe_cpu(struct writer *w, __u32 cpu, __u64 *track)
{
	char name[32];

	*track = CPU_TRACKS + cpu;
	snprintf(name, sizeof(name), "CPU %u", cpu);
	return describe_track(w, &w->bundle[cpu].has_track, *track, name, NULL);
}

/* Perfetto has no track of a thread whose process is not known. */
static int describe_task(struct writer *w, const struct kmprof_task *task, __u64 *track)
{
	Kmprof__Perfetto__TracePacket packet = KMPROF__PERFETTO__TRACE_PACKET__INIT;
	Kmprof__Perfetto__TrackDescriptor descriptor = KMPROF__PERFETTO__TRACK_DESCRIPTOR__INIT;
	Kmprof__Perfetto__ThreadDescriptor thread = KMPROF__PERFETTO__THREAD_DESCRIPTOR__INIT;
	char name[KMPROF_TASK_TEXT];
	size_t nr = w->nr_has_track;
	bool *more;

	if (task->number >= nr) {
		nr = 2 * (size_t)task->number;
		more = realloc(w->has_track, nr);
		if (!more)
			return -ENOMEM;
		memset(more + w->nr_has_track, 0, nr - w->nr_has_track);
		w->has_track = more;
		w->nr_has_track = nr;
	}
	*track = task->number;
	if (w->has_track[task->number])
		return 0;
	w->has_track[task->number] = true;
	thread.tid = (int32_t)task->tid;
	thread.pid = (int32_t)task->tgid;
	thread.thread_name = (char *)task->comm;
	descriptor.uuid = *track;
	if (task->tgid)
		descriptor.thread = &thread;
	else
		descriptor.name = (char *)kmprof_task_text(name, task);
	packet.track_descriptor = &descriptor;
	return put_on_sequence(w, &packet);
}

/* @stack: text of a stack; NULL: there is none. */
static int put_instant(struct writer *w, __u64 ns, __u64 track, const char *category,
		       const char *name, const char *stack)
{
	Kmprof__Perfetto__DebugAnnotation annotation = KMPROF__PERFETTO__DEBUG_ANNOTATION__INIT;
	Kmprof__Perfetto__DebugAnnotation *annotations = &annotation;

	Kmprof__Perfetto__TracePacket packet = KMPROF__PERFETTO__TRACE_PACKET__INIT;
	Kmprof__Perfetto__TrackEvent event = KMPROF__PERFETTO__TRACK_EVENT__INIT;
	char *categories = (char *)category;

	event.type = KMPROF__PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT;
	event.track_uuid = track;
	event.n_categories = 1;
	event.categories = &categories;
	event.name = (char *)name;
	if (stack) {
		annotation.name = "stack";
		annotation.string_value = (char *)stack;
		event.n_debug_annotations = 1;
		event.debug_annotations = &annotations;
	}
	packet.timestamp = boot_ns(w, ns);
	packet.track_event = &event;
	return put_on_sequence(w, &packet);
}

/* Something on the track of the task that runs, or of an idle CPU. */
static int put_here(struct writer *w, const struct kmprof_event *event, const char *category,
		    const char *name, const char *stack)
{
	__u64 track;
	int ret;

	if (event->task->number)
		ret = describe_task(w, event->task, &track);
	else
		ret = describe_cpu(w, event->cpu, &track);
	return ret ? ret : put_instant(w, event->ns, track, category, name, stack);
}

static int put_words(struct writer *w, const struct kmprof_event *event, const char *category)
{
	const char *stack = event->stack ? kmprof_stack_text(w->names, event->stack) : NULL;
	char words[KMPROF_SAYS_ROOM];

	if (event->stack && !stack)
		return -ENOMEM;
	kmprof_event_says(event, w->names, words);
	return put_here(w, event, category, words, stack);
}

/* Where a task stops, or wakes another one: ftrace's events have no stacks. */
static int put_stack(struct writer *w, const struct kmprof_event *event)
{
	const char *stack = kmprof_stack_text(w->names, event->stack);

	if (!stack)
		return -ENOMEM;
	return put_here(w, event, "stack",
			event->type == KMPROF_TRACE_SWITCH ? "stops" : event->name, stack);
}

/* --- the curve of the heap --- */

static int describe_heap(struct writer *w)
{
	Kmprof__Perfetto__CounterDescriptor counter = KMPROF__PERFETTO__COUNTER_DESCRIPTOR__INIT;

	counter.unit = KMPROF__PERFETTO__COUNTER_DESCRIPTOR__UNIT__UNIT_SIZE_BYTES;
	return describe_track(w, &w->has_heap_track, HEAP_TRACK, "heap in use since the start",
			      &counter);
}

static int put_heap_use(struct writer *w, __u64 ns)
{
	Kmprof__Perfetto__TracePacket packet = KMPROF__PERFETTO__TRACE_PACKET__INIT;
	Kmprof__Perfetto__TrackEvent event = KMPROF__PERFETTO__TRACK_EVENT__INIT;
	int ret = describe_heap(w);

	if (ret)
		return ret;
	event.type = KMPROF__PERFETTO__TRACK_EVENT__TYPE__TYPE_COUNTER;
	event.track_uuid = HEAP_TRACK;
	event.with_counter_value_case =
		KMPROF__PERFETTO__TRACK_EVENT__WITH_COUNTER_VALUE_COUNTER_VALUE;
	event.counter_value = w->use.bytes;
	packet.timestamp = boot_ns(w, ns);
	packet.track_event = &event;
	return put_on_sequence(w, &packet);
}

/* --- grace periods --- */

static int put_slice(struct writer *w, __u64 ns, Kmprof__Perfetto__TrackEvent__Type type)
{
	Kmprof__Perfetto__TracePacket packet = KMPROF__PERFETTO__TRACE_PACKET__INIT;
	Kmprof__Perfetto__TrackEvent event = KMPROF__PERFETTO__TRACK_EVENT__INIT;
	char *category = "grace_period_begin";

	event.type = type;
	event.track_uuid = RCU_TRACK;
	if (type == KMPROF__PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN) {
		event.n_categories = 1;
		event.categories = &category;
		event.name = "grace period";
	}
	packet.timestamp = boot_ns(w, ns);
	packet.track_event = &event;
	return put_on_sequence(w, &packet);
}

static int end_grace_period(struct writer *w, __u64 ns)
{
	if (!kmprof_grace_period_end(&w->period, &ns))
		return 0;
	return put_slice(w, ns, KMPROF__PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_END);
}

static int put_grace_period(struct writer *w, const struct kmprof_event *event)
{
	int ret = end_grace_period(w, event->ns);

	kmprof_grace_period_note(&w->period, event);
	if (ret || !w->period.goes_on)
		return ret;
	ret = describe_track(w, &w->has_rcu_track, RCU_TRACK, "RCU", NULL);
	return ret ? ret : put_slice(w, event->ns,
				     KMPROF__PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN);
}

/* --- the walk --- */

/*
 * Perfetto leaves the slice of a task open if the next switch of the CPU is from another one: all
 * switches of a CPU have to fit together.
 */
static int put_runs(struct writer *w, __u32 cpu, __u64 ns, const struct kmprof_task *task)
{
	struct bundle *b = &w->bundle[cpu];
	struct kmprof_perfetto_slot *slot;
	int ret;

	if (task == b->runs)
		return 0;
	ret = new_slot(w, cpu, &slot);
	if (!ret)
		kmprof_perfetto_set_runs(slot, cpu, b->runs, task, boot_ns(w, ns));
	b->runs = task;
	return ret;
}

/* A switch from the idle task is how Perfetto gets to know what runs at the start. */
static int put_first(struct writer *w, __u32 cpu, const struct kmprof_task *idle,
		     const struct kmprof_task *task)
{
	w->bundle[cpu].runs = task ? idle : NULL;
	return put_runs(w, cpu, w->trace->first_ns, task);
}

static int on_begin(void *to, const struct kmprof_trace *trace, const struct kmprof_tasks *tasks,
		    struct kmprof_error *err)
{
	struct writer *w = to;
	__u32 next = 1, cpu;
	int ret;

	ret = put_clocks(w, &trace->header.start);
	if (!ret)
		ret = put_system(w);
	while (!ret && next < kmprof_tasks_count(tasks))
		ret = put_tree(w, tasks, next, &next);
	for (cpu = 0; !ret && cpu < trace->header.nr_cpus; cpu++)
		ret = put_first(w, cpu, kmprof_tasks_at(tasks, 0),
				kmprof_tasks_on_cpu(tasks, cpu));
	return ret ? explain(err, ret) : 0;
}

/* Is it a call of the machine, whose numbers Perfetto knows? */
static bool has_slice(__u64 call)
{
	return call != KMPROF_NO_CALL && !(call & KMPROF_TRACE_SYSCALL_I386);
}

static int put_exit(struct writer *w, __u32 cpu, __u64 ns, __u32 tid, __u64 call,
		    const __s64 *result)
{
	struct kmprof_perfetto_slot *slot;
	int ret = new_slot(w, cpu, &slot);

	if (!ret)
		kmprof_perfetto_set_exit(slot, tid, call, result, boot_ns(w, ns));
	return ret;
}

static int put_enter(struct writer *w, const struct kmprof_event *event)
{
	struct kmprof_perfetto_slot *slot;
	int ret = new_slot(w, event->cpu, &slot);

	if (!ret)
		kmprof_perfetto_set_enter(slot, event->task->tid, event->args[0],
					  boot_ns(w, event->ns));
	return ret;
}

/*
 * Perfetto ends the slice with the name of the number, and draws all that follows inside one that
 * does not end: the end has the number of the begin, and each begin but the last one has an end.
 */
static int put_call(struct writer *w, const struct kmprof_event *event)
{
	const char *category = kmprof_name_of_type(event);
	struct kmprof_open_call ended;
	__u64 call = event->args[0];
	__u32 tid = event->task->tid;
	__s64 result;
	int ret;

	ret = kmprof_open_calls_note(&w->calls, event, &ended);
	if (ret)
		return ret;
	if (event->type == KMPROF_TRACE_SYSCALL_ENTER) {
		if (has_slice(ended.number))
			ret = put_exit(w, event->cpu, event->ns, tid, ended.number, NULL);
		if (ret)
			return ret;
		return has_slice(call) ? put_enter(w, event) : put_words(w, event, category);
	}
	if (ended.number != KMPROF_NO_CALL)
		call = ended.number;
	result = kmprof_syscall_result(event->args[1]);
	return has_slice(call) ? put_exit(w, event->cpu, event->ns, tid, call, &result) :
				 put_words(w, event, category);
}

static int put_event(struct writer *w, const struct kmprof_event *event)
{
	struct kmprof_perfetto_slot *slot;
	int ret;

	if (event->type == KMPROF_TRACE_MARK)
		return put_words(w, event, "mark");
	if (kmprof_is_syscall(event))
		return put_call(w, event);
	if (kmprof_is_grace_period(event))
		return put_grace_period(w, event);
	if (kmprof_heap_use_note(&w->use, event)) {
		ret = put_heap_use(w, event->ns);
		if (ret)
			return ret;
	}
	if (!kmprof_perfetto_has(event))
		return put_words(w, event, kmprof_name_of_type(event));
	if (event->type == KMPROF_TRACE_SWITCH) {
		ret = put_runs(w, event->cpu, event->ns, event->task);
		if (ret)
			return ret;
		w->bundle[event->cpu].runs = event->other;
	}
	ret = event->stack ? put_stack(w, event) : 0;
	if (!ret)
		ret = new_slot(w, event->cpu, &slot);
	if (!ret)
		kmprof_perfetto_set(slot, event, boot_ns(w, event->ns));
	return ret;
}

static int on_event(void *to, const struct kmprof_event *event, struct kmprof_error *err)
{
	int ret = put_event(to, event);

	return ret ? explain(err, ret) : 0;
}

/* The CPU of a task loses events: the exit of the call that it is in may be among them. */
static int on_change(void *to, const struct kmprof_change *change, struct kmprof_error *err)
{
	const struct kmprof_task *task = change->task;
	struct kmprof_open_call call;
	struct writer *w = to;
	int ret = 0;

	if (task->state != KMPROF_TASK_UNKNOWN || change->from != KMPROF_TASK_RUNNING)
		return 0;
	call = kmprof_open_calls_end(&w->calls, task->number);
	if (has_slice(call.number))
		ret = put_exit(w, task->cpu, change->ns, task->tid, call.number, NULL);
	return ret ? explain(err, ret) : 0;
}

static int on_runs(void *to, __u32 cpu, __u64 ns, const struct kmprof_task *task,
		   struct kmprof_error *err)
{
	int ret = put_runs(to, cpu, ns, task);

	return ret ? explain(err, ret) : 0;
}

static int put_loss(struct writer *w, const struct kmprof_gap *gap)
{
	char name[48];
	__u64 track;
	int ret;

	ret = flush(w, gap->cpu);
	/* RCU's thread can have been on that CPU. */
	if (!ret)
		ret = end_grace_period(w, gap->from_ns);
	if (ret)
		return ret;
	w->bundle[gap->cpu].lost = true;
	ret = describe_cpu(w, gap->cpu, &track);
	snprintf(name, sizeof(name), "%llu events lost", gap->count);
	return ret ? ret : put_instant(w, gap->to_ns, track, "lost", name, NULL);
}

static int on_lost(void *to, const struct kmprof_gap *gap, struct kmprof_error *err)
{
	int ret = put_loss(to, gap);

	return ret ? explain(err, ret) : 0;
}

static int on_end(void *to, const struct kmprof_trace *trace, struct kmprof_error *err)
{
	struct writer *w = to;
	__u32 i;
	int ret;

	ret = end_grace_period(w, trace->last_ns);
	for (i = 0; !ret && i < trace->header.nr_cpus; i++)
		ret = flush(w, i);
	if (!ret && trace->has_end)
		ret = put_clocks(w, &trace->end.end);
	return ret ? explain(err, ret) : 0;
}

int kmprof_timeline_perfetto(FILE *file, const struct kmprof_trace *trace,
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
		.file = file, .trace = trace, .names = names, .use = kmprof_heap_use_begin(trace),
	};
	__u32 i;
	int ret;

	w.bundle = calloc((size_t)trace->header.nr_cpus + 1, sizeof(*w.bundle));
	if (!w.bundle)
		return explain(err, -ENOMEM);
	ret = kmprof_trace_walk(trace, &visitor, &w, err);
	for (i = 0; i < trace->header.nr_cpus; i++) {
		free(w.bundle[i].slot);
		free(w.bundle[i].event);
	}
	free(w.bundle);
	free(w.has_track);
	free(w.calls.calls.bytes);
	free(w.packed.bytes);
	return ret;
}
