/* SPDX-License-Identifier: GPL-2.0 */
/* A table in the making: bytes that more are put behind. */
#ifndef KMPROF_UTIL_GROWING_H
#define KMPROF_UTIL_GROWING_H

#include <stddef.h>

#include <linux/types.h>

/**
 * struct kmprof_growing - a table in the making
 * @bytes: the entries, to be freed
 * @used: bytes of them
 * @room: bytes that there is room for
 */
struct kmprof_growing {
	char *bytes;
	size_t used;
	size_t room;
};

/* Makes room for @size bytes more, after which @bytes is not NULL. Return: 0 or -ENOMEM. */
int kmprof_growing_reserve(struct kmprof_growing *g, size_t size);

/* Return: 0 or -ENOMEM. */
int kmprof_growing_add(struct kmprof_growing *g, const void *bytes, size_t size);

/* Return: the last entry, if each has @size bytes; NULL: there is none. */
static inline void *kmprof_growing_last(const struct kmprof_growing *g, size_t size)
{
	return g->used ? g->bytes + g->used - size : NULL;
}

/**
 * kmprof_growing_add_string() - add a string to a table of strings
 * @g: the table
 * @text: the string
 * @length: of it
 * @at: its offset
 *
 * Return: 0; -ENOMEM; -E2BIG when the offset does not fit.
 */
int kmprof_growing_add_string(struct kmprof_growing *g, const char *text, size_t length, __u32 *at);

#endif
