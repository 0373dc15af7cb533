// SPDX-License-Identifier: GPL-2.0
/*
 * Takes a lock, holds it and releases it, as a test orders, and measures how long
 * that took.
 */
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>
#include <linux/ww_mutex.h>

#include "contend.h"
#include "context.h"
#include "kmprof_test.h"
#include "locks.h"
#include "stage.h"
#include "waiter.h"

enum {
	ALL_FLAGS = KMPROF_TEST_AFTER_HELD | KMPROF_TEST_KEEP | KMPROF_TEST_CONTEXT |
		    KMPROF_TEST_SECOND | KMPROF_TEST_DOWNGRADE | KMPROF_TEST_IOWAIT |
		    KMPROF_TEST_RUN | KMPROF_TEST_INNER | KMPROF_TEST_INTERRUPTED,
	SLEEP_FLAGS = KMPROF_TEST_KEEP | KMPROF_TEST_RUN | KMPROF_TEST_INNER |
		      KMPROF_TEST_INTERRUPTED,
	WW_FLAGS = KMPROF_TEST_CONTEXT | KMPROF_TEST_SECOND,
};

/**
 * struct turn - one task's turn with a lock
 * @order: what it shall do
 * @stage: of the lock
 * @call: how the lock is taken and released
 * @ctx: of a ww_mutex, with KMPROF_TEST_CONTEXT
 * @second: the ww_mutex that it has already, or NULL
 */
struct turn {
	struct kmprof_test_lock *order;
	struct stage *stage;
	struct waiter_call call;
	struct ww_acquire_ctx ctx;
	struct ww_mutex *second;
};

static bool order_is_valid(const struct kmprof_test_lock *order)
{
	if (!stage_of(order->kind, order->index) || order->chain >= KMPROF_TEST_WAITERS ||
	    !waiter_can(order->kind, order->access, order->how) || order->__reserved)
		return false;
	if (order->flags & ~ALL_FLAGS ||
	    (order->flags & WW_FLAGS && order->kind != KMPROF_TEST_LOCK_WW_MUTEX))
		return false;
	if (order->flags & KMPROF_TEST_SECOND && !(order->flags & KMPROF_TEST_CONTEXT))
		return false;
	if (order->flags & KMPROF_TEST_DOWNGRADE &&
	    (order->kind != KMPROF_TEST_LOCK_RWSEM || order->access != KMPROF_TEST_WRITE))
		return false;
	if (order->flags & KMPROF_TEST_RUN && !(order->flags & KMPROF_TEST_KEEP))
		return false;
	if (order->waiters >= KMPROF_TEST_WAITERS || order->busy_us > KMPROF_TEST_MAX_BUSY_US ||
	    order->sleep_us > KMPROF_TEST_MAX_SLEEP_US)
		return false;
	return !waiter_spins(order->kind) ||
	       (!order->sleep_us && !(order->flags & SLEEP_FLAGS));
}

static void turn_prepare(struct turn *turn, struct kmprof_test_lock *order)
{
	order->result = 0;
	order->contended = 0;
	order->start_ns = 0;
	order->wait_ns = 0;
	order->held_ns = 0;
	order->end_ns = 0;
	order->downgrade_ns = 0;

	turn->order = order;
	turn->stage = stage_of(order->kind, order->index);
	turn->call = (struct waiter_call) {
		.kind = order->kind,
		.access = order->access,
		.how = order->how,
		.lock = locks_find(order->kind, order->index),
	};
	turn->second = NULL;
}

/* Takes what the context shall have before. Nobody else may have it. */
static int turn_begin_context(struct turn *turn)
{
	u32 index = (turn->order->index + 1) % KMPROF_TEST_LOCKS;
	int ret;

	if (!(turn->order->flags & KMPROF_TEST_CONTEXT))
		return 0;

	ww_acquire_init(&turn->ctx, &kmprof_test_ww_class);
	turn->call.ctx = &turn->ctx;
	if (!(turn->order->flags & KMPROF_TEST_SECOND))
		return 0;

	ret = ww_mutex_lock(&kmprof_test_ww_mutexes[index], &turn->ctx);
	if (ret) {
		ww_acquire_fini(&turn->ctx);
		return ret;
	}
	turn->second = &kmprof_test_ww_mutexes[index];
	return 0;
}

static void turn_end_context(struct turn *turn)
{
	if (!(turn->order->flags & KMPROF_TEST_CONTEXT))
		return;
	if (turn->second)
		ww_mutex_unlock(turn->second);
	ww_acquire_fini(&turn->ctx);
}

static void stay_busy(u32 us)
{
	u64 end = ktime_get_mono_fast_ns() + us * NSEC_PER_USEC;

	while (ktime_get_mono_fast_ns() < end)
		cpu_relax();
}

/* The first tick comes early. */
static void stay_in_io(u32 us)
{
	long left = usecs_to_jiffies(us) + 1;

	while (left) {
		__set_current_state(TASK_UNINTERRUPTIBLE);
		left = io_schedule_timeout(left);
	}
}

/**
 * struct interruption - a softirq
 * @us: how long it takes
 * @task: the task that it shall be on top of
 * @is_on_top: it is
 */
struct interruption {
	u32 us;
	const struct task_struct *task;
	bool is_on_top;
};

static void interrupt(void *arg)
{
	struct interruption *interruption = arg;

	interruption->is_on_top = current == interruption->task;
	stay_busy(interruption->us);
}

static int be_interrupted(u32 us)
{
	struct interruption interruption = { .us = us, .task = current };
	int ret = context_run(KMPROF_TEST_SOFTIRQ, KMPROF_TEST_CPU_ANY, interrupt, &interruption);

	return ret ?: interruption.is_on_top ? 0 : -EAGAIN;
}

static int stay(const struct kmprof_test_lock *order)
{
	int ret = 0;

	if (order->flags & KMPROF_TEST_INTERRUPTED)
		ret = be_interrupted(order->busy_us);
	else if (order->busy_us)
		stay_busy(order->busy_us);
	if (order->sleep_us && order->flags & KMPROF_TEST_IOWAIT)
		stay_in_io(order->sleep_us);
	else if (order->sleep_us)
		usleep_range(order->sleep_us, order->sleep_us + 50);
	return ret;
}

/* From here on, the lock is held for reading. */
static int turn_downgrade(struct turn *turn)
{
	turn->order->downgrade_ns = ktime_get_mono_fast_ns();
	waiter_downgrade(turn->order->chain, &turn->call);
	turn->call.access = KMPROF_TEST_READ;
	return stay(turn->order);
}

static int turn_keep(const struct turn *turn, const struct stage_mark *mark)
{
	if (!(turn->order->flags & KMPROF_TEST_KEEP))
		return 0;
	return turn->order->flags & KMPROF_TEST_RUN ?
	       stage_run_until_release(turn->stage, mark) :
	       stage_until_release(turn->stage, mark);
}

static int turn_hold(struct turn *turn, const struct stage_mark *mark)
{
	struct kmprof_test_lock *order = turn->order;
	int ret;

	if (waiter_spins(order->kind) ||
	    (order->busy_us && !(order->flags & KMPROF_TEST_INTERRUPTED)))
		ret = stage_until_arrived(turn->stage, mark, order->waiters);
	else
		ret = stage_until_asleep(turn->stage, order->waiters);
	ret = ret ?: stay(order);
	if (!ret && order->flags & KMPROF_TEST_DOWNGRADE)
		ret = turn_downgrade(turn);
	ret = ret ?: turn_keep(turn, mark);
	if (!ret && order->flags & KMPROF_TEST_INNER)
		ret = contend_run(order + 1);
	return ret;
}

static int turn_take(struct turn *turn)
{
	struct kmprof_test_lock *order = turn->order;
	struct stage_mark mark;
	u64 now;
	int ret;

	ret = stage_enter(turn->stage, order->chain);
	if (ret)
		return ret;
	order->contended = stage_is_held(turn->stage);
	order->start_ns = ktime_get_mono_fast_ns();
	order->result = waiter_lock(order->chain, &turn->call);
	now = ktime_get_mono_fast_ns();
	order->wait_ns = now - order->start_ns;
	order->end_ns = now;
	if (order->result) {
		stage_leave(turn->stage, order->chain);
		return 0;
	}

	stage_take(turn->stage, order->chain, &mark);
	ret = turn_hold(turn, &mark);
	stage_drop(turn->stage);
	order->held_ns = ktime_get_mono_fast_ns() - now;
	waiter_unlock(order->chain, &turn->call);
	order->end_ns = ktime_get_mono_fast_ns();
	return ret;
}

/**
 * contend_run() - KMPROF_TEST_IOC_LOCK
 * @order: what to do; what came of it is written. With KMPROF_TEST_INNER another one is behind
 *	it, in all at most KMPROF_TEST_NESTED
 *
 * Context: Task. Sleeps.
 * Return: 0 or a negative errno, see struct kmprof_test_lock.
 */
int contend_run(struct kmprof_test_lock *order)
{
	struct turn turn;
	int ret;

	if (!order_is_valid(order))
		return -EINVAL;
	turn_prepare(&turn, order);
	if (order->flags & KMPROF_TEST_AFTER_HELD) {
		ret = stage_until_held(turn.stage);
		if (ret)
			return ret;
	}
	ret = turn_begin_context(&turn);
	if (ret)
		return ret;
	ret = turn_take(&turn);
	turn_end_context(&turn);
	return ret;
}

/**
 * contend_state() - KMPROF_TEST_IOC_LOCK_STATE
 * @state: which lock, and what there is to say about it
 *
 * Context: Task.
 * Return: 0 or -EINVAL.
 */
int contend_state(struct kmprof_test_lock_state *state)
{
	struct stage *stage = stage_of(state->kind, state->index);

	if (!stage || state->release > 1 || state->__reserved)
		return -EINVAL;
	if (state->release)
		stage_release(stage);
	stage_look(stage, state);
	state->always_traced = locks_always_traced(state->kind);
	state->address = (unsigned long)locks_find(state->kind, state->index);
	state->queue_address = (unsigned long)locks_find_queue(state->kind, state->index);
	return 0;
}
