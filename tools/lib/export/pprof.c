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
#include "profile/addresses.h"
#include "util/growing.h"
#include "util/gzip.h"
#include "util/intern.h"
#include "util/merge.h"
#include "util/saturate.h"

/* pprof counts the size of a mapping in these. */
enum { PPROF_PAGE = 4096 };

struct writer {
	const struct kmprof_series *series;
	const struct kmprof_resolver *resolver;
	struct kmprof_gzip gzip;
	struct kmprof_growing packed;	/* a piece; @used stays 0 */
	struct kmprof_intern strings;
	struct kmprof_addresses addresses;	/* location id - 1 */
	struct kmprof_intern nowhere;	/* what stands in the place of stacks */
	struct kmprof_intern functions;	/* function id - 1: what tells it from others */
};

static int put(struct writer *w, const Kmprof__Pprof__Profile *piece)
{
	size_t size = kmprof__pprof__profile__get_packed_size(piece);
	int ret = kmprof_growing_reserve(&w->packed, size);

	if (ret)
		return ret;
	kmprof__pprof__profile__pack(piece, (unsigned char *)w->packed.bytes);
	return kmprof_gzip_write(&w->gzip, w->packed.bytes, size);
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

static void set_type(struct writer *w, Kmprof__Pprof__ValueType *to,
		     const struct kmprof_value_type *from, int *ret)
{
	kmprof__pprof__value_type__init(to);
	to->type = string(w, from->name, ret);
	to->unit = string(w, from->unit, ret);
}

static int put_head(struct writer *w)
{
	const struct kmprof_series *series = w->series;
	Kmprof__Pprof__ValueType type[KMPROF_SERIES_VALUES], *types[KMPROF_SERIES_VALUES], period;
	Kmprof__Pprof__Profile p = KMPROF__PPROF__PROFILE__INIT;
	int64_t comment[KMPROF_SUMMARY_LINES];
	unsigned int i;
	int ret = 0;

	for (i = 0; i < series->nr_types; i++) {
		set_type(w, &type[i], &series->types[i], &ret);
		types[i] = &type[i];
	}
	p.n_sample_type = series->nr_types;
	p.sample_type = types;
	p.default_sample_type = string(w, series->types[series->shown].name, &ret);
	set_type(w, &period, &series->period_type, &ret);
	p.period_type = &period;
	p.period = kmprof_signed(series->period);
	p.time_nanos = kmprof_signed(series->time_ns);
	p.duration_nanos = kmprof_signed(series->duration_ns);
	for (i = 0; i < series->summary.nr && i < KMPROF_SUMMARY_LINES; i++)
		comment[i] = string(w, series->summary.line[i], &ret);
	p.n_comment = i;
	p.comment = comment;
	return ret ? ret : put(w, &p);
}

static const __u64 *stack(const struct writer *w, size_t i, __u32 *nr)
{
	return kmprof_series_stack(w->series, i, nr);
}

static __u64 location_of(const struct writer *w, __u64 ret_addr)
{
	return kmprof_addresses_find(&w->addresses, ret_addr) + 1;
}

/* The place of samples without a stack, behind all others. */
static __u64 nowhere_location(const struct writer *w, size_t i)
{
	return w->addresses.nr + 1 + i;
}

/**
 * struct sample - a row, or what rows that are alike in stack and labels add up to
 * @frames: its stack
 * @nr: frames
 * @row: the rest
 */
struct sample {
	const __u64 *frames;
	__u32 nr;
	struct kmprof_series_row row;
};

static void get_sample(const struct writer *w, size_t i, struct sample *sample)
{
	sample->frames = stack(w, i, &sample->nr);
	kmprof_series_row(w->series, i, &sample->row);
}

static bool same_label(const struct kmprof_series_label *a, const struct kmprof_series_label *b)
{
	if (strcmp(a->key, b->key) || !a->text != !b->text)
		return false;
	if (a->text)
		return !strcmp(a->text, b->text);
	return a->number == b->number && !strcmp(a->unit, b->unit);
}

static bool same_place(const struct sample *a, const struct sample *b)
{
	unsigned int i;

	if (kmprof_compare_stack(a->frames, a->nr, b->frames, b->nr) ||
	    a->row.nr_labels != b->row.nr_labels ||
	    (!a->nr && strcmp(a->row.nowhere, b->row.nowhere)))
		return false;
	for (i = 0; i < a->row.nr_labels; i++)
		if (!same_label(&a->row.label[i], &b->row.label[i]))
			return false;
	return true;
}

static void add_values(const struct writer *w, struct sample *sum, const struct sample *more)
{
	unsigned int i;

	for (i = 0; i < w->series->nr_types; i++)
		sum->row.value[i] = kmprof_saturated_sum(sum->row.value[i], more->row.value[i]);
}

static int put_sample(struct writer *w, const struct sample *s, __u64 *location)
{
	Kmprof__Pprof__Profile p = KMPROF__PPROF__PROFILE__INIT;
	Kmprof__Pprof__Sample sample = KMPROF__PPROF__SAMPLE__INIT, *samples = &sample;
	Kmprof__Pprof__Label label[KMPROF_SERIES_LABELS], *labels[KMPROF_SERIES_LABELS];
	const struct kmprof_series_label *from;
	unsigned int n;
	__s64 nowhere;
	int ret = 0;

	for (n = 0; n < s->nr; n++)
		location[n] = location_of(w, s->frames[n]);
	if (!s->nr) {
		nowhere = kmprof_intern_add(&w->nowhere, s->row.nowhere);
		if (nowhere < 0)
			return (int)nowhere;
		location[0] = nowhere_location(w, (size_t)nowhere);
	}
	sample.n_location_id = s->nr ? s->nr : 1;
	sample.location_id = (uint64_t *)location;
	sample.n_value = w->series->nr_types;
	sample.value = (int64_t *)s->row.value;
	for (n = 0; n < s->row.nr_labels; n++) {
		from = &s->row.label[n];
		kmprof__pprof__label__init(&label[n]);
		label[n].key = string(w, from->key, &ret);
		if (from->text) {
			label[n].str = string(w, from->text, &ret);
		} else {
			label[n].num = kmprof_signed(from->number);
			label[n].num_unit = string(w, from->unit, &ret);
		}
		labels[n] = &label[n];
	}
	sample.n_label = s->row.nr_labels;
	sample.label = labels;
	p.n_sample = 1;
	p.sample = &samples;
	return ret ? ret : put(w, &p);
}

/* Each row, or run of rows that pprof would add up. */
static int put_rows(struct writer *w, __u64 *location)
{
	struct sample room[2], *sum = &room[0], *next = &room[1], *swap;
	size_t i;
	int ret;

	if (!w->series->nr_rows)
		return 0;
	get_sample(w, 0, sum);
	for (i = 1; i < w->series->nr_rows; i++) {
		get_sample(w, i, next);
		if (same_place(sum, next)) {
			add_values(w, sum, next);
			continue;
		}
		ret = put_sample(w, sum, location);
		if (ret)
			return ret;
		swap = sum;
		sum = next;
		next = swap;
	}
	return put_sample(w, sum, location);
}

static int put_samples(struct writer *w)
{
	__u64 *location;
	int ret;

	location = calloc((size_t)w->addresses.deepest + 1, sizeof(*location));
	if (!location)
		return -ENOMEM;
	ret = put_rows(w, location);
	free(location);
	return ret;
}

static __u64 pages(const struct kmprof_mapping *mapping)
{
	return (mapping->end - mapping->start + PPROF_PAGE - 1) / PPROF_PAGE;
}

/*
 * pprof takes mappings of the same build id or name, number of pages and offset for the same part
 * of a file, and moves all locations in them to the first one. Two pieces of a module, or of
 * generated code, are not the same part: they get offsets as if they were one behind the other in
 * the file.
 */
static __u64 file_offset(const struct kmprof_mappings *mappings, size_t which)
{
	const struct kmprof_mapping *mapping = &mappings->mapping[which], *other;
	__u64 offset = 0;
	size_t i;

	for (i = 0; i < mappings->nr; i++) {
		other = &mappings->mapping[i];
		if (other->start < mapping->start && pages(other) == pages(mapping) &&
		    !strcmp(other->name, mapping->name) &&
		    !strcmp(other->build_id, mapping->build_id))
			offset += pages(other) * PPROF_PAGE;
	}
	return offset;
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
		mapping.file_offset = file_offset(mappings, i);
		mapping.filename = string(w, mappings->mapping[i].name, &ret);
		mapping.build_id = string(w, mappings->mapping[i].build_id, &ret);
		/* There is no file behind it that pprof could look names up in. */
		mapping.has_functions = true;
		mapping.has_filenames = kmprof_resolver_has_lines(w->resolver, i);
		mapping.has_line_numbers = mapping.has_filenames;
		mapping.has_inline_frames = mapping.has_filenames;
		if (!ret)
			ret = put(w, &p);
		if (ret)
			return ret;
	}
	return 0;
}

static int put_function(struct writer *w, __u64 id, const char *name, const char *file)
{
	Kmprof__Pprof__Function function = KMPROF__PPROF__FUNCTION__INIT, *pointer = &function;
	Kmprof__Pprof__Profile p = KMPROF__PPROF__PROFILE__INIT;
	int ret = 0;

	function.id = id;
	function.name = string(w, name, &ret);
	function.system_name = function.name;
	function.filename = string(w, file, &ret);
	p.n_function = 1;
	p.function = &pointer;
	return ret ? ret : put(w, &p);
}

/*
 * The id of a function. One that has addresses of its own is known by the first of them, others by
 * their names. A function with code from two files is two, because a line says nothing of its file.
 */
static int find_function(struct writer *w, __u64 start, const char *name, const char *file,
			 uint64_t *id)
{
	__s64 number;
	bool is_new;
	char *key;

	if (asprintf(&key, "%llx %s\n%s", start, start ? "" : name, file ? file : "") < 0)
		return -ENOMEM;
	number = kmprof_intern_number(&w->functions, key, &is_new);
	free(key);
	if (number < 0)
		return (int)number;
	*id = (uint64_t)number + 1;
	return is_new ? put_function(w, *id, name, file ? file : "") : 0;
}

static int put_location(struct writer *w, __u64 id, const struct kmprof_frame *frame,
			Kmprof__Pprof__Line **lines, size_t nr_lines)
{
	Kmprof__Pprof__Location location = KMPROF__PPROF__LOCATION__INIT, *pointer = &location;
	Kmprof__Pprof__Profile p = KMPROF__PPROF__PROFILE__INIT;

	location.id = id;
	location.address = frame->address;
	location.mapping_id = (__u64)(frame->mapping + 1);
	location.n_line = nr_lines;
	location.line = lines;
	p.n_location = 1;
	p.location = &pointer;
	return put(w, &p);
}

/* A location with the function @name, and without lines; or without a function if @name is NULL. */
static int put_plain(struct writer *w, __u64 id, const struct kmprof_frame *frame,
		     const char *name)
{
	Kmprof__Pprof__Line line = KMPROF__PPROF__LINE__INIT, *lines = &line;
	int ret;

	if (!name)
		return put_location(w, id, frame, NULL, 0);
	ret = find_function(w, frame->symbol.start, name, NULL, &line.function_id);
	return ret ? ret : put_location(w, id, frame, &lines, 1);
}

/* The innermost function comes first in the format, too. */
static int put_lines(struct writer *w, __u64 id, const struct kmprof_frame *frame)
{
	size_t i, nr = frame->nr_lines;
	const struct kmprof_code_line *from;
	Kmprof__Pprof__Line *line, **lines;
	const char *name;
	int ret = 0;

	line = calloc(nr, sizeof(*line));
	lines = calloc(nr, sizeof(*lines));
	if (!line || !lines)
		ret = -ENOMEM;
	for (i = 0; !ret && i < nr; i++) {
		from = &frame->line[i];
		kmprof__pprof__line__init(&line[i]);
		lines[i] = &line[i];
		line[i].line = from->line;
		name = from->function ? from->function : frame->symbol.name;
		ret = find_function(w, from->function ? 0 : frame->symbol.start, name,
				    from->file, &line[i].function_id);
	}
	if (!ret)
		ret = put_location(w, id, frame, lines, nr);
	free(line);
	free(lines);
	return ret;
}

static int put_address(struct writer *w, __u64 id, __u64 ret_addr)
{
	struct kmprof_frame frame;

	kmprof_resolver_find(w->resolver, ret_addr, &frame);
	if (frame.nr_lines)
		return put_lines(w, id, &frame);
	if (!ret_addr)
		return put_plain(w, id, &frame, KMPROF_HIDDEN_NAME);
	return put_plain(w, id, &frame, frame.named ? frame.symbol.name : NULL);
}

static int put_locations(struct writer *w)
{
	struct kmprof_frame frame;
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < w->addresses.nr; i++)
		ret = put_address(w, i + 1, w->addresses.address[i]);
	kmprof_resolver_find(w->resolver, 0, &frame);
	for (i = 0; !ret && i < w->nowhere.nr; i++)
		ret = put_plain(w, nowhere_location(w, i), &frame, w->nowhere.string[i]);
	return ret;
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
		ret = kmprof_addresses_collect(&w->addresses, w->series);
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

int kmprof_pprof_write(FILE *file, const struct kmprof_series *series,
		       const struct kmprof_resolver *resolver, struct kmprof_error *err)
{
	struct writer w = { .series = series, .resolver = resolver };
	int ret;

	ret = kmprof_gzip_init(&w.gzip, file);
	if (!ret)
		ret = write_all(&w);
	kmprof_gzip_exit(&w.gzip);
	kmprof_intern_release(&w.strings);
	kmprof_intern_release(&w.nowhere);
	kmprof_intern_release(&w.functions);
	free(w.packed.bytes);
	kmprof_addresses_release(&w.addresses);
	if (ret)
		kmprof_error_set(err, ret, NULL, "writing the profile: %s", strerror(-ret));
	return ret;
}
