/* SPDX-License-Identifier: GPL-2.0 */
/* All of a series as JSON, with each row as it is: addresses, names, labels, values. */
#ifndef KMPROF_EXPORT_ROWS_JSON_H
#define KMPROF_EXPORT_ROWS_JSON_H

#include "profile/series.h"
#include "symbols/resolver.h"

/**
 * kmprof_rows_json_write() - write a series as JSON
 * @file: open for writing; flushed by the caller
 * @series: the profile
 * @resolver: names for the addresses
 * @err: explanation
 *
 * An object: what the profile is, its columns with their totals, facts, losses, and an array
 * of rows, one in a line, in the order of stacks. The man page has its members.
 *
 * Return: 0 or a negative errno.
 */
int kmprof_rows_json_write(FILE *file, const struct kmprof_series *series,
			   const struct kmprof_resolver *resolver, struct kmprof_error *err);

#endif
