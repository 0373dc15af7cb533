/* SPDX-License-Identifier: GPL-2.0 */
/* Locks, and how somebody waited for one or held it, in words. */
#ifndef KMPROF_PROFILE_LOCK_H
#define KMPROF_PROFILE_LOCK_H

#include "profile/nowhere.h"
#include "symbols/resolver.h"

/* Shown for locks of which nothing but their kind is known. */
#define KMPROF_OTHER_LOCKS_NAME	"[other locks]"

/* The kernel's names have at most 511 characters, its modules' 55. */
enum { KMPROF_LOCK_TEXT = 640 };

/**
 * kmprof_lock_kind() - name of a kind of locks
 * @kind: enum kmprof_lock_kind
 *
 * Return: a static string.
 */
const char *kmprof_lock_kind(__u32 kind);

/* What a wait or a release was for: "read", "write", or NULL where that is no question. */
const char *kmprof_lock_access(__u32 flags);

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

/**
 * kmprof_lock_name() - name of a static lock
 * @resolver: names
 * @lock: its address, not 0
 * @text: filled with "variable", "variable+0x10" or "variable [module]", or with the
 *	bare address; returned
 */
const char *kmprof_lock_name(const struct kmprof_resolver *resolver, __u64 lock,
			     char text[KMPROF_LOCK_TEXT]);

#endif
