// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/lines.h"

enum { FIRST_ROOM = 64 };

static int grow(struct kmprof_lines *lines)
{
	size_t room = lines->room ? lines->room * 2 : FIRST_ROOM;
	char **more = reallocarray(lines->line, room, sizeof(*more));

	if (!more)
		return -ENOMEM;
	lines->line = more;
	lines->room = room;
	return 0;
}

int kmprof_lines_vadd(struct kmprof_lines *lines, const char *fmt, va_list ap)
{
	char *line;

	if (lines->nr == lines->room && grow(lines))
		return -ENOMEM;
	if (vasprintf(&line, fmt, ap) < 0)
		return -ENOMEM;
	lines->line[lines->nr++] = line;
	return 0;
}

int kmprof_lines_add(struct kmprof_lines *lines, const char *fmt, ...)
{
	va_list ap;
	int ret;

	va_start(ap, fmt);
	ret = kmprof_lines_vadd(lines, fmt, ap);
	va_end(ap);
	return ret;
}

int kmprof_lines_add_text(struct kmprof_lines *lines, char *text)
{
	char *line;
	int ret = 0;

	while (!ret && (line = strsep(&text, "\n")))
		if (*line)
			ret = kmprof_lines_add(lines, "%s", line);
	return ret;
}

void kmprof_lines_release(struct kmprof_lines *lines)
{
	size_t i;

	for (i = 0; i < lines->nr; i++)
		free(lines->line[i]);
	free(lines->line);
	memset(lines, 0, sizeof(*lines));
}
