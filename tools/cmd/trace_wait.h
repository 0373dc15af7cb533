/* SPDX-License-Identifier: GPL-2.0 */
/* What a flight recorder waits for: that it is stopped, a signal, or one of its triggers. */
#ifndef KMPROF_CMD_TRACE_WAIT_H
#define KMPROF_CMD_TRACE_WAIT_H

#include <poll.h>

#include "cmd/stop.h"
#include "cmd/trace.h"

/**
 * struct trace_wait - what is waited for
 * @r: has the triggers
 * @fds: the trace, signals, and all that the triggers listen with
 * @nr: how many
 */
struct trace_wait {
	const struct trace_request *r;
	struct pollfd *fds;
	nfds_t nr;
};

/* Of triggers that are open, and signals that are blocked. Return: 0 or a negative errno. */
int trace_wait_open(struct trace_wait *w, const struct trace_request *r, const struct stop *stop,
		    struct kmprof_error *err);
/* Also after trace_wait_open() has failed. */
void trace_wait_close(struct trace_wait *w);

/* Forgets the events that triggers have seen so far. perf tells poll() once of what is new. */
void trace_wait_forget(struct trace_wait *w);
/*
 * Waits for any, with @fd as the trace, until @until_ns by now_ns(); 0: for ever.
 * Return: 0; -ETIME: that was the end of the time; or another negative errno.
 */
int trace_wait_for(struct trace_wait *w, int fd, __u64 until_ns, struct kmprof_error *err);

/* Has trace_wait_for() seen that the module has stopped the trace? */
bool trace_wait_is_stopped(const struct trace_wait *w);
/* Has it seen the event of this one of the triggers? */
bool trace_wait_has_seen(const struct trace_wait *w, unsigned int trigger);

#endif
