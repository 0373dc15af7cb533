// SPDX-License-Identifier: GPL-2.0
/*
 * The profiles of contentions for pprof: what Go's block and mutex profiles have, with
 * a label for everything else that is known. The values are estimates already, so the
 * period is 1, as in Go; the rate is among the facts.
 */
#include <assert.h>
#include <errno.h>

#include "export/pprof.h"
#include "profile/contention.h"
#include "profile/delays.h"
#include "profile/label.h"
#include "symbols/cgroups.h"

static const struct kmprof_pprof_type types[] = {
	{ "contentions", "count" },
	{ "delay", "nanoseconds" },
};

struct content {
	const struct kmprof_image *image;
	const struct kmprof_resolver *resolver;
	struct kmprof_delays delays;
	struct kmprof_cgroups cgroups;
};

static const __u64 *contention_stack(const void *arg, size_t i, __u32 *nr)
{
	const struct content *content = arg;
	const struct kmprof_image_contention *contention = content->delays.entry[i];

	*nr = contention->nr_frames;
	return kmprof_image_stack(content->image, contention->first_frame);
}

static_assert(KMPROF_PPROF_LABELS >= 7 + KMPROF_NR_LOCK_OUTCOMES,
	      "there is room for kind, lock, cache, access, each outcome, comm, pid and cgroup");

static void add_label(struct kmprof_pprof_sample *sample, const char *key, const char *text)
{
	sample->label[sample->nr_labels].key = key;
	sample->label[sample->nr_labels].text = text;
	sample->nr_labels++;
}

/* pprof drops a 0 without a unit. It takes the key for one where there is none. */
static void add_number(struct kmprof_pprof_sample *sample, const char *key, __u64 number)
{
	sample->label[sample->nr_labels].key = key;
	sample->label[sample->nr_labels].number = number;
	sample->label[sample->nr_labels].unit = key;
	sample->nr_labels++;
}

/* Nor does it keep a text that is empty. */
static const char *comm_name(const struct kmprof_image_label *label, char text[KMPROF_COMM_LEN])
{
	return *kmprof_label_comm(label, text) ? text : "[unnamed]";
}

static const char *cgroup_name(const struct content *content, __u64 id,
			       char text[KMPROF_PPROF_NUMBER])
{
	const char *path = kmprof_cgroups_find(&content->cgroups, id);

	if (path)
		return path;
	snprintf(text, KMPROF_PPROF_NUMBER, "%llu", id);
	return text;
}

static const struct kmprof_image_label *label_of(const struct content *content, size_t i)
{
	return kmprof_contention_label(content->image, content->delays.entry[i]);
}

static void add_task(const struct content *content, const struct kmprof_image_label *label,
		     struct kmprof_pprof_sample *sample)
{
	if (kmprof_label_has(label, KMPROF_LABEL_COMM))
		add_label(sample, "comm", comm_name(label, sample->comm));
	if (kmprof_label_has(label, KMPROF_LABEL_PID))
		add_number(sample, "pid", label->pid);
	if (kmprof_label_has(label, KMPROF_LABEL_CGROUP))
		add_label(sample, "cgroup", cgroup_name(content, label->cgroup, sample->cgroup));
}

static void contention_sample(const void *arg, size_t i, struct kmprof_pprof_sample *sample)
{
	const struct content *content = arg;
	const struct kmprof_image_contention *contention = content->delays.entry[i];
	const char *access = kmprof_lock_access(contention->flags);
	const char *cache = kmprof_image_cache(content->image, contention);
	unsigned int n;

	sample->value[0] = kmprof_signed(kmprof_delays_whole(contention->count));
	sample->value[1] = kmprof_signed(contention->delay_ns);
	sample->nowhere = kmprof_lock_nowhere(contention->flags);
	add_label(sample, "kind", kmprof_lock_kind(contention->kind));
	if (contention->lock)
		add_label(sample, "lock", kmprof_lock_name(content->resolver, contention->lock,
							   sample->lock));
	if (cache)
		add_label(sample, "cache", cache);
	if (access)
		add_label(sample, "access", access);
	for (n = 0; n < KMPROF_NR_LOCK_OUTCOMES; n++)
		if (contention->flags & kmprof_lock_outcomes[n].flag)
			add_label(sample, "outcome", kmprof_lock_outcomes[n].name);
	add_task(content, label_of(content, i), sample);
}

/* The names of this machine's cgroups, if any is asked for. */
static int load_cgroups(struct content *content, struct kmprof_error *err)
{
	size_t i;

	if (!content->resolver->is_local)
		return 0;
	for (i = 0; i < content->delays.nr; i++)
		if (kmprof_label_has(label_of(content, i), KMPROF_LABEL_CGROUP))
			break;
	if (i == content->delays.nr || !kmprof_cgroups_load(&content->cgroups, KMPROF_MOUNTINFO))
		return 0;
	return kmprof_error_set(err, -ENOMEM, NULL, "reading the cgroups: out of memory");
}

int kmprof_contention_write_pprof(FILE *file, const struct kmprof_image *image,
				  const struct kmprof_resolver *resolver,
				  const struct kmprof_profile_kind *kind, struct kmprof_error *err)
{
	struct content content = { .image = image, .resolver = resolver };
	struct kmprof_pprof_content pprof = {
		.kind		= kind,
		.types		= types,
		.nr_types	= ARRAY_SIZE(types),
		.period_type	= types[0],
		.period		= 1,
		.arg		= &content,
		.stack		= contention_stack,
		.sample		= contention_sample,
	};
	int ret;

	ret = kmprof_delays_build(&content.delays, image, kind->id, err);
	if (ret)
		return ret;
	pprof.nr_samples = content.delays.nr;
	ret = load_cgroups(&content, err);
	if (!ret)
		ret = kmprof_pprof_write(file, image, resolver, &pprof, err);
	kmprof_cgroups_release(&content.cgroups);
	kmprof_delays_release(&content.delays);
	return ret;
}
