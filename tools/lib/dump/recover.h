/* SPDX-License-Identifier: GPL-2.0 */
/* Makes the trace of a flight recorder from a dump: as it would have been read. */
#ifndef KMPROF_DUMP_RECOVER_H
#define KMPROF_DUMP_RECOVER_H

#include "dump/dump.h"
#include "trace/trace.h"

/**
 * kmprof_dump_recover() - make the trace
 * @dump: the dump
 * @crash: where it is
 * @put: called with its bytes, in their order; returns 0 or a negative errno, which ends this
 * @arg: for @put
 * @end: returns the contents of its last batch
 * @warning: set when something is missing
 * @err: explanation
 *
 * Return: 0; 1 with @warning set; -ENODATA: the dump does not have it; -ENOMEM; or what @put has
 * returned.
 */
int kmprof_dump_recover(const struct kmprof_dump *dump, const struct kmprof_trace_crash *crash,
			int (*put)(void *arg, const void *bytes, size_t size), void *arg,
			struct kmprof_trace_end *end, struct kmprof_error *warning,
			struct kmprof_error *err);

#endif
