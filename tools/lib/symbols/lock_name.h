/* SPDX-License-Identifier: GPL-2.0 */
/* Locks in words: what they are, and what static ones are called. */
#ifndef KMPROF_SYMBOLS_LOCK_NAME_H
#define KMPROF_SYMBOLS_LOCK_NAME_H

#include "symbols/resolver.h"

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
 * kmprof_lock_name() - name of a static lock
 * @resolver: names
 * @lock: its address, not 0
 * @text: filled with "variable", "variable+0x10" or "variable [module]", or with the
 *	bare address; returned
 */
const char *kmprof_lock_name(const struct kmprof_resolver *resolver, __u64 lock,
			     char text[KMPROF_LOCK_TEXT]);

#endif
