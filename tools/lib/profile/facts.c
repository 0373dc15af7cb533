// SPDX-License-Identifier: GPL-2.0
/* The facts, line by line. The names of scalars are the vocabulary of every output. */
#include "profile/facts.h"

#define NSEC_PER_SEC	1000000000ULL

static int put_scalar(struct kmprof_lines *lines, const struct kmprof_image *image,
		      const struct kmprof_image_scalar *scalar)
{
	const char *name = kmprof_scalar_name(image, scalar);
	const char *text = kmprof_scalar_text(image, scalar);

	if (*text)
		return kmprof_lines_add(lines, "%s %s", name, text);
	return kmprof_lines_add(lines, "%s %llu", name, scalar->value);
}

int kmprof_facts(struct kmprof_lines *lines, const struct kmprof_image *image,
		 const struct kmprof_profile *profile)
{
	const struct kmprof_image_header *h = &image->header;
	int ret;
	__u32 i;

	ret = kmprof_lines_add(lines, "profile %s", profile->name);
	if (!ret)
		ret = kmprof_lines_add(lines, "cycle %llu", h->cycle);
	if (!ret)
		ret = kmprof_lines_add(lines, "seconds %llu",
				       kmprof_image_duration(image) / NSEC_PER_SEC);
	if (!ret)
		ret = kmprof_lines_add(lines, "rows %u", profile->rows.count);
	for (i = 0; i < h->scalars.count && !ret; i++)
		ret = put_scalar(lines, image, kmprof_image_scalar(image, i));
	if (!ret && profile->kind->facts)
		ret = profile->kind->facts(lines, image);
	return ret;
}
