// SPDX-License-Identifier: GPL-2.0
/*
 * Looks for two rows of the heap profile that have the same key. There is one bucket for
 * each key, whether a stack was captured by rules, which hash it on the way, or by the
 * kernel's unwinder.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/snapshot.h"

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_labels(const struct kmprof_image_label *a, const struct kmprof_image_label *b)
{
	return a && b ? memcmp(a, b, sizeof(*a)) : !!a - !!b;
}

static int compare_keys(const void *a, const void *b, void *of)
{
	const struct snapshot *snapshot = of;
	const struct kmprof_image_sample *x = snapshot_sample(snapshot, *(const uint32_t *)a);
	const struct kmprof_image_sample *y = snapshot_sample(snapshot, *(const uint32_t *)b);
	int result = compare_numbers(x->period, y->period);

	result = result ?: compare_numbers(x->kind, y->kind);
	result = result ?: compare_numbers(x->object_size, y->object_size);
	result = result ?: compare_numbers(x->together, y->together);
	result = result ?: compare_numbers(x->row.nr_frames, y->row.nr_frames);
	result = result ?: compare_labels(snapshot_label(snapshot, &x->row),
					  snapshot_label(snapshot, &y->row));
	return result ?: memcmp(snapshot_frames(snapshot, &x->row),
				snapshot_frames(snapshot, &y->row),
				x->row.nr_frames * sizeof(uint64_t));
}

/**
 * snapshot_twin() - find a row of the heap profile whose key another row has
 * @snapshot: the image, which is right otherwise
 * @twin: returns its index
 *
 * In an image without addresses stacks cannot be told apart: nothing is found.
 *
 * Return: 1 if there is one, 0 if there is none, or -1 without memory.
 */
int snapshot_twin(const struct snapshot *snapshot, uint32_t *twin)
{
	uint32_t i, rows = snapshot_rows(snapshot, "heap"), *order;
	int found = 0;

	if (!(snapshot->header->flags & KMPROF_IMAGE_ADDRESSES))
		return 0;
	order = malloc((rows + 1) * sizeof(*order));
	if (!order)
		return -1;
	for (i = 0; i < rows; i++)
		order[i] = i;
	qsort_r(order, rows, sizeof(*order), compare_keys, (void *)snapshot);
	for (i = 1; i < rows && !found; i++) {
		found = !compare_keys(&order[i - 1], &order[i], (void *)snapshot);
		*twin = order[i];
	}
	free(order);
	return found;
}
