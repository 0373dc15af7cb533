// SPDX-License-Identifier: GPL-2.0
/* Goes from record to record, without a check of what they say: that is for who reads the trace. */
#include <errno.h>
#include <string.h>

#include "trace/locks.h"
#include "util/by_number.h"
#include "util/merge.h"

enum { LEAST_FULL = 64 << 10 };

/* Nothing has to be added up. */
static void keep_one(void *sum, const void *more)
{
	(void)sum;
	(void)more;
}

static void take_out_duplicates(struct kmprof_growing *found)
{
	size_t nr = found->used / sizeof(__u64);

	if (nr)
		found->used = sizeof(__u64) * kmprof_merge(found->bytes, nr, sizeof(__u64),
							   kmprof_by_number, keep_one);
}

static int add(struct kmprof_locks *locks, __u64 lock)
{
	if (locks->found.used >= locks->full) {
		take_out_duplicates(&locks->found);
		/* Half of it is room for more. */
		locks->full = locks->found.used < LEAST_FULL / 2 ? LEAST_FULL :
								   2 * locks->found.used;
	}
	return kmprof_growing_add(&locks->found, &lock, sizeof(lock));
}

void kmprof_locks_begin(struct kmprof_locks *locks, const char *types, size_t nr, size_t bytes)
{
	struct kmprof_trace_type type;
	size_t i;

	for (i = 0; i < nr; i++) {
		memcpy(&type, types + i * bytes, sizeof(type));
		if (type.type >= KMPROF_TRACE_TYPES)
			continue;
		locks->nr_args[type.type] = type.nr_args;
		locks->has_text[type.type] = type.has_text;
	}
}

/* Takes a varint from *@at. Return: whether it ends before @end. */
static bool take(const char **at, const char *end, __u64 *value)
{
	unsigned int shift;
	__u64 byte;

	*value = 0;
	for (shift = 0; shift < 64 && *at < end; shift += 7) {
		byte = (unsigned char)*(*at)++;
		*value |= (byte & 0x7f) << shift;
		if (byte < 0x80)
			return true;
	}
	return false;
}

/* Takes a record from *@at. Return: 1, 0 if it does not end before @end, or -ENOMEM. */
static int take_record(struct kmprof_locks *locks, const char **at, const char *end)
{
	__u32 type = (unsigned char)*(*at)++ & (KMPROF_TRACE_TYPES - 1);
	__u64 value, lock = 0;
	__u32 i;

	if (!take(at, end, &value))
		return 0;
	for (i = 0; i < locks->nr_args[type]; i++) {
		if (!take(at, end, &value))
			return 0;
		if (!i && type == KMPROF_TRACE_CONTENTION_BEGIN)
			lock = value;
	}
	if (lock && add(locks, lock))
		return -ENOMEM;
	if (!locks->has_text[type])
		return 1;
	if (*at == end || end - *at - 1 < (unsigned char)**at)
		return 0;
	*at += 1 + (unsigned char)**at;
	return 1;
}

int kmprof_locks_look(struct kmprof_locks *locks, const char *records, size_t bytes)
{
	const char *at = records, *end = records + bytes;
	int ret = 1;

	while (ret > 0 && at < end)
		ret = take_record(locks, &at, end);
	return ret < 0 ? ret : 0;
}

const struct kmprof_growing *kmprof_locks_found(struct kmprof_locks *locks)
{
	take_out_duplicates(&locks->found);
	return &locks->found;
}
