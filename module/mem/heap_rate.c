// SPDX-License-Identifier: GPL-2.0
/*
 * The setting heap_rate, and when its probes are armed. The probes on frees are armed
 * first and disarmed last, so that the free of every sampled object is seen.
 *
 * Source: MemProfileRate of mprof.go.
 */
#include <uapi/linux/kmprof.h>

#include "core/sampler.h"
#include "mem/heap.h"
#include "mem/heap_rate.h"
#include "mem/heap_source.h"
#include "mem/slab/free_doors.h"

static void detach(void)
{
	kmprof_heap_source.chosen->detach();
	kmprof_free_doors_detach();
	kmprof_sampler_set_rate(0);
}

static int attach(u64 rate)
{
	static bool was_attached;
	int err;

	if (was_attached)
		kmprof_heap_forget_live();
	was_attached = true;
	err = kmprof_free_doors_attach();
	if (err)
		return err;
	kmprof_sampler_set_rate(rate);
	err = kmprof_heap_source.chosen->attach();
	if (err) {
		kmprof_sampler_set_rate(0);
		kmprof_free_doors_detach();
	}
	return err;
}

static u64 missed(void)
{
	return kmprof_heap_source.chosen->missed();
}

static u64 lacks(void)
{
	return kmprof_heap_source.chosen->lacks();
}

static const struct kmprof_setting_ops ops = {
	.parse	= kmprof_setting_parse_number,
	.attach	= attach,
	.detach	= detach,
	.change	= kmprof_sampler_set_rate,
	.exit	= kmprof_free_doors_exit,
	.missed	= missed,
	.lacks	= lacks,
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
