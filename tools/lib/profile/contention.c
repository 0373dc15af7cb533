// SPDX-License-Identifier: GPL-2.0
/*
 * The profiles of contentions as a series: what Go's block and mutex profiles have, with
 * a label for everything else that is known. The values are estimates already, so the
 * period is 1, as in Go; the rate is among the facts.
 */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "profile/contention.h"
#include "profile/delays.h"
#include "profile/label.h"
#include "profile/lock.h"
#include "profile/nowhere.h"

static const struct kmprof_value_type types[] = {
	{ "contentions", "count" },
	{ "delay", "nanoseconds" },
};

static const struct kmprof_value_course course[] = {
	{ .is_sum = true },
	{ .is_sum = true },
};

struct content {
	const struct kmprof_image *image;
	const struct kmprof_resolver *resolver;
	struct kmprof_delays delays;
	struct kmprof_cgroups cgroups;
};

static_assert(KMPROF_NR_LOCK_OUTCOMES + 4 + KMPROF_LABEL_MOST <= KMPROF_SERIES_LABELS,
	      "there is room for kind, lock, cache, access, each outcome and the task");
static_assert(KMPROF_LOCK_TEXT + KMPROF_LABEL_ROOM <= KMPROF_SERIES_ROOM,
	      "there is room for the texts of all labels that have one");

static const struct kmprof_image_contention *entry(const struct kmprof_series *series, size_t i)
{
	const struct content *content = series->data;

	return content->delays.entry[i];
}

static const __u64 *contention_stack(const struct kmprof_series *series, size_t i, __u32 *nr)
{
	const struct content *content = series->data;
	const struct kmprof_image_contention *contention = entry(series, i);

	*nr = contention->row.nr_frames;
	return kmprof_image_stack(content->image, &contention->row);
}

static void contention_numbers(const struct kmprof_series *series, size_t i,
			       struct kmprof_series_row *row)
{
	const struct kmprof_image_contention *contention = entry(series, i);

	row->value[0] = kmprof_signed(kmprof_delays_whole(contention->count));
	row->value[1] = kmprof_signed(contention->delay_ns);
	row->weight = contention->delay_ns;
	row->order = i;
	row->nowhere = kmprof_nowhere_names[kmprof_lock_nowhere(contention->flags)];
}

static void contention_labels(const struct kmprof_series *series, size_t i,
			      struct kmprof_series_row *row)
{
	const struct content *content = series->data;
	const struct kmprof_image_contention *contention = entry(series, i);
	const char *access = kmprof_lock_access(contention->flags);
	const char *cache = kmprof_contention_cache(contention);
	unsigned int n;

	kmprof_row_add_text(row, "kind", kmprof_lock_kind(contention->kind));
	if (contention->lock)
		kmprof_row_add_text(row, "lock",
				    kmprof_lock_name(content->resolver, contention->lock,
						     kmprof_row_room(row, KMPROF_LOCK_TEXT)));
	if (cache)
		kmprof_row_add_text(row, "cache", cache);
	if (access)
		kmprof_row_add_text(row, "access", access);
	for (n = 0; n < KMPROF_NR_LOCK_OUTCOMES; n++)
		if (contention->flags & kmprof_lock_outcomes[n].flag)
			kmprof_row_add_text(row, "outcome", kmprof_lock_outcomes[n].name);
	kmprof_label_add(row, kmprof_image_label(content->image, &contention->row),
			 &content->cgroups);
}

/* In the words of the text that the module writes. */
static void contention_note(const struct kmprof_series *series, size_t i, FILE *file)
{
	const struct content *content = series->data;
	const struct kmprof_image_contention *contention = entry(series, i);
	const char *access = kmprof_lock_access(contention->flags);
	const char *cache = kmprof_contention_cache(contention);
	struct kmprof_symbol symbol;
	unsigned int n;

	fputs(kmprof_lock_kind(contention->kind), file);
	if (access)
		fprintf(file, " %s", access);
	if (contention->lock) {
		fputc(' ', file);
		if (kmprof_resolver_lock(content->resolver, contention->lock, &symbol))
			kmprof_symbol_write(file, &symbol, contention->lock);
		else
			fprintf(file, "%#llx", contention->lock);
	}
	if (cache)
		fprintf(file, " in %s", cache);
	for (n = 0; n < KMPROF_NR_LOCK_OUTCOMES; n++)
		if (contention->flags & kmprof_lock_outcomes[n].flag)
			fprintf(file, ", %s", kmprof_lock_outcomes[n].name);
	if (kmprof_contention_is_unblamed(contention))
		fputs(", not attributable", file);
	kmprof_label_write(file, kmprof_image_label(content->image, &contention->row));
	fprintf(file, ", longest %llu ns", contention->longest_ns);
}

static void contention_release(struct kmprof_series *series)
{
	struct content *content = series->data;

	if (!content)
		return;
	kmprof_cgroups_release(&content->cgroups);
	kmprof_delays_release(&content->delays);
	free(content);
}

static const struct kmprof_series_ops contention_ops = {
	.stack		= contention_stack,
	.numbers	= contention_numbers,
	.labels		= contention_labels,
	.note		= contention_note,
	.release	= contention_release,
};

int kmprof_contention_series(struct kmprof_series *series, const struct kmprof_image *image,
			     const struct kmprof_resolver *resolver,
			     const struct kmprof_profile *profile, struct kmprof_error *err)
{
	struct content *content;
	int ret;

	content = calloc(1, sizeof(*content));
	if (!content)
		return kmprof_error_set(err, -ENOMEM, NULL, "sorting the delays: out of memory");
	content->image = image;
	content->resolver = resolver;
	series->types = types;
	series->nr_types = ARRAY_SIZE(types);
	series->course = course;
	series->shown = 1;
	series->period_type = types[0];
	series->period = 1;
	series->form = KMPROF_FORM_DELAY;
	series->head = profile->kind->contention->head;
	series->ops = &contention_ops;
	series->data = content;
	ret = kmprof_delays_build(&content->delays, image, &profile->rows, err);
	if (ret)
		return ret;
	series->nr_rows = content->delays.nr;
	return kmprof_label_load_cgroups(&content->cgroups, image, &profile->rows, resolver, err);
}
