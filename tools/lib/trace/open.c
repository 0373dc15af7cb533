// SPDX-License-Identifier: GPL-2.0
/* The start of a saved trace: its header and its tables, checked. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/file.h"
#include "trace/index.h"
#include "trace/look.h"
#include "trace/stacks.h"
#include "util/printable.h"

#define SAVE_HINT	"save one with 'kmprof trace -o FILE'"

static int check_magic(const struct kmprof_trace *trace, size_t have, struct kmprof_error *err)
{
	const struct kmprof_trace_header *header = &trace->header;

	if (have >= sizeof(header->magic) && header->magic == KMPROF_IMAGE_MAGIC)
		return kmprof_error_set(err, -EINVAL, "'kmprof dump --input' and others read it",
					"%s: not a trace of kmprof, but an image", trace->name);
	if (have >= sizeof(header->magic) &&
	    header->magic == __builtin_bswap32(KMPROF_TRACE_MAGIC))
		return kmprof_error_set(err, -EINVAL,
					"read it on a machine like the one that wrote it",
					"%s: the trace has the other byte order", trace->name);
	if (have < sizeof(header->magic) || header->magic != KMPROF_TRACE_MAGIC)
		return kmprof_error_set(err, -EINVAL, SAVE_HINT, "%s: not a trace of kmprof",
					trace->name);
	if (have >= offsetof(struct kmprof_trace_header, header_size) &&
	    header->abi_version != KMPROF_ABI_VERSION)
		return kmprof_error_set(err, -EINVAL,
			"read it with the kmprof that belongs to the module that wrote it",
			"%s: trace version %u, this program reads %u", trace->name,
			header->abi_version, KMPROF_ABI_VERSION);
	return 0;
}

static int damaged(const struct kmprof_trace *trace, __u64 at, const char *what,
		   struct kmprof_error *err)
{
	return kmprof_trace_damaged(trace, at, 0, what, err);
}

static int cut_short(const struct kmprof_trace *trace, struct kmprof_error *err)
{
	return kmprof_error_set(err, -EINVAL, "save the trace again",
				"%s: is cut short at byte %llu, before its first event",
				trace->name, trace->size);
}

#define FIELD(name)	offsetof(struct kmprof_trace_header, name)

static int check_header(const struct kmprof_trace *trace, struct kmprof_error *err)
{
	const struct kmprof_trace_header *header = &trace->header;

	if (header->header_size < KMPROF_TRACE_HEADER_LEAST)
		return damaged(trace, FIELD(header_size), "size of the header", err);
	if (header->type_size < sizeof(struct kmprof_trace_type))
		return damaged(trace, FIELD(type_size), "size of a type", err);
	if (header->nr_types > KMPROF_TRACE_TYPES)
		return damaged(trace, FIELD(nr_types), "number of types", err);
	if (header->task_size < sizeof(struct kmprof_trace_task))
		return damaged(trace, FIELD(task_size), "size of a task", err);
	if (!header->nr_cpus || header->nr_cpus > KMPROF_TRACE_CPUS_MOST)
		return damaged(trace, FIELD(nr_cpus), "number of CPUs", err);
	if (!header->ticks_per_s)
		return damaged(trace, FIELD(ticks_per_s), "ticks in a second", err);
	if (header->start.mono_ns > LLONG_MAX || header->start.boot_ns > LLONG_MAX ||
	    header->start.real_ns > LLONG_MAX)
		return damaged(trace, FIELD(start), "time of the start", err);
	return 0;
}

/* What the header of the first traces does not have. */
static int read_filter(struct kmprof_trace *trace, struct kmprof_error *err)
{
	struct kmprof_trace_header *header = &trace->header;
	int ret;

	if (header->header_size < sizeof(*header))
		return 0;
	if (trace->size < sizeof(*header))
		return cut_short(trace, err);
	ret = kmprof_trace_file_read(trace, FIELD(filter), header->filter, sizeof(header->filter),
				     err);
	if (ret)
		return ret;
	if (!memchr(header->filter, '\0', sizeof(header->filter)) ||
	    !kmprof_is_printable(header->filter))
		return damaged(trace, FIELD(filter), "filter", err);
	return 0;
}

static int read_header(struct kmprof_trace *trace, struct kmprof_error *err)
{
	size_t have = KMPROF_TRACE_HEADER_LEAST;
	int ret;

	if (trace->size < have)
		have = trace->size;

	ret = kmprof_trace_file_read(trace, 0, &trace->header, have, err);
	if (!ret)
		ret = check_magic(trace, have, err);
	if (!ret && have < KMPROF_TRACE_HEADER_LEAST)
		ret = cut_short(trace, err);
	if (!ret)
		ret = check_header(trace, err);
	return ret ? ret : read_filter(trace, err);
}

/* Return: 0 if a type is what this program takes it for, or one that it does not know. */
static int check_type(const struct kmprof_trace_type *type)
{
	static const struct {
		__u8 nr_args;
		__u8 has_text;
	} least[] = {
		[KMPROF_TRACE_SWITCH]	= { 2, 0 },
		[KMPROF_TRACE_WAKING]	= { 1, 0 },
		[KMPROF_TRACE_MIGRATE]	= { 2, 0 },
		[KMPROF_TRACE_FORK]	= { 2, 1 },
		[KMPROF_TRACE_EXEC]	= { 1, 1 },
		[KMPROF_TRACE_EXIT]	= { 1, 1 },
		[KMPROF_TRACE_RENAME]	= { 1, 1 },
		[KMPROF_TRACE_MARK]	= { 0, 1 },
		[KMPROF_TRACE_CONTENTION_BEGIN]	= { 4, 0 },
		[KMPROF_TRACE_CONTENTION_END]	= { 2, 0 },
		[KMPROF_TRACE_IRQ_ENTRY]	= { 1, 1 },
		[KMPROF_TRACE_IRQ_EXIT]		= { 2, 0 },
		[KMPROF_TRACE_SOFTIRQ_ENTRY]	= { 1, 0 },
		[KMPROF_TRACE_SOFTIRQ_EXIT]	= { 1, 0 },
		[KMPROF_TRACE_RECLAIM_BEGIN]	= { 1, 0 },
		[KMPROF_TRACE_RECLAIM_END]	= { 1, 0 },
		[KMPROF_TRACE_MEMCG_RECLAIM_BEGIN]	= { 1, 0 },
		[KMPROF_TRACE_MEMCG_RECLAIM_END]	= { 1, 0 },
		[KMPROF_TRACE_COMPACTION_BEGIN]	= { 1, 0 },
		[KMPROF_TRACE_COMPACTION_END]	= { 1, 0 },
		[KMPROF_TRACE_ALLOC]		= { 4, 0 },
		[KMPROF_TRACE_FREE]		= { 4, 0 },
		[KMPROF_TRACE_SYSCALL_ENTER]	= { 1, 0 },
		[KMPROF_TRACE_SYSCALL_EXIT]	= { 2, 0 },
		[KMPROF_TRACE_CPU_IDLE]		= { 1, 0 },
		[KMPROF_TRACE_CPU_FREQUENCY]	= { 2, 0 },
		[KMPROF_TRACE_GRACE_PERIOD_BEGIN]	= { 0, 0 },
		[KMPROF_TRACE_GRACE_PERIOD_END]		= { 0, 0 },
	};

	if (type->type >= KMPROF_TRACE_TYPES || type->has_text > 1 || type->has_stack > 1 ||
	    type->nr_args < type->has_stack || !type->name[0] ||
	    !memchr(type->name, '\0', sizeof(type->name)) || !kmprof_is_printable(type->name) ||
	    strchr(type->name, ' '))
		return -EINVAL;
	if (type->type < ARRAY_SIZE(least) &&
	    (type->nr_args - type->has_stack < least[type->type].nr_args ||
	     type->has_text < least[type->type].has_text))
		return -EINVAL;
	return 0;
}

static int read_types(struct kmprof_trace *trace, __u64 at, struct kmprof_error *err)
{
	struct kmprof_trace_type type;
	__u32 i;
	int ret;

	for (i = 0; i < trace->header.nr_types; i++, at += trace->header.type_size) {
		ret = kmprof_trace_file_read(trace, at, &type, sizeof(type), err);
		if (ret)
			return ret;
		if (check_type(&type) || trace->type[type.type].name[0])
			return damaged(trace, at, "a type", err);
		trace->type[type.type] = type;
	}
	return 0;
}

static int read_tasks(struct kmprof_trace *trace, __u64 at, struct kmprof_error *err)
{
	__u32 i, nr = trace->header.nr_tasks;
	struct kmprof_trace_task *task;
	int ret;

	trace->tasks = calloc(nr ? nr : 1, sizeof(*trace->tasks));
	if (!trace->tasks)
		return kmprof_error_set(err, -ENOMEM, NULL, "%s: out of memory", trace->name);
	for (i = 0; i < nr; i++, at += trace->header.task_size) {
		task = &trace->tasks[i];
		ret = kmprof_trace_file_read(trace, at, task, sizeof(*task), err);
		if (ret)
			return ret;
		if (task->tid > INT_MAX || task->tgid > INT_MAX ||
		    !memchr(task->comm, '\0', sizeof(task->comm)))
			return damaged(trace, at, "a task", err);
	}
	return 0;
}

static int read_all(struct kmprof_trace *trace, struct kmprof_error *err)
{
	const struct kmprof_trace_header *header = &trace->header;
	__u64 types, tasks, batches;
	int ret;

	ret = read_header(trace, err);
	if (ret)
		return ret;
	/* All factors have 32 bits. */
	types = header->header_size;
	tasks = types + (__u64)header->nr_types * header->type_size;
	if (tasks > trace->size ||
	    (trace->size - tasks) / header->task_size < header->nr_tasks)
		return cut_short(trace, err);
	batches = tasks + (__u64)header->nr_tasks * header->task_size;
	trace->first_ns = header->start.mono_ns;
	ret = read_types(trace, types, err);
	if (!ret)
		ret = read_tasks(trace, tasks, err);
	if (!ret)
		ret = kmprof_trace_index_make(trace, batches, err);
	return ret ? ret : kmprof_trace_look(trace, err);
}

int kmprof_trace_open(struct kmprof_trace *trace, const char *path, struct kmprof_error *err)
{
	int ret;

	memset(trace, 0, sizeof(*trace));
	ret = kmprof_trace_file_open(trace, path, err);
	if (ret)
		return ret;
	ret = read_all(trace, err);
	if (ret)
		kmprof_trace_close(trace);
	return ret;
}

void kmprof_trace_close(struct kmprof_trace *trace)
{
	kmprof_trace_forget(trace);
	kmprof_trace_index_release(trace);
	kmprof_trace_stacks_release(trace);
	free(trace->tasks);
	trace->tasks = NULL;
	if (trace->fd >= 0)
		close(trace->fd);
	trace->fd = -1;
}
