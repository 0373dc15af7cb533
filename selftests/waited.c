// SPDX-License-Identifier: GPL-2.0
/*
 * Holds what a snapshot says about waits for the test module's locks against what
 * they were.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "contention.h"
#include "kmprof_guest.h"
#include "locker.h"
#include "waited.h"

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
 * waited_add() - remember a wait
 * @waits: where
 * @shown: how the profile has to show it
 * @order: what the test module says about it
 * @least_ns: what it has waited in any case
 */
void waited_add(struct waits *waits, const struct shown *shown,
		const struct kmprof_test_lock *order, uint64_t least_ns)
{
	if (waits->count < WAITED_MAX)
		waits->all[waits->count] = (struct waited){
			.shown = *shown,
			.chain = order->chain,
			.wait_ns = order->wait_ns,
			.least_ns = least_ns,
		};
	waits->count++;
}

/**
 * waited_tolerance() - how far off a measurement of a time may be
 * @ns: the time
 */
uint64_t waited_tolerance(uint64_t ns)
{
	return ns / 50 + 100000ULL * guest_slow();
}

static char wrong[256];

static const char *is_wrong(const struct waited *waited, const char *format, ...)
{
	int length = snprintf(wrong, sizeof(wrong), "lock %#" PRIx64 " function %u: ",
			      waited->shown.lock, waited->chain);
	va_list args;

	va_start(args, format);
	vsnprintf(wrong + length, sizeof(wrong) - length, format, args);
	va_end(args);
	return wrong;
}

/**
 * waited_wrong() - check that a wait is shown as it was
 * @waited: the wait; no other one of that function for that lock is in the image
 * @snapshot: the image, of waits that were all sampled with period 1
 * @symbols: with those of the test module
 *
 * That it is not shown too long is certain, because the test module's clock runs
 * longer than the wait; for the other way see waited_is_short().
 *
 * Return: NULL, or what is wrong with it (valid until the next call).
 */
const char *waited_wrong(const struct waited *waited, const struct snapshot *snapshot,
			 const struct symbols *symbols)
{
	const struct shown *shown = &waited->shown;
	struct contention wait = contention_sum(snapshot, symbols, shown->lock, waited->chain);

	if (wait.buckets != 1 || wait.count != WAITED_ONE)
		return is_wrong(waited, "%.3f waits in %u buckets, was one",
				(double)wait.count / WAITED_ONE, wait.buckets);
	if (wait.kind != shown->kind || wait.flags != shown->flags)
		return is_wrong(waited, "kind %u flags %#x, was %u %#x", wait.kind, wait.flags,
				shown->kind, shown->flags);
	if (wait.longest_ns != wait.delay_ns)
		return is_wrong(waited, "%" PRIu64 " ns, the longest %" PRIu64, wait.delay_ns,
				wait.longest_ns);
	if (wait.delay_ns > waited->wait_ns + waited_tolerance(waited->wait_ns))
		return is_wrong(waited, "%" PRIu64 " ns, was %" PRIu64, wait.delay_ns,
				waited->wait_ns);
	if (wait.delay_ns + waited_tolerance(waited->least_ns) < waited->least_ns)
		return is_wrong(waited, "%" PRIu64 " ns, was at least %" PRIu64, wait.delay_ns,
				waited->least_ns);
	return NULL;
}

/**
 * waited_is_short() - whether a wait is shown shorter than it seems to have been
 * @waited: the wait
 * @snapshot: the image
 * @symbols: with those of the test module
 *
 * It may be right all the same: the test module's clock runs on when the host takes
 * the CPU away on the way into the lock, or out of it.
 */
int waited_is_short(const struct waited *waited, const struct snapshot *snapshot,
		    const struct symbols *symbols)
{
	struct contention wait = contention_sum(snapshot, symbols, waited->shown.lock,
						waited->chain);

	return wait.delay_ns + waited_tolerance(waited->wait_ns) < waited->wait_ns;
}

/**
 * waits_short() - how many of the waits are shown shorter than they seem to have been
 * @waits: the waits
 * @snapshot: the image
 * @symbols: with those of the test module
 */
unsigned int waits_short(const struct waits *waits, const struct snapshot *snapshot,
			 const struct symbols *symbols)
{
	unsigned int i, is_short = 0;

	for (i = 0; i < waits->count; i++)
		is_short += waited_is_short(&waits->all[i], snapshot, symbols);
	return is_short;
}

/**
 * waits_wrong() - check that all waits are shown as they were
 * @waits: the waits
 * @snapshot: the image
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
