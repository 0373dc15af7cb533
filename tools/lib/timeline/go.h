/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Go's execution trace, which "go tool trace" shows: tasks are goroutines, CPUs are Ps. The start
 * stack of a goroutine is the last name of its task.
 */
#ifndef KMPROF_TIMELINE_GO_H
#define KMPROF_TIMELINE_GO_H

#include <stdio.h>

#include "timeline/stack_names.h"

/* See @write of struct kmprof_timeline. */
int kmprof_timeline_go(FILE *file, const struct kmprof_trace *trace,
		       const struct kmprof_stack_names *names, struct kmprof_error *err);

#endif
