/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What every snapshot of waits and releases has to show, once none is in flight: what a
 * wait has taken is blamed on releases, or told to be nobody's fault.
 */
#ifndef BALANCE_H
#define BALANCE_H

#include <unistd.h>

#include "lib/contention.h"
#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/watch.h"

/* With PREEMPT_RT, who gets a rwsem to read it passes on the lock inside of it, too. */
static inline void expect_releases_only(struct __test_metadata *_metadata,
					const struct watch *watch,
					const struct snapshot *snapshot, uint64_t lock)
{
	struct contention_which which = contention_blamed(lock, CONTENTION_NO_CHAIN);
	struct contention others = contention_sum(snapshot, &watch->symbols, which);

	EXPECT_EQ(0, others.count)
		TH_LOG("lock %#llx: %u other functions are blamed", (unsigned long long)lock,
		       others.buckets);
	which.part = "lock";
	for (which.chain = 0; which.chain < KMPROF_TEST_WAITERS && !guest_is_rt(); which.chain++) {
		others = contention_sum(snapshot, &watch->symbols, which);
		EXPECT_EQ(0, others.count)
			TH_LOG("lock %#llx: function %d is blamed for taking it",
			       (unsigned long long)lock, which.chain);
	}
}

/* Of a lock that has an address: a part of the waits for others is told of, too. */
static inline void expect_balance(struct __test_metadata *_metadata, const struct watch *watch,
				  const struct snapshot *snapshot, uint64_t lock)
{
	struct contention_balance balance;

	if (!lock)
		return;
	balance = contention_balance(snapshot, &watch->symbols, lock);
	EXPECT_TRUE(contention_is_balanced(&balance))
		TH_LOG("lock %#llx: waited %llu ns, %llu of it blamed, %llu unblamed",
		       (unsigned long long)lock, (unsigned long long)balance.waits.delay_ns,
		       (unsigned long long)balance.blamed.delay_ns,
		       (unsigned long long)balance.unblamed.delay_ns);
	expect_releases_only(_metadata, watch, snapshot, lock);
}

/* The totals as well: of all locks, with what was lost on the way into a bucket. */
static inline int is_balanced(const struct snapshot *snapshot)
{
	uint64_t waited = snapshot_scalar(snapshot, "total.wait_ns");
	uint64_t told = snapshot_scalar(snapshot, "total.blamed_ns") +
			snapshot_scalar(snapshot, "total.unblamed_ns");

	return 0.99 * waited <= told && 1.01 * waited >= told;
}

/* To the nanosecond, which clocks and losses do not disturb. */
static inline int is_exact(const struct snapshot *snapshot)
{
	return snapshot_scalar(snapshot, "total.wait_ns") ==
	       snapshot_scalar(snapshot, "total.blamed_ns") +
	       snapshot_scalar(snapshot, "total.unblamed_ns");
}

/*
 * With waits in flight, who have their blame before they end, it need not be; and what
 * is killed takes a while to be gone. So this looks again, for up to a minute.
 */
static inline int take_until(int (*is_so)(const struct snapshot *), int dev,
			     struct snapshot *snapshot)
{
	enum { QUIET_MS = 60000, EVERY_QUIET_MS = 50 };
	unsigned int quiet;
	int ret;

	for (quiet = 0;; quiet += EVERY_QUIET_MS) {
		ret = snapshot_take(dev, snapshot);
		if (ret || is_so(snapshot) || quiet >= QUIET_MS)
			return ret;
		snapshot_free(snapshot);
		usleep(EVERY_QUIET_MS * 1000);
	}
}

static inline int take_balanced(int dev, struct snapshot *snapshot)
{
	return take_until(is_balanced, dev, snapshot);
}

static inline int take_exact(int dev, struct snapshot *snapshot)
{
	return take_until(is_exact, dev, snapshot);
}

static inline void expect_balanced_totals(struct __test_metadata *_metadata,
					  const struct snapshot *snapshot)
{
	EXPECT_TRUE(is_balanced(snapshot))
		TH_LOG("waited %llu ns, %llu of it blamed, %llu unblamed",
		       (unsigned long long)snapshot_scalar(snapshot, "total.wait_ns"),
		       (unsigned long long)snapshot_scalar(snapshot, "total.blamed_ns"),
		       (unsigned long long)snapshot_scalar(snapshot, "total.unblamed_ns"));
}

/* Prints what there is when the test has failed, and lets go of it. */
static inline void finish(struct __test_metadata *_metadata, const struct watch *watch,
			  struct snapshot *snapshot)
{
	if (!_metadata->passed) {
		contention_print(snapshot, &watch->symbols);
		snapshot_print_losses(snapshot);
	}
	snapshot_free(snapshot);
}

#endif /* BALANCE_H */
