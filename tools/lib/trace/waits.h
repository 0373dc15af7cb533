/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which waits for locks are parts of others. Source: where trace_contention_begin() is called in
 * kernel/locking/, and sched_submit_work().
 */
#ifndef KMPROF_TRACE_WAITS_H
#define KMPROF_TRACE_WAITS_H

#include "trace/trace.h"

/* Does a task spin for locks of that kind, whatever happens? @kind: enum kmprof_lock_kind */
bool kmprof_wait_spins(__u64 kind);

/*
 * What an interrupt waits for is not what the task waits for. But with PREEMPT_RT, a softirq sleeps
 * as the task does. @kind: of the lock
 */
bool kmprof_wait_is_of_task(const struct kmprof_event *event, __u64 kind);

/**
 * kmprof_wait_is_inner() - does a task wait for a lock on its way to another one?
 * @outer: kind of the lock that it waits for already
 * @flags: of that wait: KMPROF_WAIT_*
 * @kind: of the lock that it begins to wait for, such as the spinlock around its list of waiters
 *
 * Return: true if that is a part of the wait for the outer one.
 */
bool kmprof_wait_is_inner(__u32 outer, __u32 flags, __u64 kind);

#endif
