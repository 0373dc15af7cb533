/* SPDX-License-Identifier: GPL-2.0 */
/* The file of perf record, for perf report, perf script and what reads their files. */
#ifndef KMPROF_EXPORT_PERF_DATA_H
#define KMPROF_EXPORT_PERF_DATA_H

#include "profile/series.h"
#include "symbols/resolver.h"

/**
 * kmprof_perf_data_write() - write a series as perf record does
 * @file: open for writing, may be a pipe; flushed by the caller
 * @series: the profile
 * @resolver: names for the addresses
 * @err: explanation
 *
 * An event for each value, "kmprof:NAME", first of the one that is shown first; a sample for each
 * row whose value is above 0, with the value as its period. comm and pid are those of the labels;
 * without these, the comm is kmprof, and the pid a number that no thread has.
 *
 * The file has the names of all functions: it can be read on any machine, and later. Samples that
 * were lost are told as such.
 *
 * Return: 0 or a negative errno.
 */
int kmprof_perf_data_write(FILE *file, const struct kmprof_series *series,
			   const struct kmprof_resolver *resolver, struct kmprof_error *err);

#endif
