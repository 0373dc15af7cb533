// SPDX-License-Identifier: GPL-2.0
/* Threads by whose names a trace tells them apart. */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "lib/actor.h"
#include "lib/kmprof_guest.h"

#define LIMIT_NS	60000000000ULL

enum { POLL_US = 1000 };

/* A thread begins with the CPUs of the one that starts it. */
static int use_all_cpus(void)
{
	cpu_set_t set;

	memset(&set, 0xff, sizeof(set));
	return sched_setaffinity(0, sizeof(set), &set) ?
	       guest_complain("sched_setaffinity", "all CPUs", errno) : 0;
}

static int become(const struct actor *actor)
{
	const struct sched_param param = { .sched_priority = actor->priority };

	if (prctl(PR_SET_NAME, actor->name))
		return guest_complain("name", actor->name, errno);
	if (actor->priority && sched_setscheduler(0, SCHED_FIFO, &param))
		return guest_complain("sched_setscheduler", actor->name, errno);
	/* The last: another one may have that CPU for itself. */
	return actor->cpu == ACTOR_ANY_CPU ? use_all_cpus() : guest_pin_cpu(actor->cpu);
}

static void *play(void *data)
{
	struct actor *actor = data;

	actor->ret = become(actor);
	actor->tid = gettid();
	if (!actor->ret)
		actor->ret = actor->act(actor->data);
	return NULL;
}

/**
 * actor_start() - start a thread
 * @actor: with all filled in but what it returns
 *
 * Return: 0 or a negative errno.
 */
int actor_start(struct actor *actor)
{
	int error = pthread_create(&actor->thread, NULL, play, actor);

	return error ? guest_complain("start", actor->name, error) : 0;
}

static int is_asleep(const struct actor *actor)
{
	char path[64], *text;
	int asleep;

	snprintf(path, sizeof(path), "/proc/self/task/%d/status", actor->tid);
	if (!actor->tid || guest_read_file(path, &text, NULL))
		return 0;
	asleep = !!strstr(text, "\nState:\tS");
	free(text);
	return asleep;
}

/**
 * actor_until_asleep() - wait until a thread acts, and sleeps interruptibly
 * @actor: the thread
 *
 * Return: 0; -ETIMEDOUT after a minute.
 */
int actor_until_asleep(const struct actor *actor)
{
	uint64_t limit = guest_now_ns() + LIMIT_NS;

	while (!is_asleep(actor)) {
		if (guest_now_ns() > limit)
			return guest_complain("wait for", actor->name, ETIMEDOUT);
		usleep(POLL_US);
	}
	return 0;
}

/**
 * actor_join() - wait for a thread's end
 * @actor: the thread
 *
 * Return: @actor->ret.
 */
int actor_join(struct actor *actor)
{
	int error = pthread_join(actor->thread, NULL);

	return error ? guest_complain("join", actor->name, error) : actor->ret;
}
