/* SPDX-License-Identifier: GPL-2.0 */
/* kmprof top on a terminal: a table of stacks that is drawn anew with each snapshot. */
#ifndef KMPROF_CMD_LIVE_H
#define KMPROF_CMD_LIVE_H

#include "symbols/resolver.h"

/**
 * live_run() - show the table until somebody ends it
 * @profile: what is shown at first
 * @interval_ms: from one snapshot to the next
 * @names: where names of addresses come from
 *
 * Return: EXIT_OK, or EXIT_FAILED after a message.
 */
int live_run(const char *profile, __u64 interval_ms,
	     const struct kmprof_resolver_options *names);

#endif
