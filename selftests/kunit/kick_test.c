// SPDX-License-Identifier: GPL-2.0
/* Work that probes ask for: it runs after each kick, and no more when it is cancelled. */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/jiffies.h>
#include <linux/preempt.h>

#include "core/kick.h"

static atomic_t runs;
static DECLARE_COMPLETION(begun);
static DECLARE_COMPLETION(go_on);
static bool waits;

static void run(struct work_struct *work)
{
	atomic_inc(&runs);
	if (!READ_ONCE(waits))
		return;
	complete(&begun);
	wait_for_completion_timeout(&go_on, 10 * HZ);
}

static struct kmprof_kick worker = KMPROF_KICK_INIT(worker, run);

static bool kick(struct kmprof_kick *k)
{
	bool will_run;

	preempt_disable();
	will_run = kmprof_kick(k);
	preempt_enable();
	return will_run;
}

static void settle(struct kmprof_kick *k)
{
	irq_work_sync(&k->irq);
	flush_work(&k->work);
}

static int kick_test_init(struct kunit *test)
{
	atomic_set(&runs, 0);
	WRITE_ONCE(waits, false);
	reinit_completion(&begun);
	reinit_completion(&go_on);
	return 0;
}

static void the_work_runs_after_each_kick(struct kunit *test)
{
	struct kmprof_kick late;
	int i;

	kmprof_kick_init(&late, run);
	for (i = 1; i <= 3; i++) {
		KUNIT_EXPECT_TRUE(test, kick(&worker));
		settle(&worker);
		KUNIT_EXPECT_EQ(test, atomic_read(&runs), 2 * i - 1);
		KUNIT_EXPECT_TRUE(test, kick(&late));
		settle(&late);
		KUNIT_EXPECT_EQ(test, atomic_read(&runs), 2 * i);
	}
	kmprof_kick_cancel(&worker);
	kmprof_kick_cancel(&late);
}

/* What is written during the work may come too late for it. */
static void a_kick_during_the_work_runs_it_again(struct kunit *test)
{
	WRITE_ONCE(waits, true);
	KUNIT_EXPECT_TRUE(test, kick(&worker));
	KUNIT_ASSERT_NE(test, wait_for_completion_timeout(&begun, 10 * HZ), 0);
	KUNIT_EXPECT_TRUE(test, kick(&worker));
	irq_work_sync(&worker.irq);
	/* This one finds the work pending, and adds nothing. */
	KUNIT_EXPECT_TRUE(test, kick(&worker));
	irq_work_sync(&worker.irq);
	KUNIT_EXPECT_EQ(test, atomic_read(&runs), 1);
	WRITE_ONCE(waits, false);
	complete(&go_on);
	settle(&worker);
	KUNIT_EXPECT_EQ(test, atomic_read(&runs), 2);
	kmprof_kick_cancel(&worker);
}

static void work_that_is_cancelled_does_not_run(struct kunit *test)
{
	WRITE_ONCE(waits, true);
	KUNIT_EXPECT_TRUE(test, kick(&worker));
	KUNIT_ASSERT_NE(test, wait_for_completion_timeout(&begun, 10 * HZ), 0);
	KUNIT_EXPECT_TRUE(test, kick(&worker));
	irq_work_sync(&worker.irq);
	KUNIT_EXPECT_TRUE(test, work_pending(&worker.work));
	complete(&go_on);
	kmprof_kick_cancel(&worker);
	KUNIT_EXPECT_FALSE(test, work_pending(&worker.work));
	KUNIT_EXPECT_FALSE(test, work_busy(&worker.work));
}

static struct kunit_case kick_cases[] = {
	KUNIT_CASE(the_work_runs_after_each_kick),
	KUNIT_CASE(a_kick_during_the_work_runs_it_again),
	KUNIT_CASE(work_that_is_cancelled_does_not_run),
	{}
};

static struct kunit_suite kick_suite = {
	.name		= "kmprof_kick",
	.init		= kick_test_init,
	.test_cases	= kick_cases,
};

kunit_test_suite(kick_suite);
