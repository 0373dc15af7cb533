// SPDX-License-Identifier: GPL-2.0
/*
 * Writes profile.proto. A message is the same on the wire whether its repeated
 * fields are packed at once or piece by piece, so each sample, location and
 * string is packed as a Profile of its own and compressed at once. Memory then
 * grows with the number of different addresses, not with the samples.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "export/pprof.h"
#include "export/profile.pb-c.h"
#include "profile/facts.h"
#include "util/gzip.h"
#include "util/intern.h"
#include "util/merge.h"

struct writer {
	const struct kmprof_image *image;
	const struct kmprof_resolver *resolver;
	const struct kmprof_pprof_content *content;
	struct kmprof_gzip gzip;
	unsigned char *packed;
	size_t packed_room;
	struct kmprof_intern strings;
	__s64 *comment;		/* numbers of strings */
	size_t nr_comments;
	__u64 *address;		/* all different ones, sorted; location id - 1 */
	size_t nr_addresses;
	bool nowhere[KMPROF_NR_NOWHERE];	/* the ones that a sample has */
};

static int put(struct writer *w, const Kmprof__Pprof__Profile *piece)
{
	size_t size = kmprof__pprof__profile__get_packed_size(piece);
	unsigned char *more;

	if (size > w->packed_room) {
		more = realloc(w->packed, size);
		if (!more)
			return -ENOMEM;
		w->packed = more;
		w->packed_room = size;
	}
	kmprof__pprof__profile__pack(piece, w->packed);
	return kmprof_gzip_write(&w->gzip, w->packed, size);
}

/*
 * Numbers of strings are collected: the first that cannot be had is remembered
 * until all are asked for.
 */
static __s64 string(struct writer *w, const char *text, int *ret)
{
	__s64 index = kmprof_intern_add(&w->strings, text);

	if (index < 0 && !*ret)
		*ret = (int)index;
	return index;
}

static int add_comment(const char *text, void *arg)
{
	struct writer *w = arg;
	__s64 *more;
	int ret = 0;

	more = realloc(w->comment, (w->nr_comments + 1) * sizeof(*more));
	if (!more)
		return -ENOMEM;
	w->comment = more;
	more[w->nr_comments++] = string(w, text, &ret);
	return ret;
}

static void set_type(struct writer *w, Kmprof__Pprof__ValueType *to,
		     const struct kmprof_pprof_type *from, int *ret)
{
	kmprof__pprof__value_type__init(to);
	to->type = string(w, from->type, ret);
	to->unit = string(w, from->unit, ret);
}

static int put_head(struct writer *w)
{
	const struct kmprof_image_header *h = &w->image->header;
	const struct kmprof_pprof_content *c = w->content;
	Kmprof__Pprof__Profile p = KMPROF__PPROF__PROFILE__INIT;
	Kmprof__Pprof__ValueType type[KMPROF_PPROF_VALUES], *types[KMPROF_PPROF_VALUES], period;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < c->nr_types; i++) {
		set_type(w, &type[i], &c->types[i], &ret);
		types[i] = &type[i];
	}
	p.n_sample_type = c->nr_types;
	p.sample_type = types;
	p.default_sample_type = string(w, c->kind->default_sample_type, &ret);
	set_type(w, &period, &c->period_type, &ret);
	p.period_type = &period;
	p.period = kmprof_signed(c->period);
	p.time_nanos = kmprof_signed(h->time_ns);
	if (h->time_ns > h->start_ns)
		p.duration_nanos = kmprof_signed(h->time_ns - h->start_ns);
	p.n_comment = w->nr_comments;
	p.comment = (int64_t *)w->comment;
	return ret ? ret : put(w, &p);
}

static int by_value(const void *a, const void *b)
{
	const __u64 *x = a, *y = b;

	return kmprof_compare_u64(*x, *y);
}

static const __u64 *stack(const struct writer *w, size_t i, __u32 *nr)
{
	return w->content->stack(w->content->arg, i, nr);
}

static int collect_addresses(struct writer *w)
{
	size_t i, sum = 0, to = 0;
	const __u64 *frames;
	__u64 *all;
	__u32 nr;

	for (i = 0; i < w->content->nr_samples; i++) {
		stack(w, i, &nr);
		if (__builtin_add_overflow(sum, nr, &sum))
			return -ENOMEM;
	}
	all = calloc(sum + 1, sizeof(*all));
	if (!all)
		return -ENOMEM;
	for (i = 0, sum = 0; i < w->content->nr_samples; i++) {
		frames = stack(w, i, &nr);
		memcpy(all + sum, frames, nr * sizeof(*all));
		sum += nr;
	}
	qsort(all, sum, sizeof(*all), by_value);
	for (i = 0; i < sum; i++)
		if (!to || all[to - 1] != all[i])
			all[to++] = all[i];
	w->address = all;
	w->nr_addresses = to;
	return 0;
}

static __u64 location_of(const struct writer *w, __u64 ret_addr)
{
	const __u64 *found = bsearch(&ret_addr, w->address, w->nr_addresses,
				     sizeof(*w->address), by_value);

	return (__u64)(found - w->address) + 1;
}

/* The place of samples without a stack, behind all others. */
static __u64 nowhere_location(const struct writer *w, enum kmprof_nowhere nowhere)
{
	return w->nr_addresses + 1 + nowhere;
}

static int put_sample(struct writer *w, size_t i, __u64 *location)
{
	Kmprof__Pprof__Profile p = KMPROF__PPROF__PROFILE__INIT;
	Kmprof__Pprof__Sample sample = KMPROF__PPROF__SAMPLE__INIT, *samples = &sample;
	Kmprof__Pprof__Label label[KMPROF_PPROF_LABELS], *labels[KMPROF_PPROF_LABELS];
	struct kmprof_pprof_sample s = { 0 };
	const __u64 *frames;
	unsigned int n;
	int ret = 0;
	__u32 nr;

	frames = stack(w, i, &nr);
	for (n = 0; n < nr; n++)
		location[n] = location_of(w, frames[n]);
	w->content->sample(w->content->arg, i, &s);
	if (!nr) {
		location[0] = nowhere_location(w, s.nowhere);
		w->nowhere[s.nowhere] = true;
	}
	sample.n_location_id = nr ? nr : 1;
	sample.location_id = (uint64_t *)location;
	sample.n_value = w->content->nr_types;
	sample.value = (int64_t *)s.value;
	for (n = 0; n < s.nr_labels; n++) {
		kmprof__pprof__label__init(&label[n]);
		label[n].key = string(w, s.label[n].key, &ret);
		if (s.label[n].text) {
			label[n].str = string(w, s.label[n].text, &ret);
		} else {
			label[n].num = kmprof_signed(s.label[n].number);
			label[n].num_unit = string(w, s.label[n].unit, &ret);
		}
		labels[n] = &label[n];
	}
	sample.n_label = s.nr_labels;
	sample.label = labels;
	p.n_sample = 1;
	p.sample = &samples;
	return ret ? ret : put(w, &p);
}

static int put_samples(struct writer *w)
{
	__u32 deepest = 1, nr;
	__u64 *location;
	int ret = 0;
	size_t i;

	for (i = 0; i < w->content->nr_samples; i++) {
		stack(w, i, &nr);
		if (deepest < nr)
			deepest = nr;
	}
	location = calloc(deepest, sizeof(*location));
	if (!location)
		return -ENOMEM;
	for (i = 0; i < w->content->nr_samples && !ret; i++)
		ret = put_sample(w, i, location);
	free(location);
	return ret;
}

static int put_mappings(struct writer *w)
{
	const struct kmprof_mappings *mappings = &w->resolver->mappings;
	Kmprof__Pprof__Mapping mapping, *pointer = &mapping;
	Kmprof__Pprof__Profile p = KMPROF__PPROF__PROFILE__INIT;
	int ret = 0;
	size_t i;

	p.n_mapping = 1;
	p.mapping = &pointer;
	for (i = 0; i < mappings->nr; i++) {
		kmprof__pprof__mapping__init(&mapping);
		mapping.id = i + 1;
		mapping.memory_start = mappings->mapping[i].start;
		mapping.memory_limit = mappings->mapping[i].end;
		mapping.filename = string(w, mappings->mapping[i].name, &ret);
		mapping.build_id = string(w, mappings->mapping[i].build_id, &ret);
		/* There is no file behind it that pprof could look names up in. */
		mapping.has_functions = true;
		if (!ret)
			ret = put(w, &p);
		if (ret)
			return ret;
	}
	return 0;
}

static int put_function(struct writer *w, __u64 id, const char *text)
{
	Kmprof__Pprof__Function function = KMPROF__PPROF__FUNCTION__INIT, *pointer = &function;
	Kmprof__Pprof__Profile p = KMPROF__PPROF__PROFILE__INIT;
	int ret = 0;

	function.id = id;
	function.name = string(w, text, &ret);
	function.system_name = function.name;
	p.n_function = 1;
	p.function = &pointer;
	return ret ? ret : put(w, &p);
}

static int put_location(struct writer *w, __u64 id, const struct kmprof_frame *frame,
			__u64 function)
{
	Kmprof__Pprof__Location location = KMPROF__PPROF__LOCATION__INIT, *pointer = &location;
	Kmprof__Pprof__Line line = KMPROF__PPROF__LINE__INIT, *lines = &line;
	Kmprof__Pprof__Profile p = KMPROF__PPROF__PROFILE__INIT;

	location.id = id;
	location.address = frame->address;
	location.mapping_id = (__u64)(frame->mapping + 1);
	line.function_id = function;
	location.n_line = function ? 1 : 0;
	location.line = &lines;
	p.n_location = 1;
	p.location = &pointer;
	return put(w, &p);
}

/* Addresses are sorted, so those of one function follow one another. */
static int put_locations(struct writer *w)
{
	struct kmprof_frame frame;
	__u64 last_start = 0, nr_functions = 0, function;
	enum kmprof_nowhere n;
	const char *name;
	size_t i;
	int ret;

	for (i = 0; i < w->nr_addresses; i++) {
		kmprof_resolver_find(w->resolver, w->address[i], &frame);
		name = frame.named ? frame.symbol.name : NULL;
		if (!w->address[i])
			name = KMPROF_HIDDEN_NAME;
		function = 0;
		if (name) {
			if (!nr_functions || !frame.named || frame.symbol.start != last_start) {
				ret = put_function(w, ++nr_functions, name);
				if (ret)
					return ret;
			}
			last_start = frame.symbol.start;
			function = nr_functions;
		}
		ret = put_location(w, i + 1, &frame, function);
		if (ret)
			return ret;
	}

	kmprof_resolver_find(w->resolver, 0, &frame);
	for (n = 0; n < KMPROF_NR_NOWHERE; n++) {
		if (!w->nowhere[n])
			continue;
		ret = put_function(w, ++nr_functions, kmprof_nowhere_names[n]);
		if (!ret)
			ret = put_location(w, nowhere_location(w, n), &frame, nr_functions);
		if (ret)
			return ret;
	}
	return 0;
}

static int put_strings(struct writer *w)
{
	Kmprof__Pprof__Profile p = KMPROF__PPROF__PROFILE__INIT;
	size_t i;
	int ret;

	p.n_string_table = 1;
	for (i = 0; i < w->strings.nr; i++) {
		p.string_table = &w->strings.string[i];
		ret = put(w, &p);
		if (ret)
			return ret;
	}
	return 0;
}

static int write_all(struct writer *w)
{
	int ret = 0;

	/* The format wants it to be the first. */
	string(w, "", &ret);
	if (!ret)
		ret = kmprof_facts(w->image, w->content->kind, add_comment, w);
	if (!ret)
		ret = collect_addresses(w);
	if (!ret)
		ret = put_head(w);
	if (!ret)
		ret = put_samples(w);
	if (!ret)
		ret = put_mappings(w);
	if (!ret)
		ret = put_locations(w);
	if (!ret)
		ret = put_strings(w);
	return ret ? ret : kmprof_gzip_finish(&w->gzip);
}

int kmprof_pprof_write(FILE *file, const struct kmprof_image *image,
		       const struct kmprof_resolver *resolver,
		       const struct kmprof_pprof_content *content, struct kmprof_error *err)
{
	struct writer w = { .image = image, .resolver = resolver, .content = content };
	int ret;

	ret = kmprof_gzip_init(&w.gzip, file);
	if (!ret)
		ret = write_all(&w);
	kmprof_gzip_exit(&w.gzip);
	kmprof_intern_release(&w.strings);
	free(w.comment);
	free(w.packed);
	free(w.address);
	if (ret)
		kmprof_error_set(err, ret, NULL, "writing the profile: %s", strerror(-ret));
	return ret;
}
