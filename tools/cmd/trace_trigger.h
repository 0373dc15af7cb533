/* SPDX-License-Identifier: GPL-2.0 */
/* Events of the kernel that are waited for: those of --on. */
#ifndef KMPROF_CMD_TRACE_TRIGGER_H
#define KMPROF_CMD_TRACE_TRIGGER_H

#include <stdbool.h>

#include "util/error.h"

/* Room for the text of one, its end included. */
enum { TRACE_TRIGGER_TEXT = 200 };

/**
 * struct trace_trigger - an event that is waited for
 * @text: as it was given: SYSTEM:EVENT or SYSTEM:EVENT/FILTER/
 * @event: SYSTEM:EVENT
 * @filter: of tracefs; empty: each event
 * @fds: of perf, one for each CPU that is online
 * @rings: what perf tells of an event through
 * @nr: how many
 */
struct trace_trigger {
	const char *text;
	char event[TRACE_TRIGGER_TEXT];
	char filter[TRACE_TRIGGER_TEXT];
	int *fds;
	void **rings;
	unsigned int nr;
};

/* Takes @text apart. Return: whether it is an event, and maybe a filter. */
bool trace_trigger_parse(struct trace_trigger *t, const char *text);

/* Begins to listen: poll() finds POLLIN at one of @fds, once. Return: 0 or a negative errno. */
int trace_trigger_open(struct trace_trigger *t, struct kmprof_error *err);

/* Ceases to listen. Also after trace_trigger_open() has failed. */
void trace_trigger_close(struct trace_trigger *t);

#endif
