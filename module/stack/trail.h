/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trails: walks that were made before, to be made again without a rule for each frame.
 *
 * Most often, a task sleeps where it slept before, with the same frames on its stack. A trail has
 * the return addresses of a walk, and where on the stack they were, counted from the first one. If
 * the same ones are there now, the walk would take the same way: a rule that counts from the stack
 * pointer depends on the return address only. So a frame takes 7 instructions instead of 30.
 *
 * A rule that counts from the frame pointer depends on that, too. It is compared if the first frame
 * has such a rule, as that of __schedule() does. From the next such frame on, the trail is followed
 * by rules: do_syscall_64() has a random amount of stack.
 *
 * A trail is followed exactly, or not at all. Each CPU has its own ones.
 */
#ifndef KMPROF_TRAIL_H
#define KMPROF_TRAIL_H

#include <linux/types.h>

enum {
	/* Return addresses of a trail. Longer walks have none. */
	KMPROF_TRAIL_MAX	= 28,
	/* log2 of the trails of a CPU. */
	KMPROF_TRAIL_BITS	= 8,
};

/**
 * struct kmprof_trail - a walk that was made
 * @of: what the caller has found at its end; 0: nothing yet
 * @epoch: kmprof_rules_epoch at that time
 * @nr: number of return addresses; 0: nothing but @of is valid
 * @nr_fixed: number of those at the start that are at @at
 * @bp: frame pointer of the first frame, in bytes from the first return address on; what there is
 *	from the second frame on depends on it if @has_bp
 * @has_bp: the first frame counts from it
 * @saved_at: word where the frame pointer of the last fixed one was saved, as in @at
 * @has_saved: it was; else it is that of the start
 * @failed: how often in succession it could not be kept
 * @is_fixed_end: the last return address tells by itself that there is no other one
 * @at: where each of them is, in words from the first one on
 * @ip: the return addresses
 */
struct kmprof_trail {
	u32 of;
	u32 epoch;
	u8 nr;
	u8 nr_fixed;
	bool has_bp;
	bool has_saved;
	bool is_fixed_end;
	u8 failed;
	u16 saved_at;
	long bp;
	u16 at[KMPROF_TRAIL_MAX];
	unsigned long ip[KMPROF_TRAIL_MAX];
};

struct kmprof_trail *kmprof_trail_find(struct kmprof_trail *trails, const unsigned long *frame);
bool kmprof_trail_follow(const struct kmprof_trail *t, const unsigned long *frame);
void kmprof_trail_note(struct kmprof_trail *t, const unsigned long *frame, u32 of);

#endif
