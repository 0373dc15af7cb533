/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The image of a snapshot, read by the letter of uapi/linux/kmprof.h and
 * independently of tools/lib.
 */
#ifndef SNAPSHOT_H
#define SNAPSHOT_H

#include <stddef.h>
#include <stdint.h>

#include <linux/kmprof.h>

/**
 * struct snapshot - an image in memory
 * @image: the image
 * @bytes: its size
 * @header: its header
 * @cycle: the cycle that the ioctl told, 0: not known
 * @objects: its table of objects was asked for
 */
struct snapshot {
	void *image;
	size_t bytes;
	const struct kmprof_image_header *header;
	uint64_t cycle;
	int objects;
};

/**
 * struct snapshot_account - what became of the events that a profile's sampler has chosen
 * @sampled: their number
 * @counted: those that are in the rows
 * @lost: those that are in the loss ledger
 */
struct snapshot_account {
	uint64_t sampled;
	uint64_t counted;
	uint64_t lost;
};

int snapshot_ioctl(int dev, uint32_t flags, struct kmprof_snapshot *taken);
int snapshot_read(int fd, struct snapshot *snapshot);
int snapshot_take(int dev, struct snapshot *snapshot);
int snapshot_take_with(int dev, uint32_t flags, struct snapshot *snapshot);
void snapshot_free(struct snapshot *snapshot);

/* invariants.c */
const char *snapshot_wrong(const struct snapshot *snapshot);
/* twins.c */
int snapshot_twin(const struct snapshot *snapshot, uint32_t *twin);

const void *snapshot_entry(const struct snapshot *snapshot, const struct kmprof_table *table,
			   uint64_t i);
const char *snapshot_string(const struct snapshot *snapshot, uint32_t offset);

const struct kmprof_image_profile *snapshot_profile(const struct snapshot *snapshot,
						    const char *name);
uint32_t snapshot_rows(const struct snapshot *snapshot, const char *profile);
const struct kmprof_image_sample *snapshot_sample(const struct snapshot *snapshot, uint32_t i);
const struct kmprof_image_contention *snapshot_contention(const struct snapshot *snapshot,
							  const char *profile, uint32_t i);
const uint64_t *snapshot_frames(const struct snapshot *snapshot,
				const struct kmprof_image_row *row);
const struct kmprof_image_label *snapshot_label(const struct snapshot *snapshot,
						const struct kmprof_image_row *row);

const struct kmprof_image_scalar *snapshot_find_scalar(const struct snapshot *snapshot,
						       const char *name);
uint64_t snapshot_scalar(const struct snapshot *snapshot, const char *name);
uint64_t snapshot_loss(const struct snapshot *snapshot, const char *name);
struct snapshot_account snapshot_account(const struct snapshot *snapshot, const char *profile);
uint64_t snapshot_lost(const struct snapshot *snapshot, const char *profile);
void snapshot_print_losses(const struct snapshot *snapshot);

#endif /* SNAPSHOT_H */
