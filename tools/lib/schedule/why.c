// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>

#include "schedule/why.h"

enum {
	/* A chain of tasks is followed so far. Only a made-up trace has a longer one. */
	DEPTH_MAX	= 64,
};

/**
 * struct asked - what is explained
 * @schedule: the trace
 * @depth: how many tasks the chain that is followed has, behind the first one
 */
struct asked {
	const struct kmprof_schedule *schedule;
	unsigned int depth;
};

/**
 * struct span - a time
 * @from_ns: when it begins
 * @to_ns: when it ends, not before
 */
struct span {
	__u64 from_ns;
	__u64 to_ns;
};

static struct span common(struct span a, struct span b)
{
	struct span both = {
		.from_ns	= a.from_ns > b.from_ns ? a.from_ns : b.from_ns,
		.to_ns		= a.to_ns < b.to_ns ? a.to_ns : b.to_ns,
	};

	if (both.to_ns < both.from_ns)
		both.to_ns = both.from_ns;
	return both;
}

static bool is_same(const struct kmprof_cause *a, const struct kmprof_cause *b)
{
	return a->why == b->why && a->reason == b->reason && a->name == b->name;
}

/* Adds time to the cause of that kind below @of. Return: the cause; NULL: no memory. */
static struct kmprof_cause *add(struct kmprof_cause *of, const struct kmprof_cause *kind,
				struct span span)
{
	struct kmprof_cause *cause;

	for (cause = of->causes; cause; cause = cause->next)
		if (is_same(cause, kind))
			break;
	if (!cause) {
		cause = malloc(sizeof(*cause));
		if (!cause)
			return NULL;
		*cause = *kind;
		cause->next = of->causes;
		of->causes = cause;
	}
	cause->ns += span.to_ns - span.from_ns;
	cause->count++;
	return cause;
}

/* What a CPU ran while a task waited for it. */
static int add_turns(struct kmprof_cause *of, const struct kmprof_schedule *schedule, __u32 cpu,
		     struct span span)
{
	struct kmprof_cause kind;
	const struct kmprof_turn *turn;
	struct span here;
	size_t i, nr;

	turn = kmprof_schedule_turns(schedule, cpu, &nr);
	if (!nr) {
		kind = (struct kmprof_cause){ .why = KMPROF_WHY_UNKNOWN };
		return add(of, &kind, span) ? 0 : -ENOMEM;
	}
	for (i = kmprof_first_at(turn, nr, sizeof(*turn), span.from_ns);
	     i < nr && turn[i].from_ns < span.to_ns; i++) {
		here.from_ns = turn[i].from_ns;
		here.to_ns = i + 1 < nr ? turn[i + 1].from_ns : schedule->to_ns;
		here = common(here, span);
		kind = (struct kmprof_cause){ .why = KMPROF_WHY_BEHIND };
		if (turn[i].task == KMPROF_NO_TASK)
			kind.why = KMPROF_WHY_UNKNOWN;
		else if (!turn[i].task)
			kind.why = KMPROF_WHY_IDLE;
		else
			kind.name = schedule->life[turn[i].task].name;
		if (!add(of, &kind, here))
			return -ENOMEM;
	}
	return 0;
}

static int explain(struct kmprof_cause *of, struct asked *asked, __u32 task, struct span span);

/* Goes on with the task that the one before waits for. */
static int follow(struct kmprof_cause *of, struct asked *asked, __u32 task, struct span span)
{
	int ret;

	if (asked->depth == DEPTH_MAX)
		return 0;
	asked->depth++;
	ret = explain(of, asked, task, span);
	asked->depth--;
	return ret;
}

/*
 * @i: a stretch in which the task sleeps. Whoever wakes it cannot have been woken by it meanwhile,
 * so each step down the chain is about a part of the time before, and another task.
 */
static int add_sleep(struct kmprof_cause *of, struct asked *asked,
		     const struct kmprof_life *life, size_t i, struct span span)
{
	const struct kmprof_stretch *stretch, *after = NULL;
	struct kmprof_cause kind = { .why = KMPROF_WHY_ALONE }, *cause;
	size_t nr;

	stretch = kmprof_life_stretches(life, &nr);
	kind.reason = stretch[i].reason;
	if (i + 1 < nr && stretch[i + 1].state == KMPROF_TASK_RUNNABLE)
		after = &stretch[i + 1];
	if (after && after->waker != KMPROF_NO_TASK) {
		kind.why = KMPROF_WHY_INTERRUPT;
		if (after->waker_context == KMPROF_TRACE_IN_TASK) {
			kind.why = KMPROF_WHY_ASLEEP;
			kind.name = asked->schedule->life[after->waker].name;
		}
	}
	cause = add(of, &kind, span);
	if (!cause)
		return -ENOMEM;
	return kind.why == KMPROF_WHY_ASLEEP ? follow(cause, asked, after->waker, span) : 0;
}

/* The task that the one before waits for has not been created yet. */
static int add_absence(struct kmprof_cause *of, struct asked *asked,
		       const struct kmprof_life *life, struct span span)
{
	struct kmprof_cause kind = { .why = KMPROF_WHY_UNKNOWN }, *cause;

	if (life->parent) {
		kind.why = KMPROF_WHY_ABSENT;
		kind.name = asked->schedule->life[life->parent].name;
	}
	cause = add(of, &kind, span);
	if (!cause)
		return -ENOMEM;
	return life->parent ? follow(cause, asked, life->parent, span) : 0;
}

/* @i: a stretch in which the task waits for a CPU: for the one that it gets. */
static int add_wait(struct kmprof_cause *of, const struct asked *asked,
		    const struct kmprof_life *life, size_t i, struct span span)
{
	static const struct kmprof_cause kind = { .why = KMPROF_WHY_RUNNABLE };
	const struct kmprof_stretch *stretch;
	struct kmprof_cause *cause;
	__u32 cpu;
	size_t nr;

	stretch = kmprof_life_stretches(life, &nr);
	cpu = stretch[i].cpu;
	if (i + 1 < nr && stretch[i + 1].state == KMPROF_TASK_RUNNING)
		cpu = stretch[i + 1].cpu;
	cause = add(of, &kind, span);
	return cause ? add_turns(cause, asked->schedule, cpu, span) : -ENOMEM;
}

static int add_stretch(struct kmprof_cause *of, struct asked *asked,
		       const struct kmprof_life *life, size_t i, struct span span)
{
	struct kmprof_cause kind = { .why = KMPROF_WHY_UNKNOWN };
	const struct kmprof_stretch *stretch;
	size_t nr;

	stretch = kmprof_life_stretches(life, &nr);
	switch (stretch[i].state) {
	case KMPROF_TASK_RUNNABLE:
		return add_wait(of, asked, life, i, span);
	case KMPROF_TASK_ASLEEP:
		return add_sleep(of, asked, life, i, span);
	case KMPROF_TASK_ABSENT:
	case KMPROF_TASK_DEAD:
		return 0;
	case KMPROF_TASK_RUNNING:
		kind.why = KMPROF_WHY_RUNS;
		break;
	}
	return add(of, &kind, span) ? 0 : -ENOMEM;
}

static int explain(struct kmprof_cause *of, struct asked *asked, __u32 task, struct span span)
{
	const struct kmprof_life *life = &asked->schedule->life[task];
	const struct kmprof_stretch *stretch;
	struct span here;
	size_t i, nr;
	int ret = 0;

	stretch = kmprof_life_stretches(life, &nr);
	if (!nr)
		return 0;
	here = (struct span){ .from_ns = span.from_ns, .to_ns = stretch[0].from_ns };
	here = common(here, span);
	if (asked->depth && here.to_ns > here.from_ns)
		ret = add_absence(of, asked, life, here);
	for (i = kmprof_first_at(stretch, nr, sizeof(*stretch), span.from_ns);
	     !ret && i < nr && stretch[i].from_ns < span.to_ns; i++) {
		here.from_ns = stretch[i].from_ns;
		here.to_ns = kmprof_stretch_end(asked->schedule, life, i);
		here = common(here, span);
		/* A stretch of no time explains nothing. */
		if (here.to_ns > here.from_ns)
			ret = add_stretch(of, asked, life, i, here);
	}
	return ret;
}

int kmprof_why_add(struct kmprof_cause *root, const struct kmprof_schedule *schedule, __u32 task,
		   __u64 from_ns, __u64 to_ns, struct kmprof_error *err)
{
	struct span span = { .from_ns = from_ns, .to_ns = to_ns };
	struct asked asked = { .schedule = schedule };
	struct kmprof_cause *cause;

	if (explain(root, &asked, task, span))
		return kmprof_error_set(err, -ENOMEM, NULL, "out of memory for the causes");
	root->ns = 0;
	root->count++;
	for (cause = root->causes; cause; cause = cause->next)
		root->ns += cause->ns;
	return 0;
}

void kmprof_why_sort(struct kmprof_cause *root)
{
	struct kmprof_cause *cause, *rest = root->causes, **at;

	root->causes = NULL;
	while ((cause = rest)) {
		rest = cause->next;
		/* Of those that are equal, the first one of the list is the last that came. */
		for (at = &root->causes; *at && (*at)->ns > cause->ns;)
			at = &(*at)->next;
		cause->next = *at;
		*at = cause;
		kmprof_why_sort(cause);
	}
}

void kmprof_why_release(struct kmprof_cause *root)
{
	struct kmprof_cause *cause;

	while ((cause = root->causes)) {
		root->causes = cause->next;
		kmprof_why_release(cause);
		free(cause);
	}
}
