/* SPDX-License-Identifier: GPL-2.0 */
/* What the tables of formats share: names of files, and names in a message. */
#ifndef KMPROF_UTIL_CHOICE_H
#define KMPROF_UTIL_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

/* Does a text end in another one? */
bool kmprof_ends_in(const char *text, const char *end);

/**
 * kmprof_either() - all that can be chosen
 * @name: the names one after the other, from 0 on; NULL behind the last one
 *
 * Return: "a, b or c", to be freed; NULL when out of memory.
 */
char *kmprof_either(const char *(*name)(size_t i));

#endif
