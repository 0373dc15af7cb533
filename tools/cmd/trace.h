/* SPDX-License-Identifier: GPL-2.0 */
/* kmprof trace: what is asked for, and the parts that do it. */
#ifndef KMPROF_CMD_TRACE_H
#define KMPROF_CMD_TRACE_H

#include "cmd/cmd.h"
#include "cmd/trace_trigger.h"
#include "device/tracer.h"
#include "timeline/timeline.h"

enum { TRACE_TRIGGERS = 8 };

/**
 * struct trace_request - what is asked for
 * @events: -e: bit mask of 1 << enum kmprof_trace_event; 0: not given
 * @ms: -d: for how long; 0: until the command ends, or a signal comes
 * @buffer_bytes: --buffer; 0: as the module chooses
 * @filter: --filter, or NULL
 * @has_stacks: --stacks
 * @is_flight: --flight
 * @triggers: --on: what a snapshot is taken of a flight recorder for
 * @nr_triggers: how many
 * @snapshots: --snapshots: after so many, the flight recorder ends; 0: not given
 * @input: --input: a saved trace to turn into another format; NULL: trace
 * @output: -o, or NULL
 * @format: --format, or NULL
 * @timeline: the format of the output
 * @command: what to run; NULL: nothing
 */
struct trace_request {
	__u64 events;
	__u64 ms;
	__u32 buffer_bytes;
	const char *filter;
	bool has_stacks;
	bool is_flight;
	struct trace_trigger triggers[TRACE_TRIGGERS];
	unsigned int nr_triggers;
	unsigned long snapshots;
	const char *input;
	const char *output;
	const char *format;
	const struct kmprof_timeline *timeline;
	char *const *command;
};

/* Adds events by their names, with commas between, to @events. Return: EXIT_OK or EXIT_USAGE. */
int trace_parse_events(const char *names, __u64 *events);

/* Where a trace goes if nothing is said. */
#define TRACE_OUTPUT	"kmprof.trace"

/* Opens the device, and warns of what will not come. Return: 0 or a negative errno. */
int trace_open(struct kmprof_device *dev, const struct trace_request *r, struct kmprof_error *err);

/* Starts what is asked for. @fd: to read from, non-blocking. Return: 0 or a negative errno. */
int trace_begin(struct kmprof_device *dev, const struct trace_request *r, int *fd,
		struct kmprof_error *err);

/* Traces. Return: the exit status, after a message if it has failed. */
int trace_record(const struct trace_request *r);

/* Runs a flight recorder. Return: as above. */
int trace_flight(struct trace_request *r);

/* Turns a saved trace into another format. Return: as above. */
int trace_convert(const struct trace_request *r);

/* kmprof trace mark: argv[0] is "mark". Return: as above. */
int trace_mark(int argc, char **argv);

/* kmprof trace snapshot: argv[0] is "snapshot". Return: as above. */
int trace_snapshot(int argc, char **argv);

/* kmprof trace recover: argv[0] is "recover". Return: as above. */
int trace_recover(int argc, char **argv);

#endif
