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
 */
struct snapshot {
	void *image;
	size_t bytes;
	const struct kmprof_image_header *header;
	uint64_t cycle;
};

int snapshot_ioctl(int dev, uint32_t flags, struct kmprof_snapshot *taken);
int snapshot_read(int fd, struct snapshot *snapshot);
int snapshot_take(int dev, struct snapshot *snapshot);
void snapshot_free(struct snapshot *snapshot);
const char *snapshot_wrong(const struct snapshot *snapshot);

uint32_t snapshot_count(const struct snapshot *snapshot);
const struct kmprof_image_sample *snapshot_sample(const struct snapshot *snapshot, uint32_t i);
const uint64_t *snapshot_frames(const struct snapshot *snapshot,
				const struct kmprof_image_sample *sample);
uint64_t snapshot_loss(const struct snapshot *snapshot, const char *name);
uint64_t snapshot_lost_samples(const struct snapshot *snapshot);
uint32_t snapshot_contentions(const struct snapshot *snapshot);
const struct kmprof_image_label *snapshot_label(const struct snapshot *snapshot,
						const struct kmprof_image_contention *contention);
const struct kmprof_image_contention *snapshot_contention(const struct snapshot *snapshot,
							  uint32_t i);
const uint64_t *snapshot_contention_frames(const struct snapshot *snapshot,
					   const struct kmprof_image_contention *contention);
uint64_t snapshot_lost_waits(const struct snapshot *snapshot);
uint64_t snapshot_lost_delays(const struct snapshot *snapshot);
void snapshot_print_losses(const struct snapshot *snapshot);

#endif /* SNAPSHOT_H */
