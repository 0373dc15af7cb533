/* SPDX-License-Identifier: GPL-2.0 */
/* A flame graph as a picture: for documents, and wherever no script may run. */
#ifndef KMPROF_EXPORT_SVG_H
#define KMPROF_EXPORT_SVG_H

#include "profile/series.h"
#include "symbols/resolver.h"

/**
 * kmprof_svg_write() - write a series as a flame graph
 * @file: open for writing; flushed by the caller
 * @series: the profile; its value that is shown is drawn
 * @resolver: names for the addresses
 * @err: explanation
 *
 * The outermost frames are at the top. Each has a title: its name, value and share. Below
 * are the summary and how many frames are too narrow to be drawn.
 *
 * Return: 0 or a negative errno.
 */
int kmprof_svg_write(FILE *file, const struct kmprof_series *series,
		     const struct kmprof_resolver *resolver, struct kmprof_error *err);

#endif
