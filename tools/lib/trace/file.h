/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The bytes of a saved trace, at any place. They are read and not mapped: a mapping of a file that
 * somebody truncates kills the reader, and what has been checked could change behind the check.
 */
#ifndef KMPROF_TRACE_FILE_H
#define KMPROF_TRACE_FILE_H

#include "trace/trace.h"

/**
 * kmprof_trace_file_open() - open the file, set @name, @fd and @size of a trace
 * @trace: the trace; @fd is -1 on failure
 * @path: as of kmprof_trace_open()
 * @err: explanation
 *
 * Return: 0 or a negative errno.
 */
int kmprof_trace_file_open(struct kmprof_trace *trace, const char *path, struct kmprof_error *err);

/**
 * kmprof_trace_file_read() - read a piece
 * @trace: the trace
 * @at: the first byte
 * @buffer: where to
 * @bytes: how many, all of them below @size
 * @err: explanation
 *
 * Return: 0 or a negative errno; -EIO if the file has become shorter.
 */
int kmprof_trace_file_read(const struct kmprof_trace *trace, __u64 at, void *buffer, size_t bytes,
			   struct kmprof_error *err);

/**
 * kmprof_trace_damaged() - note what is wrong with a trace
 * @trace: the trace
 * @at: the byte
 * @batch: first byte of the batch that it is in; 0: it is before the batches
 * @what: what is wrong
 * @err: where to
 *
 * Return: -EINVAL.
 */
int kmprof_trace_damaged(const struct kmprof_trace *trace, __u64 at, __u64 batch, const char *what,
			 struct kmprof_error *err);

#endif
