/* SPDX-License-Identifier: GPL-2.0 */
/* What kmprof trace report --why tells, against what is expected. */
#ifndef STORY_H
#define STORY_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

/**
 * struct step - a cause that is expected below the one before
 * @why: as in --json
 * @task: its task; NULL: any, or none
 * @lock: how the name of its lock begins; NULL: any, or none
 * @state: of a sleep; NULL: any
 * @in: a function of one of its places; NULL: any, or none
 */
struct step {
	const char *why;
	const char *task;
	const char *lock;
	const char *state;
	const char *in;
};

uint64_t story_time(const json_t *answer, const struct step *steps, size_t nr);
uint64_t story_count(const json_t *answer, const struct step *steps, size_t nr);
uint64_t story_tasks(const json_t *answer);
int story_adds_up(const json_t *answer);

#endif /* STORY_H */
