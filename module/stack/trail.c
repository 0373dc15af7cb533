// SPDX-License-Identifier: GPL-2.0
/* Keeps walks, and follows them again: see trail.h. Called where stacks are captured. */
#include <linux/atomic.h>
#include <linux/hash.h>
#include <linux/sched.h>

#include "stack/rules.h"
#include "stack/stack.h"
#include "stack/trail.h"
#include "stack/unwind.h"

enum {
	/* Of so many walks that cannot be kept, one is tried again: there may be a rule now. */
	RETRY	= 16,
};

/* Where a walk begins: the return address of the function with this frame, in words. */
static __always_inline const unsigned long *start_of(const unsigned long *frame)
{
	return frame + 1;
}

/* The frame pointer of the caller, counted from there. */
static __always_inline long bp_of(const unsigned long *frame)
{
	return frame[0] - (unsigned long)start_of(frame);
}

/**
 * kmprof_trail_find() - get the trail that may fit the current stack
 * @trails: those of this CPU: 1 << KMPROF_TRAIL_BITS of them
 * @frame: __builtin_frame_address(0) of the function whose return address is the first one
 *
 * It is that of the task, of what has called the function, and of about how deep the stack is:
 * with a random amount of stack, a stack of the same frames has two trails at most.
 *
 * Context: Any but NMI. Interrupts off.
 * Return: the trail.
 */
struct kmprof_trail *kmprof_trail_find(struct kmprof_trail *trails, const unsigned long *frame)
{
	unsigned long depth = (unsigned long)frame >> 9;

	return &trails[hash_long((unsigned long)current + *start_of(frame) + depth,
				 KMPROF_TRAIL_BITS)];
}

/* Follow the rest by rules. */
static bool follow_rest(const struct kmprof_trail *t, const unsigned long *frame)
{
	const unsigned long *start = start_of(frame);
	unsigned int i = t->nr_fixed - 1;
	unsigned long bp = t->has_saved ? kmprof_unwind_read(&start[t->saved_at]) : frame[0];
	struct kmprof_unwind u = kmprof_unwind_begin(t->ip[i],
						     (unsigned long)&start[t->at[i] + 1], bp);

	while (++i < t->nr)
		if (!kmprof_unwind_next(&u) || u.ip != t->ip[i])
			return false;
	return t->is_fixed_end || kmprof_unwind_is_top(&u);
}

/**
 * kmprof_trail_follow() - is the current stack that of a trail?
 * @t: the trail, from kmprof_trail_find()
 * @frame: as there
 *
 * Context: Any but NMI. Interrupts off.
 * Return: true if so: @of of the trail is what there is at its end.
 */
bool kmprof_trail_follow(const struct kmprof_trail *t, const unsigned long *frame)
{
	const unsigned long *start = start_of(frame);
	unsigned int i;

	if (!t->nr || t->epoch != READ_ONCE(kmprof_rules_epoch) ||
	    (t->has_bp && bp_of(frame) != t->bp))
		return false;
	for (i = 0; i < t->nr_fixed; i++)
		if (kmprof_unwind_read(&start[t->at[i]]) != t->ip[i])
			return false;
	return (t->nr_fixed == t->nr && t->is_fixed_end) || follow_rest(t, frame);
}

/* Keep a walk by rules. Returns false if there is none, or it is too long. */
static bool keep(struct kmprof_trail *t, const unsigned long *frame)
{
	const unsigned long *start = start_of(frame);
	struct kmprof_unwind u = kmprof_unwind_start(frame);
	bool is_fixed = true;
	unsigned int nr = 0;
	u32 saved;

	t->has_bp = kmprof_unwind_kind(&u) == KMPROF_UNWIND_BP;
	t->bp = bp_of(frame);
	t->has_saved = false;
	for (;;) {
		if (!u.rule || nr == KMPROF_TRAIL_MAX)
			return false;
		t->ip[nr] = u.ip;
		if (is_fixed) {
			t->at[nr] = (unsigned long *)u.sp - 1 - start;
			t->nr_fixed = nr + 1;
		}
		t->nr = ++nr;
		t->is_fixed_end = kmprof_stack_ends_at(kmprof_unwind_flags(&u)) ||
				  kmprof_unwind_kind(&u) == KMPROF_UNWIND_TOP;
		if (t->is_fixed_end)
			return true;
		is_fixed &= kmprof_unwind_kind(&u) == KMPROF_UNWIND_SP || (nr == 1 && t->has_bp);
		saved = u.rule >> KMPROF_UNWIND_SAVED_SHIFT & KMPROF_UNWIND_SAVED_MAX;
		if (!kmprof_unwind_next(&u))
			return kmprof_unwind_is_top(&u);
		if (is_fixed && saved) {
			t->saved_at = (unsigned long *)u.sp - saved - start;
			t->has_saved = true;
		}
	}
}

/**
 * kmprof_trail_note() - note what there was at the end of a walk that was not that of a trail
 * @t: the trail, from kmprof_trail_find()
 * @frame: as there
 * @of: what there was, not 0
 *
 * The second time in succession, the walk is kept.
 *
 * Context: Any but NMI. Interrupts off.
 */
void kmprof_trail_note(struct kmprof_trail *t, const unsigned long *frame, u32 of)
{
	bool again = t->of == of;

	t->of = of;
	t->nr = 0;
	if (!again)
		t->failed = 0;
	/* A walk that is too long will be so the next time. */
	if (!again || t->failed++ % RETRY)
		return;
	/* Pairs with kmprof_rules_forget(). */
	t->epoch = smp_load_acquire(&kmprof_rules_epoch);
	if (keep(t, frame))
		t->failed = 0;
	else
		t->nr = 0;
}
