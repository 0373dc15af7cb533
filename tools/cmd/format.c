// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "cmd/format.h"

/* Frees @names. */
static int unknown_format(const struct command *command, const char *name, char *names)
{
	int ret = usage_error(command, "--format: '%s' is not %s", name,
			      names ? names : "a format");

	free(names);
	return ret;
}

/* Return: ".png" and the like, or NULL: a dot at the beginning or the end of a name makes none. */
static const char *suffix_of(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *dot = strrchr(name, '.');

	return dot && dot != name && dot[1] ? dot : NULL;
}

static int unknown_suffix(const struct command *command, const char *output)
{
	return usage_error(command,
			   "-o %s: no format has the suffix %s: choose one by --format",
			   output, suffix_of(output));
}

int choose_format(const struct kmprof_exporter **exporter, const struct command *command,
		  const char *format, bool json, const char *output)
{
	*exporter = NULL;
	if (format)
		*exporter = kmprof_exporter_find(format);
	else if (json)
		*exporter = kmprof_exporter_find("json");
	else if (output)
		*exporter = kmprof_exporter_of_file(output);
	if (!*exporter && format)
		return unknown_format(command, format, kmprof_exporter_names());
	if (!*exporter && output && suffix_of(output))
		return unknown_suffix(command, output);
	if (!*exporter)
		*exporter = kmprof_exporter_default();
	if (json && strcmp((*exporter)->name, "json"))
		return usage_error(command, "--json and --format %s: give one of them", format);
	return EXIT_OK;
}

int choose_timeline(const struct kmprof_timeline **timeline, const struct command *command,
		    const char *format, const char *output)
{
	*timeline = NULL;
	if (format)
		*timeline = kmprof_timeline_find(format);
	else if (output)
		*timeline = kmprof_timeline_of_file(output);
	if (!*timeline && format)
		return unknown_format(command, format, kmprof_timeline_names());
	if (!*timeline && output && suffix_of(output))
		return unknown_suffix(command, output);
	if (!*timeline)
		*timeline = kmprof_timeline_at(0);
	return EXIT_OK;
}

int refuse_timeline(const struct kmprof_timeline *timeline, const struct command *command,
		    const char *asked)
{
	if (!timeline || kmprof_timeline_is_raw(timeline))
		return EXIT_OK;
	return usage_error(command,
			   "%s: a trace is saved as it is; 'kmprof trace --input TRACE -o FILE%s' makes that of it",
			   asked, timeline->suffix);
}
