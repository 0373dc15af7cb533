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

/**
 * kmprof_ledger_name() - name of a loss
 * @image: a valid image
 * @scalar: one of the ledger, KMPROF_SCALAR_LEDGER
 *
 * Return: the name of the scalar without "ledger.".
 */
const char *kmprof_ledger_name(const struct kmprof_image *image,
			       const struct kmprof_image_scalar *scalar);

/**
 * struct kmprof_ledger_account - where the samples of a profile have gone
 * @sampled: all of them
 * @counted: those that the rows show
 * @lost: the sum of the losses of the others
 * @filtered: what the setting heap_filter has left out; not in @sampled
 * @is_kept: whether the profile has an account; one that takes no samples has none
 */
struct kmprof_ledger_account {
	__u64 sampled;
	__u64 counted;
	__u64 lost;
	__u64 filtered;
	bool is_kept;
};

/**
 * kmprof_ledger_account() - where the samples of a profile have gone
 * @image: a valid image
 * @profile: its number; 0: none
 *
 * Return: the account, all 0 without a profile.
 */
struct kmprof_ledger_account kmprof_ledger_account(const struct kmprof_image *image,
						   __u32 profile);

/**
 * kmprof_ledger_accounts() - the accounts of all profiles
 * @image: a valid image
 *
 * Return: an array with the account of each profile at its number, to be freed; NULL when
 * out of memory.
 */
struct kmprof_ledger_account *kmprof_ledger_accounts(const struct kmprof_image *image);

/* Does the module's promise hold, for all profiles: sampled == counted + lost? */
bool kmprof_ledger_consistent(const struct kmprof_image *image,
			      const struct kmprof_ledger_account *accounts);

#endif
