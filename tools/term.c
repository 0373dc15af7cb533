// SPDX-License-Identifier: GPL-2.0
/* Looks: colours and widths on a terminal, plain everywhere else. */
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "lib/util.h"
#include "term.h"

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

const char *human_bytes(char text[HUMAN_TEXT], double bytes, bool exact)
{
	static const char suffix[] = " KMGTPE";
	unsigned int i = 0;

	if (exact) {
		snprintf(text, HUMAN_TEXT, "%.0f", bytes);
		return text;
	}
	/* 1023.5 would be printed as 1024. */
	while (bytes >= 1023.5 && i < sizeof(suffix) - 2) {
		bytes /= 1024;
		i++;
	}
	if (!i)
		snprintf(text, HUMAN_TEXT, "%.0f", bytes);
	else
		snprintf(text, HUMAN_TEXT, "%.*f%c", bytes < 9.995 ? 2 : bytes < 99.95 ? 1 : 0,
			 bytes, suffix[i]);
	return text;
}

const char *human_exact(char text[HUMAN_TEXT], __u64 bytes)
{
	static const char *const suffix[] = { "", "K", "M", "G" };
	unsigned int i = 0;

	while (bytes && !(bytes % 1024) && i < ARRAY_SIZE(suffix) - 1) {
		bytes /= 1024;
		i++;
	}
	snprintf(text, HUMAN_TEXT, "%llu%s", bytes, suffix[i]);
	return text;
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
