// SPDX-License-Identifier: GPL-2.0
#include "schedule/times.h"
#include "util/saturate.h"

void kmprof_times_add(void *sum, const void *more)
{
	struct kmprof_times *to = sum;
	const struct kmprof_times *from = more;

	to->count += from->count;
	to->ns = kmprof_saturated_count(to->ns, from->ns);
	if (from->longest_ns > to->longest_ns)
		to->longest_ns = from->longest_ns;
}
