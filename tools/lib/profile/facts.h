/* SPDX-License-Identifier: GPL-2.0 */
/* The facts that go with each output of a profile: settings, totals, ledger. */
#ifndef KMPROF_PROFILE_FACTS_H
#define KMPROF_PROFILE_FACTS_H

#include "profile/kind.h"

/**
 * kmprof_facts() - all scalars of an image, and what a profile knows beside them
 * @lines: "key value" each are added here
 * @image: the image
 * @profile: the profile shown
 *
 * The same lines as in the text that the module writes, in the same order. So every output
 * of a profile has its losses.
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_facts(struct kmprof_lines *lines, const struct kmprof_image *image,
		 const struct kmprof_profile *profile);

#endif
