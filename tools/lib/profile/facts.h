/* SPDX-License-Identifier: GPL-2.0 */
/* The facts that go with each output of a profile: rates, totals, ledger. */
#ifndef KMPROF_PROFILE_FACTS_H
#define KMPROF_PROFILE_FACTS_H

#include "profile/profile.h"

/**
 * kmprof_facts() - rates, totals, estimates and ledger, line by line
 * @lines: "key value" each are added here
 * @image: the image
 * @kind: the profile shown
 *
 * The same lines as in the text that the module writes, in the same order, so
 * that no output of a profile goes about without its losses.
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_facts(struct kmprof_lines *lines, const struct kmprof_image *image,
		 const struct kmprof_profile_kind *kind);

#endif
