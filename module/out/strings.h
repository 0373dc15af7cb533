/* SPDX-License-Identifier: GPL-2.0 */
/* The string table of an image. */
#ifndef KMPROF_STRINGS_H
#define KMPROF_STRINGS_H

#include <linux/string.h>
#include <linux/types.h>

/**
 * struct kmprof_strings - a string table in the making. An image is written twice: the first
 *	time only to learn how large its tables are.
 * @text: the strings; NULL: only count
 * @bytes: bytes used so far; starts with 1 for the empty string, which is offset 0
 */
struct kmprof_strings {
	char *text;
	u32 bytes;
};

/**
 * kmprof_strings_add() - add a string to a table
 * @s: the table
 * @string: the string; NULL is the empty string
 *
 * Context: Any.
 * Return: the offset of the string.
 */
static inline u32 kmprof_strings_add(struct kmprof_strings *s, const char *string)
{
	u32 offset = s->bytes;

	if (!string || !*string)
		return 0;
	if (s->text)
		strcpy(s->text + offset, string);
	s->bytes += strlen(string) + 1;
	return offset;
}

#endif
