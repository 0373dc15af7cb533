/* SPDX-License-Identifier: GPL-2.0 */
/* How output looks on this terminal, and numbers for people. */
#ifndef KMPROF_CMD_TERM_H
#define KMPROF_CMD_TERM_H

#include <stdbool.h>

#include <linux/types.h>

/* Columns of the terminal on standard output, 0 when it is none. */
int term_width(void);

/* What remains of a line behind so many columns, at least 1; without a terminal there is no end. */
int term_room(int columns);

/* Escape sequences, or "" where colours are not wanted. */
const char *term_bold(void);
const char *term_alert(void);
const char *term_plain(void);

/* The plus-minus sign, in what the locale can show; one column or two. */
const char *term_plus_minus(void);

enum { HUMAN_TEXT = 32 };

/**
 * human_bytes() - a size in a few characters
 * @text: where to; returned
 * @bytes: the size
 * @in_full: all digits instead
 *
 * At least three significant digits, with a power of 1024 as suffix.
 */
const char *human_bytes(char text[HUMAN_TEXT], double bytes, bool in_full);

/* A duration in a few characters, in the same way: 1.50us, 12.3ms. */
const char *human_ns(char text[HUMAN_TEXT], double ns);

/* How long ago, in the same way: 12.3s, 4.5m, 6.7h, 8.9d. */
const char *human_age(char text[HUMAN_TEXT], double ns);

/* A size in the shortest exact form: 512K, 1000. */
const char *human_exact(char text[HUMAN_TEXT], __u64 bytes);

/* A duration in the shortest exact form: 10us, 1500ns. */
const char *human_exact_ns(char text[HUMAN_TEXT], __u64 ns);

/* A point in time, local and to the second; "-" for 0. */
const char *human_time(char text[HUMAN_TEXT], __u64 ns);

#endif
