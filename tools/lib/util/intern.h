/* SPDX-License-Identifier: GPL-2.0 */
/* Strings, each kept once and known by its number, in order of appearance. */
#ifndef KMPROF_UTIL_INTERN_H
#define KMPROF_UTIL_INTERN_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

struct kmprof_intern_block;
struct kmprof_intern_link;

/**
 * struct kmprof_intern - the strings
 * @string: array; all zero at first
 * @link: the tree in which they are looked for
 * @nr: how many
 * @room: places in @string
 * @root: 1 + the number of the string at the root of the tree; 0: there is none
 * @block: the newest block of texts
 * @free: where the next text goes
 * @left: bytes there
 */
struct kmprof_intern {
	char **string;
	struct kmprof_intern_link *link;
	size_t nr, room;
	__u32 root;
	struct kmprof_intern_block *block;
	char *free;
	size_t left;
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
/* The place of each string, by its number, if they were sorted by strcmp(). */
void kmprof_intern_order(const struct kmprof_intern *intern, __u32 *place);
void kmprof_intern_release(struct kmprof_intern *intern);

#endif
