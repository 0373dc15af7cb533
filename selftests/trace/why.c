// SPDX-License-Identifier: GPL-2.0
/*
 * Scenes that are played, and what kmprof trace report --why tells of them. How long a cause lasts
 * at least follows from the scene, however busy the machine is.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/sched.h>

#include "lib/actor.h"
#include "lib/cpus.h"
#include "lib/harness.h"
#include "lib/locker.h"
#include "lib/memory_cgroup.h"
#include "lib/watch.h"
#include "trace/recording.h"
#include "trace/story.h"

#define MS		1000000ULL

/* Causes, as in --json. */
#define UNTIL(name)	{ .why = "asleep_until_task", .task = (name) }
#define LOCKED(of, name) { .why = "asleep_until_task", .lock = (of), .task = (name), \
			   .state = "BLOCKED" }
#define TIMER(function)	{ .why = "asleep_until_interrupt", .in = (function) }
#define RUNNABLE	{ .why = "runnable" }
#define BEHIND(name)	{ .why = "behind", .task = (name) }
#define STALLED		{ .why = "stalled" }
#define RUNS		{ .why = "running" }
#define HANDLES		{ .why = "handling" }

#define MUTEX		"kmprof_test_mutexes"
#define RTMUTEX		"kmprof_test_rtmutexes"

/* Names of actors. */
#define WAITER		"story-waiter"
#define HOLDER		"story-holder"
#define RIVAL		"story-rival"
#define SLEEPER		"story-sleeper"
#define WAKER		"story-waker"
#define MOTHER		"story-mother"

enum {
	/* So long a cause lasts at least. */
	HELD_MS		= 50,
	/* A sleep that may begin late, for who sleeps can lose its CPU between timer and sleep. */
	SLEPT_MS	= 200,
	BUSY_MS		= 5,
	RIVAL_S		= 30,
	SLEEPERS	= 8,
	/* Time for so many turns of two tasks that each of them loses the CPU with the mutex. */
	RECLAIM_MS	= 400,
	/* The test's own CPU, and one that others fight for. */
	QUIET = 0, FOUGHT = 1,
	/* Priorities. */
	LOW = 20, HIGH = 30,
};

FIXTURE(why) {
	int dev;
	int test;
	struct recording recording;
	const char *asked;
};

GUEST_SOURCE_VARIANTS(why);

FIXTURE_SETUP(why)
{
	char params[64];

	if (!watch_can(variant->source))
		SKIP(_exit(HARNESS_SKIPPED), "no slow paths show who waits");
	/* A test that was killed by its time limit leaves them offline. */
	ASSERT_EQ(0, cpus_use(sysconf(_SC_NPROCESSORS_CONF)));
	snprintf(params, sizeof(params), "heap_rate=0 block_rate=1 wait_source=%s",
		 variant->source);
	ASSERT_EQ(0, guest_load(variant->source, params));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	self->test = open(KMPROF_TEST_DEVICE_PATH, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->test);
	ASSERT_EQ(0, recording_start(&self->recording, self->dev));
	ASSERT_EQ(0, guest_pin_cpu(QUIET));
}

FIXTURE_TEARDOWN(why)
{
	EXPECT_EQ(0, recording_stop(&self->recording));
	if (!_metadata->passed && self->asked)
		recording_show(self->asked);
	memory_cgroup_teardown();
	close(self->test);
	close(self->dev);
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

/* Returns what is told of the tasks of that name, all of whose time has to be explained. */
static json_t *ask(struct __test_metadata *_metadata, FIXTURE_DATA(why) *self, const char *task)
{
	json_t *answer;

	self->asked = task;
	ASSERT_EQ(0, recording_stop(&self->recording));
	answer = recording_why(task);
	ASSERT_NE(NULL, answer);
	EXPECT_NE(0, story_adds_up(answer));
	return answer;
}

#define expect_ms(least, answer, ...) do {						\
	const struct step steps_[] = { __VA_ARGS__ };					\
											\
	EXPECT_LE((least) * MS, story_time(answer, steps_, ARRAY_SIZE(steps_)));	\
} while (0)

#define expect_none(answer, ...) do {							\
	const struct step steps_[] = { __VA_ARGS__ };					\
											\
	EXPECT_EQ(0, story_time(answer, steps_, ARRAY_SIZE(steps_)));			\
} while (0)

/**
 * struct deed - a lock that is taken
 * @fd: the test module's device
 * @orders: how; with KMPROF_TEST_INNER, more than one
 */
struct deed {
	int fd;
	struct kmprof_test_lock orders[KMPROF_TEST_NESTED];
};

static int take(void *data)
{
	struct deed *deed = data;
	struct kmprof_test_lock *order = deed->orders;
	int ret = locker_order(deed->fd, order);

	while (!ret && !order->result && order->flags & KMPROF_TEST_INNER)
		order++;
	return ret ?: order->result;
}

static unsigned int slept_us(void)
{
	return SLEPT_MS * 1000 * guest_slow();
}

/* An actor that takes a lock. */
static struct actor taker(const char *name, int cpu, int priority, struct deed *deed)
{
	return (struct actor) {
		.name = name, .cpu = cpu, .priority = priority, .act = take, .data = deed,
	};
}

/* Sleeps with the lock as soon as somebody waits for it. */
static struct kmprof_test_lock held_in_io(unsigned int index, unsigned int chain)
{
	return (struct kmprof_test_lock) {
		.kind = KMPROF_TEST_LOCK_MUTEX, .index = index, .chain = chain,
		.flags = KMPROF_TEST_IOWAIT, .waiters = 1, .sleep_us = slept_us(),
	};
}

TEST_F(why, the_holder_waits_for_a_disk)
{
	struct deed held = { self->test, { held_in_io(0, 0) } };
	struct deed wanted = { self->test, { {
		.kind = KMPROF_TEST_LOCK_MUTEX, .chain = 1, .flags = KMPROF_TEST_AFTER_HELD,
	} } };
	struct actor holder = taker(HOLDER, ACTOR_ANY_CPU, 0, &held);
	struct actor waiter = taker(WAITER, ACTOR_ANY_CPU, 0, &wanted);
	json_t *answer;

	ASSERT_EQ(0, actor_start(&holder));
	ASSERT_EQ(0, actor_start(&waiter));
	ASSERT_EQ(0, actor_join(&holder));
	ASSERT_EQ(0, actor_join(&waiter));
	answer = ask(_metadata, self, WAITER);
	expect_ms(HELD_MS, answer, LOCKED(MUTEX, HOLDER), TIMER("io_schedule_timeout"));
	json_decref(answer);
}

/* Holds the lock while its CPU handles a softirq, as soon as somebody waits for it. */
static struct kmprof_test_lock held_in_softirq(void)
{
	return (struct kmprof_test_lock) {
		.kind = KMPROF_TEST_LOCK_MUTEX, .flags = KMPROF_TEST_INTERRUPTED, .waiters = 1,
		.busy_us = KMPROF_TEST_MAX_BUSY_US,
	};
}

/* Return: 0; -EAGAIN: the softirq has not interrupted the holder, but was left to another task. */
static int play_softirq(struct __test_metadata *_metadata, FIXTURE_DATA(why) *self)
{
	struct deed held = { self->test, { held_in_softirq() } };
	struct deed wanted = { self->test, { {
		.kind = KMPROF_TEST_LOCK_MUTEX, .chain = 1, .flags = KMPROF_TEST_AFTER_HELD,
	} } };
	struct actor holder = taker(HOLDER, ACTOR_ANY_CPU, 0, &held);
	struct actor waiter = taker(WAITER, ACTOR_ANY_CPU, 0, &wanted);
	int ret;

	ASSERT_EQ(0, actor_start(&holder));
	ASSERT_EQ(0, actor_start(&waiter));
	ret = actor_join(&holder);
	ASSERT_EQ(0, actor_join(&waiter));
	return ret;
}

/* With PREEMPT_RT, the softirq can be preempted, and so can the holder. */
TEST_F(why, the_holder_is_interrupted)
{
	const struct step handles[] = { LOCKED(MUTEX, HOLDER), HANDLES };
	const struct step is_runnable[] = { LOCKED(MUTEX, HOLDER), RUNNABLE };
	uint64_t handled, preempted;
	json_t *answer;
	int ret;

	ASSERT_EQ(0, recording_stop(&self->recording));
	ASSERT_EQ(0, recording_start_events(&self->recording, self->dev,
					    "sched,contention,irq,softirq"));
	do
		ret = play_softirq(_metadata, self);
	while (ret == -EAGAIN);
	ASSERT_EQ(0, ret);
	answer = ask(_metadata, self, WAITER);
	handled = story_time(answer, handles, ARRAY_SIZE(handles));
	preempted = story_time(answer, is_runnable, ARRAY_SIZE(is_runnable));
	TH_LOG("%" PRIu64 " us, preempted for %" PRIu64, handled / 1000, preempted / 1000);
	EXPECT_LT(0, handled);
	EXPECT_LE(KMPROF_TEST_MAX_BUSY_US * 1000ULL, handled + preempted);
	json_decref(answer);
}

/* Two tasks ask for reclaim through one file. Who does has the file's mutex meanwhile. */
struct reclaim {
	int fd;
	atomic_bool ended;
};

/* There is less memory than that in the cgroup. */
static int ask_for_reclaim(const struct reclaim *reclaim)
{
	return write(reclaim->fd, "16777216", 8) < 0 && errno != EAGAIN ? -errno : 0;
}

static int reclaim_until_ended(void *data)
{
	struct reclaim *reclaim = data;
	int ret;

	do
		ret = ask_for_reclaim(reclaim);
	while (!ret && !reclaim->ended);
	return ret;
}

static int reclaim_and_end(void *data)
{
	const uint64_t limit = guest_now_ns() + RECLAIM_MS * guest_slow() * MS;
	struct reclaim *reclaim = data;
	int ret;

	do
		ret = ask_for_reclaim(reclaim);
	while (!ret && guest_now_ns() < limit);
	reclaim->ended = 1;
	return ret;
}

/* On one CPU, so that who waits sleeps: the holder does not run then. */
TEST_F(why, the_holder_reclaims_memory)
{
	const struct step steps[] = { LOCKED(NULL, HOLDER), STALLED };
	uint64_t waited, stalled;
	struct reclaim reclaim = {};
	struct actor holder = {
		.name = HOLDER, .cpu = FOUGHT, .act = reclaim_until_ended, .data = &reclaim,
	};
	struct actor waiter = {
		.name = WAITER, .cpu = FOUGHT, .act = reclaim_and_end, .data = &reclaim,
	};
	json_t *answer;

	ASSERT_EQ(0, memory_cgroup_setup("memory.max", "max"));
	reclaim.fd = memory_cgroup_open("memory.reclaim");
	ASSERT_LE(0, reclaim.fd);
	ASSERT_EQ(0, actor_start(&holder));
	ASSERT_EQ(0, actor_start(&waiter));
	EXPECT_EQ(0, actor_join(&waiter));
	EXPECT_EQ(0, actor_join(&holder));
	close(reclaim.fd);
	answer = ask(_metadata, self, WAITER);
	waited = story_time(answer, steps, 1);
	stalled = story_time(answer, steps, 2);
	TH_LOG("%" PRIu64 " us of %" PRIu64 ", in %" PRIu64 " waits", stalled / 1000, waited / 1000,
	       story_count(answer, steps, 1));
	EXPECT_LT(0, waited);
	EXPECT_LT(waited / 50, stalled);
	json_decref(answer);
}

/* What a rival for a CPU does. There is one at a time. */
static struct rivalry {
	sem_t begin;
	atomic_bool runs;
	atomic_bool ended;
} rivalry;

/* Has the CPU for itself from @begin until @ended, or for long, if a test has failed meanwhile. */
static int run_until_ended(void *unused)
{
	uint64_t limit;

	(void)unused;
	while (sem_wait(&rivalry.begin))
		;
	rivalry.runs = 1;
	limit = guest_now_ns() + RIVAL_S * 1000 * MS;
	while (!rivalry.ended && guest_now_ns() < limit)
		;
	return 0;
}

static struct actor rival_of_all(void)
{
	sem_init(&rivalry.begin, 0, 0);
	rivalry.runs = 0;
	rivalry.ended = 0;
	return (struct actor) {
		.name = RIVAL, .cpu = FOUGHT, .priority = LOW, .act = run_until_ended,
	};
}

/* Waits until the rival has had the CPU for HELD_MS; or, if it gets none, for longer. */
static void let_rival_run(bool gets_cpu)
{
	uint64_t limit = guest_now_ns() + RIVAL_S * 1000 * MS;

	sem_post(&rivalry.begin);
	while (gets_cpu && !rivalry.runs && guest_now_ns() < limit)
		usleep(1000);
	/* A holder that has a priority instead still loses the CPU to the kernel's own tasks. */
	usleep(gets_cpu ? HELD_MS * 1000 : 2 * HELD_MS * 1000);
}

/* Runs with the lock until it is told to let go. */
static struct kmprof_test_lock held_running(unsigned int kind)
{
	return (struct kmprof_test_lock) {
		.kind = kind, .flags = KMPROF_TEST_KEEP | KMPROF_TEST_RUN,
	};
}

/**
 * struct fight - a task wants a lock, whose holder has to fight with a rival for its CPU
 * @held: how the lock is held
 * @wanted: how it is wanted
 * @holder: an ordinary task
 * @waiter: who wants it
 * @rival: see run_until_ended()
 */
struct fight {
	struct deed held;
	struct deed wanted;
	struct actor holder;
	struct actor waiter;
	struct actor rival;
};

/* The holder has the lock and runs, the waiter has started, and the rival sleeps. */
static void fight_begin(struct __test_metadata *_metadata, FIXTURE_DATA(why) *self,
			struct fight *fight, unsigned int kind, int cpu, int priority)
{
	fight->held = (struct deed) { self->test, { held_running(kind) } };
	fight->wanted = (struct deed) { self->test, { { .kind = kind, .chain = 1 } } };
	fight->holder = taker(HOLDER, FOUGHT, 0, &fight->held);
	fight->waiter = taker(WAITER, cpu, priority, &fight->wanted);
	fight->rival = rival_of_all();
	ASSERT_EQ(0, actor_start(&fight->rival));
	ASSERT_EQ(0, actor_until_asleep(&fight->rival));
	ASSERT_EQ(0, actor_start(&fight->holder));
	ASSERT_EQ(0, locker_until(self->test, kind, 0, 1, 0));
	ASSERT_EQ(0, actor_start(&fight->waiter));
}

static void fight_end(struct __test_metadata *_metadata, FIXTURE_DATA(why) *self,
		      struct fight *fight)
{
	rivalry.ended = 1;
	ASSERT_EQ(0, locker_release(self->test, fight->held.orders[0].kind, 0));
	ASSERT_EQ(0, actor_join(&fight->rival));
	ASSERT_EQ(0, actor_join(&fight->holder));
	ASSERT_EQ(0, actor_join(&fight->waiter));
}

TEST_F(why, the_holder_is_preempted)
{
	struct fight fight;
	json_t *answer;

	fight_begin(_metadata, self, &fight, KMPROF_TEST_LOCK_MUTEX, QUIET, 0);
	/* The waiter may spin until the holder has lost its CPU. */
	sem_post(&rivalry.begin);
	ASSERT_EQ(0, locker_until(self->test, KMPROF_TEST_LOCK_MUTEX, 0, 1, 1));
	let_rival_run(true);
	fight_end(_metadata, self, &fight);
	answer = ask(_metadata, self, WAITER);
	expect_ms(HELD_MS, answer, LOCKED(MUTEX, HOLDER), RUNNABLE, BEHIND(RIVAL));
	json_decref(answer);
}

/*
 * A task of high priority waits for an ordinary one, whose CPU one of low priority wants. If the
 * lock lends the priority of who waits for it, that one has to wait, too.
 */
static void invert(struct __test_metadata *_metadata, FIXTURE_DATA(why) *self, unsigned int kind,
		   const char *lock, bool lends)
{
	struct fight fight;
	json_t *answer;

	fight_begin(_metadata, self, &fight, kind, FOUGHT, HIGH);
	ASSERT_EQ(0, locker_until(self->test, kind, 0, 1, 1));
	let_rival_run(!lends);
	fight_end(_metadata, self, &fight);
	answer = ask(_metadata, self, WAITER);
	if (lends) {
		expect_ms(HELD_MS, answer, LOCKED(lock, HOLDER), RUNS);
		expect_none(answer, LOCKED(lock, HOLDER), RUNNABLE, BEHIND(RIVAL));
		json_decref(answer);
		answer = ask(_metadata, self, RIVAL);
		expect_ms(HELD_MS, answer, RUNNABLE, BEHIND(HOLDER));
	} else {
		expect_ms(HELD_MS, answer, LOCKED(lock, HOLDER), RUNNABLE, BEHIND(RIVAL));
	}
	json_decref(answer);
}

TEST_F(why, the_holder_has_too_low_a_priority)
{
	invert(_metadata, self, KMPROF_TEST_LOCK_MUTEX, MUTEX, guest_is_rt());
}

TEST_F(why, the_holder_is_lent_a_priority)
{
	invert(_metadata, self, KMPROF_TEST_LOCK_RTMUTEX, RTMUTEX, true);
}

/* Takes a lock, and, when told to let go of it, another one first. */
static struct deed takes_another(int fd, unsigned int first, unsigned int second)
{
	return (struct deed) { fd, { {
			.kind = KMPROF_TEST_LOCK_MUTEX, .index = first,
			.flags = KMPROF_TEST_KEEP | KMPROF_TEST_INNER,
		}, {
			.kind = KMPROF_TEST_LOCK_MUTEX, .index = second, .chain = 1,
		}, } };
}

TEST_F(why, there_is_a_chain_of_three_locks)
{
	const unsigned int kind = KMPROF_TEST_LOCK_MUTEX;
	struct deed first_held = takes_another(self->test, 0, 1);
	struct deed second_held = takes_another(self->test, 1, 2);
	struct deed third_held = { self->test, { held_in_io(2, 0) } };
	struct deed wanted = { self->test, { { .kind = kind, .chain = 1 } } };
	struct actor first = taker("story-first", ACTOR_ANY_CPU, 0, &first_held);
	struct actor second = taker("story-second", ACTOR_ANY_CPU, 0, &second_held);
	struct actor third = taker("story-third", ACTOR_ANY_CPU, 0, &third_held);
	struct actor waiter = taker(WAITER, ACTOR_ANY_CPU, 0, &wanted);
	json_t *answer;

	ASSERT_EQ(0, actor_start(&first));
	ASSERT_EQ(0, locker_until(self->test, kind, 0, 1, 0));
	ASSERT_EQ(0, actor_start(&waiter));
	ASSERT_EQ(0, locker_until(self->test, kind, 0, 1, 1));
	ASSERT_EQ(0, actor_start(&second));
	ASSERT_EQ(0, locker_until(self->test, kind, 1, 1, 0));
	ASSERT_EQ(0, actor_start(&third));
	ASSERT_EQ(0, locker_until(self->test, kind, 2, 1, 0));
	ASSERT_EQ(0, locker_release(self->test, kind, 0));
	ASSERT_EQ(0, locker_until(self->test, kind, 1, 1, 1));
	ASSERT_EQ(0, locker_release(self->test, kind, 1));
	ASSERT_EQ(0, actor_join(&third));
	ASSERT_EQ(0, actor_join(&second));
	ASSERT_EQ(0, actor_join(&first));
	ASSERT_EQ(0, actor_join(&waiter));
	answer = ask(_metadata, self, WAITER);
	expect_ms(HELD_MS, answer, LOCKED(MUTEX, "story-first"), LOCKED(MUTEX, "story-second"),
		  LOCKED(MUTEX, "story-third"), TIMER("io_schedule_timeout"));
	json_decref(answer);
}

static int sleep_and_be_busy(void *data)
{
	uint64_t end;

	syscall(SYS_futex, data, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	end = guest_cpu_ns() + BUSY_MS * MS;
	while (guest_cpu_ns() < end)
		;
	return 0;
}

/* What a waker does. */
struct storm {
	sem_t begin;
	int futex;
	int woken;
};

static int wake_all(void *data)
{
	struct storm *storm = data;

	while (sem_wait(&storm->begin))
		;
	storm->woken = syscall(SYS_futex, &storm->futex, FUTEX_WAKE_PRIVATE, SLEEPERS, NULL,
			       NULL, 0);
	return 0;
}

/* All of them are woken before the first one runs, so the last one to run waits for all others. */
TEST_F(why, many_are_woken_at_once)
{
	static const struct step until_woken[] = { UNTIL(WAKER) };
	struct storm storm = { .futex = 0 };
	struct actor waker = {
		.name = WAKER, .cpu = FOUGHT, .priority = HIGH, .act = wake_all, .data = &storm,
	};
	struct actor sleepers[SLEEPERS];
	unsigned int i;
	json_t *answer;

	sem_init(&storm.begin, 0, 0);
	ASSERT_EQ(0, actor_start(&waker));
	ASSERT_EQ(0, actor_until_asleep(&waker));
	for (i = 0; i < SLEEPERS; i++) {
		sleepers[i] = (struct actor) {
			.name = SLEEPER, .cpu = FOUGHT, .act = sleep_and_be_busy,
			.data = &storm.futex,
		};
		ASSERT_EQ(0, actor_start(&sleepers[i]));
		ASSERT_EQ(0, actor_until_asleep(&sleepers[i]));
	}
	usleep(HELD_MS * 1000);
	sem_post(&storm.begin);
	ASSERT_EQ(0, actor_join(&waker));
	ASSERT_EQ(SLEEPERS, storm.woken);
	for (i = 0; i < SLEEPERS; i++)
		ASSERT_EQ(0, actor_join(&sleepers[i]));
	answer = ask(_metadata, self, SLEEPER);
	EXPECT_EQ(SLEEPERS, story_tasks(answer));
	EXPECT_EQ(SLEEPERS, story_count(answer, until_woken, 1));
	expect_ms(SLEEPERS * HELD_MS, answer, UNTIL(WAKER));
	expect_ms((SLEEPERS - 1) * BUSY_MS, answer, RUNNABLE, BEHIND(SLEEPER));
	json_decref(answer);
}

/* Returns the id of a child that sleeps and ends; @tid: the one that it shall have, 0: any. */
static pid_t bear(const char *name, pid_t tid)
{
	const unsigned int us = slept_us();
	const struct timespec life = { us / 1000000, us % 1000000 * 1000 };
	struct clone_args args = {
		.exit_signal	= SIGCHLD,
		.set_tid	= tid ? (uintptr_t)&tid : 0,
		.set_tid_size	= tid ? 1 : 0,
	};
	pid_t child = syscall(SYS_clone3, &args, sizeof(args));

	if (child)
		return child;
	prctl(PR_SET_NAME, name);
	nanosleep(&life, NULL);
	_exit(0);
}

/* Two children, one after the other, with the same id. */
static int bear_both(void *unused)
{
	pid_t child = bear("story-first", 0);

	(void)unused;
	if (child < 0 || waitpid(child, NULL, 0) != child)
		return guest_complain("first", "child", errno);
	if (bear("story-second", child) != child || waitpid(child, NULL, 0) != child)
		return guest_complain("second", "child", errno);
	return 0;
}

TEST_F(why, an_id_is_used_again)
{
	struct actor mother = { .name = MOTHER, .cpu = ACTOR_ANY_CPU, .act = bear_both };
	json_t *answer;

	ASSERT_EQ(0, actor_start(&mother));
	ASSERT_EQ(0, actor_join(&mother));
	answer = ask(_metadata, self, MOTHER);
	expect_ms(HELD_MS, answer, UNTIL("story-first"), TIMER("do_nanosleep"));
	expect_ms(HELD_MS, answer, UNTIL("story-second"), TIMER("do_nanosleep"));
	json_decref(answer);
}

/* The holder moves to another CPU meanwhile. */
TEST_F(why, a_cpu_goes_offline)
{
	struct deed held = { self->test, { {
		.kind = KMPROF_TEST_LOCK_MUTEX, .flags = KMPROF_TEST_KEEP,
	} } };
	struct deed wanted = { self->test, {
		{ .kind = KMPROF_TEST_LOCK_MUTEX, .chain = 1 },
	} };
	struct actor holder = taker(HOLDER, FOUGHT, 0, &held);
	struct actor waiter = taker(WAITER, ACTOR_ANY_CPU, 0, &wanted);
	uint64_t ms;
	json_t *answer;

	ASSERT_EQ(0, actor_start(&holder));
	ASSERT_EQ(0, locker_until(self->test, KMPROF_TEST_LOCK_MUTEX, 0, 1, 0));
	ASSERT_EQ(0, actor_start(&waiter));
	ASSERT_EQ(0, locker_until(self->test, KMPROF_TEST_LOCK_MUTEX, 0, 1, 1));
	ms = guest_now_ns() / MS + 1;
	ASSERT_EQ(0, cpus_use(FOUGHT));
	ASSERT_EQ(0, cpus_use(sysconf(_SC_NPROCESSORS_CONF)));
	ms = guest_now_ns() / MS - ms;
	ASSERT_EQ(0, locker_release(self->test, KMPROF_TEST_LOCK_MUTEX, 0));
	ASSERT_EQ(0, actor_join(&holder));
	ASSERT_EQ(0, actor_join(&waiter));
	answer = ask(_metadata, self, WAITER);
	expect_ms(ms, answer, LOCKED(MUTEX, HOLDER));
	json_decref(answer);
}

TEST_HARNESS_MAIN
