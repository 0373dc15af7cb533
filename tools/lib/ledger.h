/* SPDX-License-Identifier: GPL-2.0 */
/* The loss ledger of an image, with words for its entries. */
#ifndef KMPROF_LIB_LEDGER_H
#define KMPROF_LIB_LEDGER_H

#include "image.h"

/**
 * kmprof_ledger_meaning() - what a loss is, in one line
 * @name: as the module names it
 *
 * Return: a static string; for names of a later module, one that says so.
 */
const char *kmprof_ledger_meaning(const char *name);

/* Name of a loss. */
static inline const char *kmprof_ledger_name(const struct kmprof_image *image,
					     const struct kmprof_image_loss *loss)
{
	return image->strings + loss->name;
}

/* Sampled allocations that are not in the sample table. */
__u64 kmprof_ledger_lost_samples(const struct kmprof_image *image);

/* Does the module's promise hold: sampled == counted + lost samples? */
bool kmprof_ledger_consistent(const struct kmprof_image *image);

#endif
