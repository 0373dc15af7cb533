/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Redirected allocations: how a kprobe on an allocator's entry gets what the allocator will
 * return, at no cost for calls that do not matter.
 *
 * For a call that does, the kprobe's handler sets the instruction pointer to a thunk
 * (thunks_x86.S). The thunk calls the allocator behind its ftrace call, so that no probe or tracer
 * sees the call twice. Then it passes the result to kmprof and returns to the caller: with
 * preemption as the caller has it, unlike a return probe.
 */
#ifndef KMPROF_ENTRY_POINT_H
#define KMPROF_ENTRY_POINT_H

#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include "mem/redirect/thunks.h"

/**
 * struct kmprof_entry_point - an allocator's entry point, and the kprobe on it
 * @symbol: name of the function
 * @handler: pre-handler of @probe; it redirects calls with kmprof_entry_point_redirect()
 * @thunk: address of the thunk
 * @probe: the kprobe; registered while @probe.addr is not NULL
 * @is_claimed: kmprof_claim() has claimed the function, because the kprobe core has not
 */
struct kmprof_entry_point {
	const char *symbol;
	kprobe_pre_handler_t handler;
	unsigned long thunk;
	struct kprobe probe;
	bool is_claimed;
};

enum {
	KMPROF_ENTRY_POINTS_MAX = 16,	/* that are disarmed together */
};

/**
 * struct kmprof_entry_points - entry points that are disarmed together
 * @points: the entry points
 * @nr: their number, KMPROF_ENTRY_POINTS_MAX at most
 * @calls: their redirected calls
 * @is_thunk: does an address lie in one of their thunks?
 * @missed_before: hits that the kprobe core skipped, of kprobes that are unregistered; protected
 *	by kmprof_missed_lock
 */
struct kmprof_entry_points {
	struct kmprof_entry_point *points;
	unsigned int nr;
	struct kmprof_thunk_calls __percpu *calls;
	bool (*is_thunk)(unsigned long addr);
	u64 missed_before;
};

/**
 * kmprof_entry_point_redirect() - make a call go through its thunk, for a handler
 * @p: the entry point's kprobe
 * @regs: the handler's registers
 * @calls: where the call is counted
 *
 * Context: Handler of a kprobe that goes through ftrace. Preemption off.
 * Return: what the handler has to return.
 */
static __always_inline int
kmprof_entry_point_redirect(struct kprobe *p, struct pt_regs *regs,
			    struct kmprof_thunk_calls __percpu *calls)
{
	this_cpu_inc(calls->sent);
	instruction_pointer_set(regs, container_of(p, struct kmprof_entry_point, probe)->thunk);
	return 1;	/* regs->ip was changed */
}

long kmprof_thunk_calls_sum(const long __percpu *counter);
int kmprof_entry_point_arm(struct kmprof_entry_point *entry, const struct kmprof_thunk *thunk);
void kmprof_entry_points_disarm(struct kmprof_entry_points *entries);
u64 kmprof_entry_points_missed(const struct kmprof_entry_points *entries);

#endif
