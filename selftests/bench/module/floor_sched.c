// SPDX-License-Identifier: GPL-2.0
/* Handlers of the scheduler's tracepoints that do nothing. */
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "floor_sched.h"

static void on_switch(void *data, bool preempt, struct task_struct *prev,
		      struct task_struct *next, unsigned int prev_state)
{
}

static void on_waking(void *data, struct task_struct *p)
{
}

static struct tracepoint *sched_switch, *sched_waking;

/* They are not exported. */
static void find(struct tracepoint *tp, void *data)
{
	if (!strcmp(tp->name, "sched_switch"))
		sched_switch = tp;
	if (!strcmp(tp->name, "sched_waking"))
		sched_waking = tp;
}

/**
 * bench_floor_sched_on() - attach them
 */
int bench_floor_sched_on(void)
{
	int err;

	for_each_kernel_tracepoint(find, NULL);
	if (!sched_switch || !sched_waking)
		return -ENOENT;
	err = tracepoint_probe_register(sched_switch, on_switch, NULL);
	if (err)
		return err;
	err = tracepoint_probe_register(sched_waking, on_waking, NULL);
	if (err)
		tracepoint_probe_unregister(sched_switch, on_switch, NULL);
	return err;
}

/**
 * bench_floor_sched_off() - detach them
 */
void bench_floor_sched_off(void)
{
	tracepoint_probe_unregister(sched_waking, on_waking, NULL);
	tracepoint_probe_unregister(sched_switch, on_switch, NULL);
	tracepoint_synchronize_unregister();
}
