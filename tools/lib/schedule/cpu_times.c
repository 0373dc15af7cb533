// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>

#include "schedule/cpu_times.h"
#include "util/merge.h"

static int by_cpu(const void *a, const void *b)
{
	const struct kmprof_cpu_time *x = a, *y = b;

	return x->cpu == y->cpu ? kmprof_compare_u64(x->value, y->value) :
				  kmprof_compare_u64(x->cpu, y->cpu);
}

/* The states of a CPU. One that took no time was none. */
static int add_cpu(struct kmprof_growing *times, __u32 cpu, const struct kmprof_growing *states)
{
	const struct kmprof_cpu_state *state = (const void *)states->bytes;
	size_t i, nr = states->used / sizeof(*state);
	struct kmprof_cpu_time one;
	int ret = 0;

	for (i = 0; !ret && i < nr; i++) {
		if (state[i].span.from_ns == state[i].span.to_ns)
			continue;
		one = (struct kmprof_cpu_time){
			.times	= kmprof_times_once(state[i].span.to_ns - state[i].span.from_ns),
			.cpu	= cpu,
			.value	= state[i].value,
		};
		ret = kmprof_growing_add(times, &one, sizeof(one));
	}
	return ret;
}

/* @states: by CPU */
static int add_up(const struct kmprof_schedule *schedule, const struct kmprof_growing *states,
		  struct kmprof_cpu_time **times, size_t *nr, struct kmprof_error *err)
{
	struct kmprof_growing all = { 0 };
	int ret = 0;
	__u32 cpu;

	for (cpu = 0; !ret && cpu < schedule->nr_cpus; cpu++)
		ret = add_cpu(&all, cpu, &states[cpu]);
	if (ret) {
		free(all.bytes);
		return kmprof_error_set(err, ret, NULL, "out of memory for the times of CPUs");
	}
	*times = (struct kmprof_cpu_time *)all.bytes;
	*nr = all.used / sizeof(**times);
	if (*nr)
		*nr = kmprof_merge(*times, *nr, sizeof(**times), by_cpu, kmprof_times_add);
	return 0;
}

int kmprof_schedule_idle_times(const struct kmprof_schedule *schedule,
			       struct kmprof_cpu_time **times, size_t *nr,
			       struct kmprof_error *err)
{
	return add_up(schedule, schedule->idle_states, times, nr, err);
}

int kmprof_schedule_frequency_times(const struct kmprof_schedule *schedule,
				    struct kmprof_cpu_time **times, size_t *nr,
				    struct kmprof_error *err)
{
	return add_up(schedule, schedule->frequencies, times, nr, err);
}
