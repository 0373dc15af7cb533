/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What several snapshots say about each stack, kind of memory, object size and number of objects
 * that are sampled together: so many sampled objects were allocated, and so many freed, up to each
 * of them.
 *
 * Only samples of one rate are taken. Those of another one are from before the session: that
 * such an object is freed says nothing about the session.
 */
#ifndef KMPROF_LEAKS_HISTORY_H
#define KMPROF_LEAKS_HISTORY_H

#include "image/image.h"
#include "leaks/address.h"

/**
 * struct kmprof_history_entry - a stack, kind of memory, object size, and number sampled together
 * @names: of its frames, leaf first: see kmprof_address_name()
 * @nr_frames: how many
 * @kind: enum kmprof_kind_id, or a kind of a later module
 * @size: of an object, in bytes
 * @together: so many objects are one sample: the pages of a block. 1 at rate 1: all are seen
 * @cache: slab cache of one of the rows; empty: not known, or there is none
 * @allocs: sampled objects allocated up to each snapshot
 * @frees: of these, freed
 * @oldest_ns: age of the oldest one in use in the image that was added last; 0: not known
 * @frames: the addresses of the frames in the image that was added last; NULL if it does not
 *	have the stack
 */
struct kmprof_history_entry {
	__u64 *names;
	__u32 nr_frames;
	__u32 kind;
	__u64 size;
	__u32 together;
	char cache[KMPROF_CACHE_NAME_LEN];
	__u64 *allocs;
	__u64 *frees;
	__u64 oldest_ns;
	const __u64 *frames;
};

/**
 * struct kmprof_history - the entries, by stack, then by kind of memory, size and number
 * @rate: that samples have to be of, in bytes per sample
 * @kinds: of memory that the module has seen: its setting heap
 * @room: snapshots that there is room for
 * @nr_snapshots: how many were added
 * @start_ns: since when the module has counted
 * @entry: array
 * @nr: how many
 * @addresses: what their frames are called
 */
struct kmprof_history {
	__u64 rate;
	__u64 kinds;
	unsigned int room;
	unsigned int nr_snapshots;
	__u64 start_ns;
	struct kmprof_history_entry *entry;
	size_t nr;
	struct kmprof_address_names addresses;
};

/* All fields are set; released by kmprof_history_release(). */
void kmprof_history_init(struct kmprof_history *history, __u64 rate, unsigned int room);
void kmprof_history_release(struct kmprof_history *history);

/**
 * kmprof_history_add() - add a snapshot
 * @history: with room for it
 * @image: a later one than those before; for as long as the @frames of entries are used
 * @files: where the modules that are there are listed
 * @err: explanation
 *
 * Return: 0; -EINVAL if the image cannot be compared with those before; -ENOMEM.
 */
int kmprof_history_add(struct kmprof_history *history, const struct kmprof_image *image,
		       const struct kmprof_mapping_files *files, struct kmprof_error *err);

#endif
