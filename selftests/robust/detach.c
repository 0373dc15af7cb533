// SPDX-License-Identifier: GPL-2.0
/*
 * heap_rate=0 leaves no probe armed, every armed kprobe goes through ftrace,
 * and the rate can be changed at any time. A call that does not return holds up
 * the one who detaches, and nobody else; and not for ever if it never will.
 */
#include <errno.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/klog.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/order.h"
#include "lib/settings.h"
#include "lib/tally.h"

#define KPROBES_LIST "/sys/kernel/debug/kprobes/list"
#define ENABLED_FUNCTIONS "/sys/kernel/tracing/enabled_functions"
#define RATE_PARAM "/sys/module/kmprof/parameters/heap_rate"

STORE_FIXTURE(detach, "heap_rate=1 " GUEST_ROOMY);

/* What was armed before kmprof was there. */
FIXTURE(detach_anew) {
	char *kprobes_before;
	char *functions_before;
	int dev;
};

GUEST_SOURCE_VARIANTS(detach_anew);

FIXTURE_SETUP(detach_anew)
{
	ASSERT_EQ(0, guest_unload());
	ASSERT_EQ(0, guest_read_file(KPROBES_LIST, &self->kprobes_before, NULL));
	ASSERT_EQ(0, guest_read_file(ENABLED_FUNCTIONS, &self->functions_before, NULL));
	ASSERT_EQ(0, guest_load_anew(variant->source, "heap_rate=1 " GUEST_ROOMY));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
}

FIXTURE_TEARDOWN(detach_anew)
{
	close(self->dev);
	EXPECT_EQ(0, guest_unload());
	free(self->kprobes_before);
	free(self->functions_before);
}

static void expect_file(struct __test_metadata *_metadata, const char *path, const char *expected)
{
	char *text;

	ASSERT_EQ(0, guest_read_file(path, &text, NULL));
	EXPECT_STREQ(expected, text);
	free(text);
}

static void expect_attached(struct __test_metadata *_metadata, int dev, uint32_t attached,
			    uint64_t rate)
{
	EXPECT_EQ(attached, is_attached(_metadata, dev, KMPROF_SETTING_HEAP_RATE));
	expect_rate(_metadata, dev, KMPROF_SETTING_HEAP_RATE, "heap_rate", rate);
}

/* Lines of the list of kprobes; @without_ftrace: those that are not optimal. */
static unsigned int count_kprobes(struct __test_metadata *_metadata, unsigned int *without_ftrace)
{
	char *text, *line, *rest;
	unsigned int count = 0;

	*without_ftrace = 0;
	ASSERT_EQ(0, guest_read_file(KPROBES_LIST, &text, NULL));
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		count++;
		if (strstr(line, "[FTRACE]") && !strstr(line, "[DISABLED]"))
			continue;
		TH_LOG("%s", line);
		(*without_ftrace)++;
	}
	free(text);
	return count;
}

TEST_F(detach_anew, every_kprobe_is_on_ftrace)
{
	unsigned int without, count;

	ASSERT_STREQ("", self->kprobes_before);
	count = count_kprobes(_metadata, &without);
	EXPECT_EQ(0, without);
	/* One source lives on kprobes, the other needs them for one thing; and the canary. */
	if (strcmp(variant->source, "kprobe")) {
		EXPECT_EQ(2, count);
	} else {
		EXPECT_LT(8, count);
	}
}

TEST_F(detach_anew, rate_0_leaves_nothing)
{
	char *text;

	ASSERT_EQ(0, guest_read_file(ENABLED_FUNCTIONS, &text, NULL));
	EXPECT_STRNE(self->functions_before, text);
	free(text);

	ASSERT_EQ(0, guest_set_rate(self->dev, 0));
	expect_attached(_metadata, self->dev, 0, 0);
	expect_file(_metadata, KPROBES_LIST, self->kprobes_before);
	expect_file(_metadata, ENABLED_FUNCTIONS, self->functions_before);

	ASSERT_EQ(0, guest_set_rate(self->dev, 4096));
	expect_attached(_metadata, self->dev, 1, 4096);
	ASSERT_EQ(0, guest_write_file(RATE_PARAM, "0\n"));
	expect_attached(_metadata, self->dev, 0, 0);
	expect_file(_metadata, KPROBES_LIST, self->kprobes_before);
	expect_file(_metadata, ENABLED_FUNCTIONS, self->functions_before);
}

TEST_F(detach_anew, unloading_leaves_nothing)
{
	close(self->dev);
	ASSERT_EQ(0, guest_unload());
	expect_file(_metadata, KPROBES_LIST, self->kprobes_before);
	expect_file(_metadata, ENABLED_FUNCTIONS, self->functions_before);
	ASSERT_EQ(0, guest_load_anew(variant->source, ""));
	self->dev = guest_open();
	expect_attached(_metadata, self->dev, 1, 524288);
}

/* Off means off: nothing is seen, and what was seen stays readable. */
TEST_F(detach, counts_stay_while_off)
{
	struct kmprof_test_op op = {
		.op = KMPROF_TEST_CHURN, .chain = 3, .size = 512, .count = 100,
	};
	struct snapshot before, after;
	struct tally tally;

	ASSERT_EQ(0, order_run(self->store, &op));
	ASSERT_EQ(0, guest_set_rate(self->dev, 0));
	ASSERT_EQ(0, snapshot_take(self->dev, &before));
	EXPECT_IMAGE(&before);
	ASSERT_EQ(0, order_run(self->store, &op));
	ASSERT_EQ(0, snapshot_take(self->dev, &after));
	EXPECT_IMAGE(&after);
	EXPECT_SAME_SCALAR(&before, &after, "total.alloc_calls");
	EXPECT_SAME_SCALAR(&before, &after, "total.free_calls");
	EXPECT_SAME_SCALAR(&before, &after, "sampled");
	EXPECT_SAME_SCALAR(&before, &after, "counted");
	EXPECT_EQ(0, snapshot_scalar(&after, "heap_rate"));
	ASSERT_EQ(0, tally_take(&tally, &after, &self->symbols));
	EXPECT_EQ(100, tally_cell(&tally, 3, 512).allocs);
	EXPECT_EQ(100, tally_cell(&tally, 3, 512).frees);
	tally_free(&tally);
	snapshot_free(&before);
	snapshot_free(&after);
}

/* Frees that nobody watched: the objects are given up, and the ledger says so. */
TEST_F(detach, unwatched_frees_are_untracked)
{
	struct kmprof_test_op op = {
		.op = KMPROF_TEST_ALLOC, .chain = 6, .size = 128, .count = 200,
	};
	struct snapshot snapshot;
	struct tally tally;
	struct cell cell;

	ASSERT_EQ(0, order_run(self->store, &op));
	ASSERT_EQ(0, guest_set_rate(self->dev, 0));
	op.op = KMPROF_TEST_FREE;
	ASSERT_EQ(0, order_run(self->store, &op));
	ASSERT_EQ(0, guest_set_rate(self->dev, 1));
	/* The same addresses again. */
	op.op = KMPROF_TEST_ALLOC;
	ASSERT_EQ(0, order_run(self->store, &op));

	ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	ASSERT_EQ(0, tally_take(&tally, &snapshot, &self->symbols));
	cell = tally_cell(&tally, 6, 128);
	EXPECT_EQ(400, cell.allocs);
	EXPECT_EQ(200, cell.frees);
	EXPECT_LE(200, snapshot_loss(&snapshot, "untracked"));
	tally_free(&tally);
	snapshot_free(&snapshot);
}

/* Each sample keeps the period that it was taken with. */
TEST_F(detach, live_changes)
{
	static const uint64_t rates[] = { 1, 64, 4096, KMPROF_HEAP_RATE_MAX, 512, 2 };
	struct snapshot snapshot;
	unsigned int i;
	uint32_t k;

	for (i = 0; i < ARRAY_SIZE(rates); i++) {
		struct kmprof_test_op op = {
			.op = KMPROF_TEST_CHURN, .chain = i, .size = 4096, .count = 2000,
		};

		ASSERT_EQ(0, guest_set_rate(self->dev, rates[i]));
		expect_attached(_metadata, self->dev, 1, rates[i]);
		ASSERT_EQ(0, order_run(self->store, &op));
	}
	ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	EXPECT_EQ(2, snapshot_scalar(&snapshot, "heap_rate"));
	for (i = 0; i < ARRAY_SIZE(rates); i++) {
		double estimate = 0, variance = 0;

		for (k = 0; k < snapshot_rows(&snapshot, "heap"); k++) {
			const struct kmprof_image_sample *sample = snapshot_sample(&snapshot, k);

			if (symbols_chain(&self->symbols, &snapshot, sample) != (int)i)
				continue;
			EXPECT_EQ(rates[i], sample->period);
			estimate_add(sample, &estimate, &variance);
		}
		if (rates[i] == KMPROF_HEAP_RATE_MAX)
			continue;
		/* Some 1200 samples at least: within 20 % for certain. */
		EXPECT_LE(0.8 * 2000 * 4096, estimate);
		EXPECT_GE(1.2 * 2000 * 4096, estimate);
	}
	snapshot_free(&snapshot);
}

TEST_F(detach, bad_rates_are_refused)
{
	static const char *const bad[] = {
		"-1", "1073741825", "18446744073709551616", "often", "1k", "\n", "1 2",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(-EINVAL, guest_write_file(RATE_PARAM, bad[i]))
			TH_LOG("%s", bad[i]);
		expect_attached(_metadata, self->dev, 1, 1);
	}
	EXPECT_EQ(-EINVAL, guest_set_rate(self->dev, KMPROF_HEAP_RATE_MAX + 1));
	expect_attached(_metadata, self->dev, 1, 1);
	EXPECT_EQ(0, guest_write_file(RATE_PARAM, "1073741824"));
	expect_attached(_metadata, self->dev, 1, KMPROF_HEAP_RATE_MAX);
}

struct churner {
	pthread_t thread;
	volatile int stop;
	int ret;
};

static void *churn(void *arg)
{
	struct churner *churner = arg;
	int store = order_open();
	unsigned int round;

	churner->ret = store < 0 ? store : 0;
	for (round = 0; !churner->ret && !churner->stop; round++) {
		struct kmprof_test_op op = {
			.op = KMPROF_TEST_CHURN, .chain = 15, .size = 2048, .count = 100,
			.context = round % order_contexts(), .cpu = round / 3 % 2,
			.free = round % 4 ? KMPROF_TEST_KFREE : KMPROF_TEST_KFREE_RCU,
		};

		churner->ret = order_run(store, &op);
	}
	if (store >= 0)
		close(store);
	return NULL;
}

/* On, off and anything between, while others allocate. */
TEST_F(detach, changes_under_load)
{
	static const uint64_t rates[] = { 0, 1, 0, 4096, 524288, 1, 64 };
	struct churner churner = { .stop = 0 };
	struct snapshot snapshot;
	unsigned int i, changes = guest_effort(100);

	if (changes < ARRAY_SIZE(rates))
		changes = ARRAY_SIZE(rates);
	ASSERT_EQ(0, pthread_create(&churner.thread, NULL, churn, &churner));
	for (i = 0; i < changes; i++) {
		EXPECT_EQ(0, guest_set_rate(self->dev, rates[i % ARRAY_SIZE(rates)]));
		usleep(1000 * (i % 10));
		if (i % 3)
			continue;
		ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
		EXPECT_IMAGE(&snapshot);
		snapshot_free(&snapshot);
	}
	churner.stop = 1;
	ASSERT_EQ(0, pthread_join(churner.thread, NULL));
	EXPECT_EQ(0, churner.ret);
}

#define STUCK_PARAM "/sys/module/kmprof_test/parameters/stuck"

/**
 * struct detacher - a thread that turns heap_rate off
 * @dev: the device
 * @tid: its number, 0 before it has begun
 * @done: it has ended
 * @ret: what came of it
 */
struct detacher {
	pthread_t thread;
	int dev;
	int tid;
	int done;
	int ret;
};

static void *turn_off(void *arg)
{
	struct detacher *detacher = arg;

	__atomic_store_n(&detacher->tid, syscall(SYS_gettid), __ATOMIC_SEQ_CST);
	detacher->ret = guest_set_rate(detacher->dev, 0);
	__atomic_store_n(&detacher->done, 1, __ATOMIC_SEQ_CST);
	return NULL;
}

static int is_done(const struct detacher *detacher)
{
	return __atomic_load_n(&detacher->done, __ATOMIC_SEQ_CST);
}

/* Does it wait for calls to return from the thunks? While it looks for them, it has no stack. */
static int waits_for_calls(const struct detacher *detacher)
{
	int tid = __atomic_load_n(&detacher->tid, __ATOMIC_SEQ_CST), waits;
	char path[64], *stack;

	snprintf(path, sizeof(path), "/proc/%d/stack", tid);
	if (!tid || guest_read_file(path, &stack, NULL))
		return 0;
	waits = !!strstr(stack, "kmprof_thunk_wait");
	free(stack);
	return waits;
}

/* Whether the kernel log has a line with both texts, from now to a minute from now. */
static int is_logged(int log, const char *text, const char *also)
{
	unsigned int tries;
	char line[KLOG_LINE];

	for (tries = 0; tries < 600; tries++) {
		while (klog_next(log, line))
			if (strstr(line, text) && strstr(line, also))
				return 1;
		usleep(100000);
	}
	return 0;
}

/* A task sleeps inside the allocator. Whoever detaches waits for it, and nobody else does. */
static void detach_from_sleeper(struct __test_metadata *_metadata, struct detacher *detacher)
{
	struct kmprof_advance advance = { .size = sizeof(advance) };
	struct kmprof_info info = { .size = sizeof(info) };
	struct snapshot snapshot;
	unsigned int tries;
	int waits = 0;

	ASSERT_EQ(0, guest_write_file(STUCK_PARAM, "hold"));
	ASSERT_EQ(0, pthread_create(&detacher->thread, NULL, turn_off, detacher));
	for (tries = 0; tries < 6000 && !waits; tries++) {
		usleep(10000);
		waits = waits_for_calls(detacher);
	}
	ASSERT_TRUE(waits);

	EXPECT_EQ(0, ioctl(detacher->dev, KMPROF_IOC_INFO, &info));
	EXPECT_EQ(0, ioctl(detacher->dev, KMPROF_IOC_ADVANCE, &advance));
	EXPECT_EQ(1, is_attached(_metadata, detacher->dev, KMPROF_SETTING_HEAP_RATE));
	ASSERT_EQ(0, snapshot_take(detacher->dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	snapshot_free(&snapshot);
	EXPECT_FALSE(is_done(detacher));
}

static void expect_detached(struct __test_metadata *_metadata, struct detacher *detacher)
{
	ASSERT_EQ(0, pthread_join(detacher->thread, NULL));
	EXPECT_EQ(0, detacher->ret);
	expect_attached(_metadata, detacher->dev, 0, 0);
}

TEST_F(detach, waits_for_a_call_that_sleeps)
{
	struct detacher detacher = { .dev = self->dev };

	detach_from_sleeper(_metadata, &detacher);
	EXPECT_EQ(0, guest_write_file(STUCK_PARAM, "go"));
	expect_detached(_metadata, &detacher);
}

/*
 * The log says for whom. The task dies inside the allocator, and the log says that, too. The next
 * ones who detach do not wait for it.
 */
TEST_F_TIMEOUT(detach, gives_up_a_call_that_has_died, 300)
{
	struct detacher detacher = { .dev = self->dev };
	int log;

	/* The next test has all of this, and a leftover. */
	if (guest_is_quick("a call that has died while no other task looks like one"))
		return;
	log = klog_open();
	ASSERT_LE(0, log);
	detach_from_sleeper(_metadata, &detacher);
	EXPECT_TRUE(is_logged(log, "kmprof: waiting for 1 allocations to return",
			      "kmprof_stuck["));
	EXPECT_FALSE(is_done(&detacher));
	EXPECT_EQ(0, guest_write_file(STUCK_PARAM, "die"));
	EXPECT_TRUE(is_logged(log, "kmprof: 1 allocations will never return", ""));
	expect_detached(_metadata, &detacher);

	ASSERT_EQ(0, guest_set_rate(self->dev, 1));
	ASSERT_EQ(0, guest_set_rate(self->dev, 0));
	EXPECT_EQ(0, klog_lines(log, "allocations"));
	close(log);
}

#define LEFTOVER_PARAM "/sys/module/kmprof_test/parameters/leftover"

/* Has a task sleep with the address of a thunk on its stack. An interrupt can overwrite it. */
static int hold_leftover(void)
{
	unsigned int tries;
	char *text;
	int found;

	for (tries = 0; tries < 100; tries++) {
		if (guest_write_file(LEFTOVER_PARAM, "hold") ||
		    guest_read_file(LEFTOVER_PARAM, &text, NULL))
			return 0;
		found = atoi(text);
		free(text);
		if (found)
			return found;
		if (guest_write_file(LEFTOVER_PARAM, "go"))
			return 0;
	}
	return 0;
}

/*
 * A task sleeps whose stack has the address of a thunk in no frame. It is not waited for, and does
 * not keep a call that has died from being given up.
 */
TEST_F_TIMEOUT(detach, is_not_deceived_by_a_leftover, 300)
{
	struct detacher detacher = { .dev = self->dev };
	int log;

	if (harness_leaves_source(variant->source))
		return;
	log = klog_open();
	ASSERT_LE(0, log);
	ASSERT_LT(0, hold_leftover());
	detach_from_sleeper(_metadata, &detacher);
	EXPECT_TRUE(is_logged(log, "kmprof: waiting for 1 allocations to return, in 1 tasks",
			      "kmprof_stuck["));
	EXPECT_EQ(0, guest_write_file(STUCK_PARAM, "die"));
	EXPECT_TRUE(is_logged(log, "kmprof: 1 allocations will never return", ""));
	EXPECT_EQ(0, guest_write_file(LEFTOVER_PARAM, "go"));
	expect_detached(_metadata, &detacher);

	ASSERT_EQ(0, guest_set_rate(self->dev, 1));
	ASSERT_EQ(0, guest_set_rate(self->dev, 0));
	EXPECT_EQ(0, klog_lines(log, "allocations"));
	close(log);
}

TEST_HARNESS_MAIN
