/* SPDX-License-Identifier: GPL-2.0 */
/* A trace for people, and for grep: one line for each event, and for each loss where it is. */
#ifndef KMPROF_TIMELINE_TEXT_H
#define KMPROF_TIMELINE_TEXT_H

#include <stdio.h>

#include "timeline/stack_names.h"

/* See @write of struct kmprof_timeline. */
int kmprof_timeline_text(FILE *file, const struct kmprof_trace *trace,
			 const struct kmprof_stack_names *names, struct kmprof_error *err);

#endif
