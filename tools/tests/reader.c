// SPDX-License-Identifier: GPL-2.0
/*
 * Feeds damaged copies of an image to everything that reads one: cut at every
 * length, then with random bytes changed. Built with ASan and UBSan, which end
 * it at the first misstep. Nothing is judged but that: a damaged image must be
 * refused with words or read in bounds.
 *
 *	fuzz IMAGE KALLSYMS ROUNDS SEED
 *
 * Prints "cut N changed N refused N read N".
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/snapshot.h"
#include "export/json.h"
#include "export/pprof.h"
#include "export/text.h"
#include "profile/profile.h"

static struct kmprof_resolver resolver;
static FILE *nowhere;
static unsigned long refused, accepted;

static void __noreturn die(const char *what)
{
	perror(what);
	exit(1);
}

static void die_if(int failed, const char *what)
{
	if (!failed)
		return;
	fprintf(stderr, "fuzz: %s\n", what);
	exit(1);
}

static void write_locks(const struct kmprof_image *image, const struct kmprof_profile *profile)
{
	struct kmprof_error err = { 0 };
	struct kmprof_by_lock by_lock;
	json_t *value;
	size_t i;

	die_if(kmprof_by_lock_build(&by_lock, image, &profile->rows, &err), err.text);
	for (i = 0; i < by_lock.nr; i++) {
		value = kmprof_json_lock(&by_lock.entry[i], profile->kind->contention, &resolver);
		die_if(!value, "no JSON of a lock");
		json_decref(value);
	}
	kmprof_by_lock_release(&by_lock);
}

static void write_profile(const struct kmprof_image *image, const char *name)
{
	struct kmprof_profile profile;
	struct kmprof_error err = { 0 };
	struct kmprof_series series;
	int ret;

	die_if(kmprof_profile_find(&profile, image, name), "a profile that is listed is not found");
	(void)kmprof_profile_entries(&profile, image);
	ret = kmprof_profile_series(&series, image, &resolver, &profile, &err);
	/* A profile without a column has nothing to show, and says so. */
	if (ret == -EINVAL && !kmprof_image_profile(image, profile.number)->columns.count)
		return;
	die_if(ret, err.text);
	die_if(kmprof_text_write(nowhere, &series, &resolver, &err), err.text);
	die_if(kmprof_pprof_write(nowhere, &series, &resolver, &err), err.text);
	kmprof_series_release(&series);
	if (profile.kind->contention)
		write_locks(image, &profile);
}

static void read_everything(const struct kmprof_image *image)
{
	struct kmprof_lines names = { 0 };
	struct kmprof_error err = { 0 };
	struct kmprof_sites sites;
	json_t *value;
	size_t i;

	die_if(kmprof_sites_build(&sites, image, KMPROF_BY_STACK, &err), err.text);
	kmprof_sites_sort(&sites, KMPROF_SORT_ALLOC);
	value = kmprof_json_image(image);
	die_if(!value, "no JSON of the image");
	json_decref(value);
	for (i = 0; i < sites.nr; i++) {
		value = kmprof_json_site(&sites.site[i], &resolver);
		die_if(!value, "no JSON of a site");
		json_decref(value);
	}
	kmprof_sites_release(&sites);
	die_if(kmprof_profile_list(&names, image), "no list of profiles");
	for (i = 0; i < names.nr; i++)
		write_profile(image, names.line[i]);
	kmprof_lines_release(&names);
	die_if(kmprof_profile_lacking(image, "no", &err) != -ENOENT, "no words for no profile");
}

/* In an allocation of its own size, so that ASan sees each byte too far. */
static void try(const void *data, size_t size)
{
	struct kmprof_error err = { 0 };
	struct kmprof_image image;
	void *copy;

	if (posix_memalign(&copy, 8, size ? size : 1))
		die("memory");
	memcpy(copy, data, size);
	if (kmprof_image_init(&image, copy, size, "fuzz", &err)) {
		die_if(!err.text[0] || !err.hint[0], "refused without words");
		refused++;
	} else {
		accepted++;
		read_everything(&image);
	}
	free(copy);
}

/* Bytes of the header, the directory, the scalars and the columns of the first profile. */
static size_t describing(const struct kmprof_image *image)
{
	const struct kmprof_image_header *h = &image->header;
	size_t size = sizeof(*h);

	size += (size_t)h->profiles.count * h->profiles.entry_size;
	size += (size_t)h->scalars.count * h->scalars.entry_size;
	size += 3 * sizeof(struct kmprof_image_column);
	return size < image->size ? size : image->size;
}

int main(int argc, char **argv)
{
	struct kmprof_resolver_options names = { 0 };
	struct kmprof_error warning, err = { 0 };
	struct kmprof_capture capture;
	struct kmprof_image image;
	unsigned long rounds, i, n, changes;
	unsigned char *copy;
	size_t at;

	if (argc != 5)
		return 2;
	names.kallsyms = argv[2];
	rounds = strtoul(argv[3], NULL, 0);
	srandom((unsigned int)strtoul(argv[4], NULL, 0));
	nowhere = fopen("/dev/null", "w");
	if (!nowhere)
		die("/dev/null");
	if (kmprof_snapshot_load(&capture, argv[1], &err) ||
	    kmprof_image_init(&image, capture.base, capture.size, capture.name, &err) ||
	    kmprof_resolver_open(&resolver, &image, &names, &warning, &err)) {
		fprintf(stderr, "fuzz: %s\n", err.text);
		return 1;
	}

	for (i = 0; i < capture.size; i++)
		try(capture.base, i);
	die_if(accepted, "an image was accepted although its end is missing");

	copy = malloc(capture.size);
	if (!copy)
		die("memory");
	for (n = 0; n < rounds; n++) {
		memcpy(copy, capture.base, capture.size);
		changes = 1 + (unsigned long)random() % 4;
		while (changes--) {
			at = (size_t)random() % capture.size;
			/* The header, and what lies behind it, matter most: see describing(). */
			if (random() % 2)
				at %= describing(&image);
			copy[at] = (unsigned char)(random() % 3 ? random() :
						   copy[at] ^ (1 << random() % 8));
		}
		try(copy, capture.size);
	}
	printf("cut %zu changed %lu refused %lu read %lu\n", capture.size, rounds, refused,
	       accepted);
	free(copy);
	kmprof_resolver_close(&resolver);
	kmprof_snapshot_release(&capture);
	return fclose(nowhere) ? 1 : 0;
}
