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

/**
 * kmprof_ledger_lost() - samples that no table shows
 * @image: the image
 * @of: KMPROF_LOSS_SAMPLE: of allocations; KMPROF_LOSS_WAIT: of waits
 *
 * Return: the sum of these losses.
 */
__u64 kmprof_ledger_lost(const struct kmprof_image *image, __u32 of);

/* Does the module's promise hold, for both: sampled == counted + lost? */
bool kmprof_ledger_consistent(const struct kmprof_image *image);

#endif
