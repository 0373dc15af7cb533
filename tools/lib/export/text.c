// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "export/text.h"
#include "symbols/frame_name.h"

struct writer {
	FILE *file;
	const struct kmprof_series *series;
	const struct kmprof_resolver *resolver;
	struct kmprof_series_row row;
};

/* pprof takes signed 64-bit numbers; only a made-up image has more. */
static __u64 times(__u64 a, __u64 b)
{
	__u64 product;

	if (__builtin_mul_overflow(a, b, &product) || product > LLONG_MAX)
		return LLONG_MAX;
	return product;
}

static __u64 plus(__u64 a, __u64 b)
{
	__u64 sum;

	if (__builtin_add_overflow(a, b, &sum) || sum > LLONG_MAX)
		return LLONG_MAX;
	return sum;
}

/* --- the three texts: a first line or more, and the numbers of a row -------------- */

static void heap_head(struct writer *w)
{
	struct kmprof_series_row *row = &w->row;
	__u64 inuse = 0, inuse_bytes = 0, alloc = 0, alloc_bytes = 0;
	size_t i;

	for (i = 0; i < w->series->nr_rows; i++) {
		kmprof_series_numbers(w->series, i, row);
		inuse = plus(inuse, row->raw_inuse);
		inuse_bytes = plus(inuse_bytes, times(row->raw_inuse, row->raw_size));
		alloc = plus(alloc, row->raw_alloc);
		alloc_bytes = plus(alloc_bytes, times(row->raw_alloc, row->raw_size));
	}
	/*
	 * pprof takes a profile whose sums are the same allocated and in use for
	 * one that does not tell the two apart, and looks at no column but one.
	 * It uses these sums for nothing else, so one byte more does no harm.
	 */
	if (alloc_bytes == inuse_bytes)
		alloc_bytes++;
	fprintf(w->file, "heap profile: %llu: %llu [%llu: %llu] @ heap/%llu\n", inuse,
		inuse_bytes, alloc, alloc_bytes, times(2, w->series->raw_rate));
}

static void heap_row(struct writer *w)
{
	const struct kmprof_series_row *row = &w->row;

	fprintf(w->file, "%llu: %llu [%llu: %llu]", row->raw_inuse,
		times(row->raw_inuse, row->raw_size), row->raw_alloc,
		times(row->raw_alloc, row->raw_size));
}

static void delay_head(struct writer *w)
{
	fputs(w->series->head, w->file);
}

static void delay_row(struct writer *w)
{
	fprintf(w->file, "%lld %lld", w->row.value[1], w->row.value[0]);
}

static void count_head(struct writer *w)
{
	const struct kmprof_series *series = w->series;
	__u64 sum = 0;
	size_t i;

	for (i = 0; i < series->nr_rows; i++) {
		kmprof_series_numbers(series, i, &w->row);
		sum = plus(sum, (__u64)w->row.value[series->shown]);
	}
	fprintf(w->file, "%s profile: total %llu\n", series->name, sum);
}

static void count_row(struct writer *w)
{
	fprintf(w->file, "%lld", w->row.value[w->series->shown]);
}

/* Nothing of what is shown first: such a row says nothing in this text. */
static bool count_is_empty(const struct writer *w)
{
	return !w->row.value[w->series->shown];
}

/* A unit that says nothing new is left out. */
static void put_unit(struct writer *w, const char *name, const char *unit)
{
	if (strcmp(unit, "count") && strcmp(unit, name))
		fprintf(w->file, " %s", unit);
}

/* The labels from @first on, as a comment. Returns what has to be before more of it. */
static const char *put_labels(struct writer *w, unsigned int first)
{
	const struct kmprof_series_label *label;
	const char *before = "# ";
	unsigned int i;

	for (i = first; i < w->row.nr_labels && !w->series->ops->note; i++, before = ", ") {
		label = &w->row.label[i];
		fprintf(w->file, "%s%s ", before, label->key);
		if (label->text) {
			fputs(label->text, w->file);
		} else {
			fprintf(w->file, "%llu", label->number);
			put_unit(w, label->key, label->unit);
		}
	}
	return before;
}

/* The values and labels that have no place in the line of numbers. */
static void count_rest(struct writer *w)
{
	const struct kmprof_value_type *type;
	const char *before = put_labels(w, 0);
	unsigned int i;

	for (i = 0; i < w->series->nr_types; i++) {
		if (i == w->series->shown)
			continue;
		type = &w->series->types[i];
		fprintf(w->file, "%s%s %lld", before, type->name, w->row.value[i]);
		put_unit(w, "", type->unit);
		before = ", ";
	}
	if (*before == ',')
		fputc('\n', w->file);
}

/* The first label is the size of an object, which the line of numbers has. */
static void heap_rest(struct writer *w)
{
	if (*put_labels(w, 1) == ',')
		fputc('\n', w->file);
}

/**
 * struct form - one of the texts
 * @head: writes the first lines
 * @row: writes the numbers of a row
 * @rest: writes as comments what @row leaves out; NULL: nothing
 * @is_empty: whether a row is left out; NULL: none is
 */
static const struct form {
	void (*head)(struct writer *w);
	void (*row)(struct writer *w);
	void (*rest)(struct writer *w);
	bool (*is_empty)(const struct writer *w);
} forms[] = {
	[KMPROF_FORM_COUNT]	= { count_head, count_row, count_rest, count_is_empty },
	[KMPROF_FORM_DELAY]	= { .head = delay_head, .row = delay_row },
	[KMPROF_FORM_HEAP]	= { .head = heap_head, .row = heap_row, .rest = heap_rest },
};

/* --- what they have in common ------------------------------------------------------ */

/* Ends a line of numbers with a stack: " @", its addresses, a newline. */
static void put_addresses(FILE *file, const __u64 *stack, __u32 nr)
{
	__u32 i;

	fputs(" @", file);
	for (i = 0; i < nr; i++)
		fprintf(file, " 0x%llx", stack[i]);
	/* pprof takes no notice of a sample that is nowhere. */
	if (!nr)
		fputs(" 0x0", file);
	fputc('\n', file);
}

/* "file:line" behind a name, as Go's runtime has it; without a line, "file:?". */
static void put_line(FILE *file, const struct kmprof_code_line *line)
{
	if (!line->file)
		return;
	fprintf(file, "\t%s:", line->file);
	if (line->line)
		fprintf(file, "%u", line->line);
	else
		fputc('?', file);
}

static void put_frame(FILE *file, const struct kmprof_resolver *resolver, __u64 ret_addr)
{
	struct kmprof_frame frame;
	size_t i;

	kmprof_resolver_find(resolver, ret_addr, &frame);
	for (i = 0; i < kmprof_frame_inlined(&frame); i++) {
		fprintf(file, "#\t0x%llx\t%s" KMPROF_INLINED, ret_addr, frame.line[i].function);
		put_line(file, &frame.line[i]);
		fputc('\n', file);
	}
	fprintf(file, "#\t0x%llx\t", ret_addr);
	if (frame.named)
		kmprof_symbol_write(file, &frame.symbol, ret_addr);
	else if (!ret_addr)
		fputs(KMPROF_HIDDEN_NAME, file);
	else
		fprintf(file, "%#llx", ret_addr);
	if (frame.nr_lines)
		put_line(file, &frame.line[i]);
	fputc('\n', file);
}

/* A comment for each frame of a stack, and an empty line behind. */
static void put_names(struct writer *w, const __u64 *stack, __u32 nr)
{
	__u32 i;

	for (i = 0; i < nr; i++)
		put_frame(w->file, w->resolver, stack[i]);
	if (!nr)
		fprintf(w->file, "#\t0x0\t%s\n", w->row.nowhere);
	fputc('\n', w->file);
}

static void put_row(struct writer *w, const struct form *form, size_t i)
{
	const struct kmprof_series *series = w->series;
	const __u64 *stack;
	__u32 nr;

	stack = kmprof_series_stack(series, i, &nr);
	if (form->rest)
		kmprof_series_row(series, i, &w->row);
	else
		kmprof_series_numbers(series, i, &w->row);
	if (form->is_empty && form->is_empty(w))
		return;
	if (series->ops->note) {
		fputs("# ", w->file);
		series->ops->note(series, i, w->file);
		fputc('\n', w->file);
	}
	if (form->rest)
		form->rest(w);
	form->row(w);
	put_addresses(w->file, stack, nr);
	put_names(w, stack, nr);
}

/* A row in the order of the text. */
struct place {
	long double weight;
	__u64 order;
	size_t i;
};

static int largest_first(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	return (x->order > y->order) - (x->order < y->order);
}

static struct place *sort_rows(struct writer *w)
{
	struct place *place;
	size_t i;

	place = calloc(w->series->nr_rows + 1, sizeof(*place));
	if (!place)
		return NULL;
	for (i = 0; i < w->series->nr_rows; i++) {
		kmprof_series_numbers(w->series, i, &w->row);
		place[i] = (struct place){ w->row.weight, w->row.order, i };
	}
	qsort(place, w->series->nr_rows, sizeof(*place), largest_first);
	return place;
}

int kmprof_text_write(FILE *file, const struct kmprof_series *series,
		      const struct kmprof_resolver *resolver, struct kmprof_error *err)
{
	struct writer w = { .file = file, .series = series, .resolver = resolver };
	const struct form *form = &forms[series->form];
	struct place *place;
	size_t i;

	place = sort_rows(&w);
	if (!place)
		return kmprof_error_set(err, -ENOMEM, NULL, "sorting the rows: out of memory");
	errno = 0;
	form->head(&w);
	for (i = 0; i < series->facts.nr; i++)
		fprintf(file, "# %s\n", series->facts.line[i]);
	fputc('\n', file);
	for (i = 0; i < series->nr_rows && !ferror(file); i++)
		put_row(&w, form, place[i].i);
	free(place);
	return kmprof_text_finish(file, err);
}

int kmprof_text_finish(FILE *file, struct kmprof_error *err)
{
	int ret;

	if (!ferror(file))
		return 0;
	ret = errno ? -errno : -EIO;
	return kmprof_error_set(err, ret, NULL, "writing the profile: %s", strerror(-ret));
}
