// SPDX-License-Identifier: GPL-2.0
/*
 * Adds parts to tables that fill up, and frees them. Only one worker adds parts to a table;
 * parts are freed when no probe uses the table.
 */
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "core/kick.h"
#include "lock/growing.h"

enum {
	/*
	 * A part that is taken by 1 / ENOUGH gets a successor. Probes look at a few adjacent
	 * entries only: long before all are taken, some find none that is free.
	 */
	ENOUGH = 4,
};

static bool is_filling_up(const struct kmprof_growing *g, unsigned int part)
{
	unsigned int i, size = kmprof_growing_size(g, part), taken = 0;

	for (i = 0; i < size; i++) {
		taken += g->is_taken(kmprof_growing_entry(g, part, i));
		if (taken >= size / ENOUGH)
			return true;
		cond_resched();
	}
	return false;
}

static void *alloc_part(const struct kmprof_growing *g, unsigned int part)
{
	return kvcalloc(kmprof_growing_size(g, part), g->entry_size, GFP_KERNEL | __GFP_NOWARN);
}

/* Returns false when there can be no more parts. */
static bool add_part(struct kmprof_growing *g)
{
	unsigned int nr = g->nr;

	if (kmprof_growing_size(g, nr) > KMPROF_WAITS_MAX)
		return false;
	if (!is_filling_up(g, nr - 1))
		return true;
	g->part[nr] = alloc_part(g, nr);
	if (!g->part[nr])
		return true;
	/* Pairs with smp_load_acquire() in kmprof_growing_nr(). */
	smp_store_release(&g->nr, nr + 1);
	return true;
}

/* Without memory for a part, the next kick tries again. */
static void grow(struct work_struct *work)
{
	struct kmprof_growing *g = container_of(work, struct kmprof_growing, worker.work);

	if (add_part(g))
		WRITE_ONCE(g->kicked, false);
}

/**
 * kmprof_growing_kick() - a part fills up: ask for the next one
 * @g: the table
 *
 * A CPU that is going offline, where kmprof_kick() does nothing, leaves it to others.
 *
 * Context: Any but NMI. Preemption off.
 */
void kmprof_growing_kick(struct kmprof_growing *g)
{
	if (READ_ONCE(g->kicked))
		return;
	WRITE_ONCE(g->kicked, true);
	if (!kmprof_kick(&g->worker))
		WRITE_ONCE(g->kicked, false);
}

/**
 * kmprof_growing_forget() - empty a table, and free all its parts but the first
 * @g: the table
 *
 * Context: Process context. No probe uses the table meanwhile. Sleeps.
 */
void kmprof_growing_forget(struct kmprof_growing *g)
{
	kmprof_kick_cancel(&g->worker);
	while (g->nr > 1)
		kvfree(g->part[--g->nr]);
	memset(g->part[0], 0, g->first * g->entry_size);
	g->kicked = false;
}

/**
 * kmprof_growing_init() - allocate the first part of a table
 * @g: the table, with @entry_size, @window and @is_taken
 * @first: number of entries, a power of two up to KMPROF_WAITS_MAX
 *
 * Context: Process context. Sleeps.
 * Return: 0 or -ENOMEM.
 */
int kmprof_growing_init(struct kmprof_growing *g, unsigned int first)
{
	g->first = first;
	g->part[0] = alloc_part(g, 0);
	if (!g->part[0])
		return -ENOMEM;
	g->nr = 1;
	g->kicked = false;
	kmprof_kick_init(&g->worker, grow);
	return 0;
}

/**
 * kmprof_growing_exit() - free a table
 * @g: the table
 *
 * Context: Process context, after the last probe. Sleeps.
 */
void kmprof_growing_exit(struct kmprof_growing *g)
{
	kmprof_kick_cancel(&g->worker);
	while (g->nr)
		kvfree(g->part[--g->nr]);
}
