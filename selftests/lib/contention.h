/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a snapshot says about waits for locks and who is to blame for them, in
 * particular for those that the test module's waiter functions take and release.
 */
#ifndef CONTENTION_H
#define CONTENTION_H

#include <stdint.h>

#include "module/kmprof_test.h"
#include "lib/snapshot.h"
#include "lib/symbols.h"

#define CONTENTION_ANY_LOCK	UINT64_MAX
#define CONTENTION_NO_CHAIN	(-1)	/* not one of the waiter functions */
#define CONTENTION_ANY_CHAIN	(-2)

/**
 * struct contention_which - which buckets
 * @profile: "block" or "mutex"
 * @lock: of that lock; 0: of one that is not static; or CONTENTION_ANY_LOCK
 * @chain: of that waiter function, or CONTENTION_*_CHAIN
 * @part: what the waiter function does: "lock", "unlock", "downgrade"
 * @with: KMPROF_WAIT_* that all have
 * @without: KMPROF_WAIT_* that none has
 */
struct contention_which {
	const char *profile;
	uint64_t lock;
	int chain;
	const char *part;
	uint32_t with;
	uint32_t without;
};

/**
 * struct contention - waits or releases, summed over buckets
 * @buckets: how many
 * @count: estimated number, times 1 << KMPROF_WAIT_COUNT_SHIFT
 * @delay_ns: estimated sum of what they took
 * @longest_ns: the longest one that was sampled
 * @kind: enum kmprof_lock_kind; 0 when the buckets do not agree
 * @flags: KMPROF_WAIT_*, of any of the buckets
 */
struct contention {
	unsigned int buckets;
	uint64_t count;
	uint64_t delay_ns;
	uint64_t longest_ns;
	uint32_t kind;
	uint32_t flags;
};

/* The waits of a waiter function. */
static inline struct contention_which contention_waits(uint64_t lock, int chain)
{
	return (struct contention_which){
		.profile = "block", .lock = lock, .chain = chain, .part = "lock",
	};
}

/* What its releases are blamed for; of all waiter functions: whatever they do. */
static inline struct contention_which contention_blamed(uint64_t lock, int chain)
{
	return (struct contention_which){
		.profile = "mutex", .lock = lock, .chain = chain,
		.part = "unlock", .without = KMPROF_WAIT_UNBLAMED,
	};
}

/* What nobody is blamed for. */
static inline struct contention_which contention_unblamed(uint64_t lock)
{
	return (struct contention_which){
		.profile = "mutex", .lock = lock, .chain = CONTENTION_ANY_CHAIN,
		.with = KMPROF_WAIT_UNBLAMED,
	};
}

int contention_is_wanted(const struct snapshot *snapshot, const struct symbols *symbols,
			 const struct kmprof_image_contention *bucket,
			 const struct contention_which *which);
struct contention contention_sum(const struct snapshot *snapshot, const struct symbols *symbols,
				 struct contention_which which);

/**
 * struct contention_balance - what a snapshot says about one lock
 * @waits: all for it
 * @blamed: what releases are blamed for
 * @unblamed: what nobody is blamed for
 */
struct contention_balance {
	struct contention waits;
	struct contention blamed;
	struct contention unblamed;
};

struct contention_balance contention_balance(const struct snapshot *snapshot,
					     const struct symbols *symbols, uint64_t lock);
int contention_is_balanced(const struct contention_balance *balance);
void contention_print(const struct snapshot *snapshot, const struct symbols *symbols);

#endif /* CONTENTION_H */
