/* SPDX-License-Identifier: GPL-2.0 */
/* Strings, each kept once and known by its number, in order of appearance. */
#ifndef KMPROF_UTIL_INTERN_H
#define KMPROF_UTIL_INTERN_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

/**
 * struct kmprof_intern - the strings
 * @string: array; all zero at first
 * @nr: how many
 * @room: places in @string
 * @root: of the search tree
 */
struct kmprof_intern {
	char **string;
	size_t nr, room;
	void *root;
};

/**
 * kmprof_intern_add() - the number of a string
 * @intern: the strings
 * @text: copied if it is new
 *
 * Return: its index, or -ENOMEM.
 */
__s64 kmprof_intern_add(struct kmprof_intern *intern, const char *text);

/* The same; *@is_new: it was not there before. */
__s64 kmprof_intern_number(struct kmprof_intern *intern, const char *text, bool *is_new);
void kmprof_intern_release(struct kmprof_intern *intern);

#endif
