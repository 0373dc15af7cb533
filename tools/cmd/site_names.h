/* SPDX-License-Identifier: GPL-2.0 */
/* Stacks in a line each, for a table in which no two lines should look the same. */
#ifndef KMPROF_CMD_SITE_NAMES_H
#define KMPROF_CMD_SITE_NAMES_H

#include "profile/aggregate.h"
#include "symbols/resolver.h"

/**
 * site_names() - a line for each stack: the leaf, then its callers outwards
 * @site: the stacks, all different
 * @nr: how many
 * @resolver: names
 * @room: columns for a line on a terminal, where as many callers are shown as fit; 0 for
 *	a pipe, where a few are shown in full
 *
 * Two stacks are different by an address, which may be another call in the same function
 * or lie behind the last caller that is shown. Where two lines would be the same, each
 * also has the first frame in which they differ, with its offset: "a < b < ... < x+0x1c".
 * A terminal can be too narrow for that, and stacks that no module has can be too deep.
 *
 * Return: an array of strings, or NULL when out of memory.
 */
char **site_names(const struct kmprof_site *site, size_t nr,
		  const struct kmprof_resolver *resolver, int room);
void site_names_free(char **names, size_t nr);

#endif
