// SPDX-License-Identifier: GPL-2.0
/* The setting of the block profile. Source: SetBlockProfileRate() of mprof.go. */
#include <linux/bits.h>
#include <uapi/linux/kmprof.h>

#include "event/event.h"
#include "lock/block_rate.h"
#include "lock/contention.h"
#include "lock/source.h"

static int attach(u64 rate)
{
	int err;

	kmprof_contention_set_rate(rate);
	err = kmprof_wait_source_get();
	if (err)
		kmprof_contention_set_rate(0);
	return err;
}

static void detach(void)
{
	kmprof_wait_source_put();
	kmprof_contention_set_rate(0);
}

static u64 missed(void)
{
	return kmprof_wait_source.chosen->missed();
}

static u64 lacks(void)
{
	return kmprof_wait_source.chosen->lacks();
}

static const struct kmprof_setting_ops ops = {
	.attach		= attach,
	.detach		= detach,
	.change		= kmprof_contention_set_rate,
	.missed		= missed,
	.lacks		= lacks,
	/* Told where all waits are counted. */
	.events		= BIT(KMPROF_EVENT_BLOCK),
};

struct kmprof_setting kmprof_block_rate = {
	.name		= "block_rate",
	.id		= KMPROF_SETTING_BLOCK_RATE,
	.unit		= "nanoseconds",
	.max		= KMPROF_BLOCK_RATE_MAX,
	.wanted		= "ns up to 2^36 for a sure sample, 1 for all waits, 0 for off",
	.ops		= &ops,
	.missed_counter	= KMPROF_LOSS_MISSED_WAIT,
};

module_param_cb(block_rate, &kmprof_setting_param_ops, &kmprof_block_rate, 0600);
MODULE_PARM_DESC(block_rate, "ns from which on waits for locks are all sampled, shorter ones in proportion; 1: every wait, 0: off (default)");
