// SPDX-License-Identifier: GPL-2.0
/*
 * A trace of one CPU: nothing begins on another one, but what has begun on it ends, wherever the
 * task is then; and when tasks run and are woken is there of all.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/locker.h"
#include "lib/modules.h"
#include "trace/session.h"

#define LOAD		"hackbench -g 1 -f 5 -l 50 >&2"
#define BIT(name)	(1ULL << KMPROF_TRACE_##name)
/* What is there of a CPU that is not traced, beside what the scheduler does. */
#define ENDS		(BIT(CONTENTION_END) | BIT(RECLAIM_END) | BIT(MEMCG_RECLAIM_END) |	\
			 BIT(COMPACTION_END) | BIT(SYSCALL_EXIT) | BIT(FREE))
#define OF_NO_CPU	(BIT(MARK) | BIT(GRACE_PERIOD_BEGIN) | BIT(GRACE_PERIOD_END))

enum {
	TRACED		= 0,
	OTHER		= 1,
	/* No system calls have these numbers. */
	CALLED_THERE	= 9000,
	CALLED_HERE	= 9001,
	TIMES		= 30,
	MUTEX		= 3,	/* of the test module */
	BUFFER_BYTES	= 16 << 20,
};

FIXTURE(filtered_cpu) {
	int dev;
	int test;
	struct session s;
};

FIXTURE_SETUP(filtered_cpu)
{
	ASSERT_EQ(0, guest_load("kprobe", "heap_rate=4096"));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	self->test = open(KMPROF_TEST_DEVICE_PATH, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->test);
	self->s.fd = -1;
}

FIXTURE_TEARDOWN(filtered_cpu)
{
	session_free(&self->s);
	close(self->test);
	close(self->dev);
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

static void start(struct __test_metadata *_metadata, FIXTURE_DATA(filtered_cpu) *self,
		  uint64_t events, uint32_t flags)
{
	ASSERT_EQ(0, session_start_filtered(self->dev, &self->s, "cpu=0", events, flags,
					    BUFFER_BYTES));
}

static void finish(struct __test_metadata *_metadata, FIXTURE_DATA(filtered_cpu) *self)
{
	ASSERT_EQ(0, session_stop(self->dev, &self->s));
	ASSERT_EQ(0, session_read_rest(&self->s));
	ASSERT_EQ(0, session_lost(&self->s));
}

/**
 * struct side - what is in the trace of the CPU that is traced, or of all others
 * @records: how many of each type
 * @stacks: how many of them have a stack
 */
struct side {
	uint64_t records[64];
	uint64_t stacks;
};

struct sides {
	struct side traced;
	struct side others;
};

static int count(const struct record *r, void *data)
{
	struct sides *sides = data;
	/* Any CPU can tell the frequency of another one. */
	const uint64_t cpu = r->type == KMPROF_TRACE_CPU_FREQUENCY ? r->args[0] : r->cpu;
	struct side *side = cpu == TRACED ? &sides->traced : &sides->others;

	side->records[r->type]++;
	side->stacks += !!r->stack;
	return 0;
}

TEST_F(filtered_cpu, has_what_happens_there)
{
	struct sides sides = {};
	unsigned int type;

	start(_metadata, self, SESSION_ALL, KMPROF_TRACE_START_STACKS);
	ASSERT_EQ(0, system(LOAD));
	finish(_metadata, self);
	EXPECT_EQ(0, self->s.stop.stackless);
	ASSERT_EQ(0, session_walk(&self->s, count, &sides));
	for (type = 0; type < ARRAY_SIZE(sides.others.records); type++)
		if (!((SESSION_SCHED | ENDS | OF_NO_CPU) & 1ULL << type))
			EXPECT_EQ(0, sides.others.records[type]) TH_LOG("type %u", type);
	EXPECT_EQ(0, sides.others.stacks);
	EXPECT_LT(0, sides.others.records[KMPROF_TRACE_SWITCH]);
	EXPECT_LT(0, sides.others.records[KMPROF_TRACE_WAKING]);
	EXPECT_LT(0, sides.traced.records[KMPROF_TRACE_SOFTIRQ_ENTRY]);
	EXPECT_LT(0, sides.traced.records[KMPROF_TRACE_SYSCALL_ENTER]);
	EXPECT_LT(0, sides.traced.records[KMPROF_TRACE_ALLOC]);
	EXPECT_LT(0, sides.traced.stacks);
}

/**
 * struct calls - system calls of a task
 * @tid: the task
 * @entered: how often it has entered CALLED_THERE, and CALLED_HERE
 * @left: how often it has left them
 */
struct calls {
	uint32_t tid;
	unsigned int entered[2];
	unsigned int left[2];
};

static int count_calls(const struct record *r, void *data)
{
	uint64_t which = r->args[0] - CALLED_THERE;
	struct calls *calls = data;

	if (r->tid != calls->tid || which >= ARRAY_SIZE(calls->left))
		return 0;
	calls->entered[which] += r->type == KMPROF_TRACE_SYSCALL_ENTER;
	calls->left[which] += r->type == KMPROF_TRACE_SYSCALL_EXIT;
	return 0;
}

static void call(struct __test_metadata *_metadata, int cpu, long number)
{
	unsigned int i;

	ASSERT_EQ(0, guest_pin_cpu(cpu));
	for (i = 0; i < TIMES; i++)
		syscall(number);
}

TEST_F(filtered_cpu, has_the_calls_of_a_task_while_it_is_there)
{
	struct calls calls = { .tid = getpid() };

	start(_metadata, self, BIT(SYSCALL_ENTER) | BIT(SYSCALL_EXIT), 0);
	call(_metadata, TRACED, CALLED_THERE);
	call(_metadata, OTHER, CALLED_HERE);
	finish(_metadata, self);
	ASSERT_EQ(0, session_walk(&self->s, count_calls, &calls));
	EXPECT_EQ(TIMES, calls.entered[0]);
	EXPECT_EQ(TIMES, calls.left[0]);
	EXPECT_EQ(0, calls.entered[1]);
	EXPECT_EQ(TIMES, calls.left[1]);
}

/**
 * struct mover - who moves a task while that waits for a lock
 * @test: the test module's device
 * @keeper: who has the lock
 * @tid: the task
 * @ret: 0 or a negative errno
 */
struct mover {
	int test;
	struct locker keeper;
	pid_t tid;
	int ret;
};

static void *move(void *data)
{
	const struct kmprof_test_lock *order;
	struct mover *mover = data;
	cpu_set_t other;

	order = mover->keeper.orders;
	CPU_ZERO(&other);
	CPU_SET(OTHER, &other);
	mover->ret = locker_until(mover->test, order->kind, order->index, 1, 1);
	if (!mover->ret && sched_setaffinity(mover->tid, sizeof(other), &other))
		mover->ret = -1;
	if (!mover->ret)
		mover->ret = locker_let_go(&mover->keeper);
	return NULL;
}

/**
 * struct waited - waits of a task
 * @tid: the task
 * @lock: what it has begun to wait for last
 * @begins: how many on the CPU that is traced
 * @ends: how many waits for @lock have ended on another one
 * @calls: how often it has left a system call there that it had entered before
 */
struct waited {
	uint32_t tid;
	uint64_t lock;
	unsigned int begins;
	unsigned int ends;
	unsigned int calls;
};

static bool spins(const struct record *r)
{
	return r->args[1] == KMPROF_LOCK_SPINLOCK || r->args[1] == KMPROF_LOCK_RWLOCK;
}

/* A walk goes over the CPU that is traced first. */
static int look_at_wait(const struct record *r, void *data)
{
	struct waited *waited = data;

	if (r->tid != waited->tid || r->context != KMPROF_TRACE_IN_TASK)
		return 0;
	if (r->type == KMPROF_TRACE_CONTENTION_BEGIN && r->cpu == TRACED && !spins(r)) {
		waited->lock = r->args[0];
		waited->begins++;
	}
	if (r->cpu == TRACED)
		return 0;
	waited->ends += r->type == KMPROF_TRACE_CONTENTION_END && r->args[0] == waited->lock;
	waited->calls += r->type == KMPROF_TRACE_SYSCALL_EXIT && r->args[0] == SYS_ioctl;
	return 0;
}

TEST_F(filtered_cpu, has_the_end_of_what_began_there)
{
	struct kmprof_test_lock held = { .kind = KMPROF_TEST_LOCK_MUTEX, .index = MUTEX };
	struct kmprof_test_lock awaited = held;
	struct waited waited = { .tid = getpid() };
	struct mover mover = { .test = self->test, .tid = getpid() };
	pthread_t thread;

	awaited.chain = 1;
	ASSERT_EQ(0, guest_pin_cpu(TRACED));
	ASSERT_EQ(0, locker_keep(&mover.keeper, self->test, &held));
	start(_metadata, self, BIT(CONTENTION_BEGIN) | BIT(CONTENTION_END) |
	      BIT(SYSCALL_ENTER) | BIT(SYSCALL_EXIT), 0);
	ASSERT_EQ(0, pthread_create(&thread, NULL, move, &mover));
	EXPECT_EQ(0, locker_order(self->test, &awaited));
	ASSERT_EQ(0, pthread_join(thread, NULL));
	ASSERT_EQ(0, mover.ret);
	finish(_metadata, self);
	ASSERT_EQ(0, session_walk(&self->s, look_at_wait, &waited));
	EXPECT_LT(0, waited.begins);
	EXPECT_EQ(1, waited.ends);
	EXPECT_LT(0, waited.calls);
}

TEST_HARNESS_MAIN
