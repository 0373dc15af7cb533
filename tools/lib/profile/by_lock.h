/* SPDX-License-Identifier: GPL-2.0 */
/* Delays put together by the lock they were for, whatever the stack. */
#ifndef KMPROF_PROFILE_BY_LOCK_H
#define KMPROF_PROFILE_BY_LOCK_H

#include "profile/delays.h"

/**
 * struct kmprof_by_lock_entry - one lock, or all of a kind in one cache, or all others
 * @kind: enum kmprof_lock_kind
 * @lock: its address, 0 when not static or hidden
 * @cache: slab cache that these locks are in, in the image; or NULL
 * @amount: estimate of the waits for it or, mutex, of what its releases are blamed for
 * @unblamed: mutex: of the waits that have a part for which no release can be blamed,
 *	and of that part
 */
struct kmprof_by_lock_entry {
	__u32 kind;
	__u64 lock;
	const char *cache;
	struct kmprof_delay_amount amount;
	struct kmprof_delay_amount unblamed;
};

/**
 * struct kmprof_by_lock - all of them, largest delay first
 * @entry: array
 * @nr: how many
 * @all: their sum, of no lock
 */
struct kmprof_by_lock {
	struct kmprof_by_lock_entry *entry;
	size_t nr;
	struct kmprof_by_lock_entry all;
};

/* All that was waited for a lock. */
__u64 kmprof_by_lock_delay(const struct kmprof_by_lock_entry *entry);

/**
 * kmprof_by_lock_build() - add up the delays of an image
 * @by_lock: filled in; refers to the image
 * @image: a valid image
 * @rows: which ones: of struct kmprof_image_contention
 * @err: explanation
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_by_lock_build(struct kmprof_by_lock *by_lock, const struct kmprof_image *image,
			 const struct kmprof_table *rows, struct kmprof_error *err);
void kmprof_by_lock_release(struct kmprof_by_lock *by_lock);

#endif
