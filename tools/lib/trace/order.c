// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace/order.h"

/* At most so many CPUs are looked at for each item: no file can make that take for ever. */
enum { TIES_MOST = 256 };

static bool comes_before(const struct kmprof_cursor *a, const struct kmprof_cursor *b)
{
	return a->ticks != b->ticks ? a->ticks < b->ticks : a->cpu < b->cpu;
}

static void swap(struct kmprof_order *order, size_t i, size_t j)
{
	struct kmprof_cursor *c = order->heap[i];

	order->heap[i] = order->heap[j];
	order->heap[j] = c;
}

static void move_up(struct kmprof_order *order, size_t i)
{
	for (; i && comes_before(order->heap[i], order->heap[(i - 1) / 2]); i = (i - 1) / 2)
		swap(order, i, (i - 1) / 2);
}

static void move_down(struct kmprof_order *order, size_t i)
{
	size_t child;

	for (; (child = 2 * i + 1) < order->nr; i = child) {
		if (child + 1 < order->nr &&
		    comes_before(order->heap[child + 1], order->heap[child]))
			child++;
		if (!comes_before(order->heap[child], order->heap[i]))
			break;
		swap(order, i, child);
	}
}

/* Return: the number of batches of the CPU that the batch at @i is the first one of. */
static size_t batches_of_cpu(const struct kmprof_trace_index *index, size_t i)
{
	size_t end = i;

	while (end < index->nr && index->place[end].cpu == index->place[i].cpu)
		end++;
	return end - i;
}

static size_t count_cpus(const struct kmprof_trace_index *index)
{
	size_t i, nr = 0;

	for (i = 0; i < index->nr; i += batches_of_cpu(index, i))
		nr++;
	return nr;
}

/* Return: 1: there is an item since the start of the trace; 0: there is none; a negative errno. */
static int skip_to_start(struct kmprof_order *order, struct kmprof_cursor *c,
			 struct kmprof_error *err)
{
	int ret = 1;

	while (ret > 0 && c->ticks < order->trace->header.start.ticks) {
		ret = 0;
		if (c->kind == KMPROF_ITEM_RECORD)
			ret = kmprof_cursor_read(c, order->trace, &order->record, err);
		if (!ret)
			ret = kmprof_cursor_next(c, order->trace, &order->record, err);
	}
	return ret;
}

int kmprof_order_begin(struct kmprof_order *order, const struct kmprof_trace *trace,
		       struct kmprof_error *err)
{
	const struct kmprof_trace_index *index = trace->index;
	struct kmprof_cursor *c;
	size_t i, n, room;
	int ret;

	order->trace = trace;
	order->nr = 0;
	order->nr_cursors = 0;
	room = count_cpus(index);
	order->cursor = calloc(room ? room : 1, sizeof(*order->cursor));
	order->heap = calloc(room ? room : 1, sizeof(*order->heap));
	if (!order->cursor || !order->heap)
		return kmprof_error_set(err, -ENOMEM, NULL, "%s: out of memory", trace->name);
	for (i = 0; i < index->nr; i += n) {
		n = batches_of_cpu(index, i);
		c = &order->cursor[order->nr_cursors++];
		ret = kmprof_cursor_begin(c, trace, &index->place[i], n, err);
		if (!ret)
			ret = skip_to_start(order, c, err);
		if (ret < 0)
			return ret;
		if (!ret)
			continue;
		order->heap[order->nr] = c;
		move_up(order, order->nr++);
	}
	return 0;
}

void kmprof_order_release(struct kmprof_order *order)
{
	size_t i;

	for (i = 0; i < order->nr_cursors; i++)
		kmprof_cursor_release(&order->cursor[i]);
	free(order->cursor);
	free(order->heap);
	order->cursor = NULL;
	order->heap = NULL;
	order->nr_cursors = 0;
	order->nr = 0;
}

/* Reads the record at @i. Return: 1: it waits for others; 0: it does not; or a negative errno. */
static int read_at(struct kmprof_order *order, size_t i, struct kmprof_error *err)
{
	struct kmprof_record *record = &order->record;
	int ret;

	if (order->heap[i]->kind != KMPROF_ITEM_RECORD)
		return 0;
	ret = kmprof_cursor_read(order->heap[i], order->trace, record, err);
	if (ret)
		return ret;
	return record->type == KMPROF_TRACE_SWITCH &&
	       !order->is_ready(order->of, (__u32)record->args[0]);
}

/*
 * Puts the place of the item that comes next into *@at, and reads its record. The first one waits
 * only for those at the same time; if all wait for each other, it is the first one all the same.
 */
static int choose(struct kmprof_order *order, size_t *at, struct kmprof_error *err)
{
	__u64 ticks = order->heap[0]->ticks;
	size_t i;
	int ret;

	for (i = 0; i < order->nr && i < TIES_MOST; i++) {
		if (order->heap[i]->ticks != ticks)
			continue;
		*at = i;
		ret = read_at(order, i, err);
		if (ret <= 0)
			return ret;
		/* Most often there is no other one, which the top of the heap tells. */
		if (!i && !(order->nr > 1 && order->heap[1]->ticks == ticks) &&
		    !(order->nr > 2 && order->heap[2]->ticks == ticks))
			return 0;
	}
	*at = 0;
	ret = read_at(order, 0, err);
	return ret < 0 ? ret : 0;
}

static void fill_in(const struct kmprof_order *order, const struct kmprof_cursor *c,
		    struct kmprof_item *item)
{
	*item = (struct kmprof_item){
		.kind = c->kind, .cpu = c->cpu, .ticks = c->ticks, .number = c->number,
	};
	if (c->kind == KMPROF_ITEM_RECORD)
		item->record = &order->record;
	if (c->kind == KMPROF_ITEM_BATCH)
		item->tid = kmprof_cursor_batch_tid(c);
	/* Behind the last batch is no other one. */
	if (c->kind == KMPROF_ITEM_RECORD || !c->place)
		return;
	item->lost = c->gap;
	item->from_ticks = c->gap_ticks;
	item->to_ticks = c->batch.ticks;
}

int kmprof_order_next(struct kmprof_order *order, struct kmprof_item *item,
		      struct kmprof_error *err)
{
	struct kmprof_cursor *c;
	size_t i;
	int ret;

	if (!order->nr)
		return 0;
	ret = choose(order, &i, err);
	if (ret)
		return ret;
	c = order->heap[i];
	fill_in(order, c, item);
	ret = kmprof_cursor_next(c, order->trace, &order->record, err);
	if (ret < 0)
		return ret;
	if (!ret)
		order->heap[i] = order->heap[--order->nr];
	/* What takes this place belongs further down, or further up in another branch. */
	move_down(order, i);
	if (i < order->nr)
		move_up(order, i);
	return 1;
}
