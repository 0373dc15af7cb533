// SPDX-License-Identifier: GPL-2.0
/* A row is made, written and forgotten: memory does not grow with the rows. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "export/json.h"
#include "export/rows_json.h"
#include "export/text.h"
#include "util/saturate.h"

static void add_up(const struct kmprof_series *series, __s64 total[KMPROF_SERIES_VALUES])
{
	struct kmprof_series_row row;
	unsigned int n;
	size_t i;

	memset(total, 0, KMPROF_SERIES_VALUES * sizeof(*total));
	for (i = 0; i < series->nr_rows; i++) {
		kmprof_series_numbers(series, i, &row);
		for (n = 0; n < series->nr_types; n++)
			total[n] = kmprof_saturated_sum(total[n], row.value[n]);
	}
}

static json_t *json_column(const struct kmprof_value_type *type, __s64 total)
{
	return json_pack("{s:s, s:s, s:I}", "name", type->name, "unit", type->unit,
			 "total", (json_int_t)total);
}

static json_t *json_columns(const struct kmprof_series *series)
{
	__s64 total[KMPROF_SERIES_VALUES];
	json_t *array = json_array();
	unsigned int n;

	add_up(series, total);
	for (n = 0; n < series->nr_types; n++)
		array = kmprof_json_append(array, json_column(&series->types[n], total[n]));
	return array;
}

/* A fact is "key value"; a number is one in JSON if it has room there. */
static json_t *json_fact(const char *value)
{
	unsigned long long number;
	char *end;

	errno = 0;
	number = strtoull(value, &end, 10);
	if (isdigit((unsigned char)*value) && !*end && !errno && number <= LLONG_MAX)
		return json_integer((json_int_t)number);
	return json_string(value);
}

/* Takes the object; NULL is out of memory. Of two facts of one name, the first stays. */
static json_t *set_fact(json_t *object, const char *fact)
{
	size_t length = strcspn(fact, " ");
	char *key = strndup(fact, length);
	int ret = -1;

	if (key && json_object_get(object, key))
		ret = 0;
	else if (key)
		ret = json_object_set_new(object, key,
					  json_fact(fact + length + (fact[length] == ' ')));
	free(key);
	if (!ret)
		return object;
	json_decref(object);
	return NULL;
}

static json_t *json_facts(const struct kmprof_series *series)
{
	json_t *object = json_object();
	size_t i;

	for (i = 0; i < series->facts.nr; i++)
		object = set_fact(object, series->facts.line[i]);
	return object;
}

static json_t *json_head(const struct kmprof_series *series)
{
	return json_pack("{s:s, s:o, s:o, s:{s:s, s:s, s:o}, s:s, s:o, s:o, s:o}",
			 "profile", series->name,
			 "time_ns", kmprof_json_u64(series->time_ns),
			 "duration_ns", kmprof_json_u64(series->duration_ns),
			 "period", "name", series->period_type.name,
			 "unit", series->period_type.unit,
			 "value", kmprof_json_u64(series->period),
			 "shown", series->types[series->shown].name,
			 "columns", json_columns(series),
			 "facts", json_facts(series),
			 "losses", kmprof_json_losses(&series->losses));
}

static json_t *json_label(const struct kmprof_series_label *label)
{
	if (label->text)
		return json_pack("{s:s, s:s}", "name", label->key, "value", label->text);
	return json_pack("{s:s, s:o, s:s}", "name", label->key,
			 "value", kmprof_json_u64(label->number), "unit", label->unit);
}

static json_t *json_row(const struct kmprof_series *series,
			const struct kmprof_resolver *resolver, size_t i)
{
	json_t *values = json_array(), *labels = json_array(), *stack = json_array();
	struct kmprof_series_row row;
	const __u64 *frames;
	unsigned int n;
	__u32 f, nr;

	kmprof_series_row(series, i, &row);
	for (n = 0; n < series->nr_types; n++)
		values = kmprof_json_append(values, json_integer(row.value[n]));
	for (n = 0; n < row.nr_labels; n++)
		labels = kmprof_json_append(labels, json_label(&row.label[n]));
	frames = kmprof_series_stack(series, i, &nr);
	for (f = 0; f < nr; f++)
		stack = kmprof_json_append(stack, kmprof_json_frame(resolver, frames[f]));
	return json_pack("{s:o, s:o, s:s?, s:o}", "values", values, "labels", labels,
			 "no_stack", nr ? NULL : row.nowhere, "stack", stack);
}

static int put_all(FILE *file, const struct kmprof_series *series,
		   const struct kmprof_resolver *resolver)
{
	size_t i;
	int ret;

	fputc('{', file);
	ret = kmprof_json_put(file, json_head(series), JSON_EMBED | JSON_INDENT(2));
	fputs(",\n  \"rows\": [", file);
	for (i = 0; i < series->nr_rows && !ret && !ferror(file); i++) {
		fputs(i ? ",\n    " : "\n    ", file);
		ret = kmprof_json_put(file, json_row(series, resolver, i), JSON_COMPACT);
	}
	fputs("\n  ]\n}\n", file);
	return ret;
}

int kmprof_rows_json_write(FILE *file, const struct kmprof_series *series,
			   const struct kmprof_resolver *resolver, struct kmprof_error *err)
{
	int ret;

	errno = 0;
	ret = put_all(file, series, resolver);
	if (ret)
		return kmprof_error_set(err, ret, NULL, "making JSON: out of memory");
	return kmprof_text_finish(file, err);
}
