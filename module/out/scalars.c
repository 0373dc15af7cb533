// SPDX-License-Identifier: GPL-2.0
/*
 * Writes the scalars of an image: the sources, then the settings, then what each profile
 * lists in its own table.
 */
#include <uapi/linux/kmprof.h>

#include "core/profile.h"
#include "core/source.h"
#include "out/scalars.h"
#include "out/strings.h"

/**
 * struct writer - scalars in the making
 * @to: where they go; NULL: only count
 * @nr: number of scalars so far
 * @strings: the string table
 */
struct writer {
	struct kmprof_image_scalar *to;
	u32 nr;
	struct kmprof_strings *strings;
};

static void add(struct writer *w, const char *name, const char *unit, const char *text,
		const struct kmprof_image_scalar *numbers)
{
	struct kmprof_image_scalar scalar = *numbers;

	scalar.name = kmprof_strings_add(w->strings, name);
	scalar.unit = kmprof_strings_add(w->strings, unit);
	scalar.text = kmprof_strings_add(w->strings, text);
	if (w->to)
		w->to[w->nr] = scalar;
	w->nr++;
}

/* The source of several profiles belongs to the first of them. */
static bool has_own_source(const struct kmprof_profile *profile)
{
	kmprof_for_each_profile(p) {
		if (p == profile)
			break;
		if (p->source == profile->source)
			return false;
	}
	return profile->source;
}

static void add_source(struct writer *w, const struct kmprof_profile *p)
{
	const struct kmprof_image_scalar scalar = {
		.profile	= p->index + 1,
		.value		= p->source->chosen->id,
	};

	add(w, p->source->name, NULL, p->source->chosen->name, &scalar);
}

/* @text: or NULL: the setting is no text */
static void add_setting(struct writer *w, const struct kmprof_setting *s, u64 value,
			const char *text)
{
	const struct kmprof_image_scalar scalar = {
		.flags		= KMPROF_SCALAR_SETTING,
		.value		= value,
	};
	char names[KMPROF_TEXT_LEN];

	if (s->names) {
		kmprof_setting_format(s, names, value);
		text = names;
	}
	add(w, s->name, s->unit, text, &scalar);
}

static void add_settings(struct writer *w, const struct kmprof_numbers *numbers)
{
	const struct kmprof_setting *s;
	unsigned int i, texts = 0;

	for (i = 0; i < kmprof_nr_settings(); i++) {
		s = kmprof_setting_find(i);
		add_setting(w, s, numbers->settings[i],
			    s->ops->get_text ? numbers->texts[texts++] : NULL);
	}
}

static void add_number(struct writer *w, const struct kmprof_profile *p,
		       const struct kmprof_scalar *s, const struct kmprof_stats *stats)
{
	const struct kmprof_image_scalar scalar = {
		.profile	= p->index + 1,
		.flags		= s->flags,
		.value		= s->read ? s->read(p) :
					    *(const u64 *)((const void *)stats + s->offset),
	};

	add(w, s->name, s->unit, NULL, &scalar);
}

/**
 * kmprof_scalars_write() - write the scalars of an image
 * @numbers: the numbers
 * @to: where they go; NULL: only count
 * @strings: table of their names
 *
 * Context: Process context, cycle lock held: with the same @numbers, and no profile added
 * meanwhile, their number and the strings are the same every time.
 * Return: the number of scalars.
 */
u32 kmprof_scalars_write(const struct kmprof_numbers *numbers, struct kmprof_image_scalar *to,
			 struct kmprof_strings *strings)
{
	struct writer w = { .to = to, .strings = strings };
	unsigned int i;

	kmprof_for_each_profile(p)
		if (has_own_source(p))
			add_source(&w, p);
	add_settings(&w, numbers);
	kmprof_for_each_profile(p)
		for (i = 0; i < p->nr_scalars; i++)
			add_number(&w, p, &p->scalars[i], &numbers->stats);
	return w.nr;
}
