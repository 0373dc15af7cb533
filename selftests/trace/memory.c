// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "trace/memory.h"

#define PAGE 4096

/* Pages have addresses one behind the other only if addresses are told. */
static int add(struct memory *memory, const struct record *r, uint64_t where, uint64_t nr)
{
	struct memory_step *more;

	if (!(memory->nr & (memory->nr + 1))) {
		more = realloc(memory->steps, (2 * memory->nr + 1) * sizeof(*more));
		if (!more)
			return -ENOMEM;
		memory->steps = more;
	}
	memory->steps[memory->nr++] = (struct memory_step) {
		.kind		= r->args[1],
		.where		= where,
		.ticks		= r->ticks,
		.bytes		= r->args[2] / nr,
		.weight		= r->args[3] / nr,
		.is_alloc	= r->type == KMPROF_TRACE_ALLOC,
		.context	= r->context,
		.stack		= r->stack,
	};
	return 0;
}

static int take(const struct record *r, void *data)
{
	struct memory *memory = data;
	uint64_t i, nr = 1;
	int err = 0;

	if (r->type != KMPROF_TRACE_ALLOC && r->type != KMPROF_TRACE_FREE)
		return 0;
	if (r->args[1] >= MEMORY_KINDS || !r->args[2])
		return -EBADMSG;
	if (r->args[1] == KMPROF_KIND_PAGE)
		nr = r->args[2] / PAGE;
	if (!nr || r->args[2] % nr || r->args[3] % nr)
		return -EBADMSG;
	for (i = 0; !err && i < nr; i++)
		err = add(memory, r, r->args[0] + i * PAGE, nr);
	if (r->type == KMPROF_TRACE_FREE) {
		memory->frees[r->args[1]] += nr;
		return err;
	}
	memory->allocs[r->args[1]] += nr;
	memory->in_context[r->context] += nr;
	return err;
}

static int by_object(const void *a, const void *b)
{
	const struct memory_step *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->where != y->where)
		return x->where < y->where ? -1 : 1;
	return x->ticks < y->ticks ? -1 : x->ticks > y->ticks;
}

/**
 * memory_read() - gather what a trace tells
 * @memory: filled in; to be freed
 *
 * Return: 0 or a negative errno: -EBADMSG: no kind has such numbers.
 */
int memory_read(struct memory *memory, const struct session *s)
{
	int err;

	*memory = (struct memory) {};
	err = session_walk(s, take, memory);
	qsort(memory->steps, memory->nr, sizeof(*memory->steps), by_object);
	return err;
}

void memory_free(struct memory *memory)
{
	free(memory->steps);
	*memory = (struct memory) {};
}

/**
 * memory_wrong() - find what cannot be
 *
 * Nothing is in use when the trace begins. Then an object is allocated, freed, allocated, and so
 * on, and freed as what it was allocated as.
 *
 * Return: the first step that does not do so; or NULL.
 */
const struct memory_step *memory_wrong(const struct memory *memory)
{
	const struct memory_step *step = memory->steps, *before = NULL;
	size_t i;

	for (i = 0; i < memory->nr; i++, before = step++) {
		if (before && (before->kind != step->kind || before->where != step->where))
			before = NULL;
		if (step->is_alloc != (!before || !before->is_alloc))
			return step;
		if (!step->is_alloc &&
		    (before->bytes != step->bytes || before->weight != step->weight))
			return step;
	}
	return NULL;
}
