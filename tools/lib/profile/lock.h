/* SPDX-License-Identifier: GPL-2.0 */
/* How somebody waited for a lock, in words. */
#ifndef KMPROF_PROFILE_LOCK_H
#define KMPROF_PROFILE_LOCK_H

#include "profile/nowhere.h"
#include "symbols/lock_name.h"

/* Shown for locks of which nothing but their kind is known. */
#define KMPROF_OTHER_LOCKS_NAME	"[other locks]"

/**
 * struct kmprof_lock_outcome - how a wait can end
 * @flag: KMPROF_WAIT_*
 * @name: for it
 */
struct kmprof_lock_outcome {
	__u32 flag;
	const char *name;
};

enum { KMPROF_NR_LOCK_OUTCOMES = 2 };

extern const struct kmprof_lock_outcome kmprof_lock_outcomes[KMPROF_NR_LOCK_OUTCOMES];

/* What a delay with these KMPROF_WAIT_* has in the place of a stack that is empty. */
enum kmprof_nowhere kmprof_lock_nowhere(__u32 flags);

#endif
