/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A view: a profile as users select it, with an order of its entries. heap and allocs are
 * two views of one profile.
 */
#ifndef KMPROF_VIEW_H
#define KMPROF_VIEW_H

#include <linux/types.h>
#include <uapi/linux/kmprof.h>

struct kmprof_text_form;

/**
 * struct kmprof_view - a view
 * @name: name, for users
 * @id: enum kmprof_profile_id
 * @form: operations to print it as text
 * @rank: heap profile: sort key of a sample, in estimated bytes; the largest comes first
 */
struct kmprof_view {
	const char *name;
	u32 id;
	const struct kmprof_text_form *form;
	u64 (*rank)(const struct kmprof_image_sample *s);
};

const struct kmprof_view *kmprof_view_get(unsigned int index);
const struct kmprof_view *kmprof_view_find(u32 id);
u64 kmprof_view_mask(void);

#endif
