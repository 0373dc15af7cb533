// SPDX-License-Identifier: GPL-2.0
/* The mutex profile: delays that releases of locks are blamed for, by their stack. */
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/overflow.h>
#include <uapi/linux/kmprof.h>

#include "lock/contended.h"
#include "lock/delay_text.h"
#include "lock/lock_profile.h"
#include "lock/source.h"

/*
 * One of @period releases is sampled. @ns is a sum over all waiters: the product may not fit.
 * Source: mutexevent() of mprof.go.
 */
static u64 weigh_release(u64 ns, u64 period, u64 *sum)
{
	if (check_mul_overflow(ns, period, sum))
		*sum = U64_MAX;
	return period << KMPROF_WAIT_COUNT_SHIFT;
}

/* A reason for which no release is blamed. All of them add up to the total. */
#define UNBLAMED(reason_, counter_)						\
	KMPROF_COUNTER("total.unblamed." reason_ "_ns", "nanoseconds",		\
		       KMPROF_SCALAR_TOTAL, counter_)

static const struct kmprof_scalar mutex_scalars[] = {
	KMPROF_COUNTER("total.releases", "count", KMPROF_SCALAR_TOTAL, KMPROF_RELEASES),
	KMPROF_COUNTER("total.blamed_ns", "nanoseconds", KMPROF_SCALAR_TOTAL, KMPROF_BLAMED_NS),
	KMPROF_COUNTER("total.unblamed_ns", "nanoseconds", KMPROF_SCALAR_TOTAL,
		       KMPROF_UNBLAMED_NS),
	UNBLAMED("spinning", KMPROF_UNBLAMED_SPINNING),
	UNBLAMED("spun", KMPROF_UNBLAMED_SPUN),
	UNBLAMED("hand_over", KMPROF_UNBLAMED_HAND_OVER),
	UNBLAMED("unseen", KMPROF_UNBLAMED_UNSEEN),
	UNBLAMED("failed", KMPROF_UNBLAMED_FAILED),
	UNBLAMED("grace_period", KMPROF_UNBLAMED_GRACE),
	UNBLAMED("not_followed", KMPROF_UNBLAMED_NOT_FOLLOWED),
	KMPROF_COUNTER("delays_sampled", "count", KMPROF_SCALAR_SAMPLED, KMPROF_DELAYS_SAMPLED),
	KMPROF_COUNTER("delays_counted", "count", KMPROF_SCALAR_COUNTED, KMPROF_DELAYS_COUNTED),
	KMPROF_LOST("delay_nested", KMPROF_LOSS_DELAY_NESTED),
	KMPROF_LOST("delay_ring_full", KMPROF_LOSS_DELAY_RING_FULL),
	KMPROF_LOST("delay_bucket_full", KMPROF_LOSS_DELAY_BUCKET_FULL),
	KMPROF_LOST("delay_own", KMPROF_LOSS_DELAY_OWN),
	KMPROF_LEDGER("delay_table_full", KMPROF_LOSS_DELAY_TABLE_FULL),
	KMPROF_LEDGER("missed_release", KMPROF_LOSS_MISSED_RELEASE),
	KMPROF_LEDGER("delay_saturated", KMPROF_LOSS_DELAY_SATURATED),
};

static const struct kmprof_column mutex_columns[] = {
	KMPROF_DELAY_COLUMN("delay"),
	KMPROF_DELAY_COUNT_COLUMN("releases"),
};

static const struct kmprof_view mutex_view = {
	.name		= "mutex",
	.profile	= &kmprof_mutex_profile.profile,
	.form		= &kmprof_mutex_form,
};

struct kmprof_lock_profile kmprof_mutex_profile = {
	.profile	= {
		.name			= "mutex",
		.ops			= &kmprof_lock_profile_ops,
		.source			= &kmprof_wait_source,
		.scalars		= mutex_scalars,
		.nr_scalars		= ARRAY_SIZE(mutex_scalars),
		.format			= KMPROF_ROWS_MUTEX,
		.row_size		= sizeof(struct kmprof_image_contention),
		.columns		= mutex_columns,
		.nr_columns		= ARRAY_SIZE(mutex_columns),
		.views			= &mutex_view,
		.nr_views		= 1,
		.leaves_half_of_rings	= true,
	},
	.weigh		= weigh_release,
	.enter_era	= kmprof_contended_enter_era,
	.sampled	= KMPROF_DELAYS_SAMPLED,
	.saturated	= KMPROF_LOSS_DELAY_SATURATED,
	.fate		= {
		[KMPROF_DELAY_COUNTED]		= KMPROF_DELAYS_COUNTED,
		[KMPROF_DELAY_NESTED]		= KMPROF_LOSS_DELAY_NESTED,
		[KMPROF_DELAY_RING_FULL]	= KMPROF_LOSS_DELAY_RING_FULL,
		[KMPROF_DELAY_BUCKET_FULL]	= KMPROF_LOSS_DELAY_BUCKET_FULL,
		[KMPROF_DELAY_OWN]		= KMPROF_LOSS_DELAY_OWN,
	},
};
