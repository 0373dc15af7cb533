// SPDX-License-Identifier: GPL-2.0
/*
 * Writes profile.proto. A message is the same on the wire whether its repeated
 * fields are packed at once or piece by piece, so each sample, location and
 * string is packed as a Profile of its own and compressed at once. Memory then
 * grows with the number of different addresses, not with the samples.
 */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "gzip.h"
#include "pprof.h"
#include "profile.pb-c.h"

/*
 * Strings that are always there come first, so that their index is known. The
 * sample types stand in pprof's order: allocations before memory in use.
 */
enum string {
	STR_EMPTY,
	STR_ALLOC_OBJECTS,
	STR_ALLOC_SPACE,
	STR_INUSE_OBJECTS,
	STR_INUSE_SPACE,
	STR_COUNT,
	STR_BYTES,
	STR_SPACE,
	NR_FIXED,
};

static const char *const fixed[] = {
	[STR_EMPTY]		= "",
	[STR_ALLOC_OBJECTS]	= "alloc_objects",
	[STR_ALLOC_SPACE]	= "alloc_space",
	[STR_INUSE_OBJECTS]	= "inuse_objects",
	[STR_INUSE_SPACE]	= "inuse_space",
	[STR_COUNT]		= "count",
	[STR_BYTES]		= "bytes",
	[STR_SPACE]		= "space",
};

static_assert(ARRAY_SIZE(fixed) == NR_FIXED, "each fixed string has its text");

enum { NR_VALUES = 4 };

struct writer {
	const struct kmprof_image *image;
	const struct kmprof_resolver *resolver;
	struct kmprof_gzip gzip;
	unsigned char *packed;
	size_t packed_room;
	const char **string;	/* borrowed, but those in comment[] */
	size_t nr_strings, string_room;
	char **comment;
	size_t nr_comments;
	__u64 *address;		/* all different ones, sorted; location id - 1 */
	size_t nr_addresses;
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

/* Return: index of the string, or a negative errno. */
static __s64 add_string(struct writer *w, const char *text)
{
	const char **more;

	if (!*text)
		return w->nr_strings ? STR_EMPTY : -EINVAL;
	if (w->nr_strings == w->string_room) {
		size_t room = w->string_room ? w->string_room * 2 : 256;

		more = realloc(w->string, room * sizeof(*more));
		if (!more)
			return -ENOMEM;
		w->string = more;
		w->string_room = room;
	}
	w->string[w->nr_strings] = text;
	return (__s64)w->nr_strings++;
}

static int add_fixed_strings(struct writer *w)
{
	size_t i;

	w->string_room = 256;
	w->string = calloc(w->string_room, sizeof(*w->string));
	if (!w->string)
		return -ENOMEM;
	for (i = 0; i < NR_FIXED; i++)
		w->string[i] = fixed[i];
	w->nr_strings = NR_FIXED;
	return 0;
}

static int add_comment(const char *text, void *arg)
{
	struct writer *w = arg;
	char **more;

	more = realloc(w->comment, (w->nr_comments + 1) * sizeof(*more));
	if (!more)
		return -ENOMEM;
	w->comment = more;
	more[w->nr_comments] = strdup(text);
	if (!more[w->nr_comments])
		return -ENOMEM;
	w->nr_comments++;
	return 0;
}

static __s64 signed64(__u64 v)
{
	return v > LLONG_MAX ? LLONG_MAX : (__s64)v;
}

static int put_head(struct writer *w, const struct kmprof_profile_kind *kind)
{
	const struct kmprof_image_header *h = w->image->header;
	Kmprof__Pprof__Profile p = KMPROF__PPROF__PROFILE__INIT;
	Kmprof__Pprof__ValueType type[NR_VALUES], *types[NR_VALUES];
	Kmprof__Pprof__ValueType period = KMPROF__PPROF__VALUE_TYPE__INIT;
	__s64 *comments, index;
	size_t i;
	int ret;

	for (i = 0; i < NR_VALUES; i++) {
		kmprof__pprof__value_type__init(&type[i]);
		type[i].type = (__s64)(STR_ALLOC_OBJECTS + i);
		type[i].unit = i % 2 ? STR_BYTES : STR_COUNT;
		types[i] = &type[i];
		if (!strcmp(fixed[type[i].type], kind->default_sample_type))
			p.default_sample_type = type[i].type;
	}
	p.n_sample_type = NR_VALUES;
	p.sample_type = types;
	period.type = STR_SPACE;
	period.unit = STR_BYTES;
	p.period_type = &period;
	p.period = signed64(h->heap_rate);
	p.time_nanos = signed64(h->time_ns);
	if (h->time_ns > h->start_ns)
		p.duration_nanos = signed64(h->time_ns - h->start_ns);

	comments = calloc(w->nr_comments + 1, sizeof(*comments));
	if (!comments)
		return -ENOMEM;
	for (i = 0; i < w->nr_comments; i++) {
		index = add_string(w, w->comment[i]);
		if (index < 0) {
			ret = (int)index;
			goto out_free;
		}
		comments[i] = index;
	}
	p.n_comment = w->nr_comments;
	p.comment = (int64_t *)comments;
	ret = put(w, &p);
out_free:
	free(comments);
	return ret;
}

static int by_value(const void *a, const void *b)
{
	const __u64 *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int collect_addresses(struct writer *w, const struct kmprof_sites *sites)
{
	size_t i, nr = 0, to = 0;
	__u64 *all;

	for (i = 0; i < sites->nr; i++)
		if (__builtin_add_overflow(nr, sites->site[i].nr_frames, &nr))
			return -ENOMEM;
	all = calloc(nr + 1, sizeof(*all));
	if (!all)
		return -ENOMEM;
	for (i = 0, nr = 0; i < sites->nr; i++) {
		memcpy(all + nr, sites->site[i].frames,
		       sites->site[i].nr_frames * sizeof(*all));
		nr += sites->site[i].nr_frames;
	}
	qsort(all, nr, sizeof(*all), by_value);
	for (i = 0; i < nr; i++)
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
static __u64 no_stack_location(const struct writer *w)
{
	return w->nr_addresses + 1;
}

static int put_sample(struct writer *w, const struct kmprof_site *site, __u64 *location)
{
	Kmprof__Pprof__Profile p = KMPROF__PPROF__PROFILE__INIT;
	Kmprof__Pprof__Sample sample = KMPROF__PPROF__SAMPLE__INIT, *samples = &sample;
	Kmprof__Pprof__Label label = KMPROF__PPROF__LABEL__INIT, *labels = &label;
	int64_t value[NR_VALUES] = {
		site->alloc.whole_objects, site->alloc.whole_bytes,
		site->inuse.whole_objects, site->inuse.whole_bytes,
	};
	__u32 i;

	for (i = 0; i < site->nr_frames; i++)
		location[i] = location_of(w, site->frames[i]);
	if (!site->nr_frames)
		location[0] = no_stack_location(w);
	sample.n_location_id = site->nr_frames ? site->nr_frames : 1;
	sample.location_id = (uint64_t *)location;
	sample.n_value = NR_VALUES;
	sample.value = value;
	label.key = STR_BYTES;
	label.num = signed64(site->object_size);
	label.num_unit = STR_BYTES;
	sample.n_label = 1;
	sample.label = &labels;
	p.n_sample = 1;
	p.sample = &samples;
	return put(w, &p);
}

static int put_samples(struct writer *w, const struct kmprof_sites *sites)
{
	__u32 deepest = 1;
	__u64 *location;
	int ret = 0;
	size_t i;

	for (i = 0; i < sites->nr; i++)
		if (deepest < sites->site[i].nr_frames)
			deepest = sites->site[i].nr_frames;
	location = calloc(deepest, sizeof(*location));
	if (!location)
		return -ENOMEM;
	for (i = 0; i < sites->nr && !ret; i++)
		ret = put_sample(w, &sites->site[i], location);
	free(location);
	return ret;
}

static int put_mappings(struct writer *w)
{
	const struct kmprof_mappings *mappings = &w->resolver->mappings;
	Kmprof__Pprof__Mapping mapping, *pointer = &mapping;
	Kmprof__Pprof__Profile p = KMPROF__PPROF__PROFILE__INIT;
	__s64 name, id;
	size_t i;
	int ret;

	p.n_mapping = 1;
	p.mapping = &pointer;
	for (i = 0; i < mappings->nr; i++) {
		name = add_string(w, mappings->mapping[i].name);
		id = add_string(w, mappings->mapping[i].build_id);
		if (name < 0 || id < 0)
			return (int)(name < 0 ? name : id);
		kmprof__pprof__mapping__init(&mapping);
		mapping.id = i + 1;
		mapping.memory_start = mappings->mapping[i].start;
		mapping.memory_limit = mappings->mapping[i].end;
		mapping.filename = name;
		mapping.build_id = id;
		/* There is no file behind it that pprof could look names up in. */
		mapping.has_functions = true;
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
	__s64 name = add_string(w, text);

	if (name < 0)
		return (int)name;
	function.id = id;
	function.name = name;
	function.system_name = name;
	p.n_function = 1;
	p.function = &pointer;
	return put(w, &p);
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
	ret = put_function(w, ++nr_functions, KMPROF_NO_STACK_NAME);
	return ret ? ret : put_location(w, no_stack_location(w), &frame, nr_functions);
}

static int put_strings(struct writer *w)
{
	Kmprof__Pprof__Profile p = KMPROF__PPROF__PROFILE__INIT;
	char *text;
	size_t i;
	int ret;

	p.n_string_table = 1;
	p.string_table = &text;
	for (i = 0; i < w->nr_strings; i++) {
		/* The generated code has no const, but only reads. */
		text = (char *)w->string[i];
		ret = put(w, &p);
		if (ret)
			return ret;
	}
	return 0;
}

static int write_all(struct writer *w, const struct kmprof_sites *sites,
		     const struct kmprof_profile_kind *kind)
{
	int ret;

	ret = add_fixed_strings(w);
	if (!ret)
		ret = kmprof_profile_header(w->image, kind, &sites->alloc, &sites->inuse,
					    add_comment, w);
	if (!ret)
		ret = collect_addresses(w, sites);
	if (!ret)
		ret = put_head(w, kind);
	if (!ret)
		ret = put_samples(w, sites);
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
		       const struct kmprof_profile_kind *kind, struct kmprof_error *err)
{
	struct writer w = { .image = image, .resolver = resolver };
	struct kmprof_sites sites;
	size_t i;
	int ret;

	ret = kmprof_sites_build(&sites, image, KMPROF_BY_STACK_AND_SIZE, err);
	if (ret)
		return ret;
	ret = kmprof_gzip_init(&w.gzip, file);
	if (!ret)
		ret = write_all(&w, &sites, kind);
	kmprof_gzip_exit(&w.gzip);
	kmprof_sites_release(&sites);
	for (i = 0; i < w.nr_comments; i++)
		free(w.comment[i]);
	free(w.comment);
	free(w.string);
	free(w.packed);
	free(w.address);
	if (ret)
		kmprof_error_set(err, ret, NULL, "writing the profile: %s", strerror(-ret));
	return ret;
}
