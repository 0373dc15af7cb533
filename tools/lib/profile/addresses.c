// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/addresses.h"
#include "util/merge.h"
#include "util/slot.h"

#define SEEN_BITS	12

static int by_value(const void *a, const void *b)
{
	const __u64 *x = a, *y = b;

	return kmprof_compare_u64(*x, *y);
}

static int count_frames(struct kmprof_addresses *addresses, const struct kmprof_series *series)
{
	size_t i;
	__u32 nr;

	for (i = 0; i < series->nr_rows; i++) {
		kmprof_series_stack(series, i, &nr);
		if (__builtin_add_overflow(addresses->nr_frames, nr, &addresses->nr_frames))
			return -ENOMEM;
		if (addresses->deepest < nr)
			addresses->deepest = nr;
	}
	return 0;
}

/*
 * Adds addresses to @all, which has @nr. Stacks have most of them in common: @seen has, for what
 * was added last, 1 more than where. So there is far less to be sorted.
 */
static size_t add(__u64 *all, size_t nr, size_t *seen, const __u64 *frames, __u32 nr_frames)
{
	size_t *at;
	__u32 i;

	for (i = 0; i < nr_frames; i++) {
		at = &seen[kmprof_slot(frames[i], SEEN_BITS)];
		if (*at && all[*at - 1] == frames[i])
			continue;
		all[nr++] = frames[i];
		*at = nr;
	}
	return nr;
}

int kmprof_addresses_collect(struct kmprof_addresses *addresses,
			     const struct kmprof_series *series)
{
	size_t i, sum = 0, to = 0, seen[1 << SEEN_BITS] = { 0 };
	const __u64 *frames;
	__u64 *all;
	__u32 nr;

	memset(addresses, 0, sizeof(*addresses));
	if (count_frames(addresses, series))
		return -ENOMEM;
	all = calloc(addresses->nr_frames + 1, sizeof(*all));
	if (!all)
		return -ENOMEM;
	for (i = 0; i < series->nr_rows; i++) {
		frames = kmprof_series_stack(series, i, &nr);
		sum = add(all, sum, seen, frames, nr);
	}
	qsort(all, sum, sizeof(*all), by_value);
	for (i = 0; i < sum; i++)
		if (!to || all[to - 1] != all[i])
			all[to++] = all[i];
	addresses->nr = to;
	/* Far fewer than frames, as a rule. */
	addresses->address = reallocarray(all, to + 1, sizeof(*all));
	if (!addresses->address)
		addresses->address = all;
	return 0;
}

void kmprof_addresses_release(struct kmprof_addresses *addresses)
{
	free(addresses->address);
	memset(addresses, 0, sizeof(*addresses));
}

size_t kmprof_addresses_find(const struct kmprof_addresses *addresses, __u64 ret_addr)
{
	const __u64 *found = bsearch(&ret_addr, addresses->address, addresses->nr,
				     sizeof(*addresses->address), by_value);

	return (size_t)(found - addresses->address);
}
