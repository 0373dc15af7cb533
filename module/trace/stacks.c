// SPDX-License-Identifier: GPL-2.0
/*
 * The table of the stacks of a trace. Events of all CPUs look stacks up in it, and add those that
 * are not there. The reader takes those that it has not taken yet.
 *
 * Stacks lie one behind the other in the form in which they are read, and are never moved or
 * removed. A hash table says where. Nobody takes a lock:
 *
 *	a CPU that adds a stack		the reader
 *	takes room, by cmpxchg		sees that room was taken
 *	writes the stack		waits for its number
 *	writes its number (release)	(acquire)
 *	puts it into the hash table
 *	(release), where others look
 *	it up (acquire)
 *
 * The reader waits for some hundred instructions of another CPU, which has interrupts off. If two
 * CPUs add the same stack at the same time, it is there twice, with two numbers. One of them is in
 * the hash table, and in the records.
 *
 * Source: traceStackTable of Go's trace.go.
 */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <uapi/linux/kmprof.h>

#include "core/guard.h"
#include "stack/stack.h"
#include "stack/trail.h"
#include "trace/stacks.h"

enum {
	/* Bytes of room for each place in the hash table: less than most stacks take. */
	BYTES_PER_PLACE	= 32,
	/* Places that are looked at for a stack. */
	NR_PROBES	= 32,
	/* A stack begins with a word, and each of its frames is one. */
	WORD		= sizeof(u64),
	/* Room that is not used: then no stack lies at 0. */
	FIRST_WORD	= 1,
};

static_assert(sizeof(struct kmprof_trace_stack) == WORD);
/* The reader gets on: any stack fits into a batch. */
static_assert(sizeof(struct kmprof_trace_batch) + (1 + KMPROF_STACK_DEPTH_MAX) * WORD <=
	      KMPROF_TRACE_BATCH_MAX);

/**
 * struct table - the stacks
 * @words: the stacks
 * @nr_words: room for so many words
 * @places: the hash table. Upper half: the lower half of the hash; lower half: where the stack is
 *	in @words. 0: empty. Written once
 * @shift: the upper bits of a hash, from this one on, are the place that it prefers
 * @mask: number of places - 1
 * @used: upper half: number of stacks; lower half: words that are used
 * @taken: words that were read. Written by the reader
 * @trails: of each CPU, 1 << KMPROF_TRAIL_BITS of them, which have numbers of stacks
 * @scratch: where a CPU walks. Interrupts are off: a second walk at a time can only be that of a
 *	wait for a lock which the kernel's unwinder takes, and is refused
 */
struct table {
	u64 *words;
	u32 nr_words;
	u64 *places;
	unsigned int shift;
	u32 mask;
	struct kmprof_trail *trails;
	struct kmprof_scratch __percpu *scratch;
	u32 taken ____cacheline_aligned;
	atomic64_t used ____cacheline_aligned;
};

static struct table table;

static struct kmprof_trace_stack *stack_at(u32 word)
{
	return (void *)&table.words[word];
}

static u32 words_of(const struct kmprof_trace_stack *stack)
{
	return 1 + stack->nr_frames;
}

static u16 flags_of(const struct kmprof_stack *stack)
{
	return stack->truncated ? KMPROF_TRACE_STACK_TRUNCATED : 0;
}

static bool is_same(u64 place, const struct kmprof_stack *stack)
{
	const struct kmprof_trace_stack *s = stack_at(place);
	unsigned int i;

	if (place >> 32 != (u32)stack->hash || s->nr_frames != stack->nr)
		return false;
	for (i = 0; i < stack->nr; i++)
		if (s->frames[i] != stack->frames[i])
			return false;
	return s->flags == flags_of(stack);
}

/* Add a stack, for the hash table. Returns what its place is to hold; 0: there is no room. */
static noinline u64 add(const struct kmprof_stack *stack)
{
	s64 used = atomic64_read(&table.used), words = 1 + stack->nr;
	struct kmprof_trace_stack *s;
	unsigned int i;

	do {
		if ((u32)used + words > table.nr_words)
			return 0;
	} while (!atomic64_try_cmpxchg(&table.used, &used, used + words + BIT_ULL(32)));
	s = stack_at(used);
	/* After a crash, those behind it can be found. */
	s->nr_frames = stack->nr;
	s->flags = flags_of(stack);
	barrier();
	for (i = 0; i < stack->nr; i++)
		s->frames[i] = stack->frames[i];
	/* Pairs with kmprof_trace_stacks_peek(). */
	smp_store_release(&s->number, (u32)(used >> 32) + 1);
	return stack->hash << 32 | (u32)used;
}

/**
 * kmprof_trace_stacks_number_of() - get the number of a stack that was captured
 * @stack: the stack
 *
 * Context: Any but NMI. Interrupts off. Takes no locks.
 * Return: the number; 0: there is no room.
 */
u32 kmprof_trace_stacks_number_of(const struct kmprof_stack *stack)
{
	u32 first = stack->hash >> table.shift, i;
	u64 place, added = 0, *at;

	for (i = 0; i < NR_PROBES; i++) {
		at = &table.places[(first + i) & table.mask];
		/* Pairs with the cmpxchg() of the CPU that has added it: it is complete. */
		place = smp_load_acquire(at);
		if (!place) {
			added = added ?: add(stack);
			if (!added)
				break;
			place = cmpxchg(at, 0, added) ?: added;
		}
		if (is_same(place, stack))
			return stack_at(place)->number;
	}
	return 0;
}

/* Returns the number of a stack; 0: there is no room. @is_own: returns whether kmprof is on it. */
static u32 capture(const struct kmprof_stack_start *start, bool *is_own)
{
	struct kmprof_scratch *scratch = this_cpu_ptr(table.scratch);
	struct kmprof_stack stack;
	u32 number = 0;

	*is_own = false;
	if (scratch->busy)
		return 0;
	scratch->busy = true;
	barrier();
	kmprof_stack_capture(scratch, start, &stack);
	if (stack.own)
		*is_own = true;
	else
		number = kmprof_trace_stacks_number_of(&stack);
	barrier();
	scratch->busy = false;
	return number;
}

static noinline u32 walk(struct kmprof_trail *trail, const unsigned long *frame)
{
	const struct kmprof_stack_start start = { .at = KMPROF_STACK_IN_SCHED, .frame = frame };
	bool is_own;
	u32 number = capture(&start, &is_own);

	if (number)
		kmprof_trail_note(trail, frame, number);
	return number;
}

/**
 * kmprof_trace_stacks_number() - get the number of the current stack
 * @frame: __builtin_frame_address(0) of a handler of a tracepoint of the scheduler. The stack
 *	begins at the caller of the scheduler's function
 *
 * Source: traceStackTable.put() of Go's trace.go.
 *
 * Context: Any but NMI. Interrupts off. Takes no locks.
 * Return: the number; 0: there is no room.
 */
u32 kmprof_trace_stacks_number(const unsigned long *frame)
{
	struct kmprof_trail *trails = &table.trails[smp_processor_id() << KMPROF_TRAIL_BITS];
	struct kmprof_trail *trail = kmprof_trail_find(trails, frame);

	if (likely(kmprof_trail_follow(trail, frame)))
		return trail->of;
	return walk(trail, frame);
}

/**
 * kmprof_trace_stacks_number_of_wait() - get the number of the stack of a wait for a lock
 * @sleeps: tasks sleep for the lock, they do not spin
 * @number: returns the number; 0: there is no room
 *
 * Called in a handler of contention_begin. The stack begins at the caller of the lock's function.
 * It is walked by rules each time: there is no trail for a stack that begins behind a part of the
 * frames.
 *
 * Context: Any but NMI. Interrupts off. Takes no locks.
 * Return: true; false if kmprof itself waits.
 */
bool kmprof_trace_stacks_number_of_wait(bool sleeps, u32 *number)
{
	const struct kmprof_stack_start start = { .at = KMPROF_STACK_IN_WAIT, .sleeps = sleeps };
	bool is_own;

	*number = capture(&start, &is_own);
	return !is_own;
}

/**
 * kmprof_trace_stacks_are_new() - are there stacks that were not read?
 *
 * Context: Process context. Single reader.
 * Return: true if so.
 */
bool kmprof_trace_stacks_are_new(void)
{
	return (u32)atomic64_read(&table.used) != table.taken;
}

/**
 * kmprof_trace_stacks_peek() - get some stacks that were not read
 * @batch: returns the start of a batch of them
 * @room: bytes there are for it
 *
 * Context: Process context. Single reader.
 * Return: the stacks, one behind the other; NULL: there are none, or there is no room.
 */
const struct kmprof_trace_stack *kmprof_trace_stacks_peek(struct kmprof_trace_batch *batch,
							  size_t room)
{
	u32 used = atomic64_read(&table.used), word = table.taken;
	struct kmprof_trace_stack *s;

	*batch = (struct kmprof_trace_batch) {
		.bytes	= sizeof(*batch),
		.cpu	= nr_cpu_ids,
		.flags	= KMPROF_TRACE_STACKS,
	};
	for (; word != used; word += words_of(s)) {
		s = stack_at(word);
		/* Pairs with add(). */
		smp_cond_load_acquire(&s->number, VAL);
		if (batch->bytes + words_of(s) * WORD > min(room, KMPROF_TRACE_BATCH_MAX))
			break;
		batch->bytes += words_of(s) * WORD;
		batch->nr++;
	}
	return batch->nr ? stack_at(table.taken) : NULL;
}

/**
 * kmprof_trace_stacks_taken() - some stacks were read
 * @batch: from kmprof_trace_stacks_peek()
 *
 * Context: Process context. Single reader.
 */
void kmprof_trace_stacks_taken(const struct kmprof_trace_batch *batch)
{
	table.taken += (batch->bytes - sizeof(*batch)) / WORD;
}

/**
 * kmprof_trace_stacks_tell() - tell where the stacks are, for struct kmprof_trace_crash
 * @stacks: returns the address of the first one; 0: there is no table
 * @used: returns the address of their number and end
 *
 * Context: Process context.
 */
void kmprof_trace_stacks_tell(u64 *stacks, u64 *used)
{
	*stacks = table.words ? (unsigned long)stack_at(FIRST_WORD) : 0;
	*used = (unsigned long)&table.used;
}

/**
 * kmprof_trace_stacks_create() - create the table
 * @bytes: room for stacks, a power of two
 *
 * Context: Process context. Sleeps.
 * Return: 0, or -ENOMEM: kmprof_trace_stacks_destroy() is due all the same.
 */
int kmprof_trace_stacks_create(size_t bytes)
{
	const gfp_t gfp = GFP_KERNEL_ACCOUNT | __GFP_NOWARN | __GFP_RETRY_MAYFAIL | __GFP_ZERO;
	u32 nr_places = bytes / BYTES_PER_PLACE;

	table = (struct table) {
		.words		= kvmalloc(bytes, gfp),
		.nr_words	= bytes / WORD,
		.places		= kvmalloc_array(nr_places, sizeof(*table.places), gfp),
		.shift		= BITS_PER_LONG_LONG - ilog2(nr_places),
		.mask		= nr_places - 1,
		.trails		= kvcalloc(nr_cpu_ids << KMPROF_TRAIL_BITS,
					   sizeof(*table.trails), gfp),
		.scratch	= alloc_percpu_gfp(struct kmprof_scratch,
						   GFP_KERNEL | __GFP_NOWARN),
		.taken		= FIRST_WORD,
		.used		= ATOMIC64_INIT(FIRST_WORD),
	};
	return table.words && table.places && table.trails && table.scratch ? 0 : -ENOMEM;
}

/**
 * kmprof_trace_stacks_destroy() - free the table, if there is one
 *
 * Context: Process context, a grace period after the last event. Sleeps.
 */
void kmprof_trace_stacks_destroy(void)
{
	kvfree(table.words);
	kvfree(table.places);
	kvfree(table.trails);
	free_percpu(table.scratch);
	table = (struct table) {};
}
