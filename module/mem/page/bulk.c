// SPDX-License-Identifier: GPL-2.0
/*
 * alloc_pages_bulk() takes single pages from the lists of free pages, and fires no event for them.
 * A return probe looks for what it has put into the caller's array or list: into an array, where
 * there was nothing; into a list, at its head.
 *
 * If it finds no page on the lists, or is to find one only, it asks the page allocator for one,
 * whose event is seen, and hands out that one. So a single page may have been seen: see is_seen().
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitmap.h>
#include <linux/err.h>
#include <linux/gfp.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <uapi/linux/kmprof.h>

#include "compat/page_taker.h"
#include "core/sampler.h"
#include "core/slot.h"
#include "core/stats.h"
#include "mem/alloc.h"
#include "mem/live.h"
#include "mem/page/bulk.h"
#include "probe/ftrace_keeper.h"
#include "probe/probe.h"
#include "stack/stack.h"

enum {
	/* Of the entries of an array, so many are looked at one by one. */
	ENTRIES_MAX	= 512,
};

/**
 * struct call - a call of alloc_pages_bulk() that has not returned
 * @array: the caller's array, or NULL
 * @list: the caller's list, if there is no array
 * @nr: length of the array
 * @is_accounted: the memory is accounted to a memory cgroup
 * @empty: entries of the array that were empty
 * @empty_behind: how many of those behind the first ENTRIES_MAX were empty
 * @events: this CPU's count of pages when the call began
 * @pages: its value
 * @stack: where it returns to
 */
struct call {
	struct page **array;
	struct list_head *list;
	unsigned int nr;
	bool is_accounted;
	DECLARE_BITMAP(empty, ENTRIES_MAX);
	unsigned int empty_behind;
	const u64 *events;
	u64 pages;
	struct kmprof_stack_return stack;
};

/* Each event of pages adds to it. Each cycle has another one. */
static const u64 *this_cpu_pages(void)
{
	return this_cpu_ptr(&kmprof_stats_cpu.slot[kmprof_slot()].counter[KMPROF_PAGES_ALLOCATED]);
}

/* Has an event of pages fired on this CPU since the call began? True on another CPU. */
static bool has_fired(const struct call *call)
{
	return this_cpu_pages() != call->events || READ_ONCE(*call->events) != call->pages;
}

/*
 * Has the event of the only page of a call been seen? With heap_rate=1, it is in the live table
 * then; but memory of cgroups, for which the page allocator is always asked, may be another
 * allocator's, which is in no table. Else, an event that has fired was most likely that one: most
 * calls that hand out one page have asked for it.
 */
static bool is_seen(const struct call *call, const struct page *page)
{
	if (call->is_accounted || kmprof_sampler_rate() != 1)
		return has_fired(call);
	return kmprof_live_has_page(kmprof_live_key(page_address(page), KMPROF_KIND_PAGE));
}

static unsigned int nr_looked_at(const struct call *call)
{
	return min_t(unsigned int, call->nr, ENTRIES_MAX);
}

static unsigned int count_empty_behind(const struct call *call)
{
	unsigned int i, n = 0;

	for (i = ENTRIES_MAX; i < call->nr; i++)
		n += !call->array[i];
	return n;
}

static void note_empty(struct call *call)
{
	unsigned int i;

	bitmap_zero(call->empty, ENTRIES_MAX);
	for (i = 0; i < nr_looked_at(call); i++)
		if (!call->array[i])
			__set_bit(i, call->empty);
	call->empty_behind = count_empty_behind(call);
}

/* Are all entries full, or all but the last one, for which the page allocator is asked? */
static bool is_full(const struct call *call)
{
	unsigned int i;

	for (i = 0; i < call->nr && call->array[i]; i++)
		;
	return i + 1 >= call->nr;
}

/* Handlers run with preemption off. Returns 0 to have on_return() called. */
static int on_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct call *call = (struct call *)ri->data;
	gfp_t gfp = (__force gfp_t)regs_get_kernel_argument(regs, 0);
	int nr = regs_get_kernel_argument(regs, 3);

	if (gfp & __GFP_MOVABLE || nr <= 0)
		return 1;
	call->list = (struct list_head *)regs_get_kernel_argument(regs, 4);
	call->array = call->list ? NULL : (struct page **)regs_get_kernel_argument(regs, 5);
	if (!call->list && !call->array)
		return 1;
	call->nr = nr;
	call->is_accounted = gfp & __GFP_ACCOUNT;
	if (call->array ? is_full(call) : nr == 1)
		return 1;
	if (call->array)
		note_empty(call);
	kmprof_stack_note(&call->stack, KMPROF_ALLOCATOR_PAGE, regs);
	call->events = this_cpu_pages();
	call->pages = READ_ONCE(*call->events);
	return 0;
}

NOKPROBE_SYMBOL(on_entry);

static void see(const struct call *call, const struct page *page)
{
	kmprof_alloc_page_returned(page_address(page), &call->stack);
}

/* @nr pages came into the list. */
static void see_list(const struct call *call, unsigned int nr)
{
	unsigned int left = nr;
	struct page *page;

	list_for_each_entry(page, call->list, lru) {
		if (!left--)
			break;
		if (nr > 1 || !is_seen(call, page))
			see(call, page);
	}
}

static void see_array(const struct call *call)
{
	unsigned int behind = call->empty_behind - count_empty_behind(call);
	unsigned int i, nr = behind;

	for_each_set_bit(i, call->empty, nr_looked_at(call))
		nr += !!call->array[i];
	for_each_set_bit(i, call->empty, nr_looked_at(call))
		if (call->array[i] && (nr > 1 || !is_seen(call, call->array[i])))
			see(call, call->array[i]);
	/* Behind, the only page is known by an event alone. */
	if (behind && (nr > 1 || !has_fired(call)))
		kmprof_stats_add(kmprof_slot(), KMPROF_LOSS_MISSED_PROBE, behind);
}

static int on_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct call *call = (struct call *)ri->data;

	call->stack.regs = regs;
	if (call->array)
		see_array(call);
	else
		see_list(call, regs_return_value(regs));
	return 0;
}

NOKPROBE_SYMBOL(on_return);

/* Protected by the control lock; also by kmprof_missed_lock, except @lacking. */
static struct kretprobe probe;
static bool is_armed;
static u64 missed_before;

static bool lacking;

/*
 * Calls that can be followed at a time. Tasks that wait for memory are among them. MOST limits the
 * memory: since v6.7, each CPU has an array of this length.
 */
static int most_at_a_time(void)
{
	enum { ASLEEP = 64, RUNNING = 4, MOST = 1024 };

	return min_t(unsigned int, ASLEEP + RUNNING * num_possible_cpus(), MOST);
}

static int arm(void)
{
	int err;

	/* Unregistering leaves the core's state in a kretprobe: start from a clean one. */
	probe = (struct kretprobe) {
		.kp.symbol_name	= KMPROF_COMPAT_ALLOC_PAGES_BULK,
		.entry_handler	= on_entry,
		.handler	= on_return,
		.data_size	= sizeof(struct call),
		.maxactive	= most_at_a_time(),
	};
	err = kmprof_retprobe_register(&probe);
	if (err)
		return err;
	mutex_lock(&kmprof_missed_lock);
	is_armed = true;
	mutex_unlock(&kmprof_missed_lock);
	return 0;
}

/**
 * kmprof_bulk_pages_attach() - arm the return probe
 *
 * Where the kernel does not let the function be probed, these pages are not seen:
 * kmprof_bulk_pages_lacks() says so then, and the log.
 *
 * Context: Process context, control lock held. Sleeps.
 * Return: 0; or a negative errno, with a message in the log, when trying again may help.
 */
int kmprof_bulk_pages_attach(void)
{
	int err = kmprof_ftrace_keep("heap=page");

	if (!err) {
		err = arm();
		if (!err)
			return 0;
		kmprof_ftrace_let_go();
	}
	if (!kmprof_probe_refused(err)) {
		pr_err("heap=page: no return probe on %s: %pe\n",
		       KMPROF_COMPAT_ALLOC_PAGES_BULK, ERR_PTR(err));
		return err;
	}
	pr_warn("cannot probe %s: %s (%pe); what is allocated there is not seen\n",
		KMPROF_COMPAT_ALLOC_PAGES_BULK, kmprof_probe_reason(err), ERR_PTR(err));
	WRITE_ONCE(lacking, true);
	return 0;
}

/**
 * kmprof_bulk_pages_detach() - disarm the return probe
 *
 * Calls that have not returned go on, and are not counted.
 *
 * Context: Process context, control lock held. Waits for grace periods.
 */
void kmprof_bulk_pages_detach(void)
{
	struct kretprobe *probes[] = { &probe };

	WRITE_ONCE(lacking, false);
	if (!is_armed)
		return;
	kmprof_retprobes_unregister(probes, 1);
	mutex_lock(&kmprof_missed_lock);
	missed_before += kmprof_retprobe_missed(&probe);
	is_armed = false;
	mutex_unlock(&kmprof_missed_lock);
	kmprof_ftrace_let_go();
}

/**
 * kmprof_bulk_pages_lacks() - get what could not be probed
 *
 * Context: Any.
 * Return: KMPROF_LACKS_BULK_PAGES while attached without a probe; else 0.
 */
u64 kmprof_bulk_pages_lacks(void)
{
	return READ_ONCE(lacking) ? KMPROF_LACKS_BULK_PAGES : 0;
}

/**
 * kmprof_bulk_pages_missed() - count the calls that the probe missed
 *
 * Context: Process context. Waits for no attach or detach.
 * Return: their number since the module was loaded.
 */
u64 kmprof_bulk_pages_missed(void)
{
	u64 missed;

	mutex_lock(&kmprof_missed_lock);
	missed = missed_before + (is_armed ? kmprof_retprobe_missed(&probe) : 0);
	mutex_unlock(&kmprof_missed_lock);
	return missed;
}
