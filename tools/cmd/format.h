/* SPDX-License-Identifier: GPL-2.0 */
/* Which format a command writes: by --format, --json, or the name of its output. */
#ifndef KMPROF_CMD_FORMAT_H
#define KMPROF_CMD_FORMAT_H

#include "cmd/cmd.h"
#include "export/exporter.h"
#include "timeline/timeline.h"

/**
 * choose_format() - the format that is asked for; text if nothing is
 * @exporter: the format
 * @command: for messages
 * @format: --format, or NULL
 * @json: --json
 * @output: the file, whose suffix decides if neither of them is given; NULL: standard output
 *
 * A suffix that is not that of a format is an error: it would not be text that is expected.
 *
 * Return: EXIT_OK, or EXIT_USAGE after a message.
 */
int choose_format(const struct kmprof_exporter **exporter, const struct command *command,
		  const char *format, bool json, const char *output);

/* The same for a trace. */
int choose_timeline(const struct kmprof_timeline **timeline, const struct command *command,
		    const char *format, const char *output);

/**
 * refuse_timeline() - a new trace is saved as it is, in no other format: there may be no time
 * @timeline: the format that is asked for, or NULL
 * @command: for messages
 * @asked: the name of the format, or of the output
 *
 * Return: EXIT_OK if it is saved so, or EXIT_USAGE after a message.
 */
int refuse_timeline(const struct kmprof_timeline *timeline, const struct command *command,
		    const char *asked);

#endif
