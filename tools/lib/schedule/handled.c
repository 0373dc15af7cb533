// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>

#include "schedule/handled.h"
#include "util/merge.h"

/**
 * struct pending - an interrupt of a CPU whose parts are added up
 * @ns: of the parts so far
 * @is_open: there is one
 */
struct pending {
	__u64 ns;
	bool is_open;
};

static int by_time(const void *a, const void *b)
{
	const struct kmprof_handled *x = a, *y = b;

	return x->times.ns == y->times.ns ? kmprof_compare_u64(x->handler, y->handler) :
					    kmprof_compare_u64(y->times.ns, x->times.ns);
}

/* No more parts of it come. */
static void finish(struct kmprof_handled *sum, struct pending *pending)
{
	const struct kmprof_times once = kmprof_times_once(pending->ns);

	if (pending->is_open)
		kmprof_times_add(&sum->times, &once);
	*pending = (struct pending){ 0 };
}

static void add_part(struct kmprof_handled *sums, struct pending *pending,
		     const struct kmprof_interruption *one, __u64 to_ns)
{
	if (one->handler == KMPROF_NO_HANDLER)
		return;
	if (one->is_begin) {
		finish(&sums[one->handler], &pending[one->handler]);
		pending[one->handler].is_open = true;
	}
	pending[one->handler].ns += to_ns - one->from_ns;
}

static void add_cpu(struct kmprof_handled *sums, struct pending *pending,
		    const struct kmprof_schedule *schedule, __u32 cpu)
{
	const struct kmprof_interruption *one;
	size_t i, nr;

	one = kmprof_schedule_interruptions(schedule, cpu, &nr);
	for (i = 0; i < nr; i++)
		add_part(sums, pending, &one[i], i + 1 < nr ? one[i + 1].from_ns : schedule->to_ns);
	for (i = 0; i < nr; i++)
		if (one[i].handler != KMPROF_NO_HANDLER)
			finish(&sums[one[i].handler], &pending[one[i].handler]);
}

int kmprof_schedule_handled(const struct kmprof_schedule *schedule,
			    struct kmprof_handled **handled, size_t *nr, struct kmprof_error *err)
{
	struct kmprof_handled *sums;
	struct pending *pending;
	__u32 i;

	*nr = kmprof_handlers_count(&schedule->handlers);
	sums = calloc(*nr + 1, sizeof(*sums));
	pending = calloc(*nr + 1, sizeof(*pending));
	if (!sums || !pending) {
		free(sums);
		free(pending);
		return kmprof_error_set(err, -ENOMEM, NULL, "out of memory for the interrupts");
	}
	for (i = 0; i < *nr; i++)
		sums[i].handler = i;
	for (i = 0; i < schedule->nr_cpus; i++)
		add_cpu(sums, pending, schedule, i);
	free(pending);
	qsort(sums, *nr, sizeof(*sums), by_time);
	*handled = sums;
	return 0;
}
