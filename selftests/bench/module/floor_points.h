/* SPDX-License-Identifier: GPL-2.0 */
/* Handlers of tracepoints that are not exported. */
#ifndef KMPROF_BENCH_FLOOR_POINTS_H
#define KMPROF_BENCH_FLOOR_POINTS_H

struct tracepoint;

/**
 * struct bench_point - a handler
 * @name: of its tracepoint
 * @handler: with the tracepoint's arguments
 * @tracepoint: where it is attached
 */
struct bench_point {
	const char *name;
	void *handler;
	struct tracepoint *tracepoint;
};

int bench_points_on(struct bench_point *points, unsigned int nr);
void bench_points_off(struct bench_point *points, unsigned int nr);

#endif
