/* SPDX-License-Identifier: GPL-2.0 */
/* An HTML page that is all in one file: what is around its contents. */
#ifndef KMPROF_UTIL_PAGE_H
#define KMPROF_UTIL_PAGE_H

#include <stddef.h>
#include <stdio.h>

#include "util/asset.h"

/**
 * struct kmprof_page - such a page
 * @name: its title, and its heading; any text
 * @style: its style sheet
 * @scripts: array of @nr_scripts, in this order
 * @nr_scripts: how many
 */
struct kmprof_page {
	const char *name;
	const struct kmprof_asset *style;
	const struct kmprof_asset *const *scripts;
	size_t nr_scripts;
};

/*
 * Writes it up to its heading. Only what is in the page itself may run or give it a style, and
 * nothing is loaded.
 */
void kmprof_page_begin(FILE *file, const struct kmprof_page *page);

/* Writes its scripts, and its end. */
void kmprof_page_end(FILE *file, const struct kmprof_page *page);

#endif
