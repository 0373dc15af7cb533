/* SPDX-License-Identifier: GPL-2.0 */
/* The loss ledger of an image, with words for its entries. */
#ifndef KMPROF_IMAGE_LEDGER_H
#define KMPROF_IMAGE_LEDGER_H

#include "image/image.h"

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
 * struct kmprof_ledger_account - where samples have gone
 * @sampled: all of them
 * @counted: those that a table shows
 * @lost: the sum of the losses of the others
 */
struct kmprof_ledger_account {
	__u64 sampled;
	__u64 counted;
	__u64 lost;
};

/**
 * kmprof_ledger_account() - where the samples of a profile have gone
 * @image: the image
 * @of: KMPROF_LOSS_SAMPLE: of memory; KMPROF_LOSS_WAIT: of the block profile;
 *	KMPROF_LOSS_DELAY: of the mutex profile
 *
 * Return: the account, all 0 for what the module that wrote the image did not know.
 */
struct kmprof_ledger_account kmprof_ledger_account(const struct kmprof_image *image, __u32 of);

/* Does the module's promise hold, for all: sampled == counted + lost? */
bool kmprof_ledger_consistent(const struct kmprof_image *image);

#endif
