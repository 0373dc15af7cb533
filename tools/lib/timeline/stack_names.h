/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The names of the frames of a trace's stacks: those that were saved with it, or those of the
 * running kernel if it is of this boot.
 */
#ifndef KMPROF_TIMELINE_STACK_NAMES_H
#define KMPROF_TIMELINE_STACK_NAMES_H

#include "symbols/frame_name.h"
#include "symbols/lock_name.h"
#include "symbols/resolver.h"
#include "trace/trace.h"

/* Of text of stacks: between a function and its caller; where frames are missing. */
#define KMPROF_CALLED_BY	" < "
#define KMPROF_NO_MORE		"..."

/**
 * struct kmprof_stack_names - the names
 * @trace: the trace
 * @image: an image with its frames
 * @bytes: of that, if the trace did not have it; to be freed
 * @resolver: the names
 * @text: array: by the number of a stack: its text, if it was asked for; to be freed
 */
struct kmprof_stack_names {
	const struct kmprof_trace *trace;
	struct kmprof_image image;
	char *bytes;
	struct kmprof_resolver resolver;
	char **text;
};

/**
 * kmprof_stack_names_open() - get the names
 * @names: filled in; closed by kmprof_stack_names_close(), also after a failure
 * @trace: the trace
 * @warning: set when frames will stay without names, and why
 * @err: explanation
 *
 * Return: 0; 1 with @warning set; -EINVAL if the names in the trace are damaged; another negative
 * errno.
 */
int kmprof_stack_names_open(struct kmprof_stack_names *names, const struct kmprof_trace *trace,
			    struct kmprof_error *warning, struct kmprof_error *err);
void kmprof_stack_names_close(struct kmprof_stack_names *names);

/**
 * kmprof_stack_text() - a stack in a line: "function < caller < ..."
 * @names: the names
 * @number: of the stack, not 0
 *
 * Return: the text, printable ASCII, until the names are closed; NULL: no memory.
 */
const char *kmprof_stack_text(const struct kmprof_stack_names *names, __u32 number);

/**
 * kmprof_lock_text() - what a lock is called
 * @names: the names
 * @lock: as it is in a record
 * @text: filled with kmprof_lock_name(), or with "#1a2b3c4d" if the trace has no addresses;
 *	returned
 */
const char *kmprof_lock_text(const struct kmprof_stack_names *names, __u64 lock,
			     char text[KMPROF_LOCK_TEXT]);

/**
 * kmprof_stack_names_same() - tell which stacks have the same text
 * @names: the names
 * @same: array: by the number of a stack: that of the first one with the same text; 0 by 0. To be
 *	freed
 * @err: explanation
 *
 * They were called at different places of a function, or were kept twice.
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_stack_names_same(const struct kmprof_stack_names *names, __u32 **same,
			    struct kmprof_error *err);

/**
 * kmprof_stack_names_save() - make what is put behind a trace
 * @bytes: a batch with KMPROF_TRACE_NAMES, to be freed
 * @size: its size; 0: there are no names
 * @stacks: struct kmprof_trace_stack with their frames, one behind the other
 * @locks: __u64: locks of its records
 * @kallsyms: copy of /proc/kallsyms of the kernel that was traced; NULL: it was this one, just now
 * @warning: set when there are no names, and why
 * @err: explanation
 *
 * Return: 0, 1 with @warning set, or a negative errno.
 */
int kmprof_stack_names_save(char **bytes, size_t *size, const struct kmprof_growing *stacks,
			    const struct kmprof_growing *locks, const char *kallsyms,
			    struct kmprof_error *warning, struct kmprof_error *err);

#endif
