/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A listener of a trace event. It counts it, or adds up the weights that kmprof's own give to perf.
 * Functions return 0 or a negative errno unless they say otherwise.
 */
#ifndef LISTENER_H
#define LISTENER_H

#include <stdint.h>

enum { LISTENER_CPUS = 8 };

/**
 * struct listener - a counter of perf, on each CPU
 * @fds: their files
 * @nr: of these
 */
struct listener {
	int fds[LISTENER_CPUS];
	unsigned int nr;
};

int listener_open(struct listener *listener, const char *system, const char *event,
		  const char *filter);
int listener_open_as_user(const char *system, const char *event);
int listener_read_cpu(const struct listener *listener, unsigned int cpu, uint64_t *sum);
int listener_read(const struct listener *listener, uint64_t *sum);
void listener_close(struct listener *listener);

int listener_tracefs(const char *event, int on);

#endif /* LISTENER_H */
