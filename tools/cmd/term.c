// SPDX-License-Identifier: GPL-2.0
/* Looks: colours and widths on a terminal, plain everywhere else. */
#include <langinfo.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "cmd/term.h"

#define NSEC_PER_SEC	1000000000ULL

enum { DEFAULT_WIDTH = 80, MIN_WIDTH = 40 };

int term_width(void)
{
	struct winsize ws;

	if (!isatty(STDOUT_FILENO))
		return 0;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) || !ws.ws_col)
		return DEFAULT_WIDTH;
	return ws.ws_col < MIN_WIDTH ? MIN_WIDTH : ws.ws_col;
}

int term_room(int columns)
{
	int width = term_width();

	if (!width)
		return INT_MAX;
	return width > columns ? width - columns : 1;
}

/* NO_COLOR: https://no-color.org */
static bool colours(void)
{
	const char *term = getenv("TERM"), *no = getenv("NO_COLOR");

	return isatty(STDOUT_FILENO) && !(no && *no) && term && strcmp(term, "dumb");
}

const char *term_bold(void)
{
	return colours() ? "\033[1m" : "";
}

const char *term_alert(void)
{
	return colours() ? "\033[31m" : "";
}

const char *term_plain(void)
{
	return colours() ? "\033[0m" : "";
}

const char *term_plus_minus(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") ? "+-" : "\u00b1";
}

/**
 * struct scale - units, each @base times the one before
 * @base: 1024 or 1000
 * @suffix: what they are called
 * @nr: how many
 */
struct scale {
	unsigned int base;
	const char *suffix[7];
	unsigned int nr;
};

static const struct scale sizes = { 1024, { "", "K", "M", "G", "T", "P", "E" }, 7 };
static const struct scale durations = { 1000, { "ns", "us", "ms", "s" }, 4 };

static const char *rounded(char text[HUMAN_TEXT], double n, const struct scale *scale)
{
	unsigned int i = 0;

	/* 1023.5 would be printed as 1024. */
	while (n >= scale->base - 0.5 && i + 1 < scale->nr) {
		n /= scale->base;
		i++;
	}
	snprintf(text, HUMAN_TEXT, "%.*f%s", !i || n >= 99.95 ? 0 : n < 9.995 ? 2 : 1, n,
		 scale->suffix[i]);
	return text;
}

static const char *exact(char text[HUMAN_TEXT], __u64 n, const struct scale *scale)
{
	unsigned int i = 0;

	while (n && !(n % scale->base) && i + 1 < scale->nr) {
		n /= scale->base;
		i++;
	}
	snprintf(text, HUMAN_TEXT, "%llu%s", n, scale->suffix[i]);
	return text;
}

const char *human_bytes(char text[HUMAN_TEXT], double bytes, bool in_full)
{
	if (!in_full)
		return rounded(text, bytes, &sizes);
	snprintf(text, HUMAN_TEXT, "%.0f", bytes);
	return text;
}

const char *human_ns(char text[HUMAN_TEXT], double ns)
{
	return rounded(text, ns, &durations);
}

/* From two of a unit on, it is that unit. */
const char *human_age(char text[HUMAN_TEXT], double ns)
{
	static const struct {
		double seconds;
		const char *suffix;
	} units[] = {
		{ 86400, "d" },
		{ 3600, "h" },
		{ 60, "m" },
	};
	double seconds = ns / NSEC_PER_SEC;
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (seconds < 2 * units[i].seconds)
			continue;
		snprintf(text, HUMAN_TEXT, "%.1f%s", seconds / units[i].seconds, units[i].suffix);
		return text;
	}
	return human_ns(text, ns);
}

const char *human_exact(char text[HUMAN_TEXT], __u64 bytes)
{
	return exact(text, bytes, &sizes);
}

const char *human_exact_ns(char text[HUMAN_TEXT], __u64 ns)
{
	return exact(text, ns, &durations);
}

const char *human_time(char text[HUMAN_TEXT], __u64 ns)
{
	time_t seconds = (time_t)(ns / NSEC_PER_SEC);
	struct tm tm;

	if (!ns || !localtime_r(&seconds, &tm) ||
	    !strftime(text, HUMAN_TEXT, "%Y-%m-%d %H:%M:%S", &tm))
		strcpy(text, "-");
	return text;
}
