// SPDX-License-Identifier: GPL-2.0
#include <linux/compiler.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/sched.h>

#include "switch.h"

static struct task_struct *partner, *caller;
static bool is_partners_turn;

/* With these callers, stacks of the task that is woken have 12 frames, as those of the other do. */
enum { DEPTH = 9 };

static void take_turns(void)
{
	for (;;) {
		set_current_state(TASK_UNINTERRUPTIBLE);
		if (kthread_should_stop())
			break;
		if (!READ_ONCE(is_partners_turn)) {
			schedule();
			continue;
		}
		__set_current_state(TASK_RUNNING);
		WRITE_ONCE(is_partners_turn, false);
		wake_up_process(caller);
	}
	__set_current_state(TASK_RUNNING);
}

static noinline void descend(unsigned int depth)
{
	if (depth)
		descend(depth - 1);
	else
		take_turns();
	/* No tail call. */
	barrier();
}

static int be_partner(void *unused)
{
	descend(DEPTH - 1);
	return 0;
}

/**
 * bench_switch_twice() - wake a task and sleep until it has woken the caller
 * @i: unused
 *
 * On one CPU, these are two wake-ups and two switches.
 */
void bench_switch_twice(unsigned int i)
{
	caller = current;
	WRITE_ONCE(is_partners_turn, true);
	wake_up_process(partner);
	for (;;) {
		set_current_state(TASK_UNINTERRUPTIBLE);
		if (!READ_ONCE(is_partners_turn))
			break;
		schedule();
	}
	__set_current_state(TASK_RUNNING);
}

/**
 * bench_switch_init() - start the task that is woken
 */
int bench_switch_init(void)
{
	partner = kthread_run(be_partner, NULL, "kmprof_partner");
	return PTR_ERR_OR_ZERO(partner);
}

/**
 * bench_switch_exit() - stop it
 */
void bench_switch_exit(void)
{
	kthread_stop(partner);
}
