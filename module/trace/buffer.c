// SPDX-License-Identifier: GPL-2.0
/*
 * The rings of all CPUs: their memory, the end of a block, and the reader's side.
 *
 * A CPU that comes online gets its memory before it runs. If there is none, its events are lost,
 * and counted. The open block of a CPU that goes offline can be read.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/topology.h>

#include "trace/buffer.h"

struct kmprof_trace_cpu __percpu *kmprof_trace_cpus;

/* Blocks of each CPU. */
static unsigned long nr_blocks;
static enum cpuhp_state hotplug_state;
/* Called when a block is full, as kmprof_trace_begin() is. */
static void (*on_filled)(void);

/* Complete the open block, if there is one. */
static void close_block(struct kmprof_trace_cpu *c)
{
	struct kmprof_trace_batch *batch = c->batch;

	if (!batch)
		return;
	batch->bytes = c->at - (u8 *)batch;
	batch->nr = c->number - batch->number;
	c->told = c->number;
	/* Pairs with kmprof_trace_buffer_peek(). */
	smp_store_release(&c->head, c->head + 1);
	/* After a crash, either the block counts or it is open: see struct kmprof_trace_crash. */
	barrier();
	c->batch = NULL;
	c->at = NULL;
	c->end = NULL;
	c->nr_begun = 0;
}

/**
 * kmprof_trace_make_room() - begin another block, or count a lost event unless rings are frozen
 * @c: ring of this CPU
 * @ticks: ticks now
 *
 * Source: traceFlush() of Go's trace.go.
 *
 * Context: Any but NMI. Interrupts off.
 * Return: true if there is an open block.
 */
bool kmprof_trace_make_room(struct kmprof_trace_cpu *c, u64 ticks)
{
	struct kmprof_trace_batch *batch;

	if (c->batch) {
		close_block(c);
		on_filled();
	}
	if (!READ_ONCE(c->most))
		return false;
	/* Pairs with kmprof_trace_buffer_taken(): the reader has read what was in the block. */
	if (!c->memory || c->head - smp_load_acquire(&c->tail) >= READ_ONCE(c->most)) {
		c->number++;
		c->lost++;
		return false;
	}
	/* The kernel's clock can go back by some ns while it is adjusted. */
	c->ticks = max(ticks, c->ticks);
	batch = kmprof_trace_block(c, c->head);
	/* After a crash, no block has an old length and a new start; @batch has a whole start. */
	WRITE_ONCE(batch->bytes, 0);
	barrier();
	*batch = (struct kmprof_trace_batch) {
		.cpu	= smp_processor_id(),
		.tid	= current->pid,
		.number	= c->number,
		.ticks	= c->ticks,
	};
	c->at = (u8 *)(batch + 1);
	c->end = (u8 *)batch + KMPROF_TRACE_BATCH_MAX;
	barrier();
	c->batch = batch;
	return true;
}

/* Runs on any CPU, before @cpu does. Without memory, @cpu comes online nevertheless. */
static int give_memory(unsigned int cpu)
{
	struct kmprof_trace_cpu *c = per_cpu_ptr(kmprof_trace_cpus, cpu);

	if (!c->memory)
		c->memory = kvmalloc_node(nr_blocks * KMPROF_TRACE_BATCH_MAX,
					  GFP_KERNEL_ACCOUNT | __GFP_NOWARN | __GFP_RETRY_MAYFAIL,
					  cpu_to_node(cpu));
	return 0;
}

/* Runs on any CPU, after @cpu has run for the last time. */
static int take_block(unsigned int cpu)
{
	close_block(per_cpu_ptr(kmprof_trace_cpus, cpu));
	preempt_disable();
	on_filled();
	preempt_enable();
	return 0;
}

static bool all_have_memory(void)
{
	bool all = true;
	int cpu;

	cpus_read_lock();
	for_each_online_cpu(cpu)
		if (!per_cpu_ptr(kmprof_trace_cpus, cpu)->memory)
			all = false;
	cpus_read_unlock();
	return all;
}

static void free_memory(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		kvfree(per_cpu_ptr(kmprof_trace_cpus, cpu)->memory);
	free_percpu(kmprof_trace_cpus);
	kmprof_trace_cpus = NULL;
}

/**
 * kmprof_trace_buffer_create() - create the rings
 * @bytes: of each CPU, a power of two, at least KMPROF_TRACE_BATCH_MAX
 * @overwrites: a CPU writes over its oldest block; no reader until kmprof_trace_buffer_close()
 * @filled: called when a block is full: with interrupts off, in any context but NMI
 *
 * Context: Process context. Sleeps.
 * Return: 0 or a negative errno.
 */
int kmprof_trace_buffer_create(size_t bytes, bool overwrites, void (*filled)(void))
{
	struct kmprof_trace_cpu *c;
	int cpu, state;

	/* Otherwise tasks would be killed for memory that belongs to none. */
	if ((u64)bytes * num_online_cpus() >> PAGE_SHIFT > si_mem_available())
		return -ENOMEM;
	nr_blocks = bytes / KMPROF_TRACE_BATCH_MAX;
	on_filled = filled;
	kmprof_trace_cpus = alloc_percpu_gfp(struct kmprof_trace_cpu, GFP_KERNEL | __GFP_NOWARN);
	if (!kmprof_trace_cpus)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		c = per_cpu_ptr(kmprof_trace_cpus, cpu);
		c->mask = nr_blocks - 1;
		c->most = overwrites ? ULONG_MAX : nr_blocks;
	}
	state = cpuhp_setup_state(CPUHP_BP_PREPARE_DYN, "kmprof/trace:prepare", give_memory,
				  take_block);
	if (state < 0) {
		free_memory();
		return state;
	}
	hotplug_state = state;
	if (all_have_memory())
		return 0;
	kmprof_trace_buffer_destroy();
	return -ENOMEM;
}

static void begin_anew(void *unused)
{
	struct kmprof_trace_cpu *c = this_cpu_ptr(kmprof_trace_cpus);

	c->at = NULL;
	c->end = NULL;
	c->batch = NULL;
	c->nr_begun = 0;
	c->number = 0;
	c->lost = 0;
	c->told = 0;
	c->stackless = 0;
	c->head = 0;
	kmprof_trace_make_room(c, kmprof_trace_ticks());
}

/**
 * kmprof_trace_buffer_begin() - forget all records, and begin a block on each CPU
 *
 * What was recorded while tracepoints were armed is not complete. The blocks tell which tasks run,
 * even if nothing else is recorded.
 *
 * Context: Process context, when all tracepoints are armed. There is no reader.
 */
void kmprof_trace_buffer_begin(void)
{
	on_each_cpu(begin_anew, NULL, true);
}

/**
 * kmprof_trace_buffer_freeze() - begin no other block, so that none is written over
 *
 * Events that find no room are not counted as lost: they are of no interest any more.
 *
 * Context: Any.
 */
void kmprof_trace_buffer_freeze(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu_ptr(kmprof_trace_cpus, cpu)->most, 0);
}

/**
 * kmprof_trace_buffer_close() - complete the blocks that are open
 *
 * Context: Process context, a grace period after the last record. Sleeps.
 */
void kmprof_trace_buffer_close(void)
{
	int cpu;

	/* take_block() does the same. */
	cpus_read_lock();
	for_each_possible_cpu(cpu)
		close_block(per_cpu_ptr(kmprof_trace_cpus, cpu));
	cpus_read_unlock();
}

/**
 * kmprof_trace_buffer_destroy() - free the rings
 *
 * Context: Process context, a grace period after the last record. Sleeps.
 */
void kmprof_trace_buffer_destroy(void)
{
	cpuhp_remove_state_nocalls(hotplug_state);
	free_memory();
}

/**
 * kmprof_trace_buffer_peek() - get the oldest full block of a CPU
 * @cpu: the CPU, of any that are possible
 *
 * Context: Process context. Single reader.
 * Return: the batch; NULL: there is none.
 */
const struct kmprof_trace_batch *kmprof_trace_buffer_peek(unsigned int cpu)
{
	const struct kmprof_trace_cpu *c = per_cpu_ptr(kmprof_trace_cpus, cpu);

	/* Pairs with close_block(): what it has written can be read. */
	return smp_load_acquire(&c->head) == c->tail ? NULL : kmprof_trace_block(c, c->tail);
}

/**
 * kmprof_trace_buffer_taken() - give the oldest full block back
 * @cpu: its CPU
 *
 * Context: Process context. Single reader.
 */
void kmprof_trace_buffer_taken(unsigned int cpu)
{
	struct kmprof_trace_cpu *c = per_cpu_ptr(kmprof_trace_cpus, cpu);

	/* Pairs with kmprof_trace_make_room(): the CPU may write to it. */
	smp_store_release(&c->tail, c->tail + 1);
}

/**
 * kmprof_trace_buffer_is_ready() - is there a full block?
 *
 * Context: Process context.
 * Return: true if so.
 */
bool kmprof_trace_buffer_is_ready(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct kmprof_trace_cpu *c = per_cpu_ptr(kmprof_trace_cpus, cpu);

		if (READ_ONCE(c->head) != READ_ONCE(c->tail))
			return true;
	}
	return false;
}

/**
 * kmprof_trace_buffer_has_rest() - were events lost after the last block of a CPU?
 * @cpu: the CPU, of any that are possible
 * @ticks: when the trace was stopped
 * @rest: returns a batch without records that tells them
 *
 * Context: Process context, after kmprof_trace_buffer_close().
 * Return: true if so.
 */
bool kmprof_trace_buffer_has_rest(unsigned int cpu, u64 ticks, struct kmprof_trace_batch *rest)
{
	const struct kmprof_trace_cpu *c = per_cpu_ptr(kmprof_trace_cpus, cpu);

	*rest = (struct kmprof_trace_batch) {
		.bytes	= sizeof(*rest),
		.cpu	= cpu,
		.number	= c->number,
		.ticks	= max(ticks, c->ticks),
	};
	return c->number != c->told;
}

/**
 * kmprof_trace_buffer_count() - count the events
 * @end: returns the number of records, of events that were lost, and of records without a stack
 *
 * Context: Process context, a grace period after the last record.
 */
void kmprof_trace_buffer_count(struct kmprof_trace_end *end)
{
	int cpu;

	end->events = 0;
	end->lost = 0;
	end->stackless = 0;
	for_each_possible_cpu(cpu) {
		const struct kmprof_trace_cpu *c = per_cpu_ptr(kmprof_trace_cpus, cpu);

		end->events += c->number - c->lost;
		end->lost += c->lost;
		end->stackless += c->stackless;
	}
}
