// SPDX-License-Identifier: GPL-2.0
#include <search.h>
#include <stdlib.h>

#include "schedule/causes.h"
#include "util/merge.h"
#include "util/saturate.h"

static int by_kind(const void *a, const void *b)
{
	const struct kmprof_cause *x = a, *y = b;

	if (x->why != y->why)
		return kmprof_compare_u64(x->why, y->why);
	if (x->reason != y->reason)
		return kmprof_compare_u64(x->reason, y->reason);
	if (x->context != y->context)
		return kmprof_compare_u64(x->context, y->context);
	if (x->lock != y->lock)
		return kmprof_compare_u64(x->lock, y->lock);
	if (x->kind != y->kind)
		return kmprof_compare_u64(x->kind, y->kind);
	if (x->handler != y->handler)
		return kmprof_compare_u64(x->handler, y->handler);
	if (x->stall != y->stall)
		return kmprof_compare_u64(x->stall, y->stall);
	if (x->call != y->call)
		return kmprof_compare_u64(x->call, y->call);
	if (x->idle != y->idle)
		return kmprof_compare_u64(x->idle, y->idle);
	if (x->of != y->of)
		return kmprof_compare_u64(x->of, y->of);
	return kmprof_compare_u64(x->name, y->name);
}

static struct kmprof_cause *create(struct kmprof_cause *of, const struct kmprof_cause *kind)
{
	struct kmprof_cause *cause = malloc(sizeof(*cause));

	if (!cause)
		return NULL;
	*cause = *kind;
	if (!tsearch(cause, &of->found, by_kind)) {
		free(cause);
		return NULL;
	}
	cause->next = of->causes;
	of->causes = cause;
	return cause;
}

struct kmprof_cause *kmprof_cause_add(struct kmprof_cause *of, const struct kmprof_cause *kind,
				      __u64 ns, __u64 count)
{
	struct kmprof_cause **found = tfind(kind, &of->found, by_kind), *cause;

	cause = found ? *found : create(of, kind);
	if (!cause)
		return NULL;
	cause->ns = kmprof_saturated_count(cause->ns, ns);
	cause->count = kmprof_saturated_count(cause->count, count);
	return cause;
}

static int by_stack(const void *a, const void *b)
{
	const struct kmprof_place *x = a, *y = b;

	return kmprof_compare_u64(x->stack, y->stack);
}

static int by_time(const void *a, const void *b)
{
	const struct kmprof_place *x = a, *y = b;

	return x->ns == y->ns ? by_stack(a, b) : kmprof_compare_u64(y->ns, x->ns);
}

static void add_up(void *sum, const void *more)
{
	struct kmprof_place *to = sum;
	const struct kmprof_place *from = more;

	to->ns = kmprof_saturated_count(to->ns, from->ns);
	to->count = kmprof_saturated_count(to->count, from->count);
}

int kmprof_cause_add_place(struct kmprof_cause *cause, const struct kmprof_place *place)
{
	return kmprof_growing_add(&cause->places, place, sizeof(*place));
}

const struct kmprof_place *kmprof_cause_places(const struct kmprof_cause *cause, size_t *nr)
{
	*nr = cause->places.used / sizeof(struct kmprof_place);
	return (const struct kmprof_place *)cause->places.bytes;
}

static void sort_places(struct kmprof_growing *places)
{
	size_t nr = places->used / sizeof(struct kmprof_place);

	if (!nr)
		return;
	nr = kmprof_merge(places->bytes, nr, sizeof(struct kmprof_place), by_stack, add_up);
	qsort(places->bytes, nr, sizeof(struct kmprof_place), by_time);
	places->used = nr * sizeof(struct kmprof_place);
}

/* Of two lists, each in order, the first is of causes that came later. */
static struct kmprof_cause *merge(struct kmprof_cause *late, struct kmprof_cause *early)
{
	struct kmprof_cause *first, **at = &first, **from;

	while (late && early) {
		from = late->ns > early->ns ? &late : &early;
		*at = *from;
		at = &(*at)->next;
		*from = *at;
	}
	*at = late ? late : early;
	return first;
}

/* Puts the longest first; of those that are equal, the last one of the list. */
static struct kmprof_cause *sort(struct kmprof_cause *list)
{
	struct kmprof_cause *middle = list, *end, *rest;

	if (!list || !list->next)
		return list;
	for (end = list->next; end && end->next; end = end->next->next)
		middle = middle->next;
	rest = middle->next;
	middle->next = NULL;
	return merge(sort(list), sort(rest));
}

/* tdestroy() frees its own nodes; the causes stay. */
static void keep(void *cause)
{
	(void)cause;
}

/* Frees what is there only while the causes below are made. */
static void forget(struct kmprof_cause *of)
{
	tdestroy(of->found, keep);
	of->found = NULL;
	free(of->edges.bytes);
	of->edges = (struct kmprof_growing){ 0 };
}

void kmprof_cause_finish(struct kmprof_cause *of)
{
	forget(of);
	of->causes = sort(of->causes);
	sort_places(&of->places);
}

void kmprof_causes_release(struct kmprof_cause *root)
{
	struct kmprof_cause *cause;

	while ((cause = root->causes)) {
		root->causes = cause->next;
		kmprof_causes_release(cause);
		free(cause);
	}
	forget(root);
	free(root->places.bytes);
}
