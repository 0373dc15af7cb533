// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "util/escape.h"

static char printable(char c)
{
	return c >= ' ' && c <= '~' ? c : '?';
}

void kmprof_escape_xml(FILE *file, const char *text, size_t length)
{
	size_t i;
	char c;

	for (i = 0; i < length; i++) {
		c = printable(text[i]);
		if (strchr("<>&\"'", c))
			fprintf(file, "&#%d;", c);
		else
			fputc(c, file);
	}
}

void kmprof_escape_json(FILE *file, const char *text, size_t length)
{
	size_t i;
	char c;

	fputc('"', file);
	for (i = 0; i < length; i++) {
		c = printable(text[i]);
		if (strchr("<>&\"\\'", c))
			fprintf(file, "\\u%04x", c);
		else
			fputc(c, file);
	}
	fputc('"', file);
}
