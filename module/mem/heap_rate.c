// SPDX-License-Identifier: GPL-2.0
/*
 * The setting heap_rate: while it has a value, or kmprof:alloc or kmprof:free is listened to, the
 * probes of the kinds of memory that are on (mem/kinds.c) are armed.
 *
 * Source: MemProfileRate of mprof.go.
 */
#include <linux/bits.h>
#include <uapi/linux/kmprof.h>

#include "core/sampler.h"
#include "event/event.h"
#include "mem/heap.h"
#include "mem/heap_rate.h"
#include "mem/kinds.h"

static void detach(void)
{
	kmprof_kinds_detach();
	kmprof_sampler_hit_all(false);
	kmprof_sampler_set_rate(0);
}

static int hear(void)
{
	kmprof_sampler_hit_all(kmprof_event_is_heard(KMPROF_EVENT_ALLOC));
	return kmprof_kinds_tell_frees(kmprof_event_is_heard(KMPROF_EVENT_FREE));
}

static int attach(u64 rate)
{
	static bool was_attached;
	int err;

	if (was_attached)
		kmprof_heap_forget_live(KMPROF_HEAP_KINDS);
	was_attached = true;
	kmprof_sampler_set_rate(rate);
	err = kmprof_kinds_attach();
	if (err) {
		kmprof_sampler_set_rate(0);
		return err;
	}
	err = hear();
	if (err)
		detach();
	return err;
}

static const struct kmprof_setting_ops ops = {
	.attach		= attach,
	.hear		= hear,
	.detach		= detach,
	.change		= kmprof_sampler_set_rate,
	.exit		= kmprof_kinds_exit,
	.missed		= kmprof_kinds_missed,
	.lacks		= kmprof_kinds_lacks,
	.events		= BIT(KMPROF_EVENT_ALLOC) | BIT(KMPROF_EVENT_FREE),
};

struct kmprof_setting kmprof_heap_rate = {
	.name		= "heap_rate",
	.id		= KMPROF_SETTING_HEAP_RATE,
	.unit		= "bytes",
	.max		= KMPROF_HEAP_RATE_MAX,
	.wanted		= "bytes per sample up to 2^30, 1 for all allocations, 0 for off",
	.ops		= &ops,
	.missed_counter	= KMPROF_LOSS_MISSED_PROBE,
	.value		= 512 * 1024,
};

module_param_cb(heap_rate, &kmprof_setting_param_ops, &kmprof_heap_rate, 0600);
MODULE_PARM_DESC(heap_rate, "bytes allocated per sample on average; 1: every allocation, 0: off (default 524288)");
