// SPDX-License-Identifier: GPL-2.0
/*
 * The scenes, and how they are played.
 */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/kmprof_guest.h"
#include "lib/locker.h"
#include "lib/scene.h"

const struct scene scenes[] = {
	{ .kind = KMPROF_TEST_LOCK_MUTEX },
	{ .kind = KMPROF_TEST_LOCK_MUTEX, .index = 1, .how = KMPROF_TEST_INTERRUPTIBLE },
	{ .kind = KMPROF_TEST_LOCK_MUTEX, .index = 2, .how = KMPROF_TEST_KILLABLE },
	{ .kind = KMPROF_TEST_LOCK_MUTEX, .index = 3, .how = KMPROF_TEST_IO },
	{ .kind = KMPROF_TEST_LOCK_SLAB_MUTEX },
	{ .kind = KMPROF_TEST_LOCK_RWSEM },
	{ .kind = KMPROF_TEST_LOCK_RWSEM, .index = 1, .access = KMPROF_TEST_READ },
	{ .kind = KMPROF_TEST_LOCK_RWSEM, .index = 2, .holder = KMPROF_TEST_READ },
	{ .kind = KMPROF_TEST_LOCK_RWSEM, .index = 3, .access = KMPROF_TEST_READ,
	  .how = KMPROF_TEST_KILLABLE },
	{ .kind = KMPROF_TEST_LOCK_SEMAPHORE },
	{ .kind = KMPROF_TEST_LOCK_SEMAPHORE, .index = 1, .how = KMPROF_TEST_INTERRUPTIBLE },
	{ .kind = KMPROF_TEST_LOCK_SEMAPHORE, .index = 2, .how = KMPROF_TEST_KILLABLE },
	{ .kind = KMPROF_TEST_LOCK_RTMUTEX },
	{ .kind = KMPROF_TEST_LOCK_RTMUTEX, .index = 1, .how = KMPROF_TEST_INTERRUPTIBLE },
	{ .kind = KMPROF_TEST_LOCK_PERCPU_RWSEM },
	{ .kind = KMPROF_TEST_LOCK_PERCPU_RWSEM, .index = 1, .access = KMPROF_TEST_READ },
	{ .kind = KMPROF_TEST_LOCK_WW_MUTEX },
	{ .kind = KMPROF_TEST_LOCK_WW_MUTEX, .index = 1, .flags = KMPROF_TEST_CONTEXT },
	{ .kind = KMPROF_TEST_LOCK_WW_MUTEX, .index = 2, .how = KMPROF_TEST_INTERRUPTIBLE,
	  .flags = KMPROF_TEST_CONTEXT },
};

static_assert(sizeof(scenes) / sizeof(scenes[0]) == SCENES, "as many as scene.h says");

/**
 * scene_shown() - how a profile has to show its waits
 * @fd: the test module's device
 * @scene: the scene
 * @shown: out: see waited_shown()
 */
int scene_shown(int fd, const struct scene *scene, struct shown *shown)
{
	return waited_shown(fd, scene->kind, scene->index, scene->access, scene->holder, shown);
}

/**
 * scene_released() - how a profile has to show the holder's release
 * @fd: the test module's device
 * @scene: the scene
 * @shown: out: see released_shown()
 */
int scene_released(int fd, const struct scene *scene, struct shown *shown)
{
	return released_shown(fd, scene->kind, scene->index, scene->access, scene->holder, shown);
}

/**
 * scene_order() - what somebody shall do in a scene
 * @scene: the scene
 * @chain: SCENE_HOLDER, or the waiter's function
 */
struct kmprof_test_lock scene_order(const struct scene *scene, unsigned int chain)
{
	const int holds = chain == SCENE_HOLDER;

	return (struct kmprof_test_lock){
		.kind = scene->kind,
		.index = scene->index,
		.access = holds ? scene->holder : scene->access,
		.how = holds ? KMPROF_TEST_PLAIN : scene->how,
		.chain = chain,
		.flags = scene->flags | (holds ? scene->holder_flags : 0),
	};
}

/* With PREEMPT_RT a second writer does not wait for the reader, but for the first. */
static unsigned int waiters_of(const struct scene *scene, unsigned int count)
{
	int alone = guest_is_rt() && scene->kind == KMPROF_TEST_LOCK_RWSEM &&
		    scene->holder == KMPROF_TEST_READ;

	return alone ? 1 : count;
}

static void prepare(const struct scene *scene, unsigned int first_chain, unsigned int count,
		    struct play *play)
{
	unsigned int i;

	play->holder = scene_order(scene, SCENE_HOLDER);
	play->count = waiters_of(scene, count);
	for (i = 0; i < play->count; i++)
		play->waiters[i] = scene_order(scene, first_chain + i);
}

/* @first: waiters before that have not got the lock, as they should. */
static int check(const struct play *play, unsigned int first)
{
	unsigned int i;

	for (i = 0; i < play->count; i++) {
		const struct kmprof_test_lock *waiter = &play->waiters[i];
		const int in_vain = i < first;

		if (waiter->contended && !!waiter->result == in_vain)
			continue;
		fprintf(stderr, "# lock kind %u index %u: waiter %u: result %d, contended %u\n",
			waiter->kind, waiter->index, i, waiter->result, waiter->contended);
		return -EPROTO;
	}
	return 0;
}

/**
 * scene_play() - play a scene whose waiters fall asleep before the holder does
 * @fd: the test module's device
 * @scene: the scene
 * @first_chain: function of the first waiter, the others have the next ones
 * @count: of waiters, at most SCENE_WAITERS; with some scenes they are less
 * @us: how long the holder sleeps
 * @play: out: what came of it
 */
int scene_play(int fd, const struct scene *scene, unsigned int first_chain, unsigned int count,
	       unsigned int us, struct play *play)
{
	unsigned int i;

	prepare(scene, first_chain, count, play);
	play->holder.waiters = play->count;
	play->holder.sleep_us = us;
	for (i = 0; i < play->count; i++)
		play->waiters[i].flags |= KMPROF_TEST_AFTER_HELD;
	return locker_contend(fd, &play->holder, play->waiters, play->count, 0) ?:
	       check(play, 0);
}

static void on_signal(int signal)
{
	(void)signal;
}

/**
 * struct victim - who is made to give up
 * @order: what it does
 * @locker: the thread, if it shall be interrupted
 * @pid: the process, if it shall be killed
 */
struct victim {
	struct kmprof_test_lock *order;
	struct locker locker;
	pid_t pid;
};

static int start_interruptible(struct victim *victim, int fd)
{
	struct sigaction action = { .sa_handler = on_signal };

	if (sigaction(SIGUSR1, &action, NULL))
		return -errno;
	victim->order->how = KMPROF_TEST_INTERRUPTIBLE;
	return locker_wait(&victim->locker, fd, victim->order);
}

static int interrupt(struct victim *victim)
{
	return -pthread_kill(victim->locker.thread, SIGUSR1) ?: locker_join(&victim->locker);
}

static int start_killable(struct victim *victim, int fd)
{
	victim->order->how = KMPROF_TEST_KILLABLE;
	victim->order->start_ns = guest_now_ns();
	victim->pid = fork();
	if (!victim->pid) {
		locker_order(fd, victim->order);
		_exit(1);
	}
	return victim->pid < 0 ? -errno :
	       locker_until(fd, victim->order->kind, victim->order->index, 1, 1);
}

/* What the module measured dies with it. It was less than what is told instead. */
static int kill_it(struct victim *victim)
{
	int status;

	if (kill(victim->pid, SIGKILL) || waitpid(victim->pid, &status, 0) != victim->pid)
		return -errno;
	victim->order->wait_ns = guest_now_ns() - victim->order->start_ns;
	victim->order->contended = 1;
	victim->order->result = -EINTR;
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL ? 0 : -EPROTO;
}

/**
 * scene_give_up() - play a scene whose first waiter does not get the lock
 * @fd: the test module's device
 * @scene: the scene
 * @signal: what makes it give up
 * @first_chain: its function, others who wait with it have the next ones
 * @count: of waiters, at most SCENE_WAITERS
 * @us: how long it has waited when it does, and the others wait thereafter
 * @play: out: what came of it
 */
int scene_give_up(int fd, const struct scene *scene, enum scene_signal signal,
		  unsigned int first_chain, unsigned int count, unsigned int us,
		  struct play *play)
{
	struct victim victim = { .order = &play->waiters[0] };
	struct locker keeper, lockers[SCENE_WAITERS];
	unsigned int i;
	int ret;

	prepare(scene, first_chain, count, play);
	ret = locker_keep(&keeper, fd, &play->holder);
	if (!ret)
		ret = signal == SCENE_KILL ? start_killable(&victim, fd) :
					     start_interruptible(&victim, fd);
	for (i = 1; !ret && i < play->count; i++)
		ret = locker_start_one(&lockers[i], fd, &play->waiters[i]) ?:
		      locker_until(fd, scene->kind, scene->index, 1, i + 1);
	usleep(us);
	if (!ret)
		ret = signal == SCENE_KILL ? kill_it(&victim) : interrupt(&victim);
	if (!ret && play->count > 1)
		usleep(us);
	ret = ret ?: locker_let_go(&keeper);
	for (i = 1; !ret && i < play->count; i++)
		ret = locker_join(&lockers[i]);
	return ret ?: check(play, 1);
}
