// SPDX-License-Identifier: GPL-2.0
/*
 * Takes snapshots, and finds rows, scalars and labels in an image. Whether the image
 * keeps what the contract promises is checked in invariants.c.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/snapshot.h"

/**
 * snapshot_ioctl() - take a snapshot
 * @dev: the open device
 * @flags: KMPROF_SNAPSHOT_*
 * @taken: out: what the kernel told
 *
 * Return: the snapshot's descriptor or a negative errno.
 */
int snapshot_ioctl(int dev, uint32_t flags, struct kmprof_snapshot *taken)
{
	*taken = (struct kmprof_snapshot){ .size = sizeof(*taken), .flags = flags };
	return ioctl(dev, KMPROF_IOC_SNAPSHOT, taken) ? -errno : taken->fd;
}

/*
 * Room that read() writes to without a page fault. Page tables that are allocated for one are on a
 * stack of kmprof, and in the ledger as its own: the account would have more of them.
 */
static void touch(char *room, size_t bytes)
{
	memset(room, 0xff, bytes);	/* with 0, calloc() could do without */
}

/**
 * snapshot_read() - read an image from a descriptor's position to its end
 * @fd: the snapshot's descriptor
 * @snapshot: out: the image, for snapshot_free()
 *
 * Return: 0 or a negative errno.
 */
int snapshot_read(int fd, struct snapshot *snapshot)
{
	size_t size = 1 << 20, used = 0;
	char *image = malloc(size), *bigger;
	ssize_t got;

	if (!image)
		return -ENOMEM;
	touch(image, size);
	while ((got = read(fd, image + used, size - used)) > 0) {
		used += got;
		if (used < size)
			continue;
		bigger = realloc(image, size * 2);
		if (!bigger) {
			free(image);
			return -ENOMEM;
		}
		image = bigger;
		touch(image + size, size);
		size *= 2;
	}
	if (got < 0) {
		free(image);
		return -errno;
	}
	snapshot->image = image;
	snapshot->bytes = used;
	snapshot->header = (const void *)image;
	snapshot->cycle = 0;
	snapshot->objects = 0;
	return 0;
}

/**
 * snapshot_take() - close the cycle and get its image, with the objects in use
 * @dev: the open device
 * @snapshot: out: the image, for snapshot_free()
 *
 * Return: 0 or a negative errno; -EPROTO when the ioctl and the image differ.
 */
int snapshot_take(int dev, struct snapshot *snapshot)
{
	return snapshot_take_with(dev, KMPROF_SNAPSHOT_OBJECTS, snapshot);
}

/**
 * snapshot_take_with() - get an image
 * @flags: KMPROF_SNAPSHOT_*
 * @snapshot: out: the image
 *
 * Return: 0 or a negative errno.
 */
int snapshot_take_with(int dev, uint32_t flags, struct snapshot *snapshot)
{
	struct kmprof_snapshot taken;
	int fd, ret;

	memset(snapshot, 0, sizeof(*snapshot));
	fd = snapshot_ioctl(dev, flags, &taken);
	if (fd < 0)
		return fd;
	ret = snapshot_read(fd, snapshot);
	close(fd);
	if (ret)
		return ret;
	snapshot->cycle = taken.cycle;
	snapshot->objects = !!(flags & KMPROF_SNAPSHOT_OBJECTS);
	if (taken.bytes != snapshot->bytes) {
		fprintf(stderr, "# snapshot: %llu bytes announced, %zu read\n",
			(unsigned long long)taken.bytes, snapshot->bytes);
		snapshot_free(snapshot);
		return -EPROTO;
	}
	return 0;
}

/**
 * snapshot_free() - free an image
 * @snapshot: may be all zero
 */
void snapshot_free(struct snapshot *snapshot)
{
	free(snapshot->image);
	memset(snapshot, 0, sizeof(*snapshot));
}

/**
 * snapshot_entry() - an entry of a table
 * @snapshot: the image
 * @table: of the image
 * @i: number of the entry
 */
const void *snapshot_entry(const struct snapshot *snapshot, const struct kmprof_table *table,
			   uint64_t i)
{
	return (const char *)snapshot->image + table->offset + i * table->entry_size;
}

/**
 * snapshot_string() - a string
 * @snapshot: the image
 * @offset: of the string in the table of strings
 */
const char *snapshot_string(const struct snapshot *snapshot, uint32_t offset)
{
	return (const char *)snapshot->image + snapshot->header->strings.offset + offset;
}

/* A name that is not there is a fault of the module or of the test: no test goes on. */
static void __attribute__((noreturn)) die_without(const char *what, const char *name)
{
	fprintf(stderr, "# snapshot: the image has no %s %s\n", what, name);
	abort();
}

/**
 * snapshot_profile() - a profile of the directory
 * @snapshot: the image
 * @name: the name
 *
 * Return: the profile; does not return when there is none of that name.
 */
const struct kmprof_image_profile *snapshot_profile(const struct snapshot *snapshot,
						    const char *name)
{
	const struct kmprof_table *directory = &snapshot->header->profiles;
	uint32_t i;

	for (i = 0; i < directory->count; i++) {
		const struct kmprof_image_profile *profile = snapshot_entry(snapshot, directory, i);

		if (!strcmp(snapshot_string(snapshot, profile->name), name))
			return profile;
	}
	die_without("profile", name);
}

/**
 * snapshot_rows() - number of rows of a profile
 * @snapshot: the image
 * @profile: name of the profile
 */
uint32_t snapshot_rows(const struct snapshot *snapshot, const char *profile)
{
	return snapshot_profile(snapshot, profile)->rows.count;
}

/**
 * snapshot_sample() - a row of the heap profile
 * @snapshot: the image
 * @i: number of the row
 */
const struct kmprof_image_sample *snapshot_sample(const struct snapshot *snapshot, uint32_t i)
{
	return snapshot_entry(snapshot, &snapshot_profile(snapshot, "heap")->rows, i);
}

/**
 * snapshot_contention() - a row of the block or mutex profile
 * @snapshot: the image
 * @profile: name of the profile
 * @i: number of the row
 */
const struct kmprof_image_contention *snapshot_contention(const struct snapshot *snapshot,
							  const char *profile, uint32_t i)
{
	return snapshot_entry(snapshot, &snapshot_profile(snapshot, profile)->rows, i);
}

/**
 * snapshot_frames() - the stack of a row
 * @snapshot: the image
 * @row: the row
 *
 * Return: its @nr_frames addresses, leaf first.
 */
const uint64_t *snapshot_frames(const struct snapshot *snapshot,
				const struct kmprof_image_row *row)
{
	return snapshot_entry(snapshot, &snapshot->header->frames, row->first_frame);
}

/**
 * snapshot_label() - the task whose events are in a row
 * @snapshot: the image
 * @row: the row
 *
 * Return: the label, NULL when the row has none.
 */
const struct kmprof_image_label *snapshot_label(const struct snapshot *snapshot,
						const struct kmprof_image_row *row)
{
	if (!row->label)
		return NULL;
	return snapshot_entry(snapshot, &snapshot->header->labels, row->label - 1);
}

/**
 * snapshot_find_scalar() - a scalar
 * @snapshot: the image
 * @name: the name
 *
 * Return: the scalar, NULL when there is none of that name.
 */
const struct kmprof_image_scalar *snapshot_find_scalar(const struct snapshot *snapshot,
						       const char *name)
{
	const struct kmprof_table *scalars = &snapshot->header->scalars;
	uint32_t i;

	for (i = 0; i < scalars->count; i++) {
		const struct kmprof_image_scalar *scalar = snapshot_entry(snapshot, scalars, i);

		if (!strcmp(snapshot_string(snapshot, scalar->name), name))
			return scalar;
	}
	return NULL;
}

/**
 * snapshot_scalar() - value of a scalar
 * @snapshot: the image
 * @name: the name
 *
 * Return: the value; does not return when there is no scalar of that name.
 */
uint64_t snapshot_scalar(const struct snapshot *snapshot, const char *name)
{
	const struct kmprof_image_scalar *scalar = snapshot_find_scalar(snapshot, name);

	if (!scalar)
		die_without("scalar", name);
	return scalar->value;
}

/**
 * snapshot_loss() - a counter of the loss ledger
 * @snapshot: the image
 * @name: its name, without "ledger."
 *
 * Return: the value; does not return when there is no counter of that name.
 */
uint64_t snapshot_loss(const struct snapshot *snapshot, const char *name)
{
	char ledger[64];

	snprintf(ledger, sizeof(ledger), "ledger.%s", name);
	return snapshot_scalar(snapshot, ledger);
}

/**
 * snapshot_account() - the account of a profile
 * @snapshot: the image
 * @profile: name of the profile
 *
 * Return: the sums over the scalars of the profile.
 */
struct snapshot_account snapshot_account(const struct snapshot *snapshot, const char *profile)
{
	const struct kmprof_image_header *header = snapshot->header;
	const struct kmprof_image_profile *first = snapshot_entry(snapshot, &header->profiles, 0);
	struct snapshot_account account = { 0 };
	uint64_t number;
	uint32_t i;

	number = 1 + ((const char *)snapshot_profile(snapshot, profile) - (const char *)first) /
		     header->profiles.entry_size;
	for (i = 0; i < header->scalars.count; i++) {
		const struct kmprof_image_scalar *scalar =
			snapshot_entry(snapshot, &header->scalars, i);

		if (scalar->profile != number)
			continue;
		if (scalar->flags & KMPROF_SCALAR_SAMPLED)
			account.sampled += scalar->value;
		if (scalar->flags & KMPROF_SCALAR_COUNTED)
			account.counted += scalar->value;
		if (scalar->flags & KMPROF_SCALAR_LOST)
			account.lost += scalar->value;
	}
	return account;
}

/**
 * snapshot_lost() - sampled events that are not in the rows of a profile
 * @snapshot: the image
 * @profile: name of the profile
 */
uint64_t snapshot_lost(const struct snapshot *snapshot, const char *profile)
{
	return snapshot_account(snapshot, profile).lost;
}

/**
 * snapshot_print_losses() - print totals, accounts and the ledger as a diagnostic
 * @snapshot: the image
 */
void snapshot_print_losses(const struct snapshot *snapshot)
{
	const struct kmprof_table *scalars = &snapshot->header->scalars;
	uint32_t i;

	fprintf(stderr, "# cycle %" PRIu64 ":", snapshot->cycle);
	for (i = 0; i < scalars->count; i++) {
		const struct kmprof_image_scalar *scalar = snapshot_entry(snapshot, scalars, i);

		fprintf(stderr, " %s %llu", snapshot_string(snapshot, scalar->name),
			(unsigned long long)scalar->value);
	}
	fprintf(stderr, "\n");
}
