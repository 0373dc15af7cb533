// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace/locks.h"
#include "trace/trace.h"
#include "util/by_number.h"
#include "util/merge.h"

enum { LEAST_FULL = 64 << 10 };

/**
 * struct finding - locks that are being looked for
 * @locks: those that were found; at first, one may be there more than once
 * @full: when there are as many bytes, those that are there twice are taken out
 */
struct finding {
	struct kmprof_growing *locks;
	size_t full;
};

/* Nothing has to be added up. */
static void keep_one(void *sum, const void *more)
{
	(void)sum;
	(void)more;
}

static void take_out_twins(struct kmprof_growing *locks)
{
	size_t nr = locks->used / sizeof(__u64);

	if (nr)
		locks->used = sizeof(__u64) * kmprof_merge(locks->bytes, nr, sizeof(__u64),
							   kmprof_by_number, keep_one);
}

static int on_event(void *to, const struct kmprof_event *event, struct kmprof_error *err)
{
	struct finding *f = to;

	if (event->type != KMPROF_TRACE_CONTENTION_BEGIN)
		return 0;
	if (kmprof_growing_add(f->locks, &event->args[0], sizeof(event->args[0])))
		return kmprof_error_set(err, -ENOMEM, NULL, "out of memory for the locks");
	if (f->locks->used >= f->full) {
		take_out_twins(f->locks);
		/* Half of it is room for more. */
		f->full = f->locks->used < LEAST_FULL / 2 ? LEAST_FULL : 2 * f->locks->used;
	}
	return 0;
}

int kmprof_trace_locks(struct kmprof_growing *locks, const char *path, struct kmprof_error *err)
{
	static const struct kmprof_visitor visitor = { .event = on_event };
	struct finding f = { .locks = locks, .full = LEAST_FULL };
	struct kmprof_trace trace;
	int ret;

	memset(locks, 0, sizeof(*locks));
	ret = kmprof_trace_open(&trace, path, err);
	if (ret)
		return ret;
	ret = kmprof_trace_walk(&trace, &visitor, &f, err);
	kmprof_trace_close(&trace);
	take_out_twins(locks);
	return ret;
}
