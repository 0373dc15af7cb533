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
 * struct builder - what is needed until the stacks are there
 * @series: their source
 * @resolver: names
 * @addresses: of the series
 * @names: in the order in which they were met; those of the stacks
 * @about: for each name, what is known of it besides its text
 * @room: places in @about
 * @frame_names: __u32: the names of all addresses; of each, the innermost first: those of what
 *	is inlined there, and that of its function
 * @first: for each address, and what would follow the last one, where its names begin there
 */
struct builder {
	const struct kmprof_series *series;
	const struct kmprof_resolver *resolver;
	struct kmprof_addresses addresses;
	struct kmprof_intern *names;
	struct kmprof_stack_name *about;
	size_t room;
	struct kmprof_growing frame_names;
	__u32 *first;
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

static int add_frame_name(struct builder *b, const struct kmprof_stack_name *name)
{
	__s64 index = add_name(b, name);
	__u32 number = (__u32)index;

	if (index < 0)
		return (int)index;
	return kmprof_growing_add(&b->frame_names, &number, sizeof(number));
}

static int name_address(struct builder *b, __u64 ret_addr)
{
	char text[KMPROF_FRAME_NAME];
	struct kmprof_stack_name name = { .text = text, .is_inlined = true };
	struct kmprof_frame frame;
	int ret = 0;
	size_t i;

	kmprof_resolver_find(b->resolver, ret_addr, &frame);
	for (i = 0; !ret && i < kmprof_frame_inlined(&frame); i++) {
		name.length = kmprof_frame_inlined_name(text, &frame, i);
		ret = add_frame_name(b, &name);
	}
	if (ret)
		return ret;
	name.length = kmprof_frame_name(text, b->resolver, ret_addr);
	name.is_inlined = false;
	return add_frame_name(b, &name);
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

static __u32 nr_frame_names(const struct builder *b)
{
	return (__u32)(b->frame_names.used / sizeof(__u32));
}

static int name_addresses(struct builder *b)
{
	size_t i;
	int ret;

	b->first = calloc(b->addresses.nr + 1, sizeof(*b->first));
	if (!b->first)
		return -ENOMEM;
	for (i = 0; i < b->addresses.nr; i++) {
		ret = name_address(b, b->addresses.address[i]);
		if (ret)
			return ret;
		b->first[i + 1] = nr_frame_names(b);
	}
	return 0;
}

/* --- stacks --------------------------------------------------------------------------- */

/* How many names the stacks of all rows have. A row without a frame has one in its place. */
static size_t count_names(const struct builder *b)
{
	const struct kmprof_series *series = b->series;
	size_t i, at, sum = series->nr_rows;
	const __u64 *frames;
	__u32 n, nr;

	/* Most images have no more names than frames, and there are many frames. */
	if (nr_frame_names(b) == b->addresses.nr)
		return sum + b->addresses.nr_frames;
	for (i = 0; i < series->nr_rows; i++) {
		frames = kmprof_series_stack(series, i, &nr);
		for (n = 0; n < nr; n++) {
			at = kmprof_addresses_find(&b->addresses, frames[n]);
			sum += b->first[at + 1] - b->first[at];
		}
	}
	return sum;
}

static int allocate(struct kmprof_stacks *stacks, const struct builder *b)
{
	size_t nr = b->series->nr_rows;

	stacks->frames = calloc(count_names(b) + 1, sizeof(*stacks->frames));
	stacks->stack = calloc(nr + 1, sizeof(*stacks->stack));
	stacks->next_row = calloc(nr + 1, sizeof(*stacks->next_row));
	return stacks->frames && stacks->stack && stacks->next_row ? 0 : -ENOMEM;
}

static int fill_stack(struct kmprof_stack *stack, struct builder *b, size_t i,
		      const char *nowhere)
{
	const __u32 *name = (const void *)b->frame_names.bytes;
	const __u64 *frames;
	__s64 index;
	size_t at;
	__u32 n, nr;

	frames = kmprof_series_stack(b->series, i, &nr);
	while (nr--) {
		at = kmprof_addresses_find(&b->addresses, frames[nr]);
		for (n = b->first[at + 1]; n-- > b->first[at];)
			stack->frame[stack->nr++] = name[n];
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
	struct kmprof_series_row row;
	size_t i;
	int ret;

	for (i = 0; i < series->nr_rows; i++) {
		kmprof_series_numbers(series, i, &row);
		stacks->stack[i] = (struct kmprof_stack){
			.frame		= frame,
			.value		= row.value[series->shown],
			.variance	= row.variance[series->shown],
			.row		= (__u32)i,
		};
		ret = fill_stack(&stacks->stack[i], b, i, row.nowhere);
		if (ret)
			return ret;
		frame += stacks->stack[i].nr;
	}
	stacks->nr = series->nr_rows;
	return 0;
}

/* What names were needed for, and the stacks no longer do. */
static void release_addresses(struct builder *b)
{
	kmprof_addresses_release(&b->addresses);
	free(b->frame_names.bytes);
	free(b->first);
	b->frame_names.bytes = NULL;
	b->first = NULL;
}

/* --- their order ---------------------------------------------------------------------- */

/* In the frames, the place of a name in the order of all takes that of its number. */
static void put_in_order(struct kmprof_stacks *stacks, const struct builder *b,
			 const __u32 *place)
{
	size_t i, nr_frames = 0;

	for (i = 0; i < b->names->nr; i++)
		stacks->name[place[i]] = b->about[i];
	stacks->nr_names = b->names->nr;
	for (i = 0; i < stacks->nr; i++)
		nr_frames += stacks->stack[i].nr;
	for (i = 0; i < nr_frames; i++)
		stacks->frames[i] = place[stacks->frames[i]];
}

static int order_names(struct kmprof_stacks *stacks, const struct builder *b)
{
	__u32 *place = calloc(b->names->nr + 1, sizeof(*place));
	int ret = -ENOMEM;

	stacks->name = calloc(b->names->nr + 1, sizeof(*stacks->name));
	if (place && stacks->name) {
		kmprof_intern_order(b->names, place);
		put_in_order(stacks, b, place);
		ret = 0;
	}
	free(place);
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

/* Rows of the same stack by their place in the series. */
static int by_frames_and_row(const void *a, const void *b)
{
	const struct kmprof_stack *x = a, *y = b;
	int ret = by_frames(a, b);

	return ret ? ret : (x->row > y->row) - (x->row < y->row);
}

static void sort_and_merge(struct kmprof_stacks *stacks)
{
	struct kmprof_stack *stack = stacks->stack, *last = NULL;
	__u32 last_row = 0;
	size_t i, to = 0;

	qsort(stack, stacks->nr, sizeof(*stack), by_frames_and_row);
	for (i = 0; i < stacks->nr; i++) {
		stacks->total = kmprof_saturated_sum(stacks->total, stack[i].value);
		stacks->total_variance += stack[i].variance;
		if (last && !by_frames(last, &stack[i])) {
			last->value = kmprof_saturated_sum(last->value, stack[i].value);
			last->variance += stack[i].variance;
			stacks->next_row[last_row] = stack[i].row + 1;
		} else {
			stack[to] = stack[i];
			last = &stack[to++];
		}
		last_row = stack[i].row;
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
	release_addresses(b);
	if (!ret)
		ret = order_names(stacks, b);
	free(b->about);
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
	free(stacks->next_row);
	memset(stacks, 0, sizeof(*stacks));
}

void kmprof_stacks_values(const struct kmprof_stacks *stacks, size_t i,
			  const struct kmprof_series *series, __s64 value[KMPROF_SERIES_VALUES])
{
	struct kmprof_series_row row;
	__u32 next = stacks->stack[i].row + 1;
	unsigned int n;

	memset(value, 0, KMPROF_SERIES_VALUES * sizeof(*value));
	for (; next; next = stacks->next_row[next - 1]) {
		kmprof_series_numbers(series, next - 1, &row);
		for (n = 0; n < series->nr_types; n++)
			value[n] = kmprof_saturated_sum(value[n], row.value[n]);
	}
}

__u32 kmprof_stacks_common(const struct kmprof_stacks *stacks, size_t i)
{
	return i ? common(&stacks->stack[i - 1], &stacks->stack[i]) : 0;
}
