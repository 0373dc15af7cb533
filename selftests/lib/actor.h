/* SPDX-License-Identifier: GPL-2.0 */
/* Threads by whose names a trace tells them apart. */
#ifndef ACTOR_H
#define ACTOR_H

#include <pthread.h>
#include <stdatomic.h>

/**
 * struct actor - a thread with a name, a CPU and a priority
 * @name: its name, at most 15 bytes
 * @cpu: where it runs, or ACTOR_ANY_CPU
 * @priority: of SCHED_FIFO; 0: it is an ordinary task
 * @act: what it does: returns 0 or a negative errno. It sleeps interruptibly only where that is
 *	waited for: see actor_until_asleep()
 * @data: for @act
 * @tid: out: its id, once it acts
 * @ret: out: what @act returned, or why it was not called
 * @thread: out: the thread
 */
struct actor {
	const char *name;
	int cpu;
	int priority;
	int (*act)(void *data);
	void *data;
	atomic_int tid;
	int ret;
	pthread_t thread;
};

#define ACTOR_ANY_CPU	(-1)

int actor_start(struct actor *actor);
int actor_until_asleep(const struct actor *actor);
int actor_join(struct actor *actor);

#endif /* ACTOR_H */
