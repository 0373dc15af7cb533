// SPDX-License-Identifier: GPL-2.0
/* Looks tracepoints up by their names, and arms and disarms them. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "probe/tracepoint.h"

/* The tracepoints of the kernel itself stay where they are. */
static void find(struct tracepoint *tp, void *data)
{
	struct kmprof_tracepoint *point = data;

	if (!strcmp(tp->name, point->name))
		point->found = tp;
}

static int arm(struct kmprof_tracepoint *point)
{
	if (!point->found)
		for_each_kernel_tracepoint(find, point);
	return point->found ? tracepoint_probe_register(point->found, point->handler, NULL) :
			      -ENOENT;
}

/**
 * kmprof_tracepoints_arm() - arm tracepoints, all or none
 * @points: the tracepoints, in the order of arming
 * @nr: number of @points
 *
 * Context: Process context. Sleeps.
 * Return: 0; -ENOENT when this kernel does not have one of them; or another negative errno. On
 * error no handler runs any more, and the log names the tracepoint.
 */
int kmprof_tracepoints_arm(struct kmprof_tracepoint *points, unsigned int nr)
{
	unsigned int i;
	int err;

	for (i = 0; i < nr; i++) {
		err = arm(&points[i]);
		if (err) {
			pr_err("no tracepoint %s: %pe\n", points[i].name, ERR_PTR(err));
			kmprof_tracepoints_disarm(points, i);
			return err;
		}
	}
	return 0;
}

/**
 * kmprof_tracepoints_disarm() - disarm tracepoints, in the reverse order
 * @points: the tracepoints; all are armed
 * @nr: number of @points
 *
 * Context: Process context. Waits for grace periods: on return no handler runs.
 */
void kmprof_tracepoints_disarm(const struct kmprof_tracepoint *points, unsigned int nr)
{
	while (nr--)
		tracepoint_probe_unregister(points[nr].found, points[nr].handler, NULL);
	tracepoint_synchronize_unregister();
}
