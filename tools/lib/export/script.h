/* SPDX-License-Identifier: GPL-2.0 */
/* The text of perf script, for stackcollapse-perf.pl, speedscope, the Firefox Profiler. */
#ifndef KMPROF_EXPORT_SCRIPT_H
#define KMPROF_EXPORT_SCRIPT_H

#include "profile/series.h"
#include "symbols/resolver.h"

/**
 * kmprof_script_write() - write a series as perf script does
 * @file: open for writing; flushed by the caller
 * @series: the profile; its value that is shown is the event
 * @resolver: names for the addresses
 * @err: explanation
 *
 * A sample for each row whose value is not 0: the value is its period, the time is that of
 * the snapshot. comm and pid are those of the labels; without these, "kmprof" and 0. Before
 * them is the summary in comments.
 *
 * Return: 0 or a negative errno.
 */
int kmprof_script_write(FILE *file, const struct kmprof_series *series,
			const struct kmprof_resolver *resolver, struct kmprof_error *err);

#endif
