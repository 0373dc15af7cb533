// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "dump/records.h"
#include "trace/record.h"
#include "trace/varint.h"

bool kmprof_dump_limits_take(struct kmprof_dump_limits *limits,
			     const struct kmprof_trace_type *table, __u32 nr)
{
	__u32 i;

	for (i = 0; i < nr; i++) {
		const struct kmprof_trace_type *type = &table[i];

		if (type->type >= KMPROF_TRACE_TYPES || *limits->type[type->type].name ||
		    type->nr_args < type->has_stack || type->has_stack > 1 ||
		    type->has_text > 1 || !*type->name || type->name[sizeof(type->name) - 1])
			return false;
		limits->type[type->type] = *type;
	}
	return true;
}

/* Return: bytes of the record at @at; 0: it is damaged. */
static size_t measure(const struct kmprof_dump_limits *limits, const unsigned char *at, size_t room,
		      __u64 *ticks)
{
	const struct kmprof_trace_type *type = &limits->type[*at & (KMPROF_TRACE_TYPES - 1)];
	__u64 args[KMPROF_TRACE_ARGS_MOST] = { 0 }, delta;
	size_t used = 1, bytes;
	__u32 i;

	bytes = kmprof_varint_read(at + used, room - used, &delta);
	if (!*type->name || !bytes || __builtin_add_overflow(*ticks, delta, ticks))
		return 0;
	used += bytes;
	for (i = 0; i < type->nr_args; i++, used += bytes) {
		bytes = kmprof_varint_read(at + used, room - used, &args[i]);
		if (!bytes)
			return 0;
	}
	if (!kmprof_record_can_have(type->type, args, limits->nr_cpus) ||
	    (type->has_stack && args[type->nr_args - 1] > limits->nr_stacks))
		return 0;
	if (!type->has_text)
		return used;
	return used == room || room - used <= at[used] ? 0 : used + 1 + at[used];
}

bool kmprof_dump_records_count(const struct kmprof_dump_limits *limits,
			       const struct kmprof_trace_batch *batch, __u32 *nr, __u64 *ticks)
{
	const unsigned char *bytes = (const void *)batch;
	size_t at, used;

	*nr = 0;
	*ticks = batch->ticks;
	for (at = sizeof(*batch); at < batch->bytes; at += used, (*nr)++) {
		used = measure(limits, bytes + at, batch->bytes - at, ticks);
		if (!used)
			return false;
	}
	return true;
}
