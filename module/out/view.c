// SPDX-License-Identifier: GPL-2.0
/* Enumerates the views, profile by profile. */
#include <linux/stddef.h>
#include <linux/string.h>

#include "core/profile.h"
#include "out/view.h"

/**
 * kmprof_view_get() - get a view by its number, to walk all views
 * @index: number, from 0 on
 *
 * Context: Any.
 * Return: the view; NULL after the last one.
 */
const struct kmprof_view *kmprof_view_get(unsigned int index)
{
	kmprof_for_each_profile(p) {
		if (index < p->nr_views)
			return &p->views[index];
		index -= p->nr_views;
	}
	return NULL;
}

/**
 * kmprof_view_find() - get a view by its name
 * @name: the name
 *
 * Context: Any.
 * Return: the view or NULL.
 */
const struct kmprof_view *kmprof_view_find(const char *name)
{
	const struct kmprof_view *view;
	unsigned int i;

	for (i = 0; (view = kmprof_view_get(i)); i++)
		if (!strcmp(view->name, name))
			return view;
	return NULL;
}
