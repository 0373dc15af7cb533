/* SPDX-License-Identifier: GPL-2.0 */
/* Arming tracepoints that the kernel does not export: they are looked up by their names. */
#ifndef KMPROF_TRACEPOINT_H
#define KMPROF_TRACEPOINT_H

struct tracepoint;

/**
 * struct kmprof_tracepoint - a tracepoint and kmprof's handler
 * @name: name of the tracepoint
 * @handler: function with the tracepoint's prototype, and a void pointer before its arguments.
 *	Runs with preemption off
 * @found: the tracepoint; NULL: not looked up yet, or this kernel does not have it. One of kmprof
 *	itself is not looked up, but has to be here
 */
struct kmprof_tracepoint {
	const char *name;
	void *handler;
	struct tracepoint *found;
};

int kmprof_tracepoints_arm(struct kmprof_tracepoint *points, unsigned int nr);
void kmprof_tracepoints_disarm(const struct kmprof_tracepoint *points, unsigned int nr);

#endif
