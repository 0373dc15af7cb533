// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "by_lock.h"
#include "merge.h"

static int by_kind_and_place(const void *a, const void *b)
{
	const struct kmprof_by_lock_entry *x = a, *y = b;
	int ret = kmprof_compare_u64(x->kind, y->kind);

	if (!ret)
		ret = kmprof_compare_u64(x->lock, y->lock);
	return ret ? ret : strcmp(x->cache ? x->cache : "", y->cache ? y->cache : "");
}

static int largest_first(const void *a, const void *b)
{
	const struct kmprof_by_lock_entry *x = a, *y = b;
	int ret = kmprof_compare_u64(y->amount.delay_ns, x->amount.delay_ns);

	return ret ? ret : by_kind_and_place(a, b);
}

static void add_entry(void *sum, const void *more)
{
	struct kmprof_by_lock_entry *to = sum;
	const struct kmprof_by_lock_entry *from = more;

	kmprof_waits_add(&to->amount, &from->amount);
}

int kmprof_by_lock_build(struct kmprof_by_lock *by_lock, const struct kmprof_image *image,
			 struct kmprof_error *err)
{
	const struct kmprof_image_contention *contention;
	struct kmprof_by_lock_entry *entry;
	__u32 i;

	memset(by_lock, 0, sizeof(*by_lock));
	by_lock->entry = calloc((size_t)image->header.contentions.count + 1,
				sizeof(*by_lock->entry));
	if (!by_lock->entry)
		return kmprof_error_set(err, -ENOMEM, NULL, "adding up the waits: out of memory");
	for (i = 0; i < image->header.contentions.count; i++) {
		contention = kmprof_image_contention(image, i);
		if (!kmprof_contention_has_waits(contention))
			continue;
		entry = &by_lock->entry[by_lock->nr++];
		entry->kind = contention->kind;
		entry->lock = contention->lock;
		entry->cache = kmprof_image_cache(image, contention);
		entry->amount = kmprof_waits_amount(contention);
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
