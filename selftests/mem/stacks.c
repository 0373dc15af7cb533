// SPDX-License-Identifier: GPL-2.0
/*
 * A stack belongs to the case in whose functions, cat_NAME__*(), it has been.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lib/cases.h"
#include "lib/kmprof_guest.h"
#include "mem/stacks.h"

enum { NO_CASE = -1, SET_ASIDE = -2 };

/*
 * Below these functions the kernel allocates for itself, in the middle of somebody else's call,
 * and keeps it when the caller frees: for its own accounts of objects, and as a stock for all.
 */
static const char *const aside[] = {
	"memcg_alloc_slab_cgroups", "alloc_slab_obj_exts",	/* a vector for each slab */
	"kmemleak_alloc", "create_object", "__create_object", "__alloc_object",
	"fill_pool", "debug_object",				/* debugobjects */
	"idr_preload", "__radix_tree_preload",			/* each CPU's stock of nodes */
	NULL
};

/* Finds the module's functions. */
static void find_text(struct stacks *stacks)
{
	const struct symbols *symbols = stacks->symbols;
	size_t i;

	for (i = 0; i < symbols->count; i++) {
		if (strcmp(symbols->all[i].module, "kmprof_catalogue"))
			continue;
		if (!stacks->text_start)
			stacks->text_start = symbols->all[i].address;
		/* Up to what comes behind it. */
		stacks->text_end = i + 1 < symbols->count ? symbols->all[i + 1].address :
							    UINT64_MAX;
	}
}

/**
 * stacks_init() - prepare for snapshots
 * @stacks: out
 * @fd: the catalogue's open device
 * @symbols: with those of the catalogue; kept
 *
 * Return: 0 or a negative errno, with a message on stderr.
 */
int stacks_init(struct stacks *stacks, int fd, const struct symbols *symbols)
{
	int ret = 0;

	memset(stacks, 0, sizeof(*stacks));
	stacks->symbols = symbols;
	find_text(stacks);
	if (!stacks->text_start)
		return guest_complain("symbols of", "kmprof_catalogue", ENOENT);
	for (; !ret && stacks->count < STACKS_CASES; stacks->count += !ret)
		ret = cases_get(fd, stacks->count, &stacks->cases[stacks->count]);
	if (!ret)
		return guest_complain("cases of", "kmprof_catalogue", E2BIG);
	return ret == -ENOENT ? 0 : ret;
}

static int case_of_symbol(const struct stacks *stacks, const char *name)
{
	const char *end = strstr(name, "__");
	unsigned int i;

	if (strncmp(name, "cat_", 4) || !end)
		return NO_CASE;
	name += 4;
	for (i = 0; i < stacks->count; i++)
		if (strlen(stacks->cases[i].name) == (size_t)(end - name) &&
		    !strncmp(stacks->cases[i].name, name, end - name))
			return i;
	return NO_CASE;
}

static bool is_aside(const char *name)
{
	const char *const *one;

	for (one = aside; *one; one++)
		if (!strncmp(name, *one, strlen(*one)))
			return true;
	return false;
}

/* Is a row of the kind of memory that a case is about? Of others is what the kernel adds. */
static bool is_of_kind(const struct kmprof_catalogue_case *c, uint32_t kind)
{
	static const uint32_t kinds[] = {
		[KMPROF_CATALOGUE_SLAB]		= KMPROF_KIND_SLAB,
		[KMPROF_CATALOGUE_PERCPU]	= KMPROF_KIND_PERCPU,
		[KMPROF_CATALOGUE_VMALLOC]	= KMPROF_KIND_VMALLOC,
		[KMPROF_CATALOGUE_PAGE]		= KMPROF_KIND_PAGE,
	};

	return c->memory < sizeof(kinds) / sizeof(kinds[0]) && kinds[c->memory] == kind;
}

/* The case that a row is about, NO_CASE or SET_ASIDE. */
static int case_of_row(const struct stacks *stacks, const struct snapshot *snapshot,
		       const struct kmprof_image_sample *sample)
{
	const uint64_t *frames = snapshot_frames(snapshot, &sample->row);
	const struct symbol *symbol;
	int number = NO_CASE;
	uint32_t i, below;

	for (i = 0; number == NO_CASE && i < sample->row.nr_frames; i++) {
		if (frames[i] <= stacks->text_start || frames[i] > stacks->text_end)
			continue;
		symbol = symbols_caller(stacks->symbols, frames[i]);
		number = case_of_symbol(stacks, symbol->name);
		for (below = 0; number != NO_CASE && below < i; below++) {
			symbol = symbols_caller(stacks->symbols, frames[below]);
			if (symbol && is_aside(symbol->name))
				return SET_ASIDE;
		}
	}
	if (number >= 0 && !is_of_kind(&stacks->cases[number], sample->kind))
		return SET_ASIDE;
	return number;
}

/**
 * stacks_sum() - sum a snapshot up by cases
 * @stacks: the cases
 * @snapshot: the image
 * @held: out: by number of the case
 */
void stacks_sum(const struct stacks *stacks, const struct snapshot *snapshot,
		struct held held[STACKS_CASES])
{
	uint32_t i, rows = snapshot_rows(snapshot, "heap");

	memset(held, 0, STACKS_CASES * sizeof(*held));
	for (i = 0; i < rows; i++) {
		const struct kmprof_image_sample *sample = snapshot_sample(snapshot, i);
		int number = case_of_row(stacks, snapshot, sample);

		if (number < 0)
			continue;
		held[number].allocs += sample->allocs;
		held[number].in_use += sample->allocs - sample->frees;
		held[number].bytes += (sample->allocs - sample->frees) * sample->object_size;
	}
}

/**
 * stacks_print() - print the stacks of a case that have objects in use, as diagnostics
 * @stacks: the cases
 * @snapshot: the image
 * @number: number of the case
 */
void stacks_print(const struct stacks *stacks, const struct snapshot *snapshot,
		  unsigned int number)
{
	uint32_t i, k, rows = snapshot_rows(snapshot, "heap");

	for (i = 0; i < rows; i++) {
		const struct kmprof_image_sample *sample = snapshot_sample(snapshot, i);
		const uint64_t *frames = snapshot_frames(snapshot, &sample->row);

		if (sample->allocs == sample->frees ||
		    case_of_row(stacks, snapshot, sample) != (int)number)
			continue;
		fprintf(stderr, "#   %" PRIu64 " of %" PRIu64 " bytes:",
			(uint64_t)(sample->allocs - sample->frees), (uint64_t)sample->object_size);
		for (k = 0; k < sample->row.nr_frames; k++) {
			const struct symbol *symbol = symbols_caller(stacks->symbols, frames[k]);

			fprintf(stderr, " %s", symbol ? symbol->name : "?");
		}
		fprintf(stderr, "\n");
	}
}
