/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the flight recorder's trace in a dump. */
#ifndef KMPROF_DUMP_FIND_H
#define KMPROF_DUMP_FIND_H

#include "dump/dump.h"
#include "trace/trace.h"

/**
 * kmprof_dump_find() - find what tells where the trace is
 * @dump: the dump
 * @notifiers: address of the kernel's panic_notifier_list
 * @crash: filled in
 * @err: explanation
 *
 * Return: 0; -ENOENT: there is no trace; -EPROTO: that of another version of kmprof.
 */
int kmprof_dump_find(const struct kmprof_dump *dump, __u64 notifiers,
		     struct kmprof_trace_crash *crash, struct kmprof_error *err);

#endif
