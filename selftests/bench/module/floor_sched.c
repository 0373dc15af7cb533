// SPDX-License-Identifier: GPL-2.0
/* Handlers of the scheduler's tracepoints that do nothing. */
#include <linux/kernel.h>
#include <linux/sched.h>

#include "floor_sched.h"
#include "probe/tracepoint.h"

static void on_switch(void *data, bool preempt, struct task_struct *prev,
		      struct task_struct *next, unsigned int prev_state)
{
}

static void on_waking(void *data, struct task_struct *p)
{
}

static struct kmprof_tracepoint points[] = {
	{ "sched_switch", on_switch },
	{ "sched_waking", on_waking },
};

/**
 * bench_floor_sched_on() - attach them
 */
int bench_floor_sched_on(void)
{
	return kmprof_tracepoints_arm(points, ARRAY_SIZE(points));
}

/**
 * bench_floor_sched_off() - detach them
 */
void bench_floor_sched_off(void)
{
	kmprof_tracepoints_disarm(points, ARRAY_SIZE(points));
}
