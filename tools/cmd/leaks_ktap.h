/* SPDX-License-Identifier: GPL-2.0 */
/* What stands in KTAP, for the kernel's test harnesses, where there is nothing to report. */
#ifndef KMPROF_CMD_LEAKS_KTAP_H
#define KMPROF_CMD_LEAKS_KTAP_H

#include <stdio.h>

/**
 * leaks_ktap_bail_out() - say that there is no result
 * @file: flushed, because a signal may end the program next
 * @reason: why
 */
void leaks_ktap_bail_out(FILE *file, const char *reason);

#endif
