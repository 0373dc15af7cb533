// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "cmd/trace_wait.h"

/* The places of @fds. Those of the triggers follow. */
enum { WAIT_TRACE, WAIT_SIGNAL, WAIT_TRIGGERS };

int trace_wait_open(struct trace_wait *w, const struct trace_request *r, const struct stop *stop,
		    struct kmprof_error *err)
{
	nfds_t nr = WAIT_TRIGGERS;
	unsigned int i, k;

	for (i = 0; i < r->nr_triggers; i++)
		nr += r->triggers[i].nr;
	*w = (struct trace_wait){ .r = r, .fds = calloc(nr, sizeof(*w->fds)) };
	if (!w->fds)
		return kmprof_error_set(err, -ENOMEM, NULL, "--flight: out of memory");
	w->fds[WAIT_TRACE].fd = -1;
	w->fds[WAIT_SIGNAL].fd = signalfd(-1, &stop->signals, SFD_CLOEXEC);
	if (w->fds[WAIT_SIGNAL].fd < 0)
		return kmprof_error_set(err, -errno, NULL, "--flight: signals: %s",
					strerror(errno));
	w->nr = WAIT_TRIGGERS;
	for (i = 0; i < r->nr_triggers; i++)
		for (k = 0; k < r->triggers[i].nr; k++)
			w->fds[w->nr++].fd = r->triggers[i].fds[k];
	for (i = 0; i < nr; i++)
		w->fds[i].events = POLLIN;
	return 0;
}

void trace_wait_close(struct trace_wait *w)
{
	if (w->nr)
		close(w->fds[WAIT_SIGNAL].fd);
	free(w->fds);
}

void trace_wait_forget(struct trace_wait *w)
{
	poll(w->fds + WAIT_TRIGGERS, w->nr - WAIT_TRIGGERS, 0);
}

/* A listener that has ended would be ready each time. */
static void leave_out_ended(struct trace_wait *w)
{
	nfds_t i;

	for (i = WAIT_TRIGGERS; i < w->nr; i++)
		if (w->fds[i].revents & ~POLLIN)
			w->fds[i].fd = -1;
}

int trace_wait_for(struct trace_wait *w, int fd, __u64 until_ns, struct kmprof_error *err)
{
	struct timespec left = { 0 };
	__u64 now = now_ns();
	nfds_t i;

	if (until_ns && until_ns <= now)
		return -ETIME;
	if (until_ns) {
		left.tv_sec = (time_t)((until_ns - now) / NSEC_PER_SEC);
		left.tv_nsec = (long)((until_ns - now) % NSEC_PER_SEC);
	}
	w->fds[WAIT_TRACE].fd = fd;
	/* When it fails, it leaves what the last one has seen. */
	for (i = 0; i < w->nr; i++)
		w->fds[i].revents = 0;
	if (ppoll(w->fds, w->nr, until_ns ? &left : NULL, NULL) < 0 && errno != EINTR)
		return kmprof_error_set(err, -errno, NULL, "--flight: waiting: %s",
					strerror(errno));
	leave_out_ended(w);
	return 0;
}

bool trace_wait_is_stopped(const struct trace_wait *w)
{
	return w->fds[WAIT_TRACE].revents;
}

bool trace_wait_has_seen(const struct trace_wait *w, unsigned int trigger)
{
	const struct pollfd *fd = w->fds + WAIT_TRIGGERS;
	unsigned int i;

	for (i = 0; i < trigger; i++)
		fd += w->r->triggers[i].nr;
	for (i = 0; i < w->r->triggers[trigger].nr; i++)
		if (fd[i].revents & POLLIN)
			return true;
	return false;
}
