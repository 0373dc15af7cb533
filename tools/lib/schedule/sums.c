// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>

#include "schedule/sums.h"
#include "util/by_number.h"

enum kmprof_sleep kmprof_sleep_of(__u32 reason)
{
	switch (reason) {
	case KMPROF_TRACE_SLEEPING:
		return KMPROF_SLEEP_INTERRUPTIBLE;
	case KMPROF_TRACE_BLOCKED:
		return KMPROF_SLEEP_BLOCKED;
	case KMPROF_TRACE_IDLE:
		return KMPROF_SLEEP_IDLE;
	default:
		return KMPROF_SLEEP_OTHER;
	}
}

/* The smallest of the waits, in their order, that @percent of them do not exceed. */
static __u64 percentile(const __u64 *wait, size_t nr, unsigned int percent)
{
	return nr ? wait[(nr * percent + 99) / 100 - 1] : 0;
}

static int add(struct kmprof_task_sums *sums, const struct kmprof_stretch *stretch, __u64 ns,
	       struct kmprof_growing *waits)
{
	switch (stretch->state) {
	case KMPROF_TASK_RUNNING:
		sums->running_ns += ns;
		sums->runs++;
		return 0;
	case KMPROF_TASK_RUNNABLE:
		sums->runnable_ns += ns;
		/* When this wait began is not known: it is not the time of the inference. */
		if (stretch->is_inferred)
			return 0;
		if (ns > sums->longest_ns) {
			sums->longest_ns = ns;
			sums->longest_at_ns = stretch->from_ns;
		}
		/* One that goes on at the end of the trace is at least as long. */
		return kmprof_growing_add(waits, &ns, sizeof(ns));
	case KMPROF_TASK_ASLEEP:
		sums->asleep_ns[kmprof_sleep_of(stretch->reason)] += ns;
		return 0;
	case KMPROF_TASK_ABSENT:
	case KMPROF_TASK_DEAD:
		return 0;
	default:
		sums->unknown_ns += ns;
		return 0;
	}
}

/* @waits: used again for each task */
static int add_up(struct kmprof_task_sums *sums, const struct kmprof_schedule *schedule,
		  struct kmprof_growing *waits)
{
	const struct kmprof_life *life = &schedule->life[sums->task];
	const struct kmprof_stretch *stretch;
	size_t i, nr;
	__u64 ns;

	waits->used = 0;
	stretch = kmprof_life_stretches(life, &nr);
	for (i = 0; i < nr; i++) {
		ns = kmprof_stretch_end(schedule, life, i) - stretch[i].from_ns;
		if (add(sums, &stretch[i], ns, waits))
			return -ENOMEM;
	}
	sums->waits = waits->used / sizeof(__u64);
	if (sums->waits)
		qsort(waits->bytes, sums->waits, sizeof(__u64), kmprof_by_number);
	sums->median_ns = percentile((const __u64 *)waits->bytes, sums->waits, 50);
	sums->p99_ns = percentile((const __u64 *)waits->bytes, sums->waits, 99);
	return 0;
}

int kmprof_schedule_sums(const struct kmprof_schedule *schedule, struct kmprof_task_sums **sums,
			 size_t *nr, struct kmprof_error *err)
{
	struct kmprof_growing waits = { 0 };
	int ret = 0;
	__u32 i;

	*nr = schedule->nr_lives ? schedule->nr_lives - 1 : 0;
	*sums = calloc(*nr + 1, sizeof(**sums));
	if (!*sums)
		return kmprof_error_set(err, -ENOMEM, NULL, "out of memory for sums of the tasks");
	for (i = 0; !ret && i < *nr; i++) {
		(*sums)[i].task = i + 1;
		ret = add_up(&(*sums)[i], schedule, &waits);
	}
	free(waits.bytes);
	if (!ret)
		return 0;
	free(*sums);
	*sums = NULL;
	return kmprof_error_set(err, ret, NULL, "out of memory for the waits of a task");
}
