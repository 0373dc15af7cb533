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
#include "symbols/cgroups.h"

enum { CGROUP_TEXT = 24 };

static const struct kmprof_value_type types[] = {
	{ "contentions", "count" },
	{ "delay", "nanoseconds" },
};

struct content {
	const struct kmprof_image *image;
	const struct kmprof_resolver *resolver;
	struct kmprof_delays delays;
	struct kmprof_cgroups cgroups;
};

static_assert(KMPROF_NR_LOCK_OUTCOMES + 7 <= KMPROF_SERIES_LABELS,
	      "there is room for kind, lock, cache, access, each outcome, comm, pid and cgroup");
static_assert(KMPROF_LOCK_TEXT + KMPROF_COMM_LEN + CGROUP_TEXT <= KMPROF_SERIES_ROOM,
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

	*nr = contention->nr_frames;
	return kmprof_image_stack(content->image, contention->first_frame);
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

/* pprof does not keep a text that is empty. */
static const char *comm_name(const struct kmprof_image_label *label, char text[KMPROF_COMM_LEN])
{
	return *kmprof_label_comm(label, text) ? text : "[unnamed]";
}

static const char *cgroup_name(const struct content *content, __u64 id,
			       struct kmprof_series_row *row)
{
	const char *path = kmprof_cgroups_find(&content->cgroups, id);
	char *text;

	if (path)
		return path;
	text = kmprof_row_room(row, CGROUP_TEXT);
	snprintf(text, CGROUP_TEXT, "%llu", id);
	return text;
}

/* A number without a unit is dropped by pprof when it is 0: the unit is the key. */
static void add_task(const struct content *content, const struct kmprof_image_label *label,
		     struct kmprof_series_row *row)
{
	if (kmprof_label_has(label, KMPROF_LABEL_COMM))
		kmprof_row_add_text(row, "comm",
				    comm_name(label, kmprof_row_room(row, KMPROF_COMM_LEN)));
	if (kmprof_label_has(label, KMPROF_LABEL_PID))
		kmprof_row_add_number(row, "pid", label->pid, "pid");
	if (kmprof_label_has(label, KMPROF_LABEL_CGROUP))
		kmprof_row_add_text(row, "cgroup", cgroup_name(content, label->cgroup, row));
}

static void contention_labels(const struct kmprof_series *series, size_t i,
			      struct kmprof_series_row *row)
{
	const struct content *content = series->data;
	const struct kmprof_image_contention *contention = entry(series, i);
	const char *access = kmprof_lock_access(contention->flags);
	const char *cache = kmprof_image_cache(content->image, contention);
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
	add_task(content, kmprof_contention_label(content->image, contention), row);
}

/* In the words of the text that the module writes. */
static void contention_note(const struct kmprof_series *series, size_t i, FILE *file)
{
	const struct content *content = series->data;
	const struct kmprof_image_contention *contention = entry(series, i);
	const char *access = kmprof_lock_access(contention->flags);
	const char *cache = kmprof_image_cache(content->image, contention);
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
	kmprof_label_write(file, kmprof_contention_label(content->image, contention));
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

/* The names of this machine's cgroups, if any is asked for. */
static int load_cgroups(struct content *content, struct kmprof_error *err)
{
	const struct kmprof_image_label *label;
	size_t i;

	if (!content->resolver->is_local)
		return 0;
	for (i = 0; i < content->delays.nr; i++) {
		label = kmprof_contention_label(content->image, content->delays.entry[i]);
		if (kmprof_label_has(label, KMPROF_LABEL_CGROUP))
			break;
	}
	if (i == content->delays.nr || !kmprof_cgroups_load(&content->cgroups, KMPROF_MOUNTINFO))
		return 0;
	return kmprof_error_set(err, -ENOMEM, NULL, "reading the cgroups: out of memory");
}

int kmprof_contention_series(struct kmprof_series *series, const struct kmprof_image *image,
			     const struct kmprof_resolver *resolver,
			     const struct kmprof_profile_kind *kind, struct kmprof_error *err)
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
	series->shown = 1;
	series->period_type = types[0];
	series->period = 1;
	series->form = KMPROF_FORM_DELAY;
	series->head = kind->contention->head;
	series->ops = &contention_ops;
	series->data = content;
	ret = kmprof_delays_build(&content->delays, image, kind->id, err);
	if (ret)
		return ret;
	series->nr_rows = content->delays.nr;
	return load_cgroups(content, err);
}

void kmprof_waits_summary(FILE *file, const struct kmprof_image *image,
			  const struct kmprof_profile_kind *kind)
{
	const struct kmprof_image_header *h = &image->header;

	(void)kind;
	fprintf(file, "block_rate %llu, total.waits %llu, total.wait_ns %llu", h->block_rate,
		h->waits, h->wait_ns);
}

void kmprof_releases_summary(FILE *file, const struct kmprof_image *image,
			     const struct kmprof_profile_kind *kind)
{
	const struct kmprof_image_header *h = &image->header;

	(void)kind;
	fprintf(file, "mutex_fraction %llu, total.releases %llu, ", h->mutex_fraction,
		h->releases);
	fprintf(file, "total.blamed_ns %llu, total.unblamed_ns %llu", h->blamed_ns,
		h->unblamed_ns);
}
