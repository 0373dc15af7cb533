/* SPDX-License-Identifier: GPL-2.0 */
/* All that kmprof trace report finds out about a trace, only checked: see reporter.c. */
#ifndef KMPROF_TESTS_REPORTER_H
#define KMPROF_TESTS_REPORTER_H

#include "trace/trace.h"

/* Aborts where a rule is broken. Return: whether there is a report: not if names are damaged. */
bool reporter_report(const struct kmprof_trace *trace);

#endif
