/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A view: a profile as users ask for it, with an order of its rows. heap and allocs are two
 * views of one profile.
 */
#ifndef KMPROF_VIEW_H
#define KMPROF_VIEW_H

#include <linux/types.h>
#include <uapi/linux/kmprof.h>

struct kmprof_text_form;

/**
 * struct kmprof_view - one way to look at a snapshot
 * @name: for users
 * @id: enum kmprof_profile_id
 * @form: its text
 * @rank: of the heap profile: the estimated bytes by which samples are ordered, largest
 *	first
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
