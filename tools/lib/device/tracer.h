/* SPDX-License-Identifier: GPL-2.0 */
/* The commands of the execution tracer. */
#ifndef KMPROF_DEVICE_TRACER_H
#define KMPROF_DEVICE_TRACER_H

#include "device/device.h"

/**
 * struct kmprof_tracer_request - what is traced, and how
 * @events: bit mask of 1 << enum kmprof_trace_event
 * @flags: KMPROF_TRACE_START_*, or 0
 * @buffer_bytes: room for each CPU; 0: as the module chooses
 * @filter: which processes, as of struct kmprof_trace_start; NULL: all
 */
struct kmprof_tracer_request {
	__u64 events;
	__u32 flags;
	__u32 buffer_bytes;
	const char *filter;
};

/**
 * kmprof_tracer_start() - start to trace
 * @dev: the open device
 * @r: what is asked for
 * @fd: the descriptor to read from, non-blocking
 * @err: explanation
 *
 * Return: 0 or a negative errno.
 */
int kmprof_tracer_start(struct kmprof_device *dev, const struct kmprof_tracer_request *r, int *fd,
			struct kmprof_error *err);

/* Stops it; @stop has the counts then. Return: 0 or a negative errno. */
int kmprof_tracer_stop(struct kmprof_device *dev, int fd, struct kmprof_trace_stop *stop,
		       struct kmprof_error *err);

/**
 * kmprof_tracer_snapshot() - stop the flight recorder that runs: who has started it can read it
 * @path: KMPROF_DEVICE_PATH
 * @err: explanation
 *
 * Return: 0 or a negative errno.
 */
int kmprof_tracer_snapshot(const char *path, struct kmprof_error *err);

/**
 * kmprof_tracer_mark() - put a text into the trace that is running
 * @path: KMPROF_DEVICE_PATH
 * @text: at most KMPROF_TRACE_TEXT_MAX bytes, and not empty
 * @err: explanation
 *
 * Return: 0 or a negative errno.
 */
int kmprof_tracer_mark(const char *path, const char *text, struct kmprof_error *err);

#endif
