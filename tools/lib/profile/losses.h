/* SPDX-License-Identifier: GPL-2.0 */
/* The loss ledger of an image as a list, for whoever shows all of it. */
#ifndef KMPROF_PROFILE_LOSSES_H
#define KMPROF_PROFILE_LOSSES_H

#include <stdbool.h>
#include <stddef.h>

#include "image/image.h"

/**
 * struct kmprof_loss - an entry of the ledger
 * @name: without "ledger."
 * @count: how many
 * @profile: whose samples they are, or what they concern; NULL: all profiles
 * @is_lost: samples that were taken and are not in the profile
 * @meaning: in one line
 */
struct kmprof_loss {
	const char *name;
	__u64 count;
	const char *profile;
	bool is_lost;
	const char *meaning;
};

/**
 * struct kmprof_losses - all of them
 * @loss: array, in the order of the image; refers to it
 * @nr: how many
 */
struct kmprof_losses {
	struct kmprof_loss *loss;
	size_t nr;
};

/* Return: 0 or -ENOMEM. Released by kmprof_losses_release(). */
int kmprof_losses_list(struct kmprof_losses *losses, const struct kmprof_image *image);
void kmprof_losses_release(struct kmprof_losses *losses);

#endif
