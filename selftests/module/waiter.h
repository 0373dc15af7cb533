/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WAITER_H
#define WAITER_H

#include <linux/types.h>

struct ww_acquire_ctx;

/**
 * struct waiter_call - what a waiter function shall lock
 * @kind: enum kmprof_test_lock_kind
 * @access: enum kmprof_test_lock_access
 * @how: enum kmprof_test_lock_how
 * @lock: the lock
 * @ctx: for a ww_mutex; may be NULL
 */
struct waiter_call {
	u32 kind;
	u32 access;
	u32 how;
	void *lock;
	struct ww_acquire_ctx *ctx;
};

bool waiter_can(u32 kind, u32 access, u32 how);
bool waiter_spins(u32 kind);
int waiter_lock(u32 chain, const struct waiter_call *call);
void waiter_unlock(u32 chain, const struct waiter_call *call);
void waiter_downgrade(u32 chain, const struct waiter_call *call);

#endif /* WAITER_H */
