/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The facts about a profile in at most KMPROF_SUMMARY_LINES lines, for formats that show
 * each line to everybody, as pprof does with comments.
 */
#ifndef KMPROF_PROFILE_SUMMARY_H
#define KMPROF_PROFILE_SUMMARY_H

#include "profile/kind.h"

/**
 * kmprof_summary() - what it is, what is not in it, and where all the facts are
 * @lines: the lines are added here
 * @image: the image
 * @profile: the profile
 *
 * The words are those of kmprof_facts(). Each loss that is not zero is named.
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_summary(struct kmprof_lines *lines, const struct kmprof_image *image,
		   const struct kmprof_profile *profile);

/* A line of the settings and totals of a profile, for struct kmprof_profile_kind. */
void kmprof_summary_totals(FILE *file, const struct kmprof_image *image,
			   const struct kmprof_profile *profile);

#endif
