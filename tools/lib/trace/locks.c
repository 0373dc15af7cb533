// SPDX-License-Identifier: GPL-2.0
/* Goes from record to record, without a check of what they say: that is for who reads the trace. */
#include <errno.h>
#include <string.h>
#include <sys/types.h>

#include "trace/locks.h"
#include "trace/varint.h"
#include "util/by_number.h"
#include "util/merge.h"

enum { LEAST_FULL = 64 << 10 };

static void take_out_duplicates(struct kmprof_growing *found)
{
	size_t nr = found->used / sizeof(__u64);

	if (nr)
		found->used = sizeof(__u64) * kmprof_merge(found->bytes, nr, sizeof(__u64),
							   kmprof_by_number,
							   kmprof_merge_keep);
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

/* A record at @at. Return: its bytes; 0: it is damaged; or -ENOMEM. */
static ssize_t look_at(struct kmprof_locks *locks, const unsigned char *at, size_t room)
{
	__u32 type = *at & (KMPROF_TRACE_TYPES - 1), i;
	size_t used = 1, bytes;
	__u64 value, lock = 0;

	/* The time, then the arguments, of which the first one is the lock. */
	for (i = 0; i <= locks->nr_args[type]; i++) {
		bytes = kmprof_varint_read(at + used, room - used, &value);
		if (!bytes)
			return 0;
		used += bytes;
		if (i == 1 && type == KMPROF_TRACE_CONTENTION_BEGIN)
			lock = value;
	}
	if (lock && add(locks, lock))
		return -ENOMEM;
	if (!locks->has_text[type])
		return (ssize_t)used;
	if (used == room || room - used <= at[used])
		return 0;
	return (ssize_t)(used + 1 + at[used]);
}

int kmprof_locks_look(struct kmprof_locks *locks, const char *records, size_t bytes)
{
	size_t at = 0;
	ssize_t used = 1;

	for (; used > 0 && at < bytes; at += (size_t)used) {
		used = look_at(locks, (const unsigned char *)records + at, bytes - at);
		if (used < 0)
			return (int)used;
	}
	return 0;
}

const struct kmprof_growing *kmprof_locks_found(struct kmprof_locks *locks)
{
	take_out_duplicates(&locks->found);
	return &locks->found;
}
