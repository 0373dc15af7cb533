/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Perfetto's protobuf, which ui.perfetto.dev and trace_processor read: events are those of ftrace
 * that say the same.
 */
#ifndef KMPROF_TIMELINE_PERFETTO_H
#define KMPROF_TIMELINE_PERFETTO_H

#include <stdio.h>

#include "timeline/stack_names.h"

/* See @write of struct kmprof_timeline. */
int kmprof_timeline_perfetto(FILE *file, const struct kmprof_trace *trace,
			     const struct kmprof_stack_names *names, struct kmprof_error *err);

#endif
