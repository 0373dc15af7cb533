/* SPDX-License-Identifier: GPL-2.0 */
/* The memory that a trace tells of, object by object. */
#ifndef TRACE_MEMORY_H
#define TRACE_MEMORY_H

#include "trace/session.h"

enum { MEMORY_KINDS = 4, MEMORY_CONTEXTS = 3 };

/**
 * struct memory_step - an object is allocated or freed; of pages, each is one
 * @kind: enum kmprof_kind_id
 * @where: what the trace tells of it: its address, or another number
 * @ticks: when
 * @bytes: of it
 * @weight: bytes that it stands for
 * @is_alloc: it is allocated
 * @context: enum kmprof_trace_context
 * @stack: where, or NULL
 */
struct memory_step {
	uint64_t kind;
	uint64_t where;
	uint64_t ticks;
	uint64_t bytes;
	uint64_t weight;
	int is_alloc;
	unsigned int context;
	const struct kmprof_trace_stack *stack;
};

/**
 * struct memory - all of them
 * @steps: array, by object, and those of an object by time
 * @nr: how many
 * @allocs: by kind: objects allocated
 * @frees: by kind: objects freed
 * @in_context: by context: objects allocated
 */
struct memory {
	struct memory_step *steps;
	size_t nr;
	uint64_t allocs[MEMORY_KINDS];
	uint64_t frees[MEMORY_KINDS];
	uint64_t in_context[MEMORY_CONTEXTS];
};

int memory_read(struct memory *memory, const struct session *s);
void memory_free(struct memory *memory);
const struct memory_step *memory_wrong(const struct memory *memory);

#endif
