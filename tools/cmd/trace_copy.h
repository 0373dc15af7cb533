/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Copies a trace from its descriptor to a file as it comes, in a thread of its own: meanwhile,
 * the program waits for a command, or a signal.
 */
#ifndef KMPROF_CMD_TRACE_COPY_H
#define KMPROF_CMD_TRACE_COPY_H

#include <pthread.h>
#include <stdio.h>

#include "trace/meter.h"

/**
 * struct trace_copy - a copy in the making
 * @fd: the descriptor, non-blocking
 * @file: where to
 * @thread: the thread
 * @lock: protects what is below
 * @meter: what has come so far
 * @is_over: the end has come, or it has failed
 * @is_given_up: nobody waits for the end
 * @ret: a negative errno: it has failed
 * @err: explanation of that
 */
struct trace_copy {
	int fd;
	FILE *file;
	pthread_t thread;
	pthread_mutex_t lock;
	struct kmprof_meter meter;
	bool is_over;
	bool is_given_up;
	int ret;
	struct kmprof_error err;
};

/**
 * trace_copy_begin() - begin to copy
 * @copy: filled in; to be ended by trace_copy_end() if this does not fail
 * @fd: the descriptor
 * @file: where to
 * @err: explanation
 *
 * Return: 0 or a negative errno.
 */
int trace_copy_begin(struct trace_copy *copy, int fd, FILE *file, struct kmprof_error *err);

/* Is there nothing to wait for? @events, @bytes, @lost: how much has come so far */
bool trace_copy_is_over(struct trace_copy *copy, __u64 *events, __u64 *bytes, __u64 *lost);

/**
 * trace_copy_end() - wait for the rest, which comes if the trace has been stopped
 * @copy: @meter is to be released
 * @is_stopped: it has been; else this does not wait
 * @err: explanation
 *
 * Return: 0 or a negative errno.
 */
int trace_copy_end(struct trace_copy *copy, bool is_stopped, struct kmprof_error *err);

#endif
