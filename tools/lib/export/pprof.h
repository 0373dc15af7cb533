/* SPDX-License-Identifier: GPL-2.0 */
/* A gzipped profile.proto, what "go tool pprof" and its kin read. */
#ifndef KMPROF_EXPORT_PPROF_H
#define KMPROF_EXPORT_PPROF_H

#include <stdio.h>

#include "profile/series.h"
#include "symbols/resolver.h"

/**
 * kmprof_pprof_write() - write a series for pprof
 * @file: open for writing; flushed by the caller
 * @series: the profile
 * @resolver: names for the addresses
 * @err: explanation
 *
 * Comments are the summary of the series: pprof shows all of them before anything else.
 *
 * Return: 0 or a negative errno.
 */
int kmprof_pprof_write(FILE *file, const struct kmprof_series *series,
		       const struct kmprof_resolver *resolver, struct kmprof_error *err);

#endif
