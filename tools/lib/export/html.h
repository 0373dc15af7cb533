/* SPDX-License-Identifier: GPL-2.0 */
/* A page that is all in one file: a flame graph to look around in, losses and facts. */
#ifndef KMPROF_EXPORT_HTML_H
#define KMPROF_EXPORT_HTML_H

#include "profile/series.h"
#include "symbols/resolver.h"

/**
 * kmprof_html_write() - write a series as an HTML page
 * @file: open for writing; flushed by the caller
 * @series: the profile; all its values
 * @resolver: names for the addresses
 * @err: explanation
 *
 * The page loads nothing, and forbids itself to. What it shows without JavaScript is the
 * summary, the losses and the facts.
 *
 * Return: 0 or a negative errno.
 */
int kmprof_html_write(FILE *file, const struct kmprof_series *series,
		      const struct kmprof_resolver *resolver, struct kmprof_error *err);

#endif
