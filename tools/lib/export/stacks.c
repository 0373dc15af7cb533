// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "export/stacks.h"
#include "profile/addresses.h"
#include "symbols/frame_name.h"
#include "util/growing.h"
#include "util/merge.h"
#include "util/printable.h"
#include "util/saturate.h"

/**
 * struct span - the names of an address
 * @first: index of the innermost one in the names of all addresses
 * @nr: how many: that of its function, and those of what is inlined there
 */
struct span {
	size_t first;
	__u32 nr;
};

/**
 * struct builder - what is needed until the stacks are there
 * @series: their source
 * @resolver: names
 * @addresses: of the series
 * @names: in the order in which they were met; those of the stacks
 * @about: for each name, what is known of it besides its text
 * @room: places in @about
 * @frame_names: __u32: the names of all addresses
 * @of_address: for each address, its names among those
 */
struct builder {
	const struct kmprof_series *series;
	const struct kmprof_resolver *resolver;
	struct kmprof_addresses addresses;
	struct kmprof_intern *names;
	struct kmprof_stack_name *about;
	size_t room;
	struct kmprof_growing frame_names;
	struct span *of_address;
};

/* --- names ---------------------------------------------------------------------------- */

/* Return: the number of a name, or -ENOMEM. */
static __s64 add_name(struct builder *b, const struct kmprof_stack_name *name)
{
	__s64 index = kmprof_intern_add(b->names, name->text);
	struct kmprof_stack_name *more;
	size_t room;

	if (index < 0)
		return index;
	if ((size_t)index >= b->room) {
		room = b->room ? b->room * 2 : 1024;
		more = reallocarray(b->about, room, sizeof(*more));
		if (!more)
			return -ENOMEM;
		b->about = more;
		b->room = room;
	}
	b->about[index] = *name;
	b->about[index].text = b->names->string[index];
	return index;
}

static int add_frame_name(struct builder *b, struct span *span,
			  const struct kmprof_stack_name *name)
{
	__s64 index = add_name(b, name);
	__u32 number = (__u32)index;

	if (index < 0)
		return (int)index;
	span->nr++;
	return kmprof_growing_add(&b->frame_names, &number, sizeof(number));
}

static int name_address(struct builder *b, struct span *span, __u64 ret_addr)
{
	char text[KMPROF_FRAME_NAME];
	struct kmprof_stack_name name = { .text = text, .is_inlined = true };
	struct kmprof_frame frame;
	int ret = 0;
	size_t i;

	span->first = b->frame_names.used / sizeof(__u32);
	kmprof_resolver_find(b->resolver, ret_addr, &frame);
	for (i = 0; !ret && i < kmprof_frame_inlined(&frame); i++) {
		name.length = kmprof_frame_inlined_name(text, &frame, i);
		ret = add_frame_name(b, span, &name);
	}
	if (ret)
		return ret;
	name.length = kmprof_frame_name(text, b->resolver, ret_addr);
	name.is_inlined = false;
	return add_frame_name(b, span, &name);
}

/* What stands in the place of a stack. */
static __s64 name_nowhere(struct builder *b, const char *nowhere)
{
	char text[KMPROF_FRAME_NAME];
	struct kmprof_stack_name name = { .text = text };

	snprintf(text, sizeof(text), "%s", *nowhere ? nowhere : KMPROF_NO_NAME);
	kmprof_make_printable(text);
	name.length = strlen(text);
	return add_name(b, &name);
}

static int name_addresses(struct builder *b)
{
	size_t i;
	int ret;

	b->of_address = calloc(b->addresses.nr + 1, sizeof(*b->of_address));
	if (!b->of_address)
		return -ENOMEM;
	for (i = 0; i < b->addresses.nr; i++) {
		ret = name_address(b, &b->of_address[i], b->addresses.address[i]);
		if (ret)
			return ret;
	}
	return 0;
}

/* --- stacks --------------------------------------------------------------------------- */

static const struct span *span_of(const struct builder *b, __u64 ret_addr)
{
	return &b->of_address[kmprof_addresses_find(&b->addresses, ret_addr)];
}

/* How many names the stacks of all rows have. A row without a frame has one in its place. */
static size_t count_names(const struct builder *b)
{
	const struct kmprof_series *series = b->series;
	size_t i, sum = series->nr_rows;
	const __u64 *frames;
	__u32 n, nr;

	/* Most images have no more names than frames, and there are many frames. */
	if (b->frame_names.used == b->addresses.nr * sizeof(__u32))
		return sum + b->addresses.nr_frames;
	for (i = 0; i < series->nr_rows; i++) {
		frames = kmprof_series_stack(series, i, &nr);
		for (n = 0; n < nr; n++)
			sum += span_of(b, frames[n])->nr;
	}
	return sum;
}

static int allocate(struct kmprof_stacks *stacks, const struct builder *b)
{
	const struct kmprof_series *series = b->series;
	size_t nr = series->nr_rows;

	stacks->frames = calloc(count_names(b) + 1, sizeof(*stacks->frames));
	stacks->stack = calloc(nr + 1, sizeof(*stacks->stack));
	stacks->values = calloc(nr * series->nr_types + 1, sizeof(*stacks->values));
	stacks->variances = calloc(nr * series->nr_types + 1, sizeof(*stacks->variances));
	stacks->nr_values = series->nr_types;
	return stacks->frames && stacks->stack && stacks->values && stacks->variances ?
		0 : -ENOMEM;
}

static int fill_stack(struct kmprof_stack *stack, struct builder *b, size_t i,
		      const char *nowhere)
{
	const __u32 *name = (const void *)b->frame_names.bytes;
	const struct span *span;
	const __u64 *frames;
	__s64 index;
	__u32 n, nr;

	frames = kmprof_series_stack(b->series, i, &nr);
	while (nr--) {
		span = span_of(b, frames[nr]);
		for (n = span->nr; n--;)
			stack->frame[stack->nr++] = name[span->first + n];
	}
	if (stack->nr)
		return 0;
	index = name_nowhere(b, nowhere);
	if (index < 0)
		return (int)index;
	stack->frame[0] = (__u32)index;
	stack->nr = 1;
	return 0;
}

static int fill(struct kmprof_stacks *stacks, struct builder *b)
{
	const struct kmprof_series *series = b->series;
	__u32 *frame = stacks->frames;
	double *variance = stacks->variances;
	__s64 *value = stacks->values;
	struct kmprof_series_row row;
	size_t i;
	int ret;

	for (i = 0; i < series->nr_rows; i++) {
		kmprof_series_numbers(series, i, &row);
		memcpy(value, row.value, series->nr_types * sizeof(*value));
		memcpy(variance, row.variance, series->nr_types * sizeof(*variance));
		stacks->stack[i] = (struct kmprof_stack){
			.frame = frame, .value = value, .variance = variance,
		};
		ret = fill_stack(&stacks->stack[i], b, i, row.nowhere);
		if (ret)
			return ret;
		frame += stacks->stack[i].nr;
		value += series->nr_types;
		variance += series->nr_types;
	}
	stacks->nr = series->nr_rows;
	return 0;
}

/* --- their order ---------------------------------------------------------------------- */

/* A name and its number until all are sorted. */
struct ranked {
	struct kmprof_stack_name name;
	__u32 number;
};

static int by_text(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return strcmp(x->name.text, y->name.text);
}

/* In the frames, the place of a name in the order of all takes that of its number. */
static void put_in_order(struct kmprof_stacks *stacks, struct builder *b, struct ranked *ranked,
			 __u32 *rank)
{
	size_t i, nr = b->names->nr, nr_frames = 0;

	for (i = 0; i < nr; i++) {
		ranked[i].name = b->about[i];
		ranked[i].number = (__u32)i;
	}
	qsort(ranked, nr, sizeof(*ranked), by_text);
	for (i = 0; i < nr; i++) {
		rank[ranked[i].number] = (__u32)i;
		stacks->name[i] = ranked[i].name;
	}
	stacks->nr_names = nr;
	for (i = 0; i < stacks->nr; i++)
		nr_frames += stacks->stack[i].nr;
	for (i = 0; i < nr_frames; i++)
		stacks->frames[i] = rank[stacks->frames[i]];
}

static int rank_names(struct kmprof_stacks *stacks, struct builder *b)
{
	struct ranked *ranked = calloc(b->names->nr + 1, sizeof(*ranked));
	__u32 *rank = calloc(b->names->nr + 1, sizeof(*rank));
	int ret = -ENOMEM;

	stacks->name = calloc(b->names->nr + 1, sizeof(*stacks->name));
	if (ranked && rank && stacks->name) {
		put_in_order(stacks, b, ranked, rank);
		ret = 0;
	}
	free(ranked);
	free(rank);
	return ret;
}

static __u32 common(const struct kmprof_stack *a, const struct kmprof_stack *b)
{
	__u32 n = 0;

	while (n < a->nr && n < b->nr && a->frame[n] == b->frame[n])
		n++;
	return n;
}

static int by_frames(const void *a, const void *b)
{
	const struct kmprof_stack *x = a, *y = b;
	__u32 n = common(x, y);

	if (n == x->nr || n == y->nr)
		return (x->nr > y->nr) - (x->nr < y->nr);
	return x->frame[n] < y->frame[n] ? -1 : 1;
}

static void add_values(struct kmprof_stacks *stacks, __s64 *sum, double *variance,
		       const struct kmprof_stack *more)
{
	unsigned int n;

	for (n = 0; n < stacks->nr_values; n++) {
		sum[n] = kmprof_saturated_sum(sum[n], more->value[n]);
		variance[n] += more->variance[n];
	}
}

static void sort_and_merge(struct kmprof_stacks *stacks)
{
	struct kmprof_stack *stack = stacks->stack;
	size_t i, to = 0;

	qsort(stack, stacks->nr, sizeof(*stack), by_frames);
	for (i = 0; i < stacks->nr; i++) {
		add_values(stacks, stacks->total, stacks->total_variance, &stack[i]);
		if (to && !by_frames(&stack[to - 1], &stack[i]))
			add_values(stacks, stack[to - 1].value, stack[to - 1].variance, &stack[i]);
		else
			stack[to++] = stack[i];
	}
	stacks->nr = to;
}

static int build(struct kmprof_stacks *stacks, struct builder *b)
{
	int ret = kmprof_addresses_collect(&b->addresses, b->series);

	if (!ret)
		ret = name_addresses(b);
	if (!ret)
		ret = allocate(stacks, b);
	if (!ret)
		ret = fill(stacks, b);
	if (!ret)
		ret = rank_names(stacks, b);
	if (!ret)
		sort_and_merge(stacks);
	return ret;
}

int kmprof_stacks_build(struct kmprof_stacks *stacks, const struct kmprof_series *series,
			const struct kmprof_resolver *resolver, struct kmprof_error *err)
{
	struct builder b = {
		.series = series,
		.resolver = resolver,
		.names = &stacks->strings,
	};
	int ret;

	memset(stacks, 0, sizeof(*stacks));
	ret = build(stacks, &b);
	kmprof_addresses_release(&b.addresses);
	free(b.about);
	free(b.frame_names.bytes);
	free(b.of_address);
	if (!ret)
		return 0;
	kmprof_stacks_release(stacks);
	return kmprof_error_set(err, ret, NULL, "adding up the stacks: %s", strerror(-ret));
}

void kmprof_stacks_release(struct kmprof_stacks *stacks)
{
	kmprof_intern_release(&stacks->strings);
	free(stacks->name);
	free(stacks->stack);
	free(stacks->frames);
	free(stacks->values);
	free(stacks->variances);
	memset(stacks, 0, sizeof(*stacks));
}

__u32 kmprof_stacks_common(const struct kmprof_stacks *stacks, size_t i)
{
	return i ? common(&stacks->stack[i - 1], &stacks->stack[i]) : 0;
}
