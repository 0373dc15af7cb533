/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A page that is all in one file: a trace to look around in, by CPU and by task. It loads nothing,
 * and forbids itself to. What it shows without JavaScript is what the trace is, and its warnings.
 */
#ifndef KMPROF_TIMELINE_HTML_H
#define KMPROF_TIMELINE_HTML_H

#include <stdio.h>

#include "timeline/stack_names.h"

/* See @write of struct kmprof_timeline. */
int kmprof_timeline_html(FILE *file, const struct kmprof_trace *trace,
			 const struct kmprof_stack_names *names, struct kmprof_error *err);

#endif
