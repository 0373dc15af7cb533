/* SPDX-License-Identifier: GPL-2.0 */
/* The formats that a profile can be written in, and choosing one. */
#ifndef KMPROF_EXPORT_EXPORTER_H
#define KMPROF_EXPORT_EXPORTER_H

#include <stdbool.h>
#include <stdio.h>

#include "profile/series.h"
#include "symbols/resolver.h"

/**
 * struct kmprof_exporter - a format
 * @name: as the user calls it
 * @suffix: what names of files in this format end in
 * @is_binary: not for terminals
 * @shows_one: of the values, it has one only, or begins with one
 * @has_lines: it shows lines of source, or functions that are inlined
 * @write: writes a series; NULL: the format is the image itself
 */
struct kmprof_exporter {
	const char *name;
	const char *suffix;
	bool is_binary;
	bool shows_one;
	bool has_lines;
	int (*write)(FILE *file, const struct kmprof_series *series,
		     const struct kmprof_resolver *resolver, struct kmprof_error *err);
};

/* Return: the format of that name, or NULL. */
const struct kmprof_exporter *kmprof_exporter_find(const char *name);

/* Return: the format that the name of a file ends in, or NULL. */
const struct kmprof_exporter *kmprof_exporter_of_file(const char *path);

/* The one when nothing else is said: text. */
const struct kmprof_exporter *kmprof_exporter_default(void);

/* Return: the formats one after the other, from 0 on; NULL behind the last one. */
const struct kmprof_exporter *kmprof_exporter_at(size_t i);

/* "a, b or c", to be freed; NULL when out of memory. */
char *kmprof_exporter_names(void);

#endif
