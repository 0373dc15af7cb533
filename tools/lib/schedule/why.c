// SPDX-License-Identifier: GPL-2.0
/*
 * The tree is made from the root down. A cause first collects all times in which something has to
 * be explained below it, of all tasks that wait for the same. Then it goes through what that did
 * only once, however many wait for it.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "schedule/why.h"
#include "util/merge.h"
#include "util/saturate.h"
#include "util/util.h"

enum {
	/*
	 * A chain of tasks is followed so far. One is as long as a ring of tasks that pass a
	 * token on. A task is a level of the tree; a system call, and a stall, in which it waits
	 * is another one. JSON has two for each, and its readers often refuse more than 1000.
	 */
	DEPTH_MAX	= 400,
};

/**
 * struct asked - what is explained
 * @schedule: the trace
 * @depth: how far down the tree
 */
struct asked {
	const struct kmprof_schedule *schedule;
	unsigned int depth;
};

/**
 * struct edge - the begin or the end of a time that has to be explained
 * @ns: when
 * @of: of what: number of a task; below KMPROF_WHY_RUNNABLE: a CPU
 * @change: so many more wait from now on; modulo 2^64
 * @begun: of them, those whose wait has just begun
 */
struct edge {
	__u64 ns;
	__u32 of;
	__u64 change;
	__u64 begun;
};

/**
 * struct part - a time in which the number of those that wait does not change
 * @from_ns: when it begins
 * @to_ns: when it ends
 * @waits: how many wait
 * @begun: of them, those whose wait begins here: the others have been counted
 */
struct part {
	__u64 from_ns;
	__u64 to_ns;
	__u64 waits;
	__u64 begun;
};

/* What a part has in common with something that is the case from @from_ns to @to_ns. */
static struct part clip(const struct part *part, __u64 from_ns, __u64 to_ns)
{
	struct part both = *part;

	if (from_ns >= part->from_ns) {
		both.from_ns = from_ns;
		both.begun = part->waits;
	}
	if (to_ns < part->to_ns)
		both.to_ns = to_ns;
	if (both.to_ns < both.from_ns)
		both.to_ns = both.from_ns;
	return both;
}

static bool is_empty(const struct part *part)
{
	return part->from_ns == part->to_ns;
}

/* That part is to be explained below @cause, by what @of did. */
static int ask(struct kmprof_cause *cause, __u32 of, const struct part *part)
{
	const struct edge edges[] = {
		{ .ns = part->from_ns, .of = of, .change = part->waits, .begun = part->begun },
		{ .ns = part->to_ns, .of = of, .change = -part->waits },
	};

	return is_empty(part) ? 0 : kmprof_growing_add(&cause->edges, edges, sizeof(edges));
}

/* The time of all that wait. */
static __u64 time_of(const struct part *part)
{
	__u64 ns;

	return __builtin_mul_overflow(part->to_ns - part->from_ns, part->waits, &ns) ? ~0ULL : ns;
}

/* Adds time to the cause of that kind below @of. Return: the cause; NULL: no memory. */
static struct kmprof_cause *add(struct kmprof_cause *of, const struct kmprof_cause *kind,
				const struct part *part)
{
	return kmprof_cause_add(of, kind, time_of(part), part->begun);
}

/* Where a task slept, if that is known. */
static int add_place(struct kmprof_cause *cause, __u32 stack, const struct part *part)
{
	const struct kmprof_place place = {
		.ns = time_of(part), .count = part->begun, .stack = stack,
	};

	return stack ? kmprof_cause_add_place(cause, &place) : 0;
}

/* A cause with nothing below it, unless it took no time. */
static int add_leaf(struct kmprof_cause *of, const struct kmprof_cause *kind,
		    const struct part *part)
{
	return is_empty(part) || add(of, kind, part) ? 0 : -ENOMEM;
}

static int add_unknown(struct kmprof_cause *of, const struct part *part)
{
	static const struct kmprof_cause kind = { .why = KMPROF_WHY_UNKNOWN };

	return add_leaf(of, &kind, part);
}

/* @to: for what split() does that. @span: what the part is in; NULL: nothing */
typedef int (*on_part)(void *to, const void *span, const struct part *part);

/* Visits the spans of a table that are in a part of the time, and what is between them. */
static int split(const struct kmprof_growing *spans, size_t size, const struct part *part,
		 on_part visit, void *to)
{
	const struct kmprof_span *span;
	struct part here, rest = *part;
	size_t i, nr = spans->used / size;
	int ret = 0;

	i = nr ? kmprof_first_at(spans->bytes, nr, size, part->from_ns) : 0;
	for (; !ret && i < nr; i++) {
		span = (const struct kmprof_span *)(spans->bytes + i * size);
		if (span->from_ns >= part->to_ns)
			break;
		if (span->to_ns <= rest.from_ns)
			continue;
		here = clip(&rest, 0, span->from_ns);
		ret = visit(to, NULL, &here);
		here = clip(&rest, span->from_ns, span->to_ns);
		if (!ret)
			ret = visit(to, span, &here);
		rest = clip(&rest, span->to_ns, rest.to_ns);
	}
	return ret ? ret : visit(to, NULL, &rest);
}

static int add_idle(void *to, const void *span, const struct part *part)
{
	const struct kmprof_cpu_state *state = span;
	const struct kmprof_cause kind = {
		.why = KMPROF_WHY_IDLE, .idle = state ? 1 + (__u64)state->value : 0,
	};

	return add_leaf(to, &kind, part);
}

static int add_turn(struct kmprof_cause *of, struct asked *asked, __u32 cpu, __u32 task,
		    const struct part *part)
{
	struct kmprof_cause kind = { .why = KMPROF_WHY_BEHIND };

	if (task == KMPROF_NO_TASK)
		return add_unknown(of, part);
	if (!task)
		return split(&asked->schedule->idle_states[cpu], sizeof(struct kmprof_cpu_state),
			     part, add_idle, of);
	kind.name = asked->schedule->life[task].name;
	return add_leaf(of, &kind, part);
}

/* What a CPU ran while tasks waited for it. */
static int explain_cpu(struct kmprof_cause *of, struct asked *asked, __u32 cpu,
		       const struct part *part)
{
	const struct kmprof_schedule *schedule = asked->schedule;
	const struct kmprof_turn *turn;
	struct part here;
	size_t i, nr;
	__u64 to_ns;
	int ret;

	turn = kmprof_schedule_turns(schedule, cpu, &nr);
	if (!nr)
		return add_unknown(of, part);
	here = clip(part, 0, turn[0].from_ns);
	ret = add_unknown(of, &here);
	for (i = kmprof_first_at(turn, nr, sizeof(*turn), part->from_ns);
	     !ret && i < nr && turn[i].from_ns < part->to_ns; i++) {
		to_ns = i + 1 < nr ? turn[i + 1].from_ns : schedule->to_ns;
		here = clip(part, turn[i].from_ns, to_ns);
		if (!is_empty(&here))
			ret = add_turn(of, asked, cpu, turn[i].task, &here);
	}
	return ret;
}

enum kmprof_why kmprof_why_asleep(const struct kmprof_life *life, size_t i,
				  const struct kmprof_stretch **after)
{
	const struct kmprof_stretch *stretch;
	size_t nr;

	stretch = kmprof_life_stretches(life, &nr);
	if (i + 1 == nr || stretch[i + 1].state != KMPROF_TASK_RUNNABLE ||
	    stretch[i + 1].waker == KMPROF_NO_TASK)
		return KMPROF_WHY_ALONE;
	*after = &stretch[i + 1];
	return (*after)->waker_context == KMPROF_TRACE_IN_TASK ? KMPROF_WHY_ASLEEP :
								  KMPROF_WHY_INTERRUPT;
}

/*
 * @i: a stretch in which the task sleeps. Whoever wakes it cannot have been woken by it meanwhile,
 * so each step down the chain is about a part of the time before, and another task.
 */
static int add_sleep(struct kmprof_cause *of, struct asked *asked,
		     const struct kmprof_life *life, size_t i, const struct part *part)
{
	const struct kmprof_stretch *stretch, *after;
	struct kmprof_cause kind = { 0 }, *cause;
	const struct kmprof_leg *leg;
	size_t nr;

	stretch = kmprof_life_stretches(life, &nr);
	leg = kmprof_life_sleeps_for(life, stretch[i].from_ns);
	if (leg) {
		kind.lock = leg->lock;
		kind.kind = leg->kind;
	}
	kind.reason = stretch[i].reason;
	kind.why = kmprof_why_asleep(life, i, &after);
	if (kind.why == KMPROF_WHY_ASLEEP)
		kind.name = asked->schedule->life[after->waker].name;
	else if (kind.why == KMPROF_WHY_INTERRUPT)
		kind.context = after->waker_context;
	cause = add(of, &kind, part);
	if (!cause || add_place(cause, stretch[i].stack, part))
		return -ENOMEM;
	return kind.why == KMPROF_WHY_ASLEEP ? ask(cause, after->waker, part) : 0;
}

/* The task that the one before waits for has not been created yet. */
static int add_absence(struct kmprof_cause *of, struct asked *asked,
		       const struct kmprof_life *life, const struct part *part)
{
	struct kmprof_cause kind = { .why = KMPROF_WHY_ABSENT }, *cause;

	if (!life->parent)
		return add_unknown(of, part);
	kind.name = asked->schedule->life[life->parent].name;
	cause = add(of, &kind, part);
	return cause ? ask(cause, life->parent, part) : -ENOMEM;
}

/* @i: a stretch in which the task waits for a CPU. */
static int add_wait(struct kmprof_cause *of, struct asked *asked,
		    const struct kmprof_life *life, size_t i, const struct part *part)
{
	static const struct kmprof_cause kind = { .why = KMPROF_WHY_RUNNABLE };
	const struct kmprof_move *move;
	struct kmprof_cause *cause;
	size_t next, nr;
	struct part here;
	__u32 cpu;
	int ret = 0;

	cause = add(of, &kind, part);
	if (!cause)
		return -ENOMEM;
	cpu = kmprof_life_cpu_at(asked->schedule, life, i, part->from_ns, &next);
	here = *part;
	move = kmprof_life_moves(life, &nr);
	for (; !ret && next < nr && move[next].from_ns < part->to_ns; next++) {
		here.to_ns = move[next].from_ns;
		ret = ask(cause, cpu, &here);
		here = clip(part, move[next].from_ns, part->to_ns);
		cpu = move[next].cpu;
	}
	return ret ? ret : ask(cause, cpu, &here);
}

static int add_run(struct kmprof_cause *of, const struct part *part)
{
	static const struct kmprof_cause kind = { .why = KMPROF_WHY_RUNS };

	return add_leaf(of, &kind, part);
}

/*
 * A task runs on a CPU, but for what interrupts do there. Behind them it goes on: that is not
 * counted as another run.
 */
static int add_cpu_time(struct kmprof_cause *of, const struct asked *asked, __u32 cpu,
			const struct part *part)
{
	struct kmprof_cause kind = { .why = KMPROF_WHY_HANDLES };
	const struct kmprof_schedule *schedule = asked->schedule;
	const struct kmprof_interruption *one;
	struct part here, before, run = *part;
	bool is_resumed = false;
	size_t i, nr;
	int ret = 0;

	one = kmprof_schedule_interruptions(schedule, cpu, &nr);
	i = nr ? kmprof_first_at(one, nr, sizeof(*one), part->from_ns) : 0;
	for (; !ret && i < nr && one[i].from_ns < part->to_ns; i++) {
		here = clip(part, one[i].from_ns, i + 1 < nr ? one[i + 1].from_ns : part->to_ns);
		if (one[i].handler == KMPROF_NO_HANDLER || is_empty(&here))
			continue;
		/* What goes on when the part begins counts once: then, or when it resumes first. */
		if (one[i].from_ns < part->from_ns || (!one[i].is_begin && !is_resumed))
			here.begun = part->begun;
		else if (!one[i].is_begin)
			here.begun = 0;
		is_resumed |= kmprof_handlers_is_softirq(&schedule->handlers, one[i].handler);
		kind.handler = one[i].handler;
		ret = add_leaf(of, &kind, &here);
		before = clip(&run, 0, here.from_ns);
		if (!ret && !is_empty(&before)) {
			ret = add_run(of, &before);
			run.begun = 0;
		}
		run.from_ns = here.to_ns;
	}
	return ret ? ret : add_run(of, &run);
}

static int add_spin(struct kmprof_cause *of, const struct asked *asked,
		    const struct kmprof_leg *leg, const struct part *part)
{
	const struct kmprof_cause kind = {
		.why	= KMPROF_WHY_SPINS,
		.lock	= leg->lock,
		.kind	= leg->kind,
		.name	= leg->owner == KMPROF_NO_TASK ? KMPROF_NO_TASK :
							 asked->schedule->life[leg->owner].name,
	};

	return add_leaf(of, &kind, part);
}

/* A task runs on a CPU: for some of the time, it may spin for locks. */
static int add_running(struct kmprof_cause *of, const struct asked *asked,
		       const struct kmprof_life *life, __u32 cpu, const struct part *part)
{
	struct part here, rest = *part;
	const struct kmprof_leg *leg;
	size_t i, nr;
	int ret = 0;

	leg = kmprof_life_legs(life, &nr);
	i = nr ? kmprof_first_at(leg, nr, sizeof(*leg), part->from_ns) : 0;
	for (; !ret && i < nr && leg[i].span.from_ns < part->to_ns; i++) {
		if (!(leg[i].flags & KMPROF_WAIT_SPUN) || leg[i].span.to_ns <= rest.from_ns)
			continue;
		here = clip(&rest, 0, leg[i].span.from_ns);
		ret = add_cpu_time(of, asked, cpu, &here);
		here = clip(&rest, leg[i].span.from_ns, leg[i].span.to_ns);
		if (!ret)
			ret = add_spin(of, asked, &leg[i], &here);
		rest = clip(&rest, leg[i].span.to_ns, rest.to_ns);
	}
	return ret ? ret : add_cpu_time(of, asked, cpu, &rest);
}

static int add_stretch(struct kmprof_cause *of, struct asked *asked,
		       const struct kmprof_life *life, size_t i, const struct part *part)
{
	const struct kmprof_stretch *stretch;
	size_t nr;

	stretch = kmprof_life_stretches(life, &nr);
	switch (stretch[i].state) {
	case KMPROF_TASK_RUNNABLE:
		return add_wait(of, asked, life, i, part);
	case KMPROF_TASK_ASLEEP:
		return add_sleep(of, asked, life, i, part);
	case KMPROF_TASK_RUNNING:
		return add_running(of, asked, life, stretch[i].cpu, part);
	case KMPROF_TASK_ABSENT:
	case KMPROF_TASK_DEAD:
		return asked->depth ? add_unknown(of, part) : 0;
	}
	return add_unknown(of, part);
}

static int explain_stretches(struct kmprof_cause *of, struct asked *asked, __u32 task,
			     const struct part *part)
{
	const struct kmprof_life *life = &asked->schedule->life[task];
	const struct kmprof_stretch *stretch;
	struct part here;
	size_t i, nr;
	int ret = 0;

	stretch = kmprof_life_stretches(life, &nr);
	if (!nr)
		return 0;
	here = clip(part, 0, stretch[0].from_ns);
	if (asked->depth && !is_empty(&here))
		ret = add_absence(of, asked, life, &here);
	for (i = kmprof_first_at(stretch, nr, sizeof(*stretch), part->from_ns);
	     !ret && i < nr && stretch[i].from_ns < part->to_ns; i++) {
		here = clip(part, stretch[i].from_ns,
			    kmprof_stretch_end(asked->schedule, life, i));
		/* A stretch of no time explains nothing. */
		if (!is_empty(&here))
			ret = add_stretch(of, asked, life, i, &here);
	}
	return ret;
}

static struct kmprof_cause kind_of_call(const void *span)
{
	const struct kmprof_call *call = span;

	return (struct kmprof_cause){ .why = KMPROF_WHY_CALLS, .call = call->number };
}

static struct kmprof_cause kind_of_stall(const void *span)
{
	const struct kmprof_stall *stall = span;

	return (struct kmprof_cause){ .why = KMPROF_WHY_STALLS, .stall = stall->kind };
}

/**
 * struct layer - something that a task can be in, while it does other things
 * @offset: in struct kmprof_life: a table of those of a task, each of which begins with a struct
 *	kmprof_span
 * @size: bytes of an entry
 * @kind: describes the cause that an entry is
 */
static const struct layer {
	size_t offset;
	size_t size;
	struct kmprof_cause (*kind)(const void *span);
} layers[] = {
	/* From the outermost one to the innermost one. */
	{ offsetof(struct kmprof_life, calls), sizeof(struct kmprof_call), kind_of_call },
	{ offsetof(struct kmprof_life, stalls), sizeof(struct kmprof_stall), kind_of_stall },
};

/**
 * struct inside - a task, as seen from one of its layers
 * @of: the cause that what it does is below
 * @asked: what is explained
 * @task: number of the task
 * @layer: index of the layer
 */
struct inside {
	struct kmprof_cause *of;
	struct asked *asked;
	__u32 task;
	size_t layer;
};

static int explain_layer(const struct inside *inside, const struct part *part);

/* For the time of a span, what the task does is a part of that. */
static int add_span(void *to, const void *span, const struct part *part)
{
	struct inside inner = *(const struct inside *)to;
	struct kmprof_cause kind;

	if (is_empty(part))
		return 0;
	if (span) {
		kind = layers[inner.layer].kind(span);
		inner.of = add(inner.of, &kind, part);
		if (!inner.of)
			return -ENOMEM;
	}
	inner.layer++;
	return explain_layer(&inner, part);
}

/* What a task did, from this layer on. */
static int explain_layer(const struct inside *inside, const struct part *part)
{
	const char *life = (const char *)&inside->asked->schedule->life[inside->task];
	struct inside here = *inside;

	if (here.layer == ARRAY_SIZE(layers))
		return explain_stretches(here.of, here.asked, here.task, part);
	return split((const struct kmprof_growing *)(life + layers[here.layer].offset),
		     layers[here.layer].size, part, add_span, &here);
}

/* What a task did while others waited for it, or at the root: what it did. */
static int explain_task(struct kmprof_cause *of, struct asked *asked, __u32 task,
			const struct part *part)
{
	return explain_layer(&(struct inside){ .of = of, .asked = asked, .task = task }, part);
}

static int by_place(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	return x->of == y->of ? kmprof_compare_u64(x->ns, y->ns) : kmprof_compare_u64(x->of, y->of);
}

/* Goes from edge to edge. */
static int explain_edges(struct kmprof_cause *of, struct asked *asked)
{
	struct edge *edge = (struct edge *)of->edges.bytes;
	size_t i, nr = of->edges.used / sizeof(*edge);
	struct part part = { .waits = 0 };
	int ret = 0;

	qsort(edge, nr, sizeof(*edge), by_place);
	for (i = 0; !ret && i + 1 < nr; i++) {
		part.waits += edge[i].change;
		part.begun += edge[i].begun;
		part.from_ns = edge[i].ns;
		part.to_ns = edge[i + 1].ns;
		/* Behind the last edge of something, nobody waits for it. */
		if (!part.waits || is_empty(&part))
			continue;
		ret = of->why == KMPROF_WHY_RUNNABLE ?
		      explain_cpu(of, asked, edge[i].of, &part) :
		      explain_task(of, asked, edge[i].of, &part);
		part.begun = 0;
	}
	return ret;
}

static int add_deeper(struct kmprof_cause *of)
{
	static const struct kmprof_cause kind = { .why = KMPROF_WHY_DEEPER };

	return kmprof_cause_add(of, &kind, of->ns, of->count) ? 0 : -ENOMEM;
}

static int explain(struct kmprof_cause *of, struct asked *asked)
{
	struct kmprof_cause *cause;
	int ret = 0;

	if (of->edges.used)
		ret = asked->depth < DEPTH_MAX ? explain_edges(of, asked) : add_deeper(of);
	kmprof_cause_finish(of);
	asked->depth++;
	for (cause = of->causes; !ret && cause; cause = cause->next)
		ret = explain(cause, asked);
	asked->depth--;
	return ret;
}

int kmprof_why_ask(struct kmprof_cause *root, __u32 task, __u64 from_ns, __u64 to_ns,
		   struct kmprof_error *err)
{
	const struct part part = { .from_ns = from_ns, .to_ns = to_ns, .waits = 1, .begun = 1 };

	root->count++;
	if (ask(root, task, &part))
		return kmprof_error_set(err, -ENOMEM, NULL, "out of memory for the causes");
	return 0;
}

int kmprof_why_explain(struct kmprof_cause *root, const struct kmprof_schedule *schedule,
		       struct kmprof_error *err)
{
	struct asked asked = { .schedule = schedule };
	struct kmprof_cause *cause;

	if (explain(root, &asked))
		return kmprof_error_set(err, -ENOMEM, NULL, "out of memory for the causes");
	for (cause = root->causes; cause; cause = cause->next)
		root->ns = kmprof_saturated_count(root->ns, cause->ns);
	return 0;
}
