// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "util/choice.h"
#include "util/memory_file.h"

bool kmprof_ends_in(const char *text, const char *end)
{
	size_t length = strlen(text), end_length = strlen(end);

	return length >= end_length && !strcmp(text + length - end_length, end);
}

char *kmprof_either(const char *(*name)(size_t i))
{
	char *names = NULL;
	size_t i, size;
	FILE *file;

	file = open_memstream(&names, &size);
	if (!file)
		return NULL;
	for (i = 0; name(i); i++)
		fprintf(file, "%s%s", !i ? "" : name(i + 1) ? ", " : " or ", name(i));
	kmprof_memory_file_close(file, &names);
	return names;
}
