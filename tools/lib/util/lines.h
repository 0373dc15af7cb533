/* SPDX-License-Identifier: GPL-2.0 */
/* A list of lines of text. */
#ifndef KMPROF_UTIL_LINES_H
#define KMPROF_UTIL_LINES_H

#include <stdarg.h>
#include <stddef.h>

#include "util/util.h"

/**
 * struct kmprof_lines - the lines, without newlines
 * @line: array; all zero at first
 * @nr: how many
 * @room: places in @line
 */
struct kmprof_lines {
	char **line;
	size_t nr;
	size_t room;
};

/* Adds a line, whatever its length. Return: 0 or -ENOMEM. */
__printf(2, 3)
int kmprof_lines_add(struct kmprof_lines *lines, const char *fmt, ...);
__printf(2, 0)
int kmprof_lines_vadd(struct kmprof_lines *lines, const char *fmt, va_list ap);

/**
 * kmprof_lines_add_text() - add a text line by line
 * @lines: the lines
 * @text: with a newline behind each line; empty lines are left out
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_lines_add_text(struct kmprof_lines *lines, char *text);
void kmprof_lines_release(struct kmprof_lines *lines);

#endif
