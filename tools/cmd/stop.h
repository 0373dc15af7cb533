/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Signals that end a command of kmprof which has changed settings, and the program that it runs.
 * The signals are blocked and waited for, so that none can come between a look and a wait; the
 * settings of the module can be put back before kmprof ends.
 */
#ifndef KMPROF_CMD_STOP_H
#define KMPROF_CMD_STOP_H

#include <signal.h>
#include <stdbool.h>

#include "util/error.h"

/**
 * struct stop - signals that are waited for
 * @signals: those that end the program, and SIGCHLD
 * @before: the mask before
 * @pipe: what SIGPIPE did before; meanwhile it does nothing
 * @caught: the signal that came; 0: none
 */
struct stop {
	sigset_t signals;
	sigset_t before;
	struct sigaction pipe;
	int caught;
};

/* Blocks SIGINT, SIGQUIT, SIGTERM and SIGHUP, but for those that are ignored. */
void stop_begin(struct stop *stop);
/* Forgets those that have come: they have had their effect. */
void stop_forget(struct stop *stop);
/* Unblocks them. If one has come, the program ends by it and this does not return. */
void stop_end(struct stop *stop);

#define NSEC_PER_SEC	1000000000ULL

/* The clock of stop_sleep(), in ns. */
__u64 now_ns(void);

/* Has one come? Does not wait. */
bool stop_now(struct stop *stop);
/* Waits for that many ns; returns whether one has come. */
bool stop_sleep(struct stop *stop, __u64 ns);

/**
 * stop_run() - run a program to its end
 * @stop: a signal that comes meanwhile is passed on to the program, unless it is of a key: the
 *	terminal sends it to both
 * @argv: the program and its arguments
 * @input: its standard input
 * @output: its standard output
 * @status: of waitpid(); of a program that was run
 * @err: explanation
 *
 * Return: 0 if it was run to its end, whatever its status is; a negative errno if it could not be
 * run; -EINTR if a signal has come, and it has ended.
 */
int stop_run(struct stop *stop, char *const *argv, int input, int output, int *status,
	     struct kmprof_error *err);

#endif
