// SPDX-License-Identifier: GPL-2.0
/* Explains what is not attributable. The module owns the names; words for people live here. */
#include "image/reasons.h"

const struct kmprof_reason kmprof_reasons[] = {
	{ "total.unblamed.spinning_ns", "spinning",
	  "for locks that waiters spin for: no release is seen" },
	{ "total.unblamed.spun_ns", "spun",
	  "got the lock by spinning: a fast path released it" },
	{ "total.unblamed.hand_over_ns", "hand-over",
	  "after the last release, until the task had the lock" },
	{ "total.unblamed.unseen_ns", "unseen",
	  "got the lock, and no release was seen" },
	{ "total.unblamed.failed_ns", "failed",
	  "did not get the lock, and nobody else waited" },
	{ "total.unblamed.grace_period_ns", "grace period",
	  "for an RCU grace period, to write a percpu_rwsem" },
	{ "total.unblamed.not_followed_ns", "not followed",
	  "began before mutex_fraction was on, or had no room" },
};

const unsigned int kmprof_nr_reasons = ARRAY_SIZE(kmprof_reasons);
