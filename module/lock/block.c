// SPDX-License-Identifier: GPL-2.0
/* The block profile: waits for locks, by the stack of the waiter. */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <uapi/linux/kmprof.h>

#include "lock/delay_text.h"
#include "lock/lock_profile.h"
#include "lock/source.h"

/*
 * A wait is sampled with probability min(1, ns / period), so it stands for
 * max(1, period / ns) waits of ns each. Source: saveBlockEventStack() of mprof.go.
 */
static u64 weigh_wait(u64 ns, u64 period, u64 *sum)
{
	*sum = max(ns, period);
	if (ns >= period)
		return 1ULL << KMPROF_WAIT_COUNT_SHIFT;
	return div64_u64(period << KMPROF_WAIT_COUNT_SHIFT, max(ns, 1ULL));
}

static const struct kmprof_scalar block_scalars[] = {
	KMPROF_COUNTER("total.waits", "count", KMPROF_SCALAR_TOTAL, KMPROF_WAITS),
	KMPROF_COUNTER("total.wait_ns", "nanoseconds", KMPROF_SCALAR_TOTAL, KMPROF_WAIT_NS),
	KMPROF_COUNTER("waits_sampled", "count", KMPROF_SCALAR_SAMPLED, KMPROF_WAITS_SAMPLED),
	KMPROF_COUNTER("waits_counted", "count", KMPROF_SCALAR_COUNTED, KMPROF_WAITS_COUNTED),
	KMPROF_LOST("wait_nested", KMPROF_LOSS_WAIT_NESTED),
	KMPROF_LOST("wait_ring_full", KMPROF_LOSS_WAIT_RING_FULL),
	KMPROF_LOST("wait_bucket_full", KMPROF_LOSS_WAIT_BUCKET_FULL),
	KMPROF_LOST("wait_own", KMPROF_LOSS_WAIT_OWN),
	KMPROF_LOST("wait_table_full", KMPROF_LOSS_WAIT_TABLE_FULL),
	KMPROF_LEDGER("wait_unpaired", KMPROF_LOSS_WAIT_UNPAIRED),
	KMPROF_LEDGER("missed_wait", KMPROF_LOSS_MISSED_WAIT),
	KMPROF_LOST("wait_died", KMPROF_LOSS_WAIT_DIED),
	KMPROF_LEDGER("wait_saturated", KMPROF_LOSS_WAIT_SATURATED),
};

static const struct kmprof_column block_columns[] = {
	KMPROF_DELAY_COLUMN("delay"),
	KMPROF_DELAY_COUNT_COLUMN("waits"),
};

static const struct kmprof_view block_view = {
	.name		= "block",
	.profile	= &kmprof_block_profile.profile,
	.form		= &kmprof_block_form,
};

struct kmprof_lock_profile kmprof_block_profile = {
	.profile	= {
		.name			= "block",
		.ops			= &kmprof_lock_profile_ops,
		.source			= &kmprof_wait_source,
		.scalars		= block_scalars,
		.nr_scalars		= ARRAY_SIZE(block_scalars),
		.format			= KMPROF_ROWS_BLOCK,
		.row_size		= sizeof(struct kmprof_image_contention),
		.columns		= block_columns,
		.nr_columns		= ARRAY_SIZE(block_columns),
		.views			= &block_view,
		.nr_views		= 1,
		.leaves_half_of_rings	= true,
	},
	.weigh		= weigh_wait,
	.sampled	= KMPROF_WAITS_SAMPLED,
	.saturated	= KMPROF_LOSS_WAIT_SATURATED,
	.fate		= {
		[KMPROF_DELAY_COUNTED]		= KMPROF_WAITS_COUNTED,
		[KMPROF_DELAY_NESTED]		= KMPROF_LOSS_WAIT_NESTED,
		[KMPROF_DELAY_RING_FULL]	= KMPROF_LOSS_WAIT_RING_FULL,
		[KMPROF_DELAY_BUCKET_FULL]	= KMPROF_LOSS_WAIT_BUCKET_FULL,
		[KMPROF_DELAY_OWN]		= KMPROF_LOSS_WAIT_OWN,
	},
};
