// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "schedule/collect.h"
#include "util/merge.h"

int kmprof_schedule_collect(const struct kmprof_schedule *schedule,
			    const struct kmprof_collection *c, void **entries, size_t *nr,
			    struct kmprof_error *err)
{
	struct kmprof_growing all = { 0 };
	int ret = 0;
	__u32 i;

	for (i = 1; !ret && i < schedule->nr_lives; i++)
		ret = c->add_those_of(&all, schedule, &schedule->life[i]);
	if (ret) {
		free(all.bytes);
		return kmprof_error_set(err, ret, NULL, "out of memory for the %s", c->what);
	}
	*entries = all.bytes;
	*nr = all.used / c->size;
	if (*nr) {
		*nr = kmprof_merge(*entries, *nr, c->size, c->by_key, c->add);
		qsort(*entries, *nr, c->size, c->by_rank);
	}
	return 0;
}
