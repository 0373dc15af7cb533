// SPDX-License-Identifier: GPL-2.0
/*
 * Who is at a lock: one stage for each, where a task says that it is on its way
 * into the lock, has it, and gives it back, and where it can wait for others to do
 * so. Called in task context, with the lock held as well, so also with preemption
 * off.
 */
#include <linux/delay.h>
#include <linux/sched/signal.h>
#include <linux/timekeeping.h>

#include "kmprof_test.h"
#include "stage.h"

enum {
	HELD_POLL_US = 50,
	ASLEEP_POLL_US = 500,	/* of who has the lock: rare, lest others see it run and spin */
	LIMIT_S = 60,		/* of a wait asleep */
	BUSY_LIMIT_S = 2,	/* of one with preemption off */
};

/**
 * struct stage - who is at one lock
 * @lock: serialises changes of all that follows; inner to every other lock
 * @tasks: by chain, the task that is on its way into the lock
 * @switches: and how often that one had slept before
 * @waiting: how many these are
 * @arrivals: how often one came
 * @held: tasks that have it
 * @releases: how often those who keep it were told to let go
 */
struct stage {
	/* see above */
	raw_spinlock_t lock;
	struct task_struct *tasks[KMPROF_TEST_WAITERS];
	unsigned long switches[KMPROF_TEST_WAITERS];
	unsigned int waiting;
	unsigned int arrivals;
	unsigned int held;
	unsigned int releases;
};

static struct stage stages[KMPROF_TEST_NR_LOCK_KINDS][KMPROF_TEST_LOCKS];

/**
 * stage_init() - make all stages ready
 */
void stage_init(void)
{
	unsigned int kind, i;

	for (kind = 0; kind < KMPROF_TEST_NR_LOCK_KINDS; kind++)
		for (i = 0; i < KMPROF_TEST_LOCKS; i++)
			raw_spin_lock_init(&stages[kind][i].lock);
}

/**
 * stage_of() - the stage of a lock
 * @kind: enum kmprof_test_lock_kind
 * @index: which one of them
 *
 * Return: the stage, NULL when there is no such lock.
 */
struct stage *stage_of(u32 kind, u32 index)
{
	if (kind >= KMPROF_TEST_NR_LOCK_KINDS || index >= KMPROF_TEST_LOCKS)
		return NULL;
	return &stages[kind][index];
}

/**
 * stage_enter() - the caller is on its way into the lock
 * @stage: of the lock
 * @chain: through which function
 *
 * Return: 0, or -EBUSY when another task is there.
 */
int stage_enter(struct stage *stage, u32 chain)
{
	int ret = -EBUSY;

	raw_spin_lock(&stage->lock);
	if (!stage->tasks[chain]) {
		stage->tasks[chain] = current;
		stage->switches[chain] = current->nvcsw;
		stage->waiting++;
		WRITE_ONCE(stage->arrivals, stage->arrivals + 1);
		ret = 0;
	}
	raw_spin_unlock(&stage->lock);
	return ret;
}

static void leave(struct stage *stage, u32 chain)
{
	lockdep_assert_held(&stage->lock);
	stage->tasks[chain] = NULL;
	stage->waiting--;
}

/**
 * stage_leave() - the caller has not got the lock
 * @stage: of the lock
 * @chain: as for stage_enter()
 */
void stage_leave(struct stage *stage, u32 chain)
{
	raw_spin_lock(&stage->lock);
	leave(stage, chain);
	raw_spin_unlock(&stage->lock);
}

/**
 * stage_take() - the caller has got the lock
 * @stage: of the lock
 * @chain: as for stage_enter()
 * @mark: out: what it can tell by who comes from now on
 */
void stage_take(struct stage *stage, u32 chain, struct stage_mark *mark)
{
	raw_spin_lock(&stage->lock);
	leave(stage, chain);
	mark->arrivals = stage->arrivals - stage->waiting;
	mark->releases = stage->releases;
	WRITE_ONCE(stage->held, stage->held + 1);
	raw_spin_unlock(&stage->lock);
}

/**
 * stage_drop() - the caller is about to release the lock
 * @stage: of the lock
 */
void stage_drop(struct stage *stage)
{
	raw_spin_lock(&stage->lock);
	WRITE_ONCE(stage->held, stage->held - 1);
	raw_spin_unlock(&stage->lock);
}

/**
 * stage_is_held() - whether somebody has the lock
 * @stage: of the lock
 */
bool stage_is_held(const struct stage *stage)
{
	return READ_ONCE(stage->held);
}

/**
 * stage_release() - tell who keeps the lock now to let go of it
 * @stage: of the lock
 */
void stage_release(struct stage *stage)
{
	raw_spin_lock(&stage->lock);
	WRITE_ONCE(stage->releases, stage->releases + 1);
	raw_spin_unlock(&stage->lock);
}

/*
 * Whether a task does sleep: one that was preempted on its way there can still get
 * the lock without.
 */
static bool is_asleep(const struct stage *stage, unsigned int chain)
{
	const struct task_struct *task = stage->tasks[chain];

	return task && READ_ONCE(task->__state) != TASK_RUNNING &&
	       READ_ONCE(task->nvcsw) != stage->switches[chain];
}

/* A task that is there stays there, and so exists, while @stage->lock is held. */
static unsigned int count_asleep(const struct stage *stage)
{
	unsigned int chain, count = 0;

	lockdep_assert_held(&stage->lock);
	for (chain = 0; chain < KMPROF_TEST_WAITERS; chain++)
		count += is_asleep(stage, chain);
	return count;
}

/**
 * stage_look() - tell who is at the lock
 * @stage: of the lock
 * @state: out: @held, @waiting, @asleep
 */
void stage_look(struct stage *stage, struct kmprof_test_lock_state *state)
{
	raw_spin_lock(&stage->lock);
	state->held = stage->held;
	state->waiting = stage->waiting;
	state->asleep = count_asleep(stage);
	raw_spin_unlock(&stage->lock);
}

static unsigned int asleep(struct stage *stage)
{
	unsigned int count;

	raw_spin_lock(&stage->lock);
	count = count_asleep(stage);
	raw_spin_unlock(&stage->lock);
	return count;
}

static u64 after_s(unsigned int seconds)
{
	return ktime_get_mono_fast_ns() + seconds * NSEC_PER_SEC;
}

/**
 * stage_until_held() - wait until somebody has the lock
 * @stage: of the lock
 *
 * Context: Sleeps.
 * Return: 0, -EINTR, -ETIMEDOUT.
 */
int stage_until_held(const struct stage *stage)
{
	u64 limit = after_s(LIMIT_S);

	while (!stage_is_held(stage)) {
		if (signal_pending(current))
			return -EINTR;
		if (ktime_get_mono_fast_ns() > limit)
			return -ETIMEDOUT;
		usleep_range(HELD_POLL_US, 2 * HELD_POLL_US);
	}
	return 0;
}

static int may_go_on(u64 limit)
{
	if (fatal_signal_pending(current))
		return -EINTR;
	return ktime_get_mono_fast_ns() > limit ? -ETIMEDOUT : 0;
}

/* Asleep until another look. */
static int look_again(u64 limit, unsigned int us)
{
	int ret = may_go_on(limit);

	if (!ret)
		usleep_range(us, 2 * us);
	return ret;
}

/**
 * stage_until_asleep() - wait until others sleep on their way into the lock
 * @stage: of the lock
 * @count: how many
 *
 * Context: Sleeps.
 * Return: 0, -EINTR after a deadly signal, -ETIMEDOUT.
 */
int stage_until_asleep(struct stage *stage, unsigned int count)
{
	u64 limit = after_s(LIMIT_S);
	int ret = 0;

	while (!ret && asleep(stage) < count)
		ret = look_again(limit, ASLEEP_POLL_US);
	return ret;
}

/**
 * stage_until_arrived() - wait until others were on their way into the lock
 * @stage: of the lock
 * @mark: of the caller, who has it
 * @count: how many
 *
 * Context: Keeps the CPU.
 * Return: 0 or -ETIMEDOUT.
 */
int stage_until_arrived(const struct stage *stage, const struct stage_mark *mark,
			unsigned int count)
{
	u64 limit = after_s(BUSY_LIMIT_S);

	while (READ_ONCE(stage->arrivals) - mark->arrivals < count) {
		if (ktime_get_mono_fast_ns() > limit)
			return -ETIMEDOUT;
		cpu_relax();
	}
	return 0;
}

static bool is_released(const struct stage *stage, const struct stage_mark *mark)
{
	return READ_ONCE(stage->releases) != mark->releases;
}

/**
 * stage_until_release() - wait to be told to let go of the lock
 * @stage: of the lock
 * @mark: of the caller, who has it
 *
 * Context: Sleeps.
 * Return: 0, -EINTR after a deadly signal, -ETIMEDOUT.
 */
int stage_until_release(const struct stage *stage, const struct stage_mark *mark)
{
	u64 limit = after_s(LIMIT_S);
	int ret = 0;

	while (!ret && !is_released(stage, mark))
		ret = look_again(limit, ASLEEP_POLL_US);
	return ret;
}

/**
 * stage_run_until_release() - run until told to let go of the lock
 * @stage: of the lock
 * @mark: of the caller, who has it
 *
 * Context: Lets others have the CPU when they are due.
 * Return: 0, -EINTR after a deadly signal, -ETIMEDOUT.
 */
int stage_run_until_release(const struct stage *stage, const struct stage_mark *mark)
{
	u64 limit = after_s(LIMIT_S);
	int ret = 0;

	while (!ret && !is_released(stage, mark)) {
		ret = may_go_on(limit);
		cond_resched();
	}
	return ret;
}
