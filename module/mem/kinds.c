// SPDX-License-Identifier: GPL-2.0
/*
 * The kinds of memory that the heap profile can see, and which of them are on. Called by the
 * settings heap (which kinds) and heap_rate (whether at all), under the control lock.
 *
 * All kinds share the sampling rate, the countdown, the live table and the buckets. Each has its
 * own probes.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/printk.h>

#include "mem/heap.h"
#include "mem/kind.h"
#include "mem/kinds.h"
#include "mem/page/page.h"
#include "mem/percpu/percpu.h"
#include "mem/rcu_door.h"
#include "mem/slab/slab.h"
#include "mem/vmalloc/vmalloc.h"
#include "probe/tracepoint.h"

static const struct kmprof_kind * const kinds[KMPROF_NR_KINDS] = {
	[KMPROF_KIND_SLAB]	= &kmprof_slab_kind,
	[KMPROF_KIND_PERCPU]	= &kmprof_percpu_kind,
	[KMPROF_KIND_VMALLOC]	= &kmprof_vmalloc_kind,
	[KMPROF_KIND_PAGE]	= &kmprof_page_kind,
};

/* Bits of enum kmprof_kind_id. The probes of these kinds, and of no others, are armed if @is_on. */
static u64 chosen = KMPROF_KINDS_DEFAULT;
static bool is_on;

/* kmprof:free is listened to. */
static bool tells_frees;
/* Kinds whose handlers for kmprof:free are armed: all that are on, while it is listened to. */
static u64 telling;

static void end_telling(u64 mask)
{
	unsigned int i;

	for (i = 0; i < KMPROF_NR_KINDS; i++)
		if (telling & mask & BIT(i))
			kmprof_tracepoints_disarm(kinds[i]->frees, kinds[i]->nr_frees);
	telling &= ~mask;
}

static int begin_telling(u64 mask)
{
	unsigned int i;
	int err;

	for (i = 0; i < KMPROF_NR_KINDS; i++) {
		if (!(mask & ~telling & BIT(i)))
			continue;
		err = kmprof_tracepoints_arm(kinds[i]->frees, kinds[i]->nr_frees);
		if (err)
			return err;
		telling |= BIT(i);
	}
	return 0;
}

static void disarm(u64 mask)
{
	unsigned int i = KMPROF_NR_KINDS;

	end_telling(mask);
	while (i--)
		if (mask & BIT(i))
			kinds[i]->detach();
}

/* Arm the probes of some kinds: of all or, with a negative errno, of none. */
static int arm(u64 mask)
{
	unsigned int i;
	int err;

	for (i = 0; i < KMPROF_NR_KINDS; i++) {
		if (!(mask & BIT(i)))
			continue;
		err = kinds[i]->attach();
		if (err) {
			disarm(mask & (BIT(i) - 1));
			return err;
		}
	}
	err = tells_frees ? begin_telling(mask) : 0;
	if (err)
		disarm(mask);
	return err;
}

static int choose_kinds(u64 mask)
{
	u64 gone = is_on ? chosen & ~mask : 0, come = is_on ? mask & ~chosen : 0;
	int err = arm(come);

	if (err) {
		/* Some of these kinds may have been sampled until another one failed. */
		kmprof_heap_forget_live(come);
		return err;
	}
	disarm(gone);
	if (gone)
		kmprof_heap_forget_live(gone);
	chosen = mask;
	return 0;
}

/**
 * kmprof_kinds_set() - choose the kinds that are on
 * @mask: KMPROF_HEAP_*: bits of enum kmprof_kind_id, and whether movable pages are seen
 *
 * While the heap profile is on, the probes of kinds that come are armed, and those of kinds that
 * go are disarmed. The live objects of a kind that goes are dropped, because their frees will not
 * be seen.
 *
 * Context: Process context, control lock held. Takes the cycle and drain locks. Waits for tasks
 * that sleep in an allocation, if slab or page goes.
 * Return: 0; or a negative errno and nothing has changed, with a message in the log.
 */
int kmprof_kinds_set(u64 mask)
{
	int err;

	if (mask & KMPROF_HEAP_MOVABLE && !(mask & KMPROF_HEAP_PAGE)) {
		pr_err("heap: movable is about pages: give page, too\n");
		return -EINVAL;
	}
	err = choose_kinds(mask & KMPROF_HEAP_KINDS);
	if (!err)
		kmprof_page_see_movable(mask & KMPROF_HEAP_MOVABLE);
	return err;
}

/**
 * kmprof_kinds_attach() - arm the probes of all kinds that are on
 *
 * Context: Process context, control lock held. No kind is armed.
 * Return: 0; or a negative errno and no probe is armed, with a message in the log.
 */
int kmprof_kinds_attach(void)
{
	int err = arm(chosen);

	is_on = !err;
	return err;
}

/**
 * kmprof_kinds_detach() - disarm the probes of all kinds
 *
 * Context: Process context, control lock held. On return no probe of the heap profile runs.
 */
void kmprof_kinds_detach(void)
{
	disarm(chosen);
	is_on = false;
	tells_frees = false;
}

/**
 * kmprof_kinds_tell_frees() - arm or disarm the handlers for kmprof:free
 * @tells: kmprof:free is listened to
 *
 * Context: Process context, control lock held, while the kinds that are on are armed. Sleeps.
 * Return: 0; or a negative errno, with a message in the log. Then the handlers of some kinds are
 * not armed.
 */
int kmprof_kinds_tell_frees(bool tells)
{
	tells_frees = tells;
	if (tells)
		return begin_telling(chosen);
	end_telling(chosen);
	return 0;
}

/**
 * kmprof_kinds_exit() - free what the last detach has left
 *
 * Context: Process context, after the last kmprof_kinds_detach().
 */
void kmprof_kinds_exit(void)
{
	unsigned int i;

	for (i = 0; i < KMPROF_NR_KINDS; i++)
		if (kinds[i]->exit)
			kinds[i]->exit();
	kmprof_rcu_door_exit();
}

/**
 * kmprof_kinds_lacks() - get what could not be probed
 *
 * Context: Any.
 * Return: KMPROF_LACKS_* of all kinds, each as of the last time its probes were armed.
 */
u64 kmprof_kinds_lacks(void)
{
	unsigned int i;
	u64 lacks = 0;

	for (i = 0; i < KMPROF_NR_KINDS; i++)
		if (kinds[i]->lacks)
			lacks |= kinds[i]->lacks();
	return lacks;
}

/**
 * kmprof_kinds_missed() - count the events that probes missed
 *
 * Context: Process context. Waits for no attach or detach.
 * Return: their number since the module was loaded, of all kinds.
 */
u64 kmprof_kinds_missed(void)
{
	unsigned int i;
	u64 missed = 0;

	for (i = 0; i < KMPROF_NR_KINDS; i++)
		if (kinds[i]->missed)
			missed += kinds[i]->missed();
	return missed;
}
