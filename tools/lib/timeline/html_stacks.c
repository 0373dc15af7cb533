// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>

#include "timeline/html_stacks.h"
#include "util/escape.h"
#include "util/intern.h"

static int put_frame(FILE *file, struct kmprof_intern *frames, const char *name)
{
	__s64 number = kmprof_intern_add(frames, name);

	if (number < 0)
		return (int)number;
	fprintf(file, ",%lld", number);
	return 0;
}

static int put_stack(FILE *file, const struct kmprof_stack_names *names, __u32 number,
		     struct kmprof_intern *frames)
{
	const struct kmprof_trace_stack *stack = kmprof_trace_stack_at(names->trace, number);
	char name[KMPROF_FRAME_NAME];
	int ret = 0;
	__u32 i;

	fprintf(file, "[%u", number);
	for (i = 0; !ret && i < stack->nr_frames; i++) {
		kmprof_frame_name(name, &names->resolver, stack->frames[i]);
		ret = put_frame(file, frames, name);
	}
	if (!ret && stack->flags & KMPROF_TRACE_STACK_TRUNCATED)
		ret = put_frame(file, frames, KMPROF_NO_MORE);
	fputc(']', file);
	return ret;
}

int kmprof_html_stacks_write(FILE *file, const struct kmprof_stack_names *names,
			     const bool *is_used, struct kmprof_error *err)
{
	__u32 nr = kmprof_trace_count_stacks(names->trace), number;
	struct kmprof_intern frames = { 0 };
	const char *before = "\n";
	int ret = 0;
	size_t i;

	fputs("\"stacks\": [", file);
	for (number = 1; !ret && number <= nr; number++) {
		if (!is_used[number])
			continue;
		fputs(before, file);
		before = ",\n";
		ret = put_stack(file, names, number, &frames);
	}
	fputs("],\n\"frames\": [", file);
	for (i = 0; i < frames.nr; i++) {
		fputs(i ? ",\n" : "\n", file);
		kmprof_escape_json(file, frames.string[i], strlen(frames.string[i]));
	}
	fputc(']', file);
	kmprof_intern_release(&frames);
	return ret ? kmprof_error_set(err, ret, NULL, "writing the page: out of memory") : 0;
}
