/* SPDX-License-Identifier: GPL-2.0 */
#ifndef STAGE_H
#define STAGE_H

#include <linux/types.h>

struct kmprof_test_lock_state;
struct stage;

/**
 * struct stage_mark - what a task finds at a lock when it has taken it
 * @arrivals: tasks that had come and gone; who comes then, or is there, waits
 * @releases: how often those who keep the lock were told to let go
 */
struct stage_mark {
	unsigned int arrivals;
	unsigned int releases;
};

void stage_init(void);
struct stage *stage_of(u32 kind, u32 index);

int stage_enter(struct stage *stage, u32 chain);
void stage_leave(struct stage *stage, u32 chain);
void stage_take(struct stage *stage, u32 chain, struct stage_mark *mark);
void stage_drop(struct stage *stage);
bool stage_is_held(const struct stage *stage);

void stage_release(struct stage *stage);
void stage_look(struct stage *stage, struct kmprof_test_lock_state *state);

int stage_until_held(const struct stage *stage);
int stage_until_asleep(struct stage *stage, unsigned int count);
int stage_until_arrived(const struct stage *stage, const struct stage_mark *mark,
			unsigned int count);
int stage_until_release(const struct stage *stage, const struct stage_mark *mark);
int stage_run_until_release(const struct stage *stage, const struct stage_mark *mark);

#endif /* STAGE_H */
