// SPDX-License-Identifier: GPL-2.0
/*
 * All that kmprof trace report finds out about a trace, however damaged that is. What a task did
 * adds up to the time for which it was there, the causes add up to what they explain, and nothing
 * is longer than the trace.
 */
#include <stdio.h>
#include <stdlib.h>

#include "schedule/ends.h"
#include "schedule/graph.h"
#include "schedule/handled.h"
#include "schedule/locks.h"
#include "schedule/schedule.h"
#include "schedule/sleeps.h"
#include "schedule/stalled.h"
#include "schedule/sums.h"
#include "schedule/wakes.h"
#include "schedule/why.h"
#include "tests/reporter.h"
#include "timeline/stack_names.h"
#include "util/saturate.h"

static void die_if(bool is_bad, const char *what)
{
	if (!is_bad)
		return;
	fprintf(stderr, "reporter: %s\n", what);
	abort();
}

static __u64 whole_ns(const struct kmprof_schedule *s)
{
	return s->to_ns - s->from_ns;
}

/* For how long there was the task: all of its states but the ones without it. */
static __u64 there_ns(const struct kmprof_schedule *s, const struct kmprof_life *life)
{
	const struct kmprof_stretch *stretch;
	__u64 ns = 0, end_ns;
	size_t i, nr;

	stretch = kmprof_life_stretches(life, &nr);
	for (i = 0; i < nr; i++) {
		end_ns = kmprof_stretch_end(s, life, i);
		die_if(stretch[i].from_ns < s->from_ns || end_ns < stretch[i].from_ns ||
		       end_ns > s->to_ns, "a stretch outside of the trace");
		if (stretch[i].state != KMPROF_TASK_ABSENT && stretch[i].state != KMPROF_TASK_DEAD)
			ns += end_ns - stretch[i].from_ns;
	}
	return ns;
}

static void check_sums(const struct kmprof_schedule *s)
{
	struct kmprof_task_sums *sums;
	struct kmprof_error err;
	__u64 ns;
	size_t i, j, nr;

	die_if(kmprof_schedule_sums(s, &sums, &nr, &err), err.text);
	die_if(nr != s->nr_lives - 1, "a task without sums");
	for (i = 0; i < nr; i++) {
		ns = sums[i].running_ns + sums[i].runnable_ns + sums[i].unknown_ns;
		for (j = 0; j < KMPROF_NR_SLEEPS; j++)
			ns += sums[i].asleep_ns[j];
		die_if(ns != there_ns(s, &s->life[sums[i].task]), "sums that do not add up");
		die_if(sums[i].longest_ns > whole_ns(s), "a wait that is too long");
	}
	free(sums);
}

/* Entries of @size bytes that begin with a struct kmprof_times. They are freed. */
static void check_times(const struct kmprof_schedule *s, int ret, void *entries, size_t nr,
			size_t size, const struct kmprof_error *err)
{
	const struct kmprof_times *times;
	size_t i;

	die_if(ret, err->text);
	for (i = 0; i < nr; i++) {
		times = (const void *)((const char *)entries + i * size);
		die_if(!times->count || times->longest_ns > times->ns, "times that do not add up");
		die_if(times->longest_ns > whole_ns(s), "a time that is too long");
	}
	free(entries);
}

static void check_tables(const struct kmprof_schedule *s)
{
	struct kmprof_lock_waits *locks;
	struct kmprof_handled *handled;
	struct kmprof_stalled *stalled;
	struct kmprof_sleeps *sleeps;
	struct kmprof_wakes *wakes;
	struct kmprof_error err;
	size_t nr;
	int ret;

	ret = kmprof_schedule_sleeps(s, &sleeps, &nr, &err);
	check_times(s, ret, sleeps, nr, sizeof(*sleeps), &err);
	ret = kmprof_schedule_wakes(s, &wakes, &nr, &err);
	check_times(s, ret, wakes, nr, sizeof(*wakes), &err);
	ret = kmprof_schedule_locks(s, &locks, &nr, &err);
	check_times(s, ret, locks, nr, sizeof(*locks), &err);
	ret = kmprof_schedule_handled(s, &handled, &nr, &err);
	check_times(s, ret, handled, nr, sizeof(*handled), &err);
	ret = kmprof_schedule_stalled(s, &stalled, &nr, &err);
	check_times(s, ret, stalled, nr, sizeof(*stalled), &err);
}

static __u64 below_ns(const struct kmprof_cause *cause)
{
	const struct kmprof_cause *below;
	__u64 ns = 0;

	for (below = cause->causes; below; below = below->next)
		ns = kmprof_saturated_count(ns, below->ns);
	return ns;
}

/* What has causes below it is their sum. */
static void check_cause(const struct kmprof_cause *cause)
{
	const struct kmprof_cause *below;

	die_if(cause->causes && below_ns(cause) != cause->ns, "causes that do not add up");
	for (below = cause->causes; below; below = below->next)
		check_cause(below);
}

static void check_why(const struct kmprof_schedule *s)
{
	struct kmprof_cause root = { 0 }, ends = { 0 };
	struct kmprof_error err;
	__u32 task;

	for (task = 1; task < s->nr_lives; task++)
		die_if(kmprof_why_ask(&root, task, s->from_ns, s->to_ns, &err), err.text);
	die_if(kmprof_why_explain(&root, s, &err), err.text);
	check_cause(&root);
	die_if(kmprof_why_ends(&ends, &root, &err), err.text);
	die_if(below_ns(&ends) != root.ns, "ends that are not the whole");
	kmprof_causes_release(&ends);
	kmprof_causes_release(&root);
}

static void check_graph(const struct kmprof_schedule *s, __u64 ns)
{
	struct kmprof_node *nodes;
	struct kmprof_error err;
	size_t i, nr;

	die_if(kmprof_schedule_graph(s, ns, &nodes, &nr, &err), err.text);
	for (i = 0; i < nr; i++)
		die_if(nodes[i].task >= s->nr_lives ||
		       (nodes[i].on != KMPROF_NO_TASK && nodes[i].on >= s->nr_lives),
		       "a task that there is not");
	free(nodes);
}

static void check(const struct kmprof_schedule *s)
{
	check_sums(s);
	check_tables(s);
	check_why(s);
	check_graph(s, s->from_ns);
	check_graph(s, s->from_ns + whole_ns(s) / 2);
	check_graph(s, s->to_ns);
}

bool reporter_report(const struct kmprof_trace *trace)
{
	struct kmprof_schedule schedule;
	struct kmprof_stack_names names;
	struct kmprof_error err, warning;
	__u32 *same = NULL;
	bool has_names;

	/* They may be damaged where the trace is not. */
	has_names = kmprof_stack_names_open(&names, trace, &warning, &err) >= 0;
	if (has_names) {
		die_if(kmprof_stack_names_same(&names, &same, &err), err.text);
		die_if(kmprof_schedule_read(&schedule, trace, same, &err), err.text);
		check(&schedule);
		kmprof_schedule_release(&schedule);
		free(same);
	}
	kmprof_stack_names_close(&names);
	return has_names;
}
