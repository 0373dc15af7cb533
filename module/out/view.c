// SPDX-License-Identifier: GPL-2.0
/* The table of views. */
#include <linux/kernel.h>

#include "mem/estimate.h"
#include "out/text_form.h"
#include "out/view.h"

static u64 rank_inuse(const struct kmprof_image_sample *s)
{
	return kmprof_heap_bytes(s, s->allocs - s->frees);
}

static u64 rank_allocs(const struct kmprof_image_sample *s)
{
	return kmprof_heap_bytes(s, s->allocs);
}

static const struct kmprof_view views[] = {
	{ "heap", KMPROF_PROFILE_HEAP, &kmprof_text_heap, rank_inuse },
	{ "allocs", KMPROF_PROFILE_ALLOCS, &kmprof_text_heap, rank_allocs },
	{ "block", KMPROF_PROFILE_BLOCK, &kmprof_text_block },
	{ "mutex", KMPROF_PROFILE_MUTEX, &kmprof_text_mutex },
};

/**
 * kmprof_view_get() - get a view by its index, to walk all views
 * @index: index, from 0 on
 *
 * Context: Any.
 * Return: the view; NULL after the last one.
 */
const struct kmprof_view *kmprof_view_get(unsigned int index)
{
	return index < ARRAY_SIZE(views) ? &views[index] : NULL;
}

/**
 * kmprof_view_find() - get a view by its id
 * @id: enum kmprof_profile_id
 *
 * Context: Any.
 * Return: the view or NULL.
 */
const struct kmprof_view *kmprof_view_find(u32 id)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(views); i++)
		if (views[i].id == id)
			return &views[i];
	return NULL;
}

/**
 * kmprof_view_mask() - get the ids of all views
 *
 * Context: Any.
 * Return: bit mask of 1 << enum kmprof_profile_id.
 */
u64 kmprof_view_mask(void)
{
	unsigned int i;
	u64 mask = 0;

	for (i = 0; i < ARRAY_SIZE(views); i++)
		mask |= 1ULL << views[i].id;
	return mask;
}
