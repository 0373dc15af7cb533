// SPDX-License-Identifier: GPL-2.0
/* The block profile: waits for locks, by the stack of the waiter. */
#include <linux/math64.h>
#include <linux/minmax.h>
#include <uapi/linux/kmprof.h>

#include "lock/lock_profile.h"

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

struct kmprof_lock_profile kmprof_block_profile = {
	.profile	= {
		.name			= "block",
		.id			= KMPROF_PROFILE_BLOCK,
		.ops			= &kmprof_lock_profile_ops,
		.leaves_half_of_rings	= true,
	},
	.weigh		= weigh_wait,
	.sampled	= KMPROF_WAITS_SAMPLED,
	.fate		= {
		[KMPROF_DELAY_COUNTED]		= KMPROF_WAITS_COUNTED,
		[KMPROF_DELAY_NESTED]		= KMPROF_LOSS_WAIT_NESTED,
		[KMPROF_DELAY_RING_FULL]	= KMPROF_LOSS_WAIT_RING_FULL,
		[KMPROF_DELAY_BUCKET_FULL]	= KMPROF_LOSS_WAIT_BUCKET_FULL,
		[KMPROF_DELAY_OWN]		= KMPROF_LOSS_WAIT_OWN,
	},
};
