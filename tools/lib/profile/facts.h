/* SPDX-License-Identifier: GPL-2.0 */
/* The facts that go with each output of a profile: rates, totals, ledger. */
#ifndef KMPROF_PROFILE_FACTS_H
#define KMPROF_PROFILE_FACTS_H

#include "profile/profile.h"

/**
 * typedef kmprof_facts_line - takes one fact
 * @text: "key value"
 * @arg: the taker's own
 *
 * Return: 0, or a negative errno, which ends it.
 */
typedef int (*kmprof_facts_line)(const char *text, void *arg);

/**
 * kmprof_facts() - rates, totals, estimates and ledger, line by line
 * @image: the image
 * @kind: the profile shown
 * @line: called with each line
 * @arg: for @line
 *
 * The same lines as in the text that the module writes, in the same order, so
 * that no output of a profile goes about without its losses.
 *
 * Return: 0 or what @line returned.
 */
int kmprof_facts(const struct kmprof_image *image, const struct kmprof_profile_kind *kind,
		 kmprof_facts_line line, void *arg);

#endif
