/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A whole terminal, for a view that is redrawn: lines, of which only those that have changed are
 * written, and keys. What the terminal was like before comes back at the end, whatever ends it.
 */
#ifndef KMPROF_CMD_SCREEN_H
#define KMPROF_CMD_SCREEN_H

#include <stdbool.h>
#include <termios.h>

#include "util/error.h"

/* Lines and columns that there is room for; a larger terminal is used in part. */
enum { SCREEN_LINES = 512, SCREEN_COLUMNS = 512 };

/* Keys that are no character. */
enum {
	SCREEN_TIME = -1,	/* none: the time is over */
	SCREEN_RESIZED = -2,	/* none: draw all again */
	SCREEN_ENDED = -3,	/* none: a signal ends the program, or the terminal is gone */
	SCREEN_UP = 256,
	SCREEN_DOWN,
	SCREEN_LEFT,
	SCREEN_RIGHT,
	SCREEN_PAGE_UP,
	SCREEN_PAGE_DOWN,
	SCREEN_HOME,
	SCREEN_END,
	SCREEN_ESCAPE = 27,
	SCREEN_ENTER = '\n',
	SCREEN_ERASE = 127,
};

enum screen_look { SCREEN_NORMAL, SCREEN_BOLD, SCREEN_REVERSE, SCREEN_ALERT };

/**
 * struct screen - the terminal
 * @lines: how many it has
 * @columns: how many it has
 * @before: its modes before
 * @shown: what each line shows, with its look in front
 * @next: what it is to show
 */
struct screen {
	int lines;
	int columns;
	struct termios before;
	char shown[SCREEN_LINES][SCREEN_COLUMNS + 2];
	char next[SCREEN_LINES][SCREEN_COLUMNS + 2];
};

/* Can there be one: are standard input and output a terminal that can move its cursor? */
bool screen_is_possible(void);

/* Takes the terminal. Return: 0 or a negative errno. */
int screen_begin(struct screen *screen, struct kmprof_error *err);
/* Gives it back. If a signal has ended the view, the program ends by it: this does not return. */
void screen_end(struct screen *screen);

/* Sets a line, from 0 on; what is too long is cut, and a line that there is not is none. */
__printf(4, 5)
void screen_put(struct screen *screen, int line, enum screen_look look, const char *fmt, ...);
/* Empties the lines from @line on. */
void screen_clear_from(struct screen *screen, int line);
/* Shows what has changed. */
void screen_show(struct screen *screen);

/* Waits for a key, for that many ms at most. Return: a character, or SCREEN_*. */
int screen_key(struct screen *screen, int ms);

#endif
