// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "timeline/text.h"
#include "timeline/timeline.h"

/* The first one is the default. */
static const struct kmprof_timeline timelines[] = {
	{ .name = "text", .suffix = ".txt", .write = kmprof_timeline_text },
	{ .name = "raw", .suffix = ".trace", .is_binary = true },
};

const struct kmprof_timeline *kmprof_timeline_find(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(timelines); i++)
		if (!strcmp(timelines[i].name, name))
			return &timelines[i];
	return NULL;
}

static bool ends_in(const char *text, const char *end)
{
	size_t length = strlen(text), end_length = strlen(end);

	return length >= end_length && !strcmp(text + length - end_length, end);
}

const struct kmprof_timeline *kmprof_timeline_of_file(const char *path)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(timelines); i++)
		if (ends_in(path, timelines[i].suffix))
			return &timelines[i];
	return NULL;
}

const struct kmprof_timeline *kmprof_timeline_at(size_t i)
{
	return i < ARRAY_SIZE(timelines) ? &timelines[i] : NULL;
}

char *kmprof_timeline_names(void)
{
	const char *glue = "";
	char *names = NULL;
	size_t i, size;
	FILE *file;

	file = open_memstream(&names, &size);
	if (!file)
		return NULL;
	for (i = 0; i < ARRAY_SIZE(timelines); i++) {
		fprintf(file, "%s%s", glue, timelines[i].name);
		glue = i + 2 < ARRAY_SIZE(timelines) ? ", " : " or ";
	}
	fclose(file);
	return names;
}
