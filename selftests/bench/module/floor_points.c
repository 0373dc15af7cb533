// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "floor_points.h"

static void find(struct tracepoint *tp, void *data)
{
	struct bench_point *point = data;

	if (!strcmp(tp->name, point->name))
		point->tracepoint = tp;
}

static int on(struct bench_point *point)
{
	for_each_kernel_tracepoint(find, point);
	return point->tracepoint ?
	       tracepoint_probe_register(point->tracepoint, point->handler, NULL) : -ENOENT;
}

/**
 * bench_points_on() - attach handlers
 * @points: which
 * @nr: number of them
 *
 * Return: 0; or a negative errno, and none is attached.
 */
int bench_points_on(struct bench_point *points, unsigned int nr)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < nr && !err; i++)
		err = on(&points[i]);
	if (err)
		bench_points_off(points, i - 1);
	return err;
}

/**
 * bench_points_off() - detach handlers
 * @points: which; all of them are attached
 * @nr: number of them
 */
void bench_points_off(struct bench_point *points, unsigned int nr)
{
	while (nr--)
		tracepoint_probe_unregister(points[nr].tracepoint, points[nr].handler, NULL);
	tracepoint_synchronize_unregister();
}
