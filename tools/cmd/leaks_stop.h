/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Signals that end kmprof leaks, and the command that it runs. The signals are blocked and
 * waited for, so that none can come between a look and a wait; the settings of the module can
 * be put back before the program ends.
 */
#ifndef KMPROF_CMD_LEAKS_STOP_H
#define KMPROF_CMD_LEAKS_STOP_H

#include <signal.h>
#include <stdbool.h>

#include "util/error.h"

/**
 * struct leaks_stop - signals that are waited for
 * @signals: those that end the program, and SIGCHLD
 * @before: the mask before
 * @caught: the signal that came; 0: none
 */
struct leaks_stop {
	sigset_t signals;
	sigset_t before;
	int caught;
};

/* Blocks SIGINT, SIGQUIT, SIGTERM and SIGHUP, but for those that are ignored. */
void leaks_stop_begin(struct leaks_stop *stop);
/* Unblocks them. If one has come, the program ends by it and this does not return. */
void leaks_stop_end(struct leaks_stop *stop);

/* Has one come? Does not wait. */
bool leaks_stop_now(struct leaks_stop *stop);
/* Waits for that many ns; returns whether one has come. */
bool leaks_stop_sleep(struct leaks_stop *stop, __u64 ns);

/**
 * leaks_stop_run() - run a command to its end
 * @stop: a signal that comes meanwhile is passed on to the command
 * @argv: the command; its standard input is empty, its standard output is standard error
 * @err: explanation
 *
 * Return: 0 if it has succeeded; a negative errno if it could not be run, has failed, or a
 * signal has come (-EINTR).
 */
int leaks_stop_run(struct leaks_stop *stop, char **argv, struct kmprof_error *err);

#endif
