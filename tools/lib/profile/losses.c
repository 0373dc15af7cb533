// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "image/ledger.h"
#include "profile/losses.h"

static void add(struct kmprof_losses *losses, const struct kmprof_image *image,
		const struct kmprof_image_scalar *scalar)
{
	struct kmprof_loss *loss = &losses->loss[losses->nr++];

	loss->name = kmprof_ledger_name(image, scalar);
	loss->count = scalar->value;
	if (scalar->profile)
		loss->profile = kmprof_image_profile_name(image, scalar->profile);
	loss->is_lost = scalar->flags & KMPROF_SCALAR_LOST;
	loss->meaning = kmprof_ledger_meaning(loss->name);
}

int kmprof_losses_list(struct kmprof_losses *losses, const struct kmprof_image *image)
{
	const struct kmprof_image_scalar *scalar;
	__u32 i;

	losses->nr = 0;
	losses->loss = calloc((size_t)image->header.scalars.count + 1, sizeof(*losses->loss));
	if (!losses->loss)
		return -ENOMEM;
	for (i = 0; i < image->header.scalars.count; i++) {
		scalar = kmprof_image_scalar(image, i);
		if (scalar->flags & KMPROF_SCALAR_LEDGER)
			add(losses, image, scalar);
	}
	return 0;
}

void kmprof_losses_release(struct kmprof_losses *losses)
{
	free(losses->loss);
	memset(losses, 0, sizeof(*losses));
}
