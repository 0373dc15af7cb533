/* SPDX-License-Identifier: GPL-2.0 */
/* What passes between two snapshots of the device. */
#ifndef KMPROF_CMD_DIFF_LIVE_H
#define KMPROF_CMD_DIFF_LIVE_H

#include <linux/types.h>

#include "util/error.h"

/* Waits; on a terminal, standard error shows how long. */
void diff_live_wait(__u64 ms);

/**
 * diff_live_run() - run a command and wait for its end
 * @argv: the command; NULL behind its arguments
 * @err: explanation
 *
 * A command that fails is warned of: what it has allocated is still of interest. What it prints
 * goes to standard error.
 *
 * Return: 0, or a negative errno when it cannot be started.
 */
int diff_live_run(char *const *argv, struct kmprof_error *err);

#endif
