// SPDX-License-Identifier: GPL-2.0
/* The mutex profile: delays that releases of locks are blamed for, by their stack. */
#include <uapi/linux/kmprof.h>

#include "lock/lock_profile.h"

/* One of @period releases is sampled. Source: mutexevent() of mprof.go. */
static u64 weigh_release(u64 ns, u64 period, u64 *sum)
{
	*sum = ns * period;
	return period << KMPROF_WAIT_COUNT_SHIFT;
}

struct kmprof_lock_profile kmprof_mutex_profile = {
	.profile	= {
		.name			= "mutex",
		.id			= KMPROF_PROFILE_MUTEX,
		.ops			= &kmprof_lock_profile_ops,
		.leaves_half_of_rings	= true,
	},
	.weigh		= weigh_release,
	.sampled	= KMPROF_DELAYS_SAMPLED,
	.fate		= {
		[KMPROF_DELAY_COUNTED]		= KMPROF_DELAYS_COUNTED,
		[KMPROF_DELAY_NESTED]		= KMPROF_LOSS_DELAY_NESTED,
		[KMPROF_DELAY_RING_FULL]	= KMPROF_LOSS_DELAY_RING_FULL,
		[KMPROF_DELAY_BUCKET_FULL]	= KMPROF_LOSS_DELAY_BUCKET_FULL,
		[KMPROF_DELAY_OWN]		= KMPROF_LOSS_DELAY_OWN,
	},
};
