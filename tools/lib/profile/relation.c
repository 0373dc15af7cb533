// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/ledger.h"
#include "profile/relation.h"
#include "symbols/boot_id.h"
#include "util/growing.h"
#include "util/intern.h"

#define NSEC_PER_SEC	1000000000ULL

enum { NUMBER_TEXT = 24 };

/* 0 is no time: counting has not begun. */
static bool is_one_count(const struct kmprof_image *a, const struct kmprof_image *b, bool is_live)
{
	const char *boot_a = kmprof_boot_id(a), *boot_b = kmprof_boot_id(b);

	if (boot_a && boot_b && strcmp(boot_a, boot_b))
		return false;
	return a->header.start_ns == b->header.start_ns && (a->header.start_ns || is_live);
}

static bool is_one_boot(const struct kmprof_image *a, const struct kmprof_image *b)
{
	const char *boot_a = kmprof_boot_id(a), *boot_b = kmprof_boot_id(b);

	return boot_a && boot_b && !strcmp(boot_a, boot_b);
}

int kmprof_relation_find(enum kmprof_relation_kind *kind, const struct kmprof_image *a,
			 const struct kmprof_image *b, bool is_live, struct kmprof_error *err)
{
	bool is_older;

	*kind = KMPROF_TWO_BOOTS;
	if (is_one_count(a, b, is_live)) {
		*kind = KMPROF_ONE_COUNT;
		is_older = b->header.cycle < a->header.cycle;
	} else if (is_live || is_one_boot(a, b)) {
		*kind = KMPROF_ONE_BOOT;
		is_older = b->header.start_ns < a->header.start_ns &&
			   b->header.time_ns < a->header.time_ns;
	} else {
		return 0;
	}
	if (is_older)
		return kmprof_error_set(err, -EINVAL, "name the older image first",
					"the second image is older than the first one");
	return 0;
}

static int put_kind(struct kmprof_lines *notes, enum kmprof_relation_kind kind,
		    const struct kmprof_image *a, const struct kmprof_image *b)
{
	const char *boot_a = kmprof_boot_id(a), *boot_b = kmprof_boot_id(b);

	if (kind == KMPROF_ONE_COUNT)
		return kmprof_lines_add(notes,
			"one count: the differences are what has happened between A and B");
	if (kind == KMPROF_ONE_BOOT)
		return kmprof_lines_add(notes,
			"counting began anew between A and B (reset, new load): B has nothing of A");
	if (boot_a && boot_b)
		return kmprof_lines_add(notes,
			"A and B are of two boots: two counts that began apart are compared");
	return kmprof_lines_add(notes,
		"taken for images of two boots: %s no boot id, and they began to count apart",
		boot_a ? "B has" : boot_b ? "A has" : "they have");
}

/* How long each has counted matters if they have begun apart. */
static int put_durations(struct kmprof_lines *notes, enum kmprof_relation_kind kind,
			 const struct kmprof_image *a, const struct kmprof_image *b)
{
	if (kind == KMPROF_ONE_COUNT)
		return kmprof_lines_add(notes, "B is %llu s later than A",
					b->header.time_ns > a->header.time_ns ?
					(b->header.time_ns - a->header.time_ns) / NSEC_PER_SEC : 0);
	return kmprof_lines_add(notes, "A has counted for %llu s, B for %llu s",
				kmprof_image_duration(a) / NSEC_PER_SEC,
				kmprof_image_duration(b) / NSEC_PER_SEC);
}

/* A setting, or a source. */
static bool is_choice(const struct kmprof_image *image, const struct kmprof_image_scalar *scalar)
{
	return !(scalar->flags & ~KMPROF_SCALAR_SETTING) &&
	       strcmp(kmprof_scalar_name(image, scalar), KMPROF_BOOT_ID);
}

static const char *choice(const struct kmprof_image *image,
			  const struct kmprof_image_scalar *scalar, char number[NUMBER_TEXT])
{
	const char *text;

	if (!scalar)
		return "nothing";
	text = kmprof_scalar_text(image, scalar);
	if (*text)
		return text;
	snprintf(number, NUMBER_TEXT, "%llu", scalar->value);
	return number;
}

/**
 * struct index - the scalars of an image by name; it may have any number
 * @names: names
 * @scalar: of each, the first that has it
 */
struct index {
	struct kmprof_intern names;
	struct kmprof_growing scalar;
};

static int index_scalars(struct index *index, const struct kmprof_image *image)
{
	const struct kmprof_image_scalar *scalar;
	bool is_new;
	int ret = 0;
	__u32 i;

	for (i = 0; i < image->header.scalars.count && !ret; i++) {
		scalar = kmprof_image_scalar(image, i);
		if (kmprof_intern_number(&index->names, kmprof_scalar_name(image, scalar),
					 &is_new) < 0)
			ret = -ENOMEM;
		else if (is_new)
			ret = kmprof_growing_add(&index->scalar, &scalar, sizeof(scalar));
	}
	return ret;
}

static void release_index(struct index *index)
{
	kmprof_intern_release(&index->names);
	free(index->scalar.bytes);
}

/* The first scalar of the name in the image of the index, or NULL; -ENOMEM. */
static int find_scalar(struct index *index, const char *name,
		       const struct kmprof_image_scalar **scalar)
{
	bool is_new;
	__s64 n = kmprof_intern_number(&index->names, name, &is_new);

	*scalar = NULL;
	if (n >= 0 && (size_t)n < index->scalar.used / sizeof(*scalar))
		*scalar = ((const struct kmprof_image_scalar **)index->scalar.bytes)[n];
	return n < 0 ? (int)n : 0;
}

/* Those of @from that differ; or, if it is B, only those that A does not have at all. */
static int put_choices_of(struct kmprof_lines *notes, const struct kmprof_image *from,
			  const struct kmprof_image *to, struct index *index, bool is_b)
{
	const struct kmprof_image_scalar *scalar, *other;
	char first[NUMBER_TEXT], second[NUMBER_TEXT];
	const char *name, *x, *y;
	__u32 i;

	for (i = 0; i < from->header.scalars.count; i++) {
		scalar = kmprof_image_scalar(from, i);
		name = kmprof_scalar_name(from, scalar);
		if (!is_choice(from, scalar))
			continue;
		if (find_scalar(index, name, &other))
			return -ENOMEM;
		x = choice(from, scalar, first);
		y = choice(to, other, second);
		if ((is_b && other) || !strcmp(x, y))
			continue;
		if (kmprof_lines_add(notes, "%s: %s in A, %s in B", name, is_b ? y : x,
				     is_b ? x : y))
			return -ENOMEM;
	}
	return 0;
}

/* Exact, whatever was sampled. */
static int put_totals_of(struct kmprof_lines *notes, const struct kmprof_image *b,
			 struct index *index, const char *profile)
{
	__u32 number = kmprof_image_find(b, profile), i;
	const struct kmprof_image_scalar *scalar, *before;
	const char *name;
	__u64 a;

	for (i = 0; i < b->header.scalars.count; i++) {
		scalar = kmprof_image_scalar(b, i);
		name = kmprof_scalar_name(b, scalar);
		if (!(scalar->flags & KMPROF_SCALAR_TOTAL) || scalar->profile != number)
			continue;
		if (find_scalar(index, name, &before))
			return -ENOMEM;
		a = before ? before->value : 0;
		if (kmprof_lines_add(notes, "exactly: %s %c%llu, A: %llu, B: %llu", name,
				     scalar->value < a ? '-' : '+',
				     scalar->value < a ? a - scalar->value : scalar->value - a, a,
				     scalar->value))
			return -ENOMEM;
	}
	return 0;
}

static int put_totals(struct kmprof_lines *notes, const struct kmprof_image *a,
		      const struct kmprof_image *b, const char *profile)
{
	struct index index = { 0 };
	int ret;

	ret = index_scalars(&index, a);
	if (!ret)
		ret = put_totals_of(notes, b, &index, profile);
	release_index(&index);
	return ret;
}

static int put_choices(struct kmprof_lines *notes, const struct kmprof_image *from,
		       const struct kmprof_image *to, bool is_b)
{
	struct index index = { 0 };
	int ret;

	ret = index_scalars(&index, to);
	if (!ret)
		ret = put_choices_of(notes, from, to, &index, is_b);
	release_index(&index);
	return ret;
}

static int put_losses(struct kmprof_lines *notes, const char *which,
		      const struct kmprof_image *image, const char *profile)
{
	struct kmprof_ledger_account account;

	account = kmprof_ledger_account(image, kmprof_image_find(image, profile));
	if (!account.lost)
		return 0;
	return kmprof_lines_add(notes,
		"not in %s: %llu of %llu samples; 'kmprof status --input' tells why", which,
		account.lost, account.sampled);
}

int kmprof_relation_notes(struct kmprof_lines *notes, enum kmprof_relation_kind kind,
			  const struct kmprof_image *a, const struct kmprof_image *b,
			  const char *profile)
{
	int ret;

	ret = put_kind(notes, kind, a, b);
	if (!ret)
		ret = put_durations(notes, kind, a, b);
	if (!ret)
		ret = put_choices(notes, a, b, false);
	if (!ret)
		ret = put_choices(notes, b, a, true);
	if (!ret)
		ret = put_totals(notes, a, b, profile);
	if (!ret)
		ret = put_losses(notes, "A", a, profile);
	return ret ? ret : put_losses(notes, "B", b, profile);
}
