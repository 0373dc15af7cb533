/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Waits as they were, and how a profile has to show them.
 */
#ifndef WAITED_H
#define WAITED_H

#include <stdint.h>

#include "kmprof_test.h"
#include "snapshot.h"
#include "symbols.h"

enum { WAITED_ONE = 1 << KMPROF_WAIT_COUNT_SHIFT, WAITED_MAX = 256 };

/**
 * struct shown - how a profile has to show a wait
 * @lock: address, 0 when it is not static
 * @kind: enum kmprof_lock_kind
 * @flags: KMPROF_WAIT_*
 */
struct shown {
	uint64_t lock;
	uint32_t kind;
	uint32_t flags;
};

/**
 * struct waited - a wait as it was
 * @shown: how the profile has to show it
 * @chain: the function that waited
 * @wait_ns: from before the lock's function was called until it had returned
 * @least_ns: what it has waited in any case
 */
struct waited {
	struct shown shown;
	unsigned int chain;
	uint64_t wait_ns;
	uint64_t least_ns;
};

/**
 * struct waits - waits as they were, each by another function or for another lock
 * @all: the waits
 * @count: how many; more than WAITED_MAX are too many
 */
struct waits {
	struct waited all[WAITED_MAX];
	unsigned int count;
};

int waited_shown(int fd, unsigned int kind, unsigned int index, unsigned int access,
		 unsigned int holder, struct shown *shown);
void waited_add(struct waits *waits, const struct shown *shown,
		const struct kmprof_test_lock *order, uint64_t least_ns);

uint64_t waited_tolerance(uint64_t ns);
const char *waited_wrong(const struct waited *waited, const struct snapshot *snapshot,
			 const struct symbols *symbols);
int waited_is_short(const struct waited *waited, const struct snapshot *snapshot,
		    const struct symbols *symbols);
unsigned int waits_short(const struct waits *waits, const struct snapshot *snapshot,
			 const struct symbols *symbols);
const char *waits_wrong(const struct waits *waits, const struct snapshot *snapshot,
			const struct symbols *symbols);

/* Expects a snapshot to show each of the waits once, and as long as it was. */
#define EXPECT_WAITS(waits, snapshot, symbols) do {			\
	const char *__what = waits_wrong(waits, snapshot, symbols);	\
									\
	EXPECT_EQ(NULL, __what)						\
		TH_LOG("%s", __what);					\
} while (0)

#endif /* WAITED_H */
