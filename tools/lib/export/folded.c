// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "export/folded.h"
#include "export/stacks.h"
#include "export/text.h"
#include "symbols/frame_name.h"

/* What separates two names cannot be in one. Readers know functions that are inlined by "_[i]". */
static void put_name(FILE *file, const struct kmprof_stack_name *name)
{
	size_t i, length = name->length;

	if (name->is_inlined)
		length -= strlen(KMPROF_INLINED);
	for (i = 0; i < length; i++)
		fputc(name->text[i] == ';' ? ':' : name->text[i], file);
	if (name->is_inlined)
		fputs("_[i]", file);
}

static void put_stack(FILE *file, const struct kmprof_stacks *stacks,
		      const struct kmprof_stack *stack)
{
	__u32 i;

	for (i = 0; i < stack->nr; i++) {
		if (i)
			fputc(';', file);
		put_name(file, &stacks->name[stack->frame[i]]);
	}
	fprintf(file, " %lld\n", stack->value);
}

/* A line that ends in a number would be a stack. */
static void put_comments(FILE *file, const struct kmprof_series *series)
{
	const struct kmprof_value_type *type = &series->types[series->shown];
	size_t i;

	fprintf(file, "# values: %s, in %s #\n", type->name, type->unit);
	for (i = 0; i < series->summary.nr; i++)
		fprintf(file, "# %s #\n", series->summary.line[i]);
}

/* A stack in the order of the lines. */
struct place {
	__s64 value;
	size_t i;
};

static int largest_first(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? 1 : -1;
	return (x->i > y->i) - (x->i < y->i);
}

static int put_stacks(FILE *file, const struct kmprof_stacks *stacks)
{
	struct place *place = calloc(stacks->nr + 1, sizeof(*place));
	size_t i;

	if (!place)
		return -ENOMEM;
	for (i = 0; i < stacks->nr; i++)
		place[i] = (struct place){ stacks->stack[i].value, i };
	qsort(place, stacks->nr, sizeof(*place), largest_first);
	for (i = 0; i < stacks->nr && place[i].value && !ferror(file); i++)
		put_stack(file, stacks, &stacks->stack[place[i].i]);
	free(place);
	return 0;
}

int kmprof_folded_write(FILE *file, const struct kmprof_series *series,
			const struct kmprof_resolver *resolver, struct kmprof_error *err)
{
	struct kmprof_stacks stacks;
	int ret;

	ret = kmprof_stacks_build(&stacks, series, resolver, err);
	if (ret)
		return ret;
	errno = 0;
	put_comments(file, series);
	ret = put_stacks(file, &stacks);
	kmprof_stacks_release(&stacks);
	if (ret)
		return kmprof_error_set(err, ret, NULL, "sorting the stacks: out of memory");
	return kmprof_text_finish(file, err);
}
