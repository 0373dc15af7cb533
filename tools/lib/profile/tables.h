/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tables of rows that this program knows more of than their columns. Each is empty if
 * the module that wrote the image does not have the profile.
 */
#ifndef KMPROF_PROFILE_TABLES_H
#define KMPROF_PROFILE_TABLES_H

#include "image/image.h"

#define KMPROF_HEAP_TABLE	"heap"
#define KMPROF_BLOCK_TABLE	"block"
#define KMPROF_MUTEX_TABLE	"mutex"

/* Rows are struct kmprof_image_sample. */
static inline struct kmprof_table kmprof_heap_rows(const struct kmprof_image *image)
{
	return kmprof_image_rows(image, KMPROF_HEAP_TABLE, KMPROF_ROWS_HEAP);
}

/* Rows are struct kmprof_image_contention, of waits. */
static inline struct kmprof_table kmprof_block_rows(const struct kmprof_image *image)
{
	return kmprof_image_rows(image, KMPROF_BLOCK_TABLE, KMPROF_ROWS_BLOCK);
}

/* Rows are struct kmprof_image_contention, of releases. */
static inline struct kmprof_table kmprof_mutex_rows(const struct kmprof_image *image)
{
	return kmprof_image_rows(image, KMPROF_MUTEX_TABLE, KMPROF_ROWS_MUTEX);
}

#endif
