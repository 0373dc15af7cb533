/* SPDX-License-Identifier: GPL-2.0 */
/* A trace for people, and for grep: one line for each event, and for each loss where it is. */
#ifndef KMPROF_TIMELINE_TEXT_H
#define KMPROF_TIMELINE_TEXT_H

#include <stdio.h>

#include "trace/trace.h"

/* See @write of struct kmprof_timeline. */
int kmprof_timeline_text(FILE *file, const struct kmprof_trace *trace, struct kmprof_error *err);

#endif
