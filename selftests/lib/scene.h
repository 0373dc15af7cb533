/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Scenes that are played with a lock of the test module: somebody holds it, and
 * others sleep for it. Functions return 0 or a negative errno; a failure is
 * explained on stderr.
 */
#ifndef SCENE_H
#define SCENE_H

#include "module/kmprof_test.h"
#include "lib/waited.h"

enum {
	SCENE_HOLDER = KMPROF_TEST_WAITERS - 1,	/* the function that holders use */
	SCENE_WAITERS = 8,
	SCENES = 19,
};

/**
 * struct scene - a way to wait, asleep
 * @kind: enum kmprof_test_lock_kind
 * @index: which one of them
 * @holder: enum kmprof_test_lock_access of who holds it
 * @access: that of those who wait
 * @how: enum kmprof_test_lock_how of these
 * @flags: KMPROF_TEST_CONTEXT
 * @holder_flags: of who holds it, too: KMPROF_TEST_DOWNGRADE
 */
struct scene {
	unsigned int kind;
	unsigned int index;
	unsigned int holder;
	unsigned int access;
	unsigned int how;
	unsigned int flags;
	unsigned int holder_flags;
};

/* Each with a lock of its own. */
extern const struct scene scenes[SCENES];

/**
 * struct play - a scene that is played
 * @holder: what who holds the lock does, and what came of it
 * @waiters: likewise
 * @count: of these
 */
struct play {
	struct kmprof_test_lock holder;
	struct kmprof_test_lock waiters[SCENE_WAITERS];
	unsigned int count;
};

/* How a waiter is made to give up. */
enum scene_signal {
	SCENE_INTERRUPT,
	SCENE_KILL,
};

int scene_shown(int fd, const struct scene *scene, struct shown *shown);
int scene_released(int fd, const struct scene *scene, struct shown *shown);
struct kmprof_test_lock scene_order(const struct scene *scene, unsigned int chain);
int scene_play(int fd, const struct scene *scene, unsigned int first_chain, unsigned int count,
	       unsigned int us, struct play *play);
int scene_give_up(int fd, const struct scene *scene, enum scene_signal signal,
		  unsigned int first_chain, unsigned int count, unsigned int us,
		  struct play *play);

#endif /* SCENE_H */
