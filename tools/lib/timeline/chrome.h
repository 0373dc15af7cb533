/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Chrome's JSON of traces, which Chrome itself, Perfetto and others read: a row for each CPU, a
 * slice for each time that a task runs, an instant for every other event.
 */
#ifndef KMPROF_TIMELINE_CHROME_H
#define KMPROF_TIMELINE_CHROME_H

#include <stdio.h>

#include "timeline/stack_names.h"

/* See @write of struct kmprof_timeline. */
int kmprof_timeline_chrome(FILE *file, const struct kmprof_trace *trace,
			   const struct kmprof_stack_names *names, struct kmprof_error *err);

#endif
