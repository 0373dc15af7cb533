// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/by_lock.h"
#include "util/merge.h"

static int by_kind_and_place(const void *a, const void *b)
{
	const struct kmprof_by_lock_entry *x = a, *y = b;
	int ret = kmprof_compare_u64(x->kind, y->kind);

	if (!ret)
		ret = kmprof_compare_u64(x->lock, y->lock);
	return ret ? ret : strcmp(x->cache ? x->cache : "", y->cache ? y->cache : "");
}

__u64 kmprof_by_lock_delay(const struct kmprof_by_lock_entry *entry)
{
	struct kmprof_delay_amount sum = entry->amount;

	kmprof_delays_add(&sum, &entry->unblamed);
	return sum.delay_ns;
}

static int largest_first(const void *a, const void *b)
{
	const struct kmprof_by_lock_entry *x = a, *y = b;
	int ret = kmprof_compare_u64(kmprof_by_lock_delay(y), kmprof_by_lock_delay(x));

	return ret ? ret : by_kind_and_place(a, b);
}

static void add_entry(void *sum, const void *more)
{
	struct kmprof_by_lock_entry *to = sum;
	const struct kmprof_by_lock_entry *from = more;

	kmprof_delays_add(&to->amount, &from->amount);
	kmprof_delays_add(&to->unblamed, &from->unblamed);
}

int kmprof_by_lock_build(struct kmprof_by_lock *by_lock, const struct kmprof_image *image,
			 const struct kmprof_table *rows, struct kmprof_error *err)
{
	const struct kmprof_image_contention *contention;
	struct kmprof_by_lock_entry *entry;
	__u32 i;

	memset(by_lock, 0, sizeof(*by_lock));
	by_lock->entry = calloc((size_t)rows->count + 1, sizeof(*by_lock->entry));
	if (!by_lock->entry)
		return kmprof_error_set(err, -ENOMEM, NULL, "adding up the delays: out of memory");
	for (i = 0; i < rows->count; i++) {
		contention = kmprof_image_entry(image, rows, i);
		if (!contention->count)
			continue;
		entry = &by_lock->entry[by_lock->nr++];
		entry->kind = contention->kind;
		entry->lock = contention->lock;
		entry->cache = kmprof_contention_cache(contention);
		if (kmprof_contention_is_unblamed(contention))
			entry->unblamed = kmprof_delay_amount(contention);
		else
			entry->amount = kmprof_delay_amount(contention);
		add_entry(&by_lock->all, entry);
	}
	by_lock->nr = kmprof_merge(by_lock->entry, by_lock->nr, sizeof(*by_lock->entry),
				   by_kind_and_place, add_entry);
	qsort(by_lock->entry, by_lock->nr, sizeof(*by_lock->entry), largest_first);
	return 0;
}

void kmprof_by_lock_release(struct kmprof_by_lock *by_lock)
{
	free(by_lock->entry);
	memset(by_lock, 0, sizeof(*by_lock));
}
