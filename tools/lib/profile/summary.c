// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "image/ledger.h"
#include "image/source.h"
#include "profile/summary.h"

#define NSEC_PER_SEC	1000000000ULL

/* Sampled, of any profile, and not counted. */
#define LOST		(KMPROF_LOSS_SAMPLE | KMPROF_LOSS_WAIT | KMPROF_LOSS_DELAY)

/* Which losses to name: @of, or, if that is 0, those that are of no profile's samples. */
static bool is_named(const struct kmprof_image_loss *loss, __u32 of)
{
	return loss->count && (of ? loss->flags & of : !(loss->flags & LOST));
}

static void put_losses(FILE *file, const struct kmprof_image *image, __u32 of)
{
	const struct kmprof_image_loss *loss;
	unsigned int nr = 0;
	__u32 i;

	for (i = 0; i < image->header.losses.count; i++) {
		loss = kmprof_image_loss(image, i);
		if (!is_named(loss, of))
			continue;
		fprintf(file, "%sledger.%s %llu", nr++ ? ", " : "",
			kmprof_ledger_name(image, loss), loss->count);
	}
}

static void put_account(FILE *file, const struct kmprof_image *image, __u32 of)
{
	struct kmprof_ledger_account account = kmprof_ledger_account(image, of);

	if (account.lost) {
		fprintf(file, "not in it: %llu of %llu samples: ", account.lost, account.sampled);
		put_losses(file, image, of);
	} else {
		fprintf(file, "no sample lost: %llu are counted", account.counted);
	}
	if (account.sampled != account.counted + account.lost)
		fprintf(file, "; a fault in the module: sampled %llu, counted %llu do not add up",
			account.sampled, account.counted);
	fputc('\n', file);
}

static bool has_others(const struct kmprof_image *image)
{
	__u32 i;

	for (i = 0; i < image->header.losses.count; i++)
		if (is_named(kmprof_image_loss(image, i), 0))
			return true;
	return false;
}

/* Five lines at most: what it is, its numbers, two of losses, where there is more. */
static void put_summary(FILE *file, const struct kmprof_image *image,
			const struct kmprof_profile_kind *kind)
{
	const struct kmprof_image_header *h = &image->header;
	const char *source = kmprof_wait_source_name(h->wait_source);

	if (kind->loss == KMPROF_LOSS_SAMPLE)
		source = kmprof_source_name(h->source);
	fprintf(file, "profile %s, source %s, cycle %llu, seconds %llu\n", kind->name, source,
		h->cycle, kmprof_image_duration(image) / NSEC_PER_SEC);
	kind->summary(file, image, kind);
	fputc('\n', file);
	put_account(file, image, kind->loss);
	if (has_others(image)) {
		fputs("also in the ledger: ", file);
		put_losses(file, image, 0);
		fputc('\n', file);
	}
	fprintf(file, "all facts: kmprof dump %s (text), kmprof status; their meaning: kmprof(1)\n",
		kind->name);
}

int kmprof_summary(struct kmprof_lines *lines, const struct kmprof_image *image,
		   const struct kmprof_profile_kind *kind)
{
	size_t size;
	char *text;
	FILE *file;
	int ret;

	file = open_memstream(&text, &size);
	if (!file)
		return -ENOMEM;
	put_summary(file, image, kind);
	ret = fclose(file) ? -ENOMEM : kmprof_lines_add_text(lines, text);
	free(text);
	return ret;
}
