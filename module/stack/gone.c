// SPDX-License-Identifier: GPL-2.0
/*
 * Takes addresses out of circulation when their memory is about to be freed.
 *
 * The buckets with such addresses are unhashed, so that no later event counts in them. Then
 * the addresses are replaced by others, which nothing in a running kernel has. The buckets stay
 * with their counts, and their objects can still be freed.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "core/cycle.h"
#include "core/drain.h"
#include "core/drain_lock.h"
#include "stack/gone.h"

/*
 * A hole of 444 GiB in the kernel's half of the address space, with four and with five levels
 * of page tables: see Documentation/arch/x86/x86_64/mm.rst of the kernel.
 */
#define HOLE_START	0xffffff8000000000UL
#define HOLE_END	0xffffffef00000000UL

LIST_HEAD(kmprof_gone_list);

/* The next unused address of the hole. The cycle lock protects it. */
static unsigned long hole_next = HOLE_START;

/**
 * struct retirement - memory that goes, and its addresses in buckets
 * @going: the memory
 * @at: where each piece will begin
 * @nr_addrs: number of its addresses in buckets: all of them, then different ones
 */
struct retirement {
	const struct kmprof_going *going;
	unsigned long at[KMPROF_GONE_PIECES];
	unsigned long nr_addrs;
};

/* Return: the piece that an address is in, or -1. */
static int piece_of(const struct kmprof_going *going, unsigned long addr)
{
	unsigned int i;

	for (i = 0; i < going->nr_pieces; i++)
		if (addr >= going->pieces[i].begin && addr < going->pieces[i].end)
			return i;
	return -1;
}

/* A return address may be the first one behind the code. */
static int piece_of_frame(const struct kmprof_going *going, unsigned long frame)
{
	return piece_of(going, frame - 1);
}

/* Where an address will be that is in @piece; -1: it stays. */
static unsigned long moved(const struct retirement *r, int piece, unsigned long addr)
{
	return piece < 0 ? addr : addr - r->going->pieces[piece].begin + r->at[piece];
}

/* The heap profile has a size in the place of a lock. No size is the address of code or data. */
static int piece_of_lock(const struct kmprof_going *going, const struct kmprof_bucket *b)
{
	return piece_of(going, b->key.lock);
}

/*
 * Count the addresses of a bucket, and write the first @room of them to @addrs. Of a frame, it
 * is the address before, which is inside the call.
 */
static unsigned long addresses(const struct kmprof_going *going, const struct kmprof_bucket *b,
			       unsigned long *addrs, unsigned long room)
{
	unsigned int i, nr_frames = kmprof_bucket_nr_frames(&b->key);
	unsigned long nr = 0;

	for (i = 0; i < nr_frames; i++)
		if (piece_of_frame(going, b->frames[i]) >= 0 && nr++ < room)
			addrs[nr - 1] = b->frames[i] - 1;
	if (piece_of_lock(going, b) >= 0 && nr++ < room)
		addrs[nr - 1] = b->key.lock;
	return nr;
}

static void count_addresses(struct retirement *r)
{
	struct kmprof_bucket *b;

	kmprof_cycle_for_each_bucket(b) {
		r->nr_addrs += addresses(r->going, b, NULL, 0);
		cond_resched();
	}
}

/* sort() does not reschedule, so its callback does. */
static int by_address(const void *a, const void *b)
{
	unsigned long i = *(const unsigned long *)a, j = *(const unsigned long *)b;

	cond_resched();
	return i < j ? -1 : i > j;
}

/* Sort addresses, and drop those that come twice. Returns how many are left. */
static unsigned long sort_unique(unsigned long *addrs, unsigned long nr)
{
	unsigned long to = 0, i;

	sort(addrs, nr, sizeof(*addrs), by_address, NULL);
	for (i = 0; i < nr; i++)
		if (!to || addrs[i] != addrs[to - 1])
			addrs[to++] = addrs[i];
	return to;
}

/*
 * Get the addresses in ascending order, each of them once. Updates @nr_addrs. Buckets can have
 * come since they were counted; if there is no room for their addresses, these get no names.
 */
static unsigned long *sorted_addresses(struct retirement *r)
{
	unsigned long *addrs, nr = 0;
	struct kmprof_bucket *b;

	addrs = kvmalloc_array(r->nr_addrs, sizeof(*addrs), GFP_KERNEL | __GFP_NOWARN);
	if (!addrs)
		return NULL;
	kmprof_cycle_for_each_bucket(b) {
		nr += addresses(r->going, b, addrs + nr, r->nr_addrs - nr);
		nr = min(nr, r->nr_addrs);
		cond_resched();
	}
	r->nr_addrs = sort_unique(addrs, nr);
	return addrs;
}

/* Drop what has no symbol, and all but the first of each symbol. Returns how many are left. */
static unsigned int unique_symbols(struct kmprof_symbol *symbols, unsigned int nr)
{
	unsigned int to = 0, i;

	for (i = 0; i < nr; i++) {
		if (!symbols[i].name || (to && symbols[i].start == symbols[to - 1].start))
			continue;
		symbols[to++] = symbols[i];
	}
	return to;
}

static void free_symbols(struct kmprof_symbol *symbols, unsigned int nr)
{
	while (nr--)
		kfree(symbols[nr].name);
	kvfree(symbols);
}

/* A name as readers of images accept it: printable, a word, and not too long. */
static char *copy_name(const char *name)
{
	char *copy = kstrndup(name, KSYM_NAME_LEN - 1, GFP_KERNEL | __GFP_NOWARN), *c;

	for (c = copy; c && *c; c++)
		if (!isascii(*c) || !isgraph(*c))
			*c = '?';
	return copy;
}

/* Copy the names to memory that stays, and move the symbols. */
static int keep_symbols(struct kmprof_gone *gone, const struct retirement *r,
			struct kmprof_symbol *symbols, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		symbols[i].name = copy_name(symbols[i].name);
		if (!symbols[i].name) {
			free_symbols(symbols, i);
			return -ENOMEM;
		}
		symbols[i].start = moved(r, piece_of(r->going, symbols[i].start), symbols[i].start);
		cond_resched();
	}
	gone->symbols = symbols;
	gone->nr_symbols = nr;
	return 0;
}

static int name_symbols(struct kmprof_gone *gone, struct retirement *r)
{
	const struct kmprof_going *going = r->going;
	struct kmprof_symbol *symbols;
	unsigned long *addrs;
	int err = -ENOMEM;

	if (!going->symbols)
		return 0;
	addrs = sorted_addresses(r);
	if (!addrs)
		return -ENOMEM;
	symbols = kvmalloc_array(r->nr_addrs, sizeof(*symbols), GFP_KERNEL | __GFP_NOWARN);
	if (symbols) {
		going->symbols(going->data, addrs, r->nr_addrs, symbols);
		err = keep_symbols(gone, r, symbols, unique_symbols(symbols, r->nr_addrs));
	}
	kvfree(addrs);
	return err;
}

static int remember(struct retirement *r)
{
	const struct kmprof_going *going = r->going;
	struct kmprof_gone *gone;
	int err;

	gone = kzalloc(sizeof(*gone), GFP_KERNEL | __GFP_NOWARN);
	if (!gone)
		return -ENOMEM;
	gone->cycle = kmprof_published.cycle;
	gone->nr_pieces = going->nr_pieces;
	memcpy(gone->pieces, going->pieces, sizeof(gone->pieces));
	memcpy(gone->at, r->at, sizeof(gone->at));
	if (going->name)
		strscpy(gone->name, going->name, sizeof(gone->name));
	if (going->build_id)
		gone->build_id_size = going->build_id(going->data, gone->build_id);
	err = name_symbols(gone, r);
	list_add_tail(&gone->list, &kmprof_gone_list);
	return err;
}

/* The drain lock is held for this only: rings would fill up while it is held. */
static void unhash_buckets(const struct retirement *r)
{
	struct kmprof_bucket *b;

	mutex_lock(&kmprof_drain_lock);
	kmprof_cycle_for_each_bucket(b) {
		if (addresses(r->going, b, NULL, 0))
			kmprof_bucket_unhash(b);
		cond_resched();
	}
	mutex_unlock(&kmprof_drain_lock);
	/* After it nobody compares the keys of these buckets with others. */
	synchronize_rcu();
}

static void move_addresses(const struct retirement *r)
{
	unsigned int i, nr_frames;
	struct kmprof_bucket *b;

	kmprof_cycle_for_each_bucket(b) {
		cond_resched();
		/* One that has come since the others were unhashed keeps its addresses. */
		if (!hlist_unhashed_lockless(&b->node) || !addresses(r->going, b, NULL, 0))
			continue;
		nr_frames = kmprof_bucket_nr_frames(&b->key);
		for (i = 0; i < nr_frames; i++)
			b->frames[i] = moved(r, piece_of_frame(r->going, b->frames[i]),
					     b->frames[i]);
		b->key.lock = moved(r, piece_of_lock(r->going, b), b->key.lock);
	}
}

/*
 * Choose where the pieces will be, in the order in which they are. A page stays free between
 * them: see piece_of_frame().
 */
static bool choose_addresses(struct retirement *r)
{
	unsigned long next = hole_next, size;
	unsigned int i;

	for (i = 0; i < r->going->nr_pieces; i++) {
		size = PAGE_ALIGN(r->going->pieces[i].end - r->going->pieces[i].begin) + PAGE_SIZE;
		if (size > HOLE_END - next)
			return false;
		r->at[i] = next;
		next += size;
	}
	hole_next = next;
	return true;
}

static void forget(struct kmprof_gone *gone)
{
	list_del(&gone->list);
	free_symbols(gone->symbols, gone->nr_symbols);
	kfree(gone);
}

/**
 * kmprof_gone_forget_reset() - forget the memory whose buckets a reset has discarded
 *
 * Context: Process context, cycle lock held.
 */
void kmprof_gone_forget_reset(void)
{
	struct kmprof_gone *gone, *next;

	lockdep_assert_held(&kmprof_cycle_lock);

	list_for_each_entry_safe(gone, next, &kmprof_gone_list, list)
		if (gone->cycle < kmprof_published.reset_cycle)
			forget(gone);
}

static void retire(struct retirement *r)
{
	const char *name = r->going->name ?: "[unknown]";

	lockdep_assert_held(&kmprof_cycle_lock);

	kmprof_gone_forget_reset();
	count_addresses(r);
	if (!r->nr_addrs)
		return;
	if (!choose_addresses(r)) {
		pr_warn_once("no addresses are left for modules that are gone, as %s: others may be taken for them\n",
			     name);
		return;
	}
	if (remember(r))
		pr_warn("no memory for the symbols of module %s, which goes: its frames have no names\n",
			name);
	unhash_buckets(r);
	move_addresses(r);
}

/**
 * kmprof_gone_retire() - take the addresses of memory out of circulation
 * @going: the memory. Its code does not run any more, or has not begun to run
 *
 * An event that has its addresses all the same makes a bucket with these as they are. They are
 * moved when the next module comes to the place: see module_watch.c.
 *
 * Without memory, addresses are moved all the same, and have no names.
 *
 * Context: Process context. Takes the cycle lock and the drain lock. May sleep; waits for a
 * grace period.
 */
void kmprof_gone_retire(const struct kmprof_going *going)
{
	struct retirement r = { .going = going };

	/* What is in rings becomes buckets. */
	kmprof_drain();
	mutex_lock(&kmprof_cycle_lock);
	retire(&r);
	mutex_unlock(&kmprof_cycle_lock);
}

/**
 * kmprof_gone_exit() - forget everything
 *
 * Context: Process context, a grace period after the last probe ran, no reader left.
 */
void kmprof_gone_exit(void)
{
	struct kmprof_gone *gone, *next;

	list_for_each_entry_safe(gone, next, &kmprof_gone_list, list)
		forget(gone);
}
