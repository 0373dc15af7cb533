/* SPDX-License-Identifier: GPL-2.0 */
/* The kinds of memory of the heap profile, with their names and totals; classes of GFP flags. */
#ifndef KMPROF_IMAGE_MEMORY_H
#define KMPROF_IMAGE_MEMORY_H

#include <stdbool.h>

#include "image/image.h"

/**
 * struct kmprof_memory_kind - a kind of memory that this program knows
 * @name: as the module calls it
 * @calls: scalar: exact number of allocations
 * @bytes: scalar: exact number of bytes that they requested
 * @frees: scalar: exact number of objects freed
 * @is_more: these numbers have more than objects of this kind; there is none of bytes
 */
struct kmprof_memory_kind {
	const char *name;
	const char *calls;
	const char *bytes;
	const char *frees;
	bool is_more;
};

enum {
	KMPROF_MEMORY_KINDS	= 4,	/* that this program knows; an image can have others */
	KMPROF_MEMORY_NAME	= 24,
};

/* What kmprof_memory_gfp() is of most rows. */
#define KMPROF_MEMORY_GFP_USUAL	"unmovable"

/* By enum kmprof_kind_id. */
extern const struct kmprof_memory_kind kmprof_memory_kinds[KMPROF_MEMORY_KINDS];

/**
 * kmprof_memory_kind() - the kind of memory of a row
 * @rows: the table of the row
 * @sample: the row; one of an older module has no kind, and is of slabs
 *
 * Return: enum kmprof_kind_id, or a kind of a later module.
 */
static inline __u32 kmprof_memory_kind(const struct kmprof_table *rows,
				       const struct kmprof_image_sample *sample)
{
	return kmprof_rows_have(rows, offsetof(struct kmprof_image_sample, kind),
				sizeof(sample->kind)) ? sample->kind : KMPROF_KIND_SLAB;
}

/**
 * kmprof_memory_together() - how many objects of a row were sampled together
 * @rows: the table of the row
 * @sample: the row
 *
 * Return: their number, at least 1.
 */
static inline __u32 kmprof_memory_together(const struct kmprof_table *rows,
					   const struct kmprof_image_sample *sample)
{
	return kmprof_rows_have(rows, offsetof(struct kmprof_image_sample, together),
				sizeof(sample->together)) && sample->together ?
	       sample->together : 1;
}

/**
 * kmprof_memory_period() - the period of rows that were sampled at a rate
 * @rate: bytes per sample, on average
 * @together: kmprof_memory_together() of the rows
 *
 * Return: their period: that of a block, for each of its pages.
 */
static inline __u64 kmprof_memory_period(__u64 rate, __u32 together)
{
	return rate > together ? rate / together : 1;
}

/* Do the rows of a table have classes of GFP flags? Those of an older module do not. */
static inline bool kmprof_memory_has_gfp(const struct kmprof_table *rows)
{
	return kmprof_rows_have(rows, offsetof(struct kmprof_image_sample, gfp_class),
				sizeof(__u32));
}

/**
 * kmprof_memory_gfp() - how movable the pages under the objects of a row were asked to be
 * @rows: the table of the row
 * @sample: the row
 *
 * Return: "unmovable", "movable" or "reclaimable"; NULL if it is not known: of an older module, or
 * a later one.
 */
const char *kmprof_memory_gfp(const struct kmprof_table *rows,
			      const struct kmprof_image_sample *sample);

/* Return: the name of a kind; @text is room for that of a kind of a later module: its number. */
const char *kmprof_memory_name(__u32 kind, char text[KMPROF_MEMORY_NAME]);

/*
 * What was allocated, of all kinds whose exact numbers are known: number of allocations, and bytes.
 */
__u64 kmprof_memory_calls(const struct kmprof_image *image);
__u64 kmprof_memory_bytes(const struct kmprof_image *image);

#endif
