/* SPDX-License-Identifier: GPL-2.0 */
/* The texts of Go's runtime, which pprof reads as well. */
#ifndef KMPROF_EXPORT_TEXT_H
#define KMPROF_EXPORT_TEXT_H

#include <stdio.h>

#include "profile/series.h"
#include "symbols/resolver.h"

/**
 * kmprof_text_write() - write a series as text
 * @file: open for writing; flushed by the caller
 * @series: the profile
 * @resolver: names for the addresses
 * @err: explanation
 *
 * The largest row comes first. What these texts have no place for goes into comments:
 * all facts, a row's note or labels, and its values beside the one that is counted.
 *
 * Return: 0 or a negative errno.
 */
int kmprof_text_write(FILE *file, const struct kmprof_series *series,
		      const struct kmprof_resolver *resolver, struct kmprof_error *err);

/**
 * kmprof_text_finish() - has everything been written?
 * @file: to which; errno was 0 before
 * @err: explanation
 *
 * Return: 0 or a negative errno.
 */
int kmprof_text_finish(FILE *file, struct kmprof_error *err);

#endif
