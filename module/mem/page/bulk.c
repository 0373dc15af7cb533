// SPDX-License-Identifier: GPL-2.0
/*
 * alloc_pages_bulk() takes single pages from the lists of free pages, and fires no event for them.
 * A thunk, through which its calls are redirected, looks for what it has put into the caller's
 * array or list: into an array, where there was nothing; into a list, at its head.
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
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/ptrace.h>
#include <linux/stringify.h>
#include <uapi/linux/kmprof.h>

#include "compat/compat.h"
#include "core/sampler.h"
#include "core/slot.h"
#include "core/stats.h"
#include "mem/alloc.h"
#include "mem/filter.h"
#include "mem/live.h"
#include "mem/page/bulk.h"
#include "mem/page/left_out.h"
#include "mem/redirect/entry_point.h"
#include "mem/redirect/thunks.h"
#include "probe/ftrace_keeper.h"
#include "probe/probe.h"

DEFINE_PER_CPU(struct kmprof_thunk_calls, kmprof_page_calls);

/* Each event of pages adds to it. Each cycle has another one. Preemption is off. */
static const u64 *this_cpu_pages(void)
{
	return this_cpu_ptr(&kmprof_stats_cpu.slot[kmprof_slot()].counter[KMPROF_PAGES_ALLOCATED]);
}

/* Has an event of pages fired on this CPU since the call began? True on another CPU. */
static bool has_fired(const struct kmprof_bulk_pages_call *call)
{
	bool fired;

	preempt_disable_notrace();
	fired = this_cpu_pages() != call->events || READ_ONCE(*call->events) != call->pages;
	preempt_enable_notrace();
	return fired;
}

/* How many pages were asked for, or how long the array is. */
static int nr_of(const struct kmprof_bulk_pages_call *call)
{
	return (int)call->nr;
}

/*
 * Has the event of the only page of a call been seen? With heap_rate=1, it is in the live table
 * then, unless a filter has left it out; but memory of cgroups, for which the page allocator is
 * always asked, may be another allocator's, which is in no table. Else, an event that has fired was
 * most likely that one: most calls that hand out one page have asked for it.
 */
static bool is_seen(const struct kmprof_bulk_pages_call *call, const struct page *page)
{
	if (call->gfp & (__force unsigned long)__GFP_ACCOUNT || kmprof_sampler_rate() != 1 ||
	    kmprof_filter_asks(KMPROF_FILTER_ANY))
		return has_fired(call);
	return kmprof_live_has_page(kmprof_live_key(page_address(page), KMPROF_KIND_PAGE));
}

static unsigned int nr_looked_at(const struct kmprof_bulk_pages_call *call)
{
	return min_t(unsigned int, nr_of(call), KMPROF_BULK_PAGES_MAX);
}

static unsigned int count_empty_behind(const struct kmprof_bulk_pages_call *call)
{
	unsigned int n = 0;
	int i;

	for (i = KMPROF_BULK_PAGES_MAX; i < nr_of(call); i++)
		n += !call->array[i];
	return n;
}

/* Then the page allocator is asked, and its event is seen. */
static bool only_last_is_empty(const struct kmprof_bulk_pages_call *call)
{
	return bitmap_weight(call->empty, KMPROF_BULK_PAGES_MAX) + call->empty_behind == 1 &&
	       !call->array[nr_of(call) - 1];
}

/* Note what the call may fill. */
static void note_empty(struct kmprof_bulk_pages_call *call)
{
	unsigned int i;

	bitmap_zero(call->empty, KMPROF_BULK_PAGES_MAX);
	for (i = 0; i < nr_looked_at(call); i++)
		if (!call->array[i])
			__set_bit(i, call->empty);
	call->empty_behind = count_empty_behind(call);
	if (only_last_is_empty(call)) {
		bitmap_zero(call->empty, KMPROF_BULK_PAGES_MAX);
		call->empty_behind = 0;
	}
}

/**
 * kmprof_bulk_pages_begin() - called by the thunk before the allocator
 * @call: the call; the thunk has filled in the arguments
 *
 * Context: The allocation's: any but NMI.
 */
asmlinkage void kmprof_bulk_pages_begin(struct kmprof_bulk_pages_call *call)
{
	if (!call->list)
		note_empty(call);
	preempt_disable_notrace();
	call->events = this_cpu_pages();
	call->pages = READ_ONCE(*call->events);
	preempt_enable_notrace();
}

static noinline void see(const struct kmprof_bulk_pages_call *call, const struct page *page)
{
	preempt_disable_notrace();
	kmprof_alloc_page_returned(page_address(page), call->site, (__force gfp_t)call->gfp);
	preempt_enable_notrace();
}

static void lose(unsigned int pages)
{
	preempt_disable_notrace();
	kmprof_stats_add(kmprof_slot(), KMPROF_LOSS_MISSED_PROBE, pages);
	preempt_enable_notrace();
}

/* @nr pages came into the list. */
static void see_list(const struct kmprof_bulk_pages_call *call, unsigned int nr)
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

static void see_array(const struct kmprof_bulk_pages_call *call)
{
	/* If none is followed, one may be empty now and then. */
	unsigned int behind = call->empty_behind ?
			      call->empty_behind - count_empty_behind(call) : 0;
	unsigned int i, nr = behind;

	for_each_set_bit(i, call->empty, nr_looked_at(call))
		nr += !!call->array[i];
	for_each_set_bit(i, call->empty, nr_looked_at(call))
		if (call->array[i] && (nr > 1 || !is_seen(call, call->array[i])))
			see(call, call->array[i]);
	/* Behind, the only page is known by an event alone. */
	if (behind && (nr > 1 || !has_fired(call)))
		lose(behind);
}

/**
 * kmprof_bulk_pages_done() - called by the thunk when the allocator has returned
 * @got: what it has returned
 * @call: the call
 *
 * Preemption is off for one page at a time.
 *
 * Context: The allocation's: any but NMI.
 * Return: @got.
 */
asmlinkage unsigned long kmprof_bulk_pages_done(unsigned long got,
						const struct kmprof_bulk_pages_call *call)
{
	if (call->list)
		see_list(call, got);
	else
		see_array(call);
	this_cpu_inc(kmprof_page_calls.left);
	return got;
}

/*
 * The handler of the kprobe, with preemption off: redirects calls that may hand out pages. For a
 * single page, the page allocator is asked.
 */
static int on_call(struct kprobe *p, struct pt_regs *regs)
{
	gfp_t gfp = (__force gfp_t)regs_get_kernel_argument(regs, 0);
	int nr = regs_get_kernel_argument(regs, 3);

	if (kmprof_page_is_left_out(gfp) || nr <= 1)
		return 0;
	if (!regs_get_kernel_argument(regs, 4) && !regs_get_kernel_argument(regs, 5))
		return 0;
	return kmprof_entry_point_redirect(p, regs, &kmprof_page_calls);
}

NOKPROBE_SYMBOL(on_call);

static struct kmprof_entry_point entry_point = {
	.symbol		= __stringify(KMPROF_ALLOC_PAGES_BULK),
	.handler	= on_call,
};

static struct kmprof_entry_points redirected = {
	.points		= &entry_point,
	.nr		= 1,
	.calls		= &kmprof_page_calls,
	.is_thunk	= kmprof_thunks_of_pages_have,
};

/* Protected by the control lock. */
static bool lacking;
static bool keeps_ftrace;

/**
 * kmprof_bulk_pages_attach() - arm the kprobe
 *
 * To be undone by kmprof_bulk_pages_detach(), also after an error.
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

	keeps_ftrace = !err;
	if (!err)
		err = kmprof_entry_point_arm(&entry_point, &kmprof_page_thunk);
	if (!err)
		return 0;
	if (!kmprof_probe_refused(err)) {
		pr_err("heap=page: no kprobe on %s: %pe\n", entry_point.symbol, ERR_PTR(err));
		return err;
	}
	pr_warn("cannot probe %s: %s (%pe); what is allocated there is not seen\n",
		entry_point.symbol, kmprof_probe_reason(err), ERR_PTR(err));
	WRITE_ONCE(lacking, true);
	return 0;
}

/**
 * kmprof_bulk_pages_detach() - disarm the kprobe
 *
 * Context: Process context, control lock held. Waits for tasks that sleep inside
 * alloc_pages_bulk(), and for grace periods.
 */
void kmprof_bulk_pages_detach(void)
{
	WRITE_ONCE(lacking, false);
	/* If arming has failed, it may have redirected calls before it did. */
	kmprof_entry_points_disarm(&redirected);
	if (keeps_ftrace)
		kmprof_ftrace_let_go();
	keeps_ftrace = false;
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
	return kmprof_entry_points_missed(&redirected);
}
