// SPDX-License-Identifier: GPL-2.0
/*
 * The only place that distrusts an image. A file can be cut short, altered or
 * something else altogether; what passes here can be followed blindly.
 */
#include <endian.h>
#include <errno.h>
#include <string.h>

#include "image.h"

#define DAMAGED_HINT	"the file is damaged or was cut short: take the snapshot again"

static int damaged(struct kmprof_error *err, const char *name, const char *what)
{
	return kmprof_error_set(err, -EINVAL, DAMAGED_HINT, "%s: not a sound kmprof image: %s",
				name, what);
}

/* Entries may grow from one version to the next, but never lose a field. */
static int check_table(const struct kmprof_image_header *header, const struct kmprof_table *table,
		       size_t min_entry, bool may_grow)
{
	__u64 bytes;

	if (table->entry_size < min_entry || (!may_grow && table->entry_size != min_entry))
		return -EINVAL;
	if (may_grow && table->entry_size % 8)
		return -EINVAL;
	/* Both factors have 32 bits. */
	bytes = (__u64)table->count * table->entry_size;
	if (table->offset % 8 || table->offset < header->header_size ||
	    table->offset > header->image_size)
		return -EINVAL;
	return bytes > header->image_size - table->offset ? -EINVAL : 0;
}

static int check_header(const struct kmprof_image_header *header, size_t size, const char *name,
			struct kmprof_error *err)
{
	static const unsigned char gzip[2] = { 0x1f, 0x8b };

	if (size >= sizeof(gzip) && !memcmp(header, gzip, sizeof(gzip)))
		return kmprof_error_set(err, -EINVAL,
			"this is compressed, perhaps a profile: read it with 'go tool pprof'",
			"%s: not a kmprof image", name);
	if (size < sizeof(header->magic))
		return damaged(err, name, "too short for a header");
	if (header->magic == __builtin_bswap32(KMPROF_IMAGE_MAGIC))
		return kmprof_error_set(err, -EINVAL,
			"read it on a machine like the one that wrote it",
					"%s: the image has the other byte order", name);
	if (header->magic != KMPROF_IMAGE_MAGIC)
		return kmprof_error_set(err, -EINVAL,
			"write one with 'kmprof dump --format image -o FILE'",
			"%s: not a kmprof image", name);
	if (size < sizeof(*header))
		return damaged(err, name, "too short for a header");
	if (header->abi_version != KMPROF_ABI_VERSION)
		return kmprof_error_set(err, -EINVAL,
			"read it with the kmprof that belongs to the module that wrote it",
			"%s: image version %u, this program reads %u", name,
			header->abi_version, KMPROF_ABI_VERSION);
	if (header->image_size > size)
		return damaged(err, name, "the end is missing");
	if (header->image_size < size)
		return damaged(err, name, "something follows its end");
	if (header->header_size < sizeof(*header) || header->header_size % 8 ||
	    header->header_size > size)
		return damaged(err, name, "header size");
	return 0;
}

static int check_sample(const struct kmprof_image *image, const struct kmprof_image_sample *sample)
{
	__u64 nr = image->header->frames.count;

	if (sample->first_frame > nr || sample->nr_frames > nr - sample->first_frame)
		return -EINVAL;
	if (sample->frees > sample->allocs || sample->rcu_pending > sample->frees)
		return -EINVAL;
	/* Nothing is sampled at rate 0, nor an object of size 0 but at rate 1. */
	if (!sample->period || (!sample->object_size && sample->period > 1))
		return -EINVAL;
	return 0;
}

/* Names go to terminals and into JSON: printable ASCII without blanks only. */
static bool name_is_plain(const char *name)
{
	if (!*name)
		return false;
	for (; *name; name++)
		if (*name <= ' ' || *name > '~')
			return false;
	return true;
}

static int check_loss(const struct kmprof_image *image, const struct kmprof_image_loss *loss)
{
	if (loss->name >= image->header->strings.count)
		return -EINVAL;
	return name_is_plain(image->strings + loss->name) ? 0 : -EINVAL;
}

int kmprof_image_init(struct kmprof_image *image, const void *base, size_t size,
		      const char *name, struct kmprof_error *err)
{
	const struct kmprof_image_header *header = base;
	__u32 i;
	int ret;

	ret = check_header(header, size, name, err);
	if (ret)
		return ret;
	if (check_table(header, &header->samples, sizeof(struct kmprof_image_sample), true))
		return damaged(err, name, "sample table");
	if (check_table(header, &header->frames, sizeof(__u64), false))
		return damaged(err, name, "frame table");
	if (check_table(header, &header->losses, sizeof(struct kmprof_image_loss), true))
		return damaged(err, name, "loss table");
	if (check_table(header, &header->strings, 1, false))
		return damaged(err, name, "string table");

	image->header = header;
	image->size = size;
	image->frames = (const void *)((const char *)base + header->frames.offset);
	image->strings = (const char *)base + header->strings.offset;

	/* With a NUL at the very end, every offset inside starts a string. */
	if (header->strings.count && image->strings[header->strings.count - 1])
		return damaged(err, name, "string table is not terminated");
	for (i = 0; i < header->losses.count; i++)
		if (check_loss(image, kmprof_image_loss(image, i)))
			return damaged(err, name, "name of a loss");
	for (i = 0; i < header->samples.count; i++)
		if (check_sample(image, kmprof_image_sample(image, i)))
			return damaged(err, name, "a sample contradicts itself");
	return 0;
}
