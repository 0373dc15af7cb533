// SPDX-License-Identifier: GPL-2.0
/*
 * Each snapshot becomes a list of entries in order, in which the rows of one stack, kind, size and
 * number of objects that are sampled together are added up. The two ordered lists, of the snapshots
 * before and of this one, are merged.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/ages.h"
#include "image/memory.h"
#include "leaks/history.h"
#include "profile/tables.h"
#include "util/merge.h"

/**
 * struct row - the rows of an image with one stack, kind of memory, size and number
 * @names: of the frames
 * @nr_frames: how many
 * @kind: of memory
 * @size: of an object
 * @together: number of objects of a sample
 * @cache: slab cache, or NULL
 * @allocs: sampled objects allocated
 * @frees: of these, freed
 * @oldest_ns: age of the oldest one in use; 0: not known
 * @frames: addresses of one of the stacks
 */
struct row {
	const __u64 *names;
	__u32 nr_frames;
	__u32 kind;
	__u64 size;
	__u32 together;
	const char *cache;
	__u64 allocs;
	__u64 frees;
	__u64 oldest_ns;
	const __u64 *frames;
};

/**
 * struct rows - of an image
 * @row: in order
 * @nr: how many
 * @names: of all frames of the image
 */
struct rows {
	struct row *row;
	size_t nr;
	__u64 *names;
};

void kmprof_history_init(struct kmprof_history *history, __u64 rate, unsigned int room)
{
	*history = (struct kmprof_history){ .rate = rate, .room = room };
}

static void release_entry(struct kmprof_history_entry *entry)
{
	free(entry->names);
	free(entry->allocs);
	free(entry->frees);
}

void kmprof_history_release(struct kmprof_history *history)
{
	size_t i;

	for (i = 0; i < history->nr; i++)
		release_entry(&history->entry[i]);
	free(history->entry);
	kmprof_address_names_release(&history->addresses);
	memset(history, 0, sizeof(*history));
}

static int by_stack_and_object(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int ret = kmprof_compare_stack(x->names, x->nr_frames, y->names, y->nr_frames);

	if (!ret)
		ret = kmprof_compare_u64(x->kind, y->kind);
	if (!ret)
		ret = kmprof_compare_u64(x->size, y->size);
	return ret ? ret : kmprof_compare_u64(x->together, y->together);
}

static void add_row(void *sum, const void *more)
{
	struct row *to = sum;
	const struct row *from = more;

	if (!to->cache)
		to->cache = from->cache;
	to->allocs += from->allocs;
	to->frees += from->frees;
	if (to->oldest_ns < from->oldest_ns)
		to->oldest_ns = from->oldest_ns;
}

static void rows_release(struct rows *rows)
{
	free(rows->row);
	free(rows->names);
}

static int rows_init(struct rows *rows, const struct kmprof_history *history,
		     const struct kmprof_image *image)
{
	struct kmprof_table table = kmprof_heap_rows(image);
	const struct kmprof_image_sample *sample;
	__u32 i, together;

	*rows = (struct rows){ 0 };
	rows->row = calloc((size_t)table.count + 1, sizeof(*rows->row));
	rows->names = calloc((size_t)image->header.frames.count + 1, sizeof(*rows->names));
	if (!rows->row || !rows->names)
		return -ENOMEM;
	for (i = 0; i < image->header.frames.count; i++)
		rows->names[i] = kmprof_address_name(&history->addresses, image->frames[i]);
	for (i = 0; i < table.count; i++) {
		sample = kmprof_image_entry(image, &table, i);
		together = kmprof_memory_together(&table, sample);
		if (sample->period != kmprof_memory_period(history->rate, together))
			continue;
		rows->row[rows->nr++] = (struct row) {
			.names		= rows->names + sample->row.first_frame,
			.nr_frames	= sample->row.nr_frames,
			.kind		= kmprof_memory_kind(&table, sample),
			.size		= sample->object_size,
			.together	= history->rate > 1 ? together : 1,
			.cache		= kmprof_sample_cache(&table, sample),
			.allocs		= sample->allocs,
			.frees		= sample->frees,
			.oldest_ns	= kmprof_has_ages(&table) ? sample->oldest_ns : 0,
			.frames		= kmprof_image_stack(image, &sample->row),
		};
	}
	rows->nr = kmprof_merge(rows->row, rows->nr, sizeof(*rows->row), by_stack_and_object,
				add_row);
	return 0;
}

static int compare(const struct kmprof_history_entry *entry, const struct row *row)
{
	const struct row of_entry = {
		.names		= entry->names,
		.nr_frames	= entry->nr_frames,
		.kind		= entry->kind,
		.size		= entry->size,
		.together	= entry->together,
	};

	return by_stack_and_object(&of_entry, row);
}

static int new_entry(struct kmprof_history_entry *entry, const struct kmprof_history *history,
		     const struct row *row)
{
	*entry = (struct kmprof_history_entry) {
		.names		= calloc((size_t)row->nr_frames + 1, sizeof(*entry->names)),
		.nr_frames	= row->nr_frames,
		.kind		= row->kind,
		.size		= row->size,
		.together	= row->together,
		.allocs		= calloc(history->room, sizeof(*entry->allocs)),
		.frees		= calloc(history->room, sizeof(*entry->frees)),
	};
	if (!entry->names || !entry->allocs || !entry->frees) {
		release_entry(entry);
		return -ENOMEM;
	}
	memcpy(entry->names, row->names, row->nr_frames * sizeof(*entry->names));
	return 0;
}

/* A bucket that is not there has counted nothing since. */
static void fill(struct kmprof_history_entry *entry, unsigned int snapshot, const struct row *row)
{
	entry->frames = row ? row->frames : NULL;
	entry->oldest_ns = row ? row->oldest_ns : 0;
	if (row && row->cache && !*entry->cache)
		snprintf(entry->cache, sizeof(entry->cache), "%s", row->cache);
	if (row) {
		entry->allocs[snapshot] = row->allocs;
		entry->frees[snapshot] = row->frees;
	} else if (snapshot) {
		entry->allocs[snapshot] = entry->allocs[snapshot - 1];
		entry->frees[snapshot] = entry->frees[snapshot - 1];
	}
}

/*
 * Entries are moved to the new array one by one. After a failure, those that were not moved yet
 * are still in the old one, which is put behind the others.
 */
static int merge(struct kmprof_history *history, const struct rows *rows)
{
	struct kmprof_history_entry *merged;
	size_t i = 0, k = 0, nr = 0;
	int order, ret = 0;

	merged = calloc(history->nr + rows->nr + 1, sizeof(*merged));
	if (!merged)
		return -ENOMEM;
	while (!ret && (i < history->nr || k < rows->nr)) {
		order = i == history->nr ? 1 : k == rows->nr ? -1 :
			compare(&history->entry[i], &rows->row[k]);
		if (order <= 0)
			merged[nr] = history->entry[i++];
		else
			ret = new_entry(&merged[nr], history, &rows->row[k]);
		if (!ret)
			fill(&merged[nr++], history->nr_snapshots,
			     order < 0 ? NULL : &rows->row[k++]);
	}
	while (i < history->nr)
		merged[nr++] = history->entry[i++];
	free(history->entry);
	history->entry = merged;
	history->nr = nr;
	return ret;
}

/* Snapshots of one session have been counted without a break, and with one rate. */
static int check(const struct kmprof_history *history, const struct kmprof_image *image,
		 struct kmprof_error *err)
{
	if (!kmprof_image_has_addresses(image))
		return kmprof_error_set(err, -EINVAL,
			"run as root, or with CAP_SYSLOG, and with kernel.kptr_restrict below 2",
			"the kernel hides addresses: stacks cannot be told apart");
	if (history->nr_snapshots && image->header.start_ns != history->start_ns)
		return kmprof_error_set(err, -EINVAL, "let nobody else reset kmprof meanwhile",
					"kmprof was reset: what was counted before is lost");
	if (kmprof_image_value(image, "heap_rate") != history->rate)
		return kmprof_error_set(err, -EINVAL, "let nobody else set heap_rate meanwhile",
					"heap_rate was changed to %llu by somebody else",
					kmprof_image_value(image, "heap_rate"));
	/* Objects of a kind that is switched off are booked as freed. */
	if (history->nr_snapshots && kmprof_image_value(image, "heap") != history->kinds)
		return kmprof_error_set(err, -EINVAL, "let nobody else set heap meanwhile",
					"heap, the kinds of memory, was changed by somebody else");
	return 0;
}

int kmprof_history_add(struct kmprof_history *history, const struct kmprof_image *image,
		       const struct kmprof_mapping_files *files, struct kmprof_error *err)
{
	struct rows rows;
	int ret;

	ret = check(history, image, err);
	if (ret)
		return ret;
	ret = kmprof_address_names_take(&history->addresses, image, files, err);
	if (ret)
		return ret;
	ret = rows_init(&rows, history, image);
	if (!ret)
		ret = merge(history, &rows);
	rows_release(&rows);
	if (ret)
		return kmprof_error_set(err, ret, NULL, "comparing snapshots: out of memory");
	history->start_ns = image->header.start_ns;
	history->kinds = kmprof_image_value(image, "heap");
	history->nr_snapshots++;
	return 0;
}
