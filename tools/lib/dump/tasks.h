/* SPDX-License-Identifier: GPL-2.0 */
/* The tasks that were there when the memory was dumped. */
#ifndef KMPROF_DUMP_TASKS_H
#define KMPROF_DUMP_TASKS_H

#include <stdbool.h>

#include "dump/dump.h"
#include "trace/trace.h"
#include "util/growing.h"

/* PID_MAX_LIMIT of Linux. */
enum { KMPROF_DUMP_TASKS_MAX = 1 << 22 };

/* Can it be one? */
bool kmprof_dump_is_task(const struct kmprof_trace_task *task);

/**
 * kmprof_dump_tasks() - make a table of the tasks
 * @dump: the dump
 * @crash: how tasks are laid out
 * @tasks: struct kmprof_trace_task are added here
 * @err: explanation
 *
 * Return: 0; -ENODATA: some are missing; or -ENOMEM.
 */
int kmprof_dump_tasks(const struct kmprof_dump *dump, const struct kmprof_trace_crash *crash,
		      struct kmprof_growing *tasks, struct kmprof_error *err);

#endif
