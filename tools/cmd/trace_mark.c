// SPDX-License-Identifier: GPL-2.0
/* kmprof trace mark: put a text into the trace that is running. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/trace.h"
#include "device/tracer.h"
#include "util/memory_file.h"

/* Return: the words with blanks between them, to be freed; NULL: no memory. */
static char *join(int nr, char *const *words)
{
	char *text = NULL;
	size_t size;
	FILE *file;
	int i;

	file = open_memstream(&text, &size);
	for (i = 0; file && i < nr; i++)
		fprintf(file, "%s%s", i ? " " : "", words[i]);
	if (file)
		kmprof_memory_file_close(file, &text);
	return text;
}

static int mark(const char *text)
{
	struct kmprof_error err;

	if (!text) {
		kmprof_error_set(&err, -ENOMEM, NULL, "mark: out of memory");
		return fail(&err);
	}
	if (!*text)
		return usage_error(&cmd_trace, "mark: no text given");
	if (strlen(text) > KMPROF_TRACE_TEXT_MAX)
		return usage_error(&cmd_trace, "mark: the text is longer than %d bytes",
				   KMPROF_TRACE_TEXT_MAX);
	return kmprof_tracer_mark(KMPROF_DEVICE_PATH, text, &err) ? fail(&err) : EXIT_OK;
}

int trace_mark(int argc, char **argv)
{
	static const struct option options[] = { OPTION_HELP, OPTION_END };
	char *text;
	int opt, ret;

	/* The text may have a - in it. */
	while ((opt = getopt_long(argc, argv, "+:h", options, NULL)) >= 0) {
		if (opt == 'h')
			return show_help(&cmd_trace);
		return bad_option(&cmd_trace, opt, argv);
	}
	text = join(argc - optind, argv + optind);
	ret = mark(text);
	free(text);
	return ret;
}
