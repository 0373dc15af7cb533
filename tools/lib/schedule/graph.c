// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>

#include "schedule/graph.h"
#include "schedule/why.h"

/* Waits for what its CPU runs. */
static void set_runnable(struct kmprof_node *node, const struct kmprof_schedule *schedule,
			 size_t i, __u64 ns)
{
	const struct kmprof_turn *turn;
	size_t next, nr;

	node->why = KMPROF_WHY_RUNNABLE;
	node->cpu = kmprof_life_cpu_at(schedule, &schedule->life[node->task], i, ns, &next);
	turn = kmprof_schedule_turns(schedule, node->cpu, &nr);
	if (!nr || turn[0].from_ns > ns)
		return;
	turn += kmprof_first_at(turn, nr, sizeof(*turn), ns);
	if (turn->task != KMPROF_NO_TASK)
		node->on = turn->task;
}

/* Waits for whoever wakes it later. */
static void set_asleep(struct kmprof_node *node, const struct kmprof_life *life, size_t i)
{
	const struct kmprof_stretch *stretch, *after;
	const struct kmprof_leg *leg;
	size_t nr;

	stretch = kmprof_life_stretches(life, &nr);
	leg = kmprof_life_sleeps_for(life, stretch[i].from_ns);
	if (leg) {
		node->lock = leg->lock;
		node->kind = leg->kind;
	}
	node->reason = stretch[i].reason;
	node->stack = stretch[i].stack;
	node->why = kmprof_why_asleep(life, i, &after);
	if (node->why == KMPROF_WHY_ASLEEP)
		node->on = after->waker;
	else if (node->why == KMPROF_WHY_INTERRUPT)
		node->context = after->waker_context;
}

static struct kmprof_node node_of(const struct kmprof_schedule *schedule, __u32 task, __u64 ns)
{
	struct kmprof_node node = { .task = task, .why = KMPROF_WHY_UNKNOWN };
	const struct kmprof_life *life = &schedule->life[task];
	const struct kmprof_stretch *stretch;
	size_t i, nr;

	stretch = kmprof_life_stretches(life, &nr);
	if (!nr)
		return node;
	if (stretch[0].from_ns > ns) {
		node.why = KMPROF_WHY_ABSENT;
		node.on = life->parent;
		return node;
	}
	i = kmprof_first_at(stretch, nr, sizeof(*stretch), ns);
	node.cpu = stretch[i].cpu;
	if (stretch[i].state == KMPROF_TASK_RUNNING)
		node.why = KMPROF_WHY_RUNS;
	else if (stretch[i].state == KMPROF_TASK_RUNNABLE)
		set_runnable(&node, schedule, i, ns);
	else if (stretch[i].state == KMPROF_TASK_ASLEEP)
		set_asleep(&node, life, i);
	return node;
}

/* A task that has yet to be created waits for nothing, unless another one waits for it. */
static void mark_waits(const struct kmprof_node *all, __u32 nr, bool *is_shown)
{
	__u32 i, task;

	for (i = 1; i < nr; i++) {
		if (!all[i].on || all[i].why == KMPROF_WHY_ABSENT)
			continue;
		is_shown[i] = true;
		/* Up the line of those who create: it ends at one that is shown, or exists. */
		for (task = all[i].on; !is_shown[task]; task = all[task].on) {
			is_shown[task] = true;
			if (all[task].why != KMPROF_WHY_ABSENT)
				break;
		}
	}
}

int kmprof_schedule_graph(const struct kmprof_schedule *schedule, __u64 ns,
			  struct kmprof_node **nodes, size_t *nr, struct kmprof_error *err)
{
	struct kmprof_node *all = calloc(schedule->nr_lives, sizeof(*all));
	bool *is_shown = calloc(schedule->nr_lives, sizeof(*is_shown));
	__u32 i;

	*nodes = all;
	*nr = 0;
	if (!all || !is_shown) {
		free(is_shown);
		return kmprof_error_set(err, -ENOMEM, NULL, "out of memory for the tasks");
	}
	/* The idle task waits for nobody, and nobody for it. */
	is_shown[0] = true;
	for (i = 1; i < schedule->nr_lives; i++)
		all[i] = node_of(schedule, i, ns);
	mark_waits(all, schedule->nr_lives, is_shown);
	for (i = 1; i < schedule->nr_lives; i++)
		if (is_shown[i])
			all[(*nr)++] = all[i];
	free(is_shown);
	return 0;
}
