/* SPDX-License-Identifier: GPL-2.0 */
/* The names of a saved trace's stacks, as its commands want them. */
#ifndef KMPROF_CMD_TRACE_NAMES_H
#define KMPROF_CMD_TRACE_NAMES_H

#include "timeline/stack_names.h"

/**
 * trace_open_names() - get the names of the stacks of a saved trace, and warn if there are none
 * @names: filled in; closed by kmprof_stack_names_close(), also after a failure
 * @trace: the trace
 * @err: explanation
 *
 * Return: 0 or a negative errno.
 */
int trace_open_names(struct kmprof_stack_names *names, const struct kmprof_trace *trace,
		     struct kmprof_error *err);

#endif
