// SPDX-License-Identifier: GPL-2.0
/*
 * Stacks come in the order of their names, so a frame begins with the first stack that has it
 * and ends before the first one that has not. Two walks: one to know the size of the picture,
 * one to draw.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "export/stacks.h"
#include "export/svg.h"
#include "export/text.h"
#include "util/asset.h"
#include "util/escape.h"
#include "util/saturate.h"

#include "export/svg.css.h"

/* In pixels. Letters are as wide as those of most monospaced fonts. */
enum { WIDTH = 1200, MARGIN = 10, ROW = 17, TOP = 60, BASE = 12 };

#define LETTER_WIDTH	6.7
#define NARROWEST	0.2

/* Classes of colours in svg.css, a half of them for modules. */
enum { COLOURS = 5 };

/**
 * struct drawing - the walk through the stacks
 * @file: the picture
 * @stacks: what is drawn
 * @start: of the open frames, from the outermost on: the sum of the values before
 * @draw: called for each frame that is wide enough
 * @deepest: of these
 * @nr_hidden: of the others
 */
struct drawing {
	FILE *file;
	const struct kmprof_stacks *stacks;
	__s64 *start;
	void (*draw)(struct drawing *d, const struct kmprof_stack_name *name, __u32 depth,
		     __s64 start, __s64 end);
	__u32 deepest;
	size_t nr_hidden;
};

static double pixels(const struct drawing *d, __s64 value)
{
	return (double)value / (double)d->stacks->total * (WIDTH - 2 * MARGIN);
}

static void measure(struct drawing *d, const struct kmprof_stack_name *name, __u32 depth,
		    __s64 start, __s64 end)
{
	(void)name;
	if (pixels(d, end - start) < NARROWEST)
		d->nr_hidden += end > start;
	else if (d->deepest < depth)
		d->deepest = depth;
}

/* The same name has the same colour in each picture. */
static unsigned int colour_of(const struct kmprof_stack_name *name)
{
	unsigned int hash = 0;
	size_t i;

	for (i = 0; i < name->length; i++)
		hash = hash * 31 + (unsigned char)name->text[i];
	return hash % COLOURS;
}

/* As much of a name as there is room for, if that says anything. */
static void put_label(const struct drawing *d, const char *name, double x, double y, double width)
{
	size_t length = strlen(name), most = (size_t)((width - 4) / LETTER_WIDTH);

	if (width < 4 + 3 * LETTER_WIDTH)
		return;
	fprintf(d->file, "<text x=\"%.1f\" y=\"%.0f\">", x + 2, y + BASE);
	kmprof_escape_xml(d->file, name, length > most ? most - 2 : length);
	fputs(length > most ? "..</text>" : "</text>", d->file);
}

static void put_frame(struct drawing *d, const struct kmprof_stack_name *name, __u32 depth,
		      __s64 start, __s64 end)
{
	const char *text = name ? name->text : "all";
	double x = MARGIN + pixels(d, start), width = pixels(d, end - start);
	double y = TOP + (double)depth * ROW;
	const char *owner = name && name->text[name->length] ? "m" : "k";

	if (width < NARROWEST)
		return;
	fputs("<g><title>", d->file);
	kmprof_escape_xml(d->file, text, strlen(text));
	fprintf(d->file, ": %lld, %.2f %%</title>", end - start,
		100 * (double)(end - start) / (double)d->stacks->total);
	fprintf(d->file, "<rect class=\"%s%u\" x=\"%.1f\" y=\"%.0f\"", owner,
		name ? colour_of(name) : 0, x, y);
	fprintf(d->file, " width=\"%.2f\" height=\"%d\"/>", width, ROW - 1);
	put_label(d, text, x, y, width);
	fputs("</g>\n", d->file);
}

/* Ends the frames of a stack beyond the first @nr of them. */
static void end_frames(struct drawing *d, const struct kmprof_stack *stack, __u32 nr, __s64 sum)
{
	__u32 i;

	for (i = stack->nr; i > nr; i--)
		d->draw(d, &d->stacks->name[stack->frame[i - 1]], i, d->start[i - 1], sum);
}

static void walk(struct drawing *d)
{
	const struct kmprof_stack *stack = NULL;
	__s64 sum = 0;
	__u32 n, common;
	size_t i;

	for (i = 0; i < d->stacks->nr && !ferror(d->file); i++) {
		common = kmprof_stacks_common(d->stacks, i);
		if (stack)
			end_frames(d, stack, common, sum);
		stack = &d->stacks->stack[i];
		for (n = common; n < stack->nr; n++)
			d->start[n] = sum;
		sum = kmprof_saturated_sum(sum, stack->value);
	}
	if (stack)
		end_frames(d, stack, 0, sum);
	d->draw(d, NULL, 0, 0, sum);
}

static void put_line(FILE *file, const char *class, unsigned int y, const char *text)
{
	fprintf(file, "<text class=\"%s\" x=\"%d\" y=\"%u\">", class, MARGIN, y);
	kmprof_escape_xml(file, text, strlen(text));
	fputs("</text>\n", file);
}

static void put_head(const struct drawing *d, const struct kmprof_series *series,
		     unsigned int height)
{
	const struct kmprof_value_type *type = &series->types[series->shown];

	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	      "<svg xmlns=\"http://www.w3.org/2000/svg\"", d->file);
	fprintf(d->file, " width=\"%d\" height=\"%u\" viewBox=\"0 0 %d %u\">\n", WIDTH, height,
		WIDTH, height);
	fprintf(d->file, "<style>%s</style>\n", svg_css.text);
	fputs("<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n", d->file);
	fprintf(d->file, "<text class=\"title\" x=\"%d\" y=\"25\">", MARGIN);
	kmprof_escape_xml(d->file, series->name, strlen(series->name));
	fputs(": ", d->file);
	kmprof_escape_xml(d->file, type->name, strlen(type->name));
	fprintf(d->file, "</text>\n<text class=\"note\" x=\"%d\" y=\"45\">total %lld ", MARGIN,
		d->stacks->total);
	kmprof_escape_xml(d->file, type->unit, strlen(type->unit));
	fputs("</text>\n", d->file);
}

static void put_notes(const struct drawing *d, const struct kmprof_series *series, unsigned int y)
{
	char text[64];
	size_t i;

	for (i = 0; i < series->summary.nr; i++, y += ROW)
		put_line(d->file, "note", y, series->summary.line[i]);
	snprintf(text, sizeof(text), "too narrow to be drawn: %zu frames", d->nr_hidden);
	put_line(d->file, "note", y, text);
}

static void put_picture(struct drawing *d, const struct kmprof_series *series)
{
	unsigned int notes;

	d->draw = measure;
	if (d->stacks->total)
		walk(d);
	notes = TOP + (d->deepest + 2) * ROW;
	put_head(d, series, notes + (unsigned int)(series->summary.nr + 1) * ROW);
	d->draw = put_frame;
	if (d->stacks->total)
		walk(d);
	else
		put_line(d->file, "note", TOP + BASE, "nothing of this has been counted");
	put_notes(d, series, notes);
	fputs("</svg>\n", d->file);
}

static __u32 deepest_of(const struct kmprof_stacks *stacks)
{
	__u32 deepest = 0;
	size_t i;

	for (i = 0; i < stacks->nr; i++)
		if (deepest < stacks->stack[i].nr)
			deepest = stacks->stack[i].nr;
	return deepest;
}

int kmprof_svg_write(FILE *file, const struct kmprof_series *series,
		     const struct kmprof_resolver *resolver, struct kmprof_error *err)
{
	struct kmprof_stacks stacks;
	struct drawing d = { .file = file, .stacks = &stacks };
	int ret;

	ret = kmprof_stacks_build(&stacks, series, resolver, err);
	if (ret)
		return ret;
	d.start = calloc((size_t)deepest_of(&stacks) + 1, sizeof(*d.start));
	if (d.start) {
		errno = 0;
		put_picture(&d, series);
		ret = kmprof_text_finish(file, err);
		free(d.start);
	} else {
		ret = kmprof_error_set(err, -ENOMEM, NULL, "drawing the stacks: out of memory");
	}
	kmprof_stacks_release(&stacks);
	return ret;
}
