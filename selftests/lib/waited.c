// SPDX-License-Identifier: GPL-2.0
/*
 * Holds what a snapshot says about waits for the test module's locks, and their
 * releases, against what they were.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/contention.h"
#include "lib/kmprof_guest.h"
#include "lib/locker.h"
#include "lib/waited.h"

static uint32_t access_flag(unsigned int access)
{
	return access == KMPROF_TEST_READ ? KMPROF_WAIT_READ : KMPROF_WAIT_WRITE;
}

/* PREEMPT_RT makes these of a count of readers and an rtmutex, where writers queue. */
static struct shown shown_rwbase(const struct kmprof_test_lock_state *state,
				 unsigned int access, unsigned int holder)
{
	if (access == KMPROF_TEST_WRITE && holder == KMPROF_TEST_WRITE)
		return (struct shown){ state->queue_address, KMPROF_LOCK_RTMUTEX, 0 };
	return (struct shown){ state->address, KMPROF_LOCK_RWSEM, access_flag(access) };
}

static struct shown shown_of(const struct kmprof_test_lock_state *state, unsigned int access,
			     unsigned int holder)
{
	int rt = guest_is_rt();

	switch (state->kind) {
	case KMPROF_TEST_LOCK_MUTEX:
	case KMPROF_TEST_LOCK_WW_MUTEX:
		return (struct shown){ state->address, rt ? KMPROF_LOCK_RTMUTEX :
							    KMPROF_LOCK_MUTEX, 0 };
	case KMPROF_TEST_LOCK_SLAB_MUTEX:
		return (struct shown){ 0, rt ? KMPROF_LOCK_RTMUTEX : KMPROF_LOCK_MUTEX, 0 };
	case KMPROF_TEST_LOCK_RWSEM:
		if (rt)
			return shown_rwbase(state, access, holder);
		return (struct shown){ state->address, KMPROF_LOCK_RWSEM, access_flag(access) };
	case KMPROF_TEST_LOCK_SEMAPHORE:
		return (struct shown){ state->address, KMPROF_LOCK_SEMAPHORE, 0 };
	case KMPROF_TEST_LOCK_RTMUTEX:
		return (struct shown){ state->address, KMPROF_LOCK_RTMUTEX, 0 };
	case KMPROF_TEST_LOCK_PERCPU_RWSEM:
		return (struct shown){ state->address, KMPROF_LOCK_PERCPU_RWSEM,
				       access_flag(access) };
	case KMPROF_TEST_LOCK_SPINLOCK:
		if (rt)
			return (struct shown){ state->address, KMPROF_LOCK_RTMUTEX, 0 };
		return (struct shown){ state->address, KMPROF_LOCK_SPINLOCK, KMPROF_WAIT_SPUN };
	case KMPROF_TEST_LOCK_RAW_SPINLOCK:
		return (struct shown){ state->address, KMPROF_LOCK_SPINLOCK, KMPROF_WAIT_SPUN };
	case KMPROF_TEST_LOCK_RWLOCK:
		if (rt)
			return shown_rwbase(state, access, holder);
		return (struct shown){ state->address, KMPROF_LOCK_RWLOCK,
				       access_flag(access) | KMPROF_WAIT_SPUN };
	default:
		return (struct shown){ 0 };
	}
}

/**
 * waited_shown() - how a profile has to show a wait on this kernel
 * @fd: the test module's device
 * @kind: enum kmprof_test_lock_kind
 * @index: which one of them
 * @access: enum kmprof_test_lock_access of the waiter
 * @holder: that of the task that it waits for
 * @shown: out: of a wait that ends with the lock and, if the lock lets a waiter sleep,
 *	after that has slept
 *
 * Return: 0 or a negative errno.
 */
int waited_shown(int fd, unsigned int kind, unsigned int index, unsigned int access,
		 unsigned int holder, struct shown *shown)
{
	struct kmprof_test_lock_state state;
	int ret = locker_state(fd, kind, index, &state);

	*shown = ret ? (struct shown){ 0 } : shown_of(&state, access, holder);
	return ret;
}

/**
 * released_shown() - how the mutex profile has to show a release on this kernel
 * @fd: the test module's device
 * @kind: enum kmprof_test_lock_kind
 * @index: which one of them
 * @access: enum kmprof_test_lock_access of those who wait for it
 * @holder: that of the task that releases it
 * @shown: out: of a release that wakes tasks which sleep; its @kind is 0 where
 *	nobody can tell who has released the lock
 *
 * Return: 0 or a negative errno.
 */
int released_shown(int fd, unsigned int kind, unsigned int index, unsigned int access,
		   unsigned int holder, struct shown *shown)
{
	int ret = waited_shown(fd, kind, index, access, holder, shown);
	/* With PREEMPT_RT nothing tells of a ww_mutex's release, or of readers'. */
	int unseen = guest_is_rt() && (kind == KMPROF_TEST_LOCK_WW_MUTEX ||
				       (kind == KMPROF_TEST_LOCK_RWSEM &&
					holder == KMPROF_TEST_READ));

	shown->flags = 0;
	switch (shown->kind) {
	case KMPROF_LOCK_SPINLOCK:
	case KMPROF_LOCK_RWLOCK:
		shown->kind = 0;
		break;
	case KMPROF_LOCK_RWSEM:
	case KMPROF_LOCK_PERCPU_RWSEM:
		shown->flags = access_flag(holder);
		break;
	}
	if (unseen)
		shown->kind = 0;
	return ret;
}

static void add(struct waits *waits, const struct waited *waited)
{
	if (waits->count < WAITED_MAX)
		waits->all[waits->count] = *waited;
	waits->count++;
}

/**
 * waited_add() - remember a wait
 * @waits: where
 * @shown: how the profile has to show it
 * @order: what the test module says about it
 * @least_ns: what it has waited in any case
 */
void waited_add(struct waits *waits, const struct shown *shown,
		const struct kmprof_test_lock *order, uint64_t least_ns)
{
	add(waits, &(struct waited){
		.shown = *shown,
		.chain = order->chain,
		.part = "lock",
		.tasks = 1,
		.wait_ns = order->wait_ns,
		.least_ns = least_ns,
		.most_ns = order->wait_ns,
	});
}

/**
 * released_add() - remember a release
 * @waits: where
 * @shown: how the mutex profile has to show it
 * @part: "unlock" or "downgrade"
 * @holder: what the test module says about who has released
 * @waiters: and about those who have waited until then, or have given up
 * @count: how many these are
 * @least_ns: what they have waited in any case, all together
 */
void released_add(struct waits *waits, const struct shown *shown, const char *part,
		  const struct kmprof_test_lock *holder, const struct kmprof_test_lock *waiters,
		  unsigned int count, uint64_t least_ns)
{
	/* Between these two; who downgrades sleeps before the end once more. */
	const int downgrades = !strcmp(part, "downgrade");
	const uint64_t called = downgrades ? holder->downgrade_ns :
				holder->start_ns + holder->wait_ns + holder->held_ns;
	const uint64_t end = holder->end_ns - (downgrades ? holder->sleep_us * 1000ULL : 0);
	const uint64_t last = downgrades ? 0 : holder->downgrade_ns;
	struct waited waited = {
		.shown = *shown,
		.chain = holder->chain,
		.part = part,
		.tasks = count,
		.least_ns = least_ns,
	};
	unsigned int i;

	for (i = 0; i < count; i++) {
		uint64_t since = waiters[i].start_ns > last ? waiters[i].start_ns : last;
		/* Who has given up has waited until then. */
		int gave_up = !!waiters[i].result;

		waited.wait_ns += gave_up ? waiters[i].wait_ns : called - since;
		waited.most_ns += gave_up ? waiters[i].wait_ns : end - since;
	}
	add(waits, &waited);
}

static uint64_t tolerance(uint64_t ns, unsigned int tasks)
{
	return ns / 50 + 100000ULL * guest_slow() * tasks;
}

/**
 * waited_tolerance() - how far off a measurement of a time may be
 * @ns: the time
 */
uint64_t waited_tolerance(uint64_t ns)
{
	return tolerance(ns, 1);
}

static char wrong[256];

static const char *is_wrong(const struct waited *waited, const char *format, ...)
{
	int length = snprintf(wrong, sizeof(wrong), "lock %#" PRIx64 " function %u %s: ",
			      waited->shown.lock, waited->chain, waited->part);
	va_list args;

	va_start(args, format);
	vsnprintf(wrong + length, sizeof(wrong) - length, format, args);
	va_end(args);
	return wrong;
}

static struct contention sum_of(const struct waited *waited, const struct snapshot *snapshot,
				const struct symbols *symbols)
{
	struct contention_which which = contention_blamed(waited->shown.lock, waited->chain);

	which.part = waited->part;
	return contention_sum(snapshot, symbols, strcmp(waited->part, "lock") ? which :
			      contention_waits(waited->shown.lock, waited->chain));
}

/*
 * No other one of that function with that lock is in the image. That it is not shown
 * too long is certain, because the test module's clock runs longer than the wait; for
 * the other way see is_off(). Returns NULL or what is wrong.
 */
static const char *waited_wrong(const struct waited *waited,
				const struct snapshot *snapshot,
				const struct symbols *symbols)
{
	const struct shown *shown = &waited->shown;
	struct contention sum = sum_of(waited, snapshot, symbols);

	if (sum.buckets != 1 || sum.count != WAITED_ONE)
		return is_wrong(waited, "%.3f of them in %u buckets, was one",
				(double)sum.count / WAITED_ONE, sum.buckets);
	if (sum.kind != shown->kind || sum.flags != shown->flags)
		return is_wrong(waited, "kind %u flags %#x, was %u %#x", sum.kind, sum.flags,
				shown->kind, shown->flags);
	if (sum.longest_ns != sum.delay_ns)
		return is_wrong(waited, "%" PRIu64 " ns, the longest %" PRIu64, sum.delay_ns,
				sum.longest_ns);
	if (sum.delay_ns > waited->most_ns + tolerance(waited->most_ns, waited->tasks))
		return is_wrong(waited, "%" PRIu64 " ns, was at most %" PRIu64, sum.delay_ns,
				waited->most_ns);
	if (sum.delay_ns + tolerance(waited->least_ns, waited->tasks) < waited->least_ns)
		return is_wrong(waited, "%" PRIu64 " ns, was at least %" PRIu64, sum.delay_ns,
				waited->least_ns);
	return NULL;
}

/*
 * It may be right all the same: the test module's clock runs on when the host takes
 * the CPU away on the way into the lock, or out of it.
 */
static int is_off(const struct waited *waited, const struct snapshot *snapshot,
		  const struct symbols *symbols)
{
	uint64_t ns = sum_of(waited, snapshot, symbols).delay_ns;
	uint64_t room = tolerance(waited->wait_ns, waited->tasks);

	return ns + room < waited->wait_ns || ns > waited->wait_ns + room;
}

/**
 * waits_off() - how many are not shown as long as they seem to have been
 * @waits: the waits and releases
 * @snapshot: the image
 * @symbols: with those of the test module
 */
unsigned int waits_off(const struct waits *waits, const struct snapshot *snapshot,
		       const struct symbols *symbols)
{
	unsigned int i, off = 0;

	for (i = 0; i < waits->count; i++)
		off += is_off(&waits->all[i], snapshot, symbols);
	return off;
}

/**
 * waits_wrong() - check that all are shown as they were
 * @waits: the waits and releases
 * @snapshot: the image, in which all were sampled with period 1
 * @symbols: with those of the test module
 *
 * Return: NULL, or what is wrong with one of them (valid until the next call).
 */
const char *waits_wrong(const struct waits *waits, const struct snapshot *snapshot,
			const struct symbols *symbols)
{
	const char *what = NULL;
	unsigned int i;

	if (!waits->count || waits->count > WAITED_MAX)
		return "no waits, or too many";
	for (i = 0; i < waits->count && !what; i++)
		what = waited_wrong(&waits->all[i], snapshot, symbols);
	if (what)
		contention_print(snapshot, symbols);
	return what;
}
