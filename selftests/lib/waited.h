/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Waits and releases as they were, and how a profile has to show them.
 */
#ifndef WAITED_H
#define WAITED_H

#include <stdint.h>

#include "module/kmprof_test.h"
#include "lib/snapshot.h"
#include "lib/symbols.h"

enum { WAITED_ONE = 1 << KMPROF_WAIT_COUNT_SHIFT, WAITED_MAX = 256 };

/**
 * struct shown - how a profile has to show a wait or a release
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
 * struct waited - a wait as it was, or all those that a release has ended
 * @shown: how the profile has to show it
 * @chain: the function that waited, or has released
 * @part: "lock"; of a release, what has released: "unlock" or "downgrade"
 * @tasks: that have waited
 * @wait_ns: from before the lock's function was called until it had returned, or
 *	until the function that releases was called; of all of them
 * @least_ns: what they have waited in any case
 * @most_ns: at most
 */
struct waited {
	struct shown shown;
	unsigned int chain;
	const char *part;
	unsigned int tasks;
	uint64_t wait_ns;
	uint64_t least_ns;
	uint64_t most_ns;
};

/**
 * struct waits - waits and releases as they were, each by another function or with
 *	another lock
 * @all: of them
 * @count: how many; more than WAITED_MAX are too many
 */
struct waits {
	struct waited all[WAITED_MAX];
	unsigned int count;
};

int waited_shown(int fd, unsigned int kind, unsigned int index, unsigned int access,
		 unsigned int holder, struct shown *shown);
int released_shown(int fd, unsigned int kind, unsigned int index, unsigned int access,
		   unsigned int holder, struct shown *shown);
void waited_add(struct waits *waits, const struct shown *shown,
		const struct kmprof_test_lock *order, uint64_t least_ns);
void released_add(struct waits *waits, const struct shown *shown, const char *part,
		  const struct kmprof_test_lock *holder, const struct kmprof_test_lock *waiters,
		  unsigned int count, uint64_t least_ns);

uint64_t waited_tolerance(uint64_t ns);
unsigned int waits_off(const struct waits *waits, const struct snapshot *snapshot,
		       const struct symbols *symbols);
const char *waits_wrong(const struct waits *waits, const struct snapshot *snapshot,
			const struct symbols *symbols);

#endif /* WAITED_H */
