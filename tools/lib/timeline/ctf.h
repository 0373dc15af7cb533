/* SPDX-License-Identifier: GPL-2.0 */
/* A trace in the Common Trace Format, for babeltrace2 and other readers. */
#ifndef KMPROF_TIMELINE_CTF_H
#define KMPROF_TIMELINE_CTF_H

#include "timeline/stack_names.h"
#include "util/output_directory.h"

/**
 * kmprof_timeline_ctf() - write a trace in CTF 1.8
 * @output: where to: a file "metadata", and one for each CPU that has events or has lost some
 * @trace: the trace
 * @names: of its stacks
 * @err: explanation
 *
 * Events have the names and fields of the kernel's trace events, as LTTng has them, as far as a
 * trace knows them. Needs memory for a packet of each CPU.
 *
 * Return: 0 or a negative errno.
 */
int kmprof_timeline_ctf(const struct kmprof_output_directory *output,
			const struct kmprof_trace *trace, const struct kmprof_stack_names *names,
			struct kmprof_error *err);

#endif
