// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>

#include "cmd/trace_report.h"
#include "export/json.h"
#include "trace/syscalls.h"
#include "trace/words.h"

static json_t *json_task(const struct trace_report *r, __u32 task)
{
	const struct kmprof_life *life = &r->schedule.life[task];

	return json_pack("{s:o, s:s}", "tid", kmprof_json_u64(life->tid), "comm", life->comm);
}

/* The functions of a stack, the caller behind the called one. */
static json_t *json_functions(const struct trace_report *r, __u32 number)
{
	const struct kmprof_trace_stack *stack = kmprof_trace_stack_at(r->trace, number);
	json_t *array = json_array();
	char name[KMPROF_FRAME_NAME];
	__u32 i;

	for (i = 0; i < stack->nr_frames; i++) {
		kmprof_frame_name(name, &r->names.resolver, stack->frames[i]);
		array = kmprof_json_append(array, json_string(name));
	}
	return stack->flags & KMPROF_TRACE_STACK_TRUNCATED ?
	       kmprof_json_append(array, json_string(KMPROF_NO_MORE)) : array;
}

/* The number of a stack, which is in @stacks then; null if there is none. */
static json_t *json_stack(const struct trace_report *r, json_t *stacks, __u32 number)
{
	char key[16];

	if (!number)
		return json_null();
	snprintf(key, sizeof(key), "%u", number);
	if (!json_object_get(stacks, key) &&
	    json_object_set_new(stacks, key, json_functions(r, number)))
		return NULL;
	return kmprof_json_u64(number);
}

static json_t *json_waits(const struct trace_report *r, const struct kmprof_task_sums *sums)
{
	__u64 at_ns = sums->longest_ns ? sums->longest_at_ns - r->schedule.from_ns : 0;

	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "count", kmprof_json_u64(sums->waits),
			 "median_ns", kmprof_json_u64(sums->median_ns),
			 "p99_ns", kmprof_json_u64(sums->p99_ns),
			 "longest_ns", kmprof_json_u64(sums->longest_ns),
			 "longest_at_ns", kmprof_json_u64(at_ns));
}

static json_t *json_sums(const struct trace_report *r, const struct kmprof_task_sums *sums)
{
	const __u64 *asleep = sums->asleep_ns;

	return json_pack("{s:o, s:o, s:o, s:{s:o, s:o, s:o, s:o}, s:o, s:o, s:o}",
			 "task", json_task(r, sums->task),
			 "running_ns", kmprof_json_u64(sums->running_ns),
			 "runnable_ns", kmprof_json_u64(sums->runnable_ns),
			 "asleep_ns",
			 "sleeping", kmprof_json_u64(asleep[KMPROF_SLEEP_INTERRUPTIBLE]),
			 "blocked", kmprof_json_u64(asleep[KMPROF_SLEEP_BLOCKED]),
			 "idle", kmprof_json_u64(asleep[KMPROF_SLEEP_IDLE]),
			 "other", kmprof_json_u64(asleep[KMPROF_SLEEP_OTHER]),
			 "unknown_ns", kmprof_json_u64(sums->unknown_ns),
			 "runs", kmprof_json_u64(sums->runs),
			 "waits", json_waits(r, sums));
}

/* A name is null if it is not known. */
static json_t *json_name(const struct trace_report *r, __u32 name)
{
	const char *comm = name == KMPROF_NO_TASK ? "" : r->schedule.life[name].comm;

	return *comm ? json_string(comm) : json_null();
}

static json_t *json_wakes(const struct trace_report *r, json_t *stacks,
			  const struct kmprof_wakes *wakes)
{
	bool by_task = wakes->context == KMPROF_TRACE_IN_TASK;

	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
			 "waker", by_task ? json_name(r, wakes->waker) : json_null(),
			 "interrupt", by_task ? json_null() :
			 json_string(kmprof_trace_context_word(wakes->context)),
			 "woken", json_name(r, wakes->woken),
			 "count", kmprof_json_u64(wakes->times.count),
			 "wait_ns", kmprof_json_u64(wakes->times.ns),
			 "longest_ns", kmprof_json_u64(wakes->times.longest_ns),
			 "stack", json_stack(r, stacks, wakes->stack));
}

static json_t *json_state(__u32 reason)
{
	char state[KMPROF_STATE_TEXT];

	return reason == KMPROF_REASON_UNKNOWN ? json_null() :
	       json_string(kmprof_trace_state_word(state, reason));
}

static json_t *json_sleeps(const struct trace_report *r, json_t *stacks,
			   const struct kmprof_sleeps *sleeps)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}",
			 "task", json_name(r, sleeps->name), "state", json_state(sleeps->reason),
			 "count", kmprof_json_u64(sleeps->times.count),
			 "ns", kmprof_json_u64(sleeps->times.ns),
			 "longest_ns", kmprof_json_u64(sleeps->times.longest_ns),
			 "stack", json_stack(r, stacks, sleeps->stack));
}

/* A lock by its name; without one, by its number or address. */
static json_t *json_lock(const struct trace_report *r, __u64 lock)
{
	char text[KMPROF_LOCK_TEXT];

	return lock ? json_string(kmprof_lock_text(&r->names, lock, text)) : json_null();
}

static json_t *json_kind(__u64 lock, __u32 kind)
{
	return lock ? json_string(kmprof_lock_kind(kind)) : json_null();
}

static json_t *json_lock_waits(const struct trace_report *r, const struct kmprof_lock_waits *waits)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "lock", json_lock(r, waits->lock),
			 "kind", json_kind(waits->lock, waits->kind),
			 "holder", json_name(r, waits->owner),
			 "count", kmprof_json_u64(waits->times.count),
			 "ns", kmprof_json_u64(waits->times.ns),
			 "longest_ns", kmprof_json_u64(waits->times.longest_ns));
}

static const char *const whys[] = {
	[KMPROF_WHY_ALL]	= "all",
	[KMPROF_WHY_RUNS]	= "running",
	[KMPROF_WHY_SPINS]	= "spinning",
	[KMPROF_WHY_HANDLES]	= "handling",
	[KMPROF_WHY_STALLS]	= "stalled",
	[KMPROF_WHY_CALLS]	= "calling",
	[KMPROF_WHY_RUNNABLE]	= "runnable",
	[KMPROF_WHY_BEHIND]	= "behind",
	[KMPROF_WHY_IDLE]	= "cpu_idle",
	[KMPROF_WHY_ASLEEP]	= "asleep_until_task",
	[KMPROF_WHY_INTERRUPT]	= "asleep_until_interrupt",
	[KMPROF_WHY_ALONE]	= "asleep",
	[KMPROF_WHY_ABSENT]	= "not_created_until_task",
	[KMPROF_WHY_UNKNOWN]	= "unknown",
	[KMPROF_WHY_DEEPER]	= "not_followed_further",
};

static bool is_sleep(enum kmprof_why why)
{
	return why == KMPROF_WHY_ASLEEP || why == KMPROF_WHY_INTERRUPT || why == KMPROF_WHY_ALONE;
}

static json_t *json_place(const struct trace_report *r, json_t *stacks,
			  const struct kmprof_place *place)
{
	return json_pack("{s:o, s:o, s:o}", "stack", json_stack(r, stacks, place->stack),
			 "ns", kmprof_json_u64(place->ns),
			 "count", kmprof_json_u64(place->count));
}

static json_t *json_places(const struct trace_report *r, json_t *stacks,
			   const struct kmprof_cause *cause)
{
	const struct kmprof_place *place;
	json_t *array = json_array();
	size_t i, nr;

	place = kmprof_cause_places(cause, &nr);
	for (i = 0; i < nr; i++)
		array = kmprof_json_append(array, json_place(r, stacks, &place[i]));
	return array;
}

/* The name of a device's handler; that of the softirq. */
static json_t *json_handler(const struct trace_report *r, __u32 i)
{
	const struct kmprof_handler *handler = kmprof_handlers_at(&r->schedule.handlers, i);
	char text[KMPROF_SOFTIRQ_TEXT];
	const char *name = handler->name;

	if (handler->context == KMPROF_TRACE_IN_SOFTIRQ)
		name = kmprof_trace_softirq_word(text, handler->number);
	return json_pack("{s:s, s:o, s:s}", "context", kmprof_trace_context_word(handler->context),
			 "number", kmprof_json_u64(handler->number), "name", name);
}

static json_t *json_call(__u64 number)
{
	char name[KMPROF_SYSCALL_NAME];

	return json_string(kmprof_syscall_name(name, number));
}

static json_t *json_cause(const struct trace_report *r, json_t *stacks,
			  const struct kmprof_cause *cause)
{
	bool has_task = cause->why == KMPROF_WHY_BEHIND || cause->why == KMPROF_WHY_ASLEEP ||
			cause->why == KMPROF_WHY_ABSENT || cause->why == KMPROF_WHY_SPINS;
	json_t *causes = json_array();
	const struct kmprof_cause *below;

	for (below = cause->causes; below; below = below->next)
		causes = kmprof_json_append(causes, json_cause(r, stacks, below));
	return json_pack("{s:s,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}",
			 "why", whys[cause->why],
			 "lock", json_lock(r, cause->lock),
			 "kind", json_kind(cause->lock, cause->kind),
			 "state", is_sleep(cause->why) ? json_state(cause->reason) : json_null(),
			 "places", json_places(r, stacks, cause),
			 "interrupt", cause->why == KMPROF_WHY_INTERRUPT ?
			 json_string(kmprof_trace_context_word(cause->context)) : json_null(),
			 "handler", cause->why == KMPROF_WHY_HANDLES ?
			 json_handler(r, cause->handler) : json_null(),
			 "stall", cause->why == KMPROF_WHY_STALLS ?
			 json_string(kmprof_stall_word(cause->stall)) : json_null(),
			 "call", cause->why == KMPROF_WHY_CALLS ?
			 json_call(cause->call) : json_null(),
			 "idle_state", cause->idle ?
			 kmprof_json_u64(cause->idle - 1) : json_null(),
			 "task", has_task ? json_name(r, cause->name) : json_null(),
			 "ns", kmprof_json_u64(cause->ns), "count", kmprof_json_u64(cause->count),
			 "causes", causes);
}

/* A cause without those below it. @of: null: it is about one of the tasks that were asked for */
static json_t *json_end(const struct trace_report *r, json_t *stacks,
			const struct kmprof_cause *end)
{
	json_t *cause = json_cause(r, stacks, end);
	json_t *of = end->of ? json_name(r, end->of) : json_null();

	if (json_object_set_new(cause, "of", of) || json_object_del(cause, "causes")) {
		json_decref(cause);
		return NULL;
	}
	return cause;
}

static json_t *json_ends(const struct trace_report *r, json_t *stacks)
{
	const struct kmprof_cause *end;
	json_t *array = json_array();

	for (end = r->ends.causes; end; end = end->next)
		array = kmprof_json_append(array, json_end(r, stacks, end));
	return array;
}

static json_t *json_why(const struct trace_report *r, json_t *stacks)
{
	return json_pack("{s:o, s:o, s:i, s:o, s:o, s:o, s:o, s:o}",
			 "task", r->nr_waits ? json_null() : json_string(r->request->why),
			 "lock", r->nr_waits ? json_string(r->request->why) : json_null(),
			 "tasks", (int)r->nr_tasks,
			 "waits", r->nr_waits ? kmprof_json_u64(r->nr_waits) : json_null(),
			 "from_ns", kmprof_json_u64(r->from_ns - r->schedule.from_ns),
			 "to_ns", kmprof_json_u64(r->to_ns - r->schedule.from_ns),
			 "cause", json_cause(r, stacks, &r->cause),
			 "ends", json_ends(r, stacks));
}

static json_t *json_all_sums(const struct trace_report *r)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < r->nr_sums; i++)
		array = kmprof_json_append(array, json_sums(r, &r->sums[i]));
	return array;
}

static json_t *json_all_sleeps(const struct trace_report *r, json_t *stacks)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < r->nr_sleeps; i++)
		array = kmprof_json_append(array, json_sleeps(r, stacks, &r->sleeps[i]));
	return array;
}

static json_t *json_all_wakes(const struct trace_report *r, json_t *stacks)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < r->nr_wakes; i++)
		array = kmprof_json_append(array, json_wakes(r, stacks, &r->wakes[i]));
	return array;
}

static json_t *json_all_locks(const struct trace_report *r)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < r->nr_locks; i++)
		array = kmprof_json_append(array, json_lock_waits(r, &r->locks[i]));
	return array;
}

static json_t *json_all_handled(const struct trace_report *r)
{
	json_t *array = json_array(), *one;
	size_t i;

	for (i = 0; i < r->nr_handled; i++) {
		const struct kmprof_handled *sum = &r->handled[i];

		one = json_pack("{s:o, s:o, s:o, s:o}", "handler", json_handler(r, sum->handler),
				"count", kmprof_json_u64(sum->times.count),
				"ns", kmprof_json_u64(sum->times.ns),
				"longest_ns", kmprof_json_u64(sum->times.longest_ns));
		array = kmprof_json_append(array, one);
	}
	return array;
}

static json_t *json_all_stalled(const struct trace_report *r)
{
	json_t *array = json_array(), *one;
	size_t i;

	for (i = 0; i < r->nr_stalled; i++) {
		const struct kmprof_stalled *sum = &r->stalled[i];

		one = json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}",
				"stall", kmprof_stall_word(sum->kind),
				"task", json_name(r, sum->name),
				"count", kmprof_json_u64(sum->times.count),
				"ns", kmprof_json_u64(sum->times.ns),
				"longest_ns", kmprof_json_u64(sum->times.longest_ns),
				"pages", sum->kind == KMPROF_STALL_COMPACTION ? json_null() :
				kmprof_json_u64(sum->pages));
		array = kmprof_json_append(array, one);
	}
	return array;
}

static json_t *json_all_called(const struct trace_report *r)
{
	json_t *array = json_array(), *one;
	size_t i;

	for (i = 0; i < r->nr_called; i++) {
		const struct kmprof_called *sum = &r->called[i];

		one = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}",
				"call", json_call(sum->number),
				"task", json_name(r, sum->name),
				"count", kmprof_json_u64(sum->times.count),
				"ns", kmprof_json_u64(sum->times.ns),
				"longest_ns", kmprof_json_u64(sum->times.longest_ns),
				"failed", kmprof_json_u64(sum->failed));
		array = kmprof_json_append(array, one);
	}
	return array;
}

/* @what: what the values are called */
static json_t *json_cpu_times(const struct kmprof_cpu_time *times, size_t nr, const char *what)
{
	json_t *array = json_array(), *one;
	size_t i;

	for (i = 0; i < nr; i++) {
		one = json_pack("{s:o, s:o, s:o, s:o, s:o}",
				"cpu", kmprof_json_u64(times[i].cpu),
				what, kmprof_json_u64(times[i].value),
				"count", kmprof_json_u64(times[i].times.count),
				"ns", kmprof_json_u64(times[i].times.ns),
				"longest_ns", kmprof_json_u64(times[i].times.longest_ns));
		array = kmprof_json_append(array, one);
	}
	return array;
}

static json_t *json_grace_periods(const struct trace_report *r)
{
	const struct kmprof_grace_periods *periods = &r->schedule.grace_periods;

	return json_pack("{s:o, s:o, s:o, s:o}",
			 "count", kmprof_json_u64(periods->times.count),
			 "ns", kmprof_json_u64(periods->times.ns),
			 "longest_ns", kmprof_json_u64(periods->times.longest_ns),
			 "longest_from_ns", periods->times.count ?
			 kmprof_json_u64(periods->longest_from_ns - r->schedule.from_ns) :
			 json_null());
}

static json_t *json_all_memory(const struct trace_report *r)
{
	json_t *array = json_array(), *one;
	size_t i;

	for (i = 0; i < r->nr_memory; i++) {
		const struct kmprof_memory *sum = &r->memory[i];
		bool is_task = sum->context == KMPROF_TRACE_IN_TASK;

		one = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}",
				"task", is_task ? json_name(r, sum->name) : json_null(),
				"context", is_task ? json_null() :
				json_string(kmprof_trace_context_word(sum->context)),
				"alloc_bytes", kmprof_json_u64(sum->flow.alloc_bytes),
				"alloc_samples", kmprof_json_u64(sum->flow.allocs),
				"free_bytes", kmprof_json_u64(sum->flow.free_bytes),
				"free_samples", kmprof_json_u64(sum->flow.frees));
		array = kmprof_json_append(array, one);
	}
	return array;
}

static bool is_on_cpu(const struct kmprof_node *node)
{
	return (node->why == KMPROF_WHY_RUNS || node->why == KMPROF_WHY_RUNNABLE) &&
	       node->cpu != KMPROF_CPU_UNKNOWN;
}

static json_t *json_node(const struct trace_report *r, json_t *stacks,
			 const struct kmprof_node *node)
{
	bool is_asleep = is_sleep(node->why);

	return json_pack("{s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
			 "task", json_task(r, node->task), "why", whys[node->why],
			 "lock", json_lock(r, node->lock),
			 "kind", json_kind(node->lock, node->kind),
			 "state", is_asleep ? json_state(node->reason) : json_null(),
			 "stack", json_stack(r, stacks, node->stack),
			 "interrupt", node->why == KMPROF_WHY_INTERRUPT ?
			 json_string(kmprof_trace_context_word(node->context)) : json_null(),
			 "cpu", is_on_cpu(node) ? kmprof_json_u64(node->cpu) : json_null(),
			 "waits_for", node->on ? json_task(r, node->on) : json_null());
}

static json_t *json_graph(const struct trace_report *r, json_t *stacks)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < r->nr_nodes; i++)
		array = kmprof_json_append(array, json_node(r, stacks, &r->nodes[i]));
	return json_pack("{s:o, s:o}", "at_ns", kmprof_json_u64(r->request->graph_ns),
			 "tasks", array);
}

int trace_report_json(const struct trace_report *r)
{
	bool is_why = r->request->why, is_graph = r->request->has_graph;
	const char *all =
		"{s:o,s:i,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}";
	const char *filter = r->trace->header.filter;
	bool is_sums = !is_why && !is_graph;
	json_t *stacks = json_object();

	return print_json(json_pack(all,
				    "ns", kmprof_json_u64(r->schedule.to_ns - r->schedule.from_ns),
				    "cpus", (int)r->trace->header.nr_cpus,
				    "events", kmprof_json_u64(r->trace->events),
				    "lost", kmprof_json_u64(r->trace->lost),
				    "stackless", kmprof_json_u64(r->trace->end.stackless),
				    "filter", *filter ? json_string(filter) : json_null(),
				    "tasks", is_sums ? json_all_sums(r) : json_null(),
				    "sleeps", is_sums ? json_all_sleeps(r, stacks) : json_null(),
				    "wakes", is_sums ? json_all_wakes(r, stacks) : json_null(),
				    "locks", is_sums ? json_all_locks(r) : json_null(),
				    "interrupts", is_sums ? json_all_handled(r) : json_null(),
				    "stalls", is_sums ? json_all_stalled(r) : json_null(),
				    "calls", is_sums ? json_all_called(r) : json_null(),
				    "idle", is_sums ? json_cpu_times(r->idle, r->nr_idle, "state") :
						      json_null(),
				    "frequencies", is_sums ?
				    json_cpu_times(r->frequencies, r->nr_frequencies, "khz") :
				    json_null(),
				    "grace_periods", is_sums ? json_grace_periods(r) : json_null(),
				    "memory", is_sums ? json_all_memory(r) : json_null(),
				    "why", is_why ? json_why(r, stacks) : json_null(),
				    "graph", is_graph ? json_graph(r, stacks) : json_null(),
				    "stacks", stacks));
}
