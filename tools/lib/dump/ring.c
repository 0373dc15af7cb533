// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "dump/ring.h"

enum {
	BLOCKS_MAX	= KMPROF_TRACE_BUFFER_MAX / KMPROF_TRACE_BATCH_MAX,
};

/* Of a CPU: no recorder runs for so long, and those of all CPUs can be counted. */
#define EVENTS_MAX	0x400000000000ULL

/**
 * struct state - numbers of a ring
 * @head: number of full blocks so far
 * @tail: the first one that is of interest
 * @batch: address of the one that is being filled, or 0
 * @at: end of its last record
 */
struct state {
	__u64 head;
	__u64 tail;
	__u64 batch;
	__u64 at;
};

/* Room for a block. */
struct room {
	struct kmprof_trace_batch batch;
	char more[KMPROF_TRACE_BATCH_MAX - sizeof(struct kmprof_trace_batch)];
};

static __u64 address_of(const struct kmprof_dump_ring *ring, __u64 n)
{
	return ring->address + (n & ring->mask) * KMPROF_TRACE_BATCH_MAX;
}

static int is_possible(const struct kmprof_dump *dump, const struct kmprof_trace_crash *crash,
		       __u32 cpu, bool *is, struct kmprof_error *err)
{
	__u64 word;
	int ret = kmprof_dump_word(dump, crash->possible + cpu / 64 * sizeof(word), &word, err);

	*is = !ret && word >> cpu % 64 & 1;
	return ret;
}

static int read_state(struct kmprof_dump_ring *ring, struct state *state,
		      const struct kmprof_dump *dump, const struct kmprof_trace_crash *crash,
		      struct kmprof_error *err)
{
	const struct { __u32 offset; __u64 *to; } word[] = {
		{ crash->blocks, &ring->address }, { crash->mask, &ring->mask },
		{ crash->head_block, &state->head }, { crash->tail_block, &state->tail },
		{ crash->batch, &state->batch }, { crash->at, &state->at },
		{ crash->number, &ring->number }, { crash->stackless, &ring->stackless },
	};
	__u64 at;
	size_t i;
	int ret;

	ret = kmprof_dump_word(dump, crash->cpu_offsets + ring->cpu * sizeof(at), &at, err);
	for (i = 0; !ret && i < ARRAY_SIZE(word); i++)
		ret = kmprof_dump_word(dump, crash->rings + at + word[i].offset, word[i].to, err);
	return ret;
}

/* Return: whether the numbers can be right. */
static bool number_blocks(struct kmprof_dump_ring *ring, const struct state *state)
{
	__u64 end = state->head, filled = state->at - state->batch;

	if (ring->mask >= BLOCKS_MAX || ring->mask & (ring->mask + 1) || end > LLONG_MAX ||
	    ring->number > EVENTS_MAX)
		return false;
	if (state->batch == address_of(ring, state->head) &&
	    filled >= sizeof(struct kmprof_trace_batch) && filled <= KMPROF_TRACE_BATCH_MAX) {
		ring->open_bytes = (__u32)filled;
		end++;
	}
	ring->first = end > ring->mask + 1 ? end - ring->mask - 1 : 0;
	if (ring->first < state->tail)
		ring->first = state->tail;
	if (ring->first > end)
		return false;
	ring->nr = (__u32)(end - ring->first);
	return true;
}

int kmprof_dump_ring_read(const struct kmprof_dump_ring *ring, const struct kmprof_dump *dump,
			  __u32 i, struct kmprof_trace_batch *batch)
{
	const struct kmprof_dump_block *block = &ring->block[i];
	int ret = kmprof_dump_read(dump, address_of(ring, ring->first + i), batch, block->bytes,
				   NULL);

	if (!ret && (batch->number != block->number || batch->ticks != block->ticks))
		ret = -ENODATA;
	batch->bytes = block->bytes;
	batch->nr = block->nr;
	return ret;
}

/* The start of a block. Return: whether it can be right. */
static bool look_at_start(struct kmprof_dump_ring *ring, const struct kmprof_dump *dump, __u32 i,
			  struct kmprof_trace_batch *batch)
{
	struct kmprof_dump_block *block = &ring->block[i];
	bool is_open = ring->open_bytes && i + 1 == ring->nr;

	if (kmprof_dump_read(dump, address_of(ring, ring->first + i), batch, sizeof(*batch), NULL))
		return false;
	block->number = batch->number;
	block->ticks = batch->ticks;
	block->nr = batch->nr;
	block->bytes = is_open ? ring->open_bytes : batch->bytes;
	if (!i)
		ring->is_begun = !block->bytes && ring->nr > ring->mask;
	return block->bytes >= sizeof(*batch) && block->bytes <= KMPROF_TRACE_BATCH_MAX &&
	       batch->cpu == ring->cpu && !batch->flags && batch->tid <= INT_MAX &&
	       batch->number <= EVENTS_MAX;
}

/*
 * A CPU that was being stopped may have counted one event less than it has recorded. Return:
 * whether there are as many as there should be.
 */
static bool take_count(struct kmprof_dump_ring *ring, __u32 i, __u32 nr)
{
	struct kmprof_dump_block *block = &ring->block[i];
	__u64 end = block->number + nr;

	if (!ring->open_bytes || i + 1 != ring->nr)
		return nr == block->nr;
	block->nr = nr;
	if (end - ring->number > 1)
		return false;
	ring->number = end;
	return true;
}

/* What is behind a block has come after it. Return: whether it is good. */
static bool look_at_block(struct kmprof_dump_ring *ring, const struct kmprof_dump *dump, __u32 i,
			  const struct kmprof_dump_limits *limits,
			  const struct kmprof_dump_block *behind)
{
	struct kmprof_dump_block *block = &ring->block[i];
	struct room room;
	__u64 ticks;
	__u32 nr;

	if (!look_at_start(ring, dump, i, &room.batch) ||
	    kmprof_dump_ring_read(ring, dump, i, &room.batch) ||
	    !kmprof_dump_records_count(limits, &room.batch, &nr, &ticks) ||
	    !take_count(ring, i, nr))
		return false;
	if (behind && (block->number + nr > behind->number || ticks > behind->ticks))
		return false;
	if (!behind) {
		if (block->number + nr > ring->number || ticks > LLONG_MAX)
			return false;
		ring->ticks = ticks;
	}
	return true;
}

/*
 * From the last one, which is of most interest, to the first one. That has no length if another one
 * was about to be filled in its place.
 */
static void look_at_blocks(struct kmprof_dump_ring *ring, const struct kmprof_dump *dump,
			   const struct kmprof_dump_limits *limits)
{
	const struct kmprof_dump_block *behind = NULL;
	__u32 i;

	for (i = ring->nr; i-- > 0;) {
		if (look_at_block(ring, dump, i, limits, behind))
			behind = &ring->block[i];
		else
			ring->block[i].bytes = 0;
	}
}

int kmprof_dump_ring_look(struct kmprof_dump_ring *ring, const struct kmprof_dump *dump,
			  const struct kmprof_trace_crash *crash, __u32 cpu,
			  const struct kmprof_dump_limits *limits, struct kmprof_error *err)
{
	struct state state;
	bool is;
	int ret;

	*ring = (struct kmprof_dump_ring){ .cpu = cpu };
	ret = is_possible(dump, crash, cpu, &is, err);
	if (ret || !is)
		return ret;
	ret = read_state(ring, &state, dump, crash, err);
	if (ret || !ring->address)
		return ret;
	if (!number_blocks(ring, &state))
		return kmprof_error_set(err, -ENODATA, NULL, "%s: the ring of CPU %u is damaged",
					dump->name, cpu);
	ring->block = calloc((size_t)ring->nr + 1, sizeof(*ring->block));
	if (!ring->block)
		return kmprof_error_set(err, -ENOMEM, NULL, "%s: out of memory", dump->name);
	look_at_blocks(ring, dump, limits);
	return 0;
}
