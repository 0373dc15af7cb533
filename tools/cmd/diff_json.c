// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <math.h>

#include "cmd/diff_show.h"
#include "export/json.h"
#include "export/text.h"
#include "symbols/boot_id.h"

static json_t *json_image(const struct kmprof_image *image, const char *file)
{
	const struct kmprof_image_header *h = &image->header;

	return json_pack("{s:s, s:s?, s:o, s:o, s:o}", "file", file,
			 "boot_id", kmprof_boot_id(image), "cycle", kmprof_json_u64(h->cycle),
			 "start_ns", kmprof_json_u64(h->start_ns),
			 "time_ns", kmprof_json_u64(h->time_ns));
}

static json_t *json_error(bool is_known, double variance)
{
	return is_known ? json_real(sqrt(variance)) : json_null();
}

static json_t *json_value(const struct kmprof_diff *diff, const struct kmprof_diff_value *value,
			  unsigned int i)
{
	bool is_known = kmprof_diff_course(diff, i).has_variance;

	return json_pack("{s:s, s:I, s:o, s:I, s:o, s:I, s:o}", "unit", diff->b->types[i].unit,
			 "change", (json_int_t)value->change,
			 "change_standard_error", json_error(is_known, value->variance),
			 "a", (json_int_t)value->a,
			 "a_standard_error", json_error(is_known, value->variance_a),
			 "b", (json_int_t)value->b,
			 "b_standard_error", json_error(is_known, value->variance_b));
}

/* The names of values are different: kmprof_diff_build() refuses others. */
static json_t *json_values(const struct kmprof_diff *diff, const struct kmprof_diff_row *row)
{
	json_t *object = json_object();
	unsigned int i;

	for (i = 0; i < diff->b->nr_types && object; i++) {
		if (!json_object_set_new(object, diff->b->types[i].name,
					 json_value(diff, &row->value[i], i)))
			continue;
		json_decref(object);
		object = NULL;
	}
	return object;
}

static json_t *json_frame(const struct kmprof_resolver *names, __u64 united)
{
	struct kmprof_frame frame;
	const char *build;

	if (!united)
		return json_pack("{s:n, s:n, s:n, s:n, s:n}", "function", "offset", "module",
				 "build_id", "address");
	kmprof_resolver_find(names, united, &frame);
	if (kmprof_union_is_bare(&frame))
		return json_pack("{s:n, s:n, s:s?, s:n, s:s}", "function", "offset",
				 "module", frame.symbol.module, "build_id",
				 "address", frame.symbol.name);
	build = names->mappings.mapping[frame.mapping].build_id;
	return json_pack("{s:s, s:o, s:s?, s:s?, s:n}", "function", frame.symbol.name,
			 "offset", kmprof_json_u64(united - frame.symbol.start),
			 "module", frame.symbol.module, "build_id", *build ? build : NULL,
			 "address");
}

static json_t *json_row(const struct diff_shown *s, const struct kmprof_diff_row *row)
{
	const char *state = kmprof_diff_states[row->state];
	json_t *stack = json_array();
	__u32 i;

	for (i = 0; i < row->nr; i++)
		stack = kmprof_json_append(stack, json_frame(s->names, row->frames[i]));
	return json_pack("{s:s?, s:o, s:s?, s:o}", "state", *state ? state : NULL,
			 "values", json_values(s->diff, row),
			 "nowhere", row->nr ? NULL : row->nowhere, "stack", stack);
}

static json_t *json_rows(const struct diff_shown *s)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < s->diff->nr_changed && (!s->most || i < s->most); i++)
		array = kmprof_json_append(array, json_row(s, &s->diff->row[i]));
	return array;
}

static json_t *json_lines(const struct kmprof_lines *lines)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < lines->nr; i++)
		array = kmprof_json_append(array, json_string(lines->line[i]));
	return array;
}

int diff_show_json(FILE *file, const struct diff_shown *shown, struct kmprof_error *err)
{
	static const char *const kinds[] = {
		[KMPROF_ONE_COUNT]	= "one_count",
		[KMPROF_ONE_BOOT]	= "one_boot",
		[KMPROF_TWO_BOOTS]	= "two_boots",
	};
	const struct kmprof_diff *diff = shown->diff;
	json_t *value;

	value = json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
			  "profile", diff->b->name, "relation", kinds[shown->kind],
			  "a", json_image(shown->image[KMPROF_UNION_A], shown->file[0]),
			  "b", json_image(shown->image[KMPROF_UNION_B], shown->file[1]),
			  "notes", json_lines(&shown->notes),
			  "total", json_values(diff, &diff->total),
			  "nr_stacks", kmprof_json_u64(diff->nr),
			  "nr_changed", kmprof_json_u64(diff->nr_changed),
			  "stacks", json_rows(shown));
	return kmprof_json_write(file, value, err);
}
