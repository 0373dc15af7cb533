/* SPDX-License-Identifier: GPL-2.0 */
/* Folded stacks, which flamegraph.pl, speedscope, inferno and others read. */
#ifndef KMPROF_EXPORT_FOLDED_H
#define KMPROF_EXPORT_FOLDED_H

#include "profile/series.h"
#include "symbols/resolver.h"

/**
 * kmprof_folded_write() - write a series as folded stacks
 * @file: open for writing; flushed by the caller
 * @series: the profile; its value that is shown is written
 * @resolver: names for the addresses
 * @err: explanation
 *
 * A line for each stack whose value is not 0, the largest first: names from the outermost
 * to the innermost with ';' between them, a blank, and the value. Before them is the
 * summary in comments, which the readers skip as they are no number at the end.
 *
 * Return: 0 or a negative errno.
 */
int kmprof_folded_write(FILE *file, const struct kmprof_series *series,
			const struct kmprof_resolver *resolver, struct kmprof_error *err);

#endif
