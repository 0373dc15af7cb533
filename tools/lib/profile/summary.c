// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/ledger.h"
#include "profile/summary.h"
#include "util/memory_file.h"

#define NSEC_PER_SEC	1000000000ULL

static void put_scalar(FILE *file, const struct kmprof_image *image,
		       const struct kmprof_image_scalar *scalar, unsigned int *nr)
{
	const char *text = kmprof_scalar_text(image, scalar);

	fprintf(file, "%s%s ", (*nr)++ ? ", " : "", kmprof_scalar_name(image, scalar));
	if (*text)
		fputs(text, file);
	else
		fprintf(file, "%llu", scalar->value);
}

void kmprof_summary_totals(FILE *file, const struct kmprof_image *image,
			   const struct kmprof_profile *profile)
{
	const char *setting = profile->kind->setting;
	const struct kmprof_image_scalar *scalar;
	unsigned int nr = 0;
	bool is_own;
	__u32 i;

	for (i = 0; i < image->header.scalars.count; i++) {
		scalar = kmprof_image_scalar(image, i);
		is_own = scalar->profile == profile->number;
		if (scalar->flags & KMPROF_SCALAR_SETTING && setting)
			is_own = !strcmp(kmprof_scalar_name(image, scalar), setting);
		if (is_own && scalar->flags & (KMPROF_SCALAR_SETTING | KMPROF_SCALAR_TOTAL))
			put_scalar(file, image, scalar, &nr);
	}
}

/* Losses of samples of @profile; or, if that is 0, those that are not of samples. */
static bool is_named(const struct kmprof_image_scalar *scalar, __u32 profile)
{
	if (!scalar->value)
		return false;
	if (profile)
		return scalar->flags & KMPROF_SCALAR_LOST && scalar->profile == profile;
	return scalar->flags & KMPROF_SCALAR_LEDGER && !(scalar->flags & KMPROF_SCALAR_LOST);
}

static void put_losses(FILE *file, const struct kmprof_image *image, __u32 profile)
{
	const struct kmprof_image_scalar *scalar;
	unsigned int nr = 0;
	__u32 i;

	for (i = 0; i < image->header.scalars.count; i++) {
		scalar = kmprof_image_scalar(image, i);
		if (is_named(scalar, profile))
			put_scalar(file, image, scalar, &nr);
	}
}

static void put_account(FILE *file, const struct kmprof_image *image, __u32 profile)
{
	struct kmprof_ledger_account account = kmprof_ledger_account(image, profile);

	if (!account.is_kept)
		return;
	if (account.lost) {
		fprintf(file, "not in it: %llu of %llu samples: ", account.lost, account.sampled);
		put_losses(file, image, profile);
	} else {
		fprintf(file, "no sample lost: %llu are counted", account.counted);
	}
	if (account.filtered)
		fprintf(file, "; heap_filter has left out %llu, and is %s now", account.filtered,
			kmprof_image_word(image, "heap_filter"));
	if (account.sampled != account.counted + account.lost)
		fprintf(file, "; a fault in the module: sampled %llu, counted %llu do not add up",
			account.sampled, account.counted);
	fputc('\n', file);
}

static bool has_others(const struct kmprof_image *image)
{
	__u32 i;

	for (i = 0; i < image->header.scalars.count; i++)
		if (is_named(kmprof_image_scalar(image, i), 0))
			return true;
	return false;
}

/* Five lines at most: what it is, its numbers, two of losses, where there is more. */
static void put_summary(FILE *file, const struct kmprof_image *image,
			const struct kmprof_profile *profile)
{
	const char *source = profile->kind->source;

	fprintf(file, "profile %s, ", profile->name);
	if (source)
		fprintf(file, "source %s, ", kmprof_image_word(image, source));
	fprintf(file, "cycle %llu, seconds %llu\n", image->header.cycle,
		kmprof_image_duration(image) / NSEC_PER_SEC);
	profile->kind->summary(file, image, profile);
	fputc('\n', file);
	put_account(file, image, profile->number);
	if (has_others(image)) {
		fputs("also in the ledger: ", file);
		put_losses(file, image, 0);
		fputc('\n', file);
	}
	fprintf(file, "all facts: kmprof dump %s (text), kmprof status; their meaning: kmprof(1)\n",
		profile->name);
}

int kmprof_summary(struct kmprof_lines *lines, const struct kmprof_image *image,
		   const struct kmprof_profile *profile)
{
	size_t size;
	char *text;
	FILE *file;
	int ret;

	file = open_memstream(&text, &size);
	if (!file)
		return -ENOMEM;
	put_summary(file, image, profile);
	ret = kmprof_memory_file_close(file, &text);
	if (!ret)
		ret = kmprof_lines_add_text(lines, text);
	free(text);
	return ret;
}
