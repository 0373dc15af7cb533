// SPDX-License-Identifier: GPL-2.0
/*
 * Stacks in the execution trace: where a task stops, and where it is woken. session.c checks that
 * each number of a stack comes after the stack.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/locker.h"
#include "lib/modules.h"
#include "lib/rights.h"
#include "lib/symbols.h"
#include "trace/session.h"

#define KPTR_RESTRICT "/proc/sys/kernel/kptr_restrict"

enum {
	SMALLEST	= 4 * KMPROF_TRACE_BATCH_MAX,
	WAITER		= 5,
	HOLDER		= 3,	/* so many functions further on */
	TIMES		= 10,
};

FIXTURE(stacks) {
	int dev;
	int test;
	struct session s;
	struct symbols symbols;
};

FIXTURE_SETUP(stacks)
{
	ASSERT_EQ(0, guest_load("kprobe", "heap_rate=0"));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	self->test = open(KMPROF_TEST_DEVICE_PATH, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->test);
	ASSERT_EQ(0, symbols_load(&self->symbols));
	self->s.fd = -1;
}

FIXTURE_TEARDOWN(stacks)
{
	session_free(&self->s);
	symbols_free(&self->symbols);
	close(self->test);
	close(self->dev);
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

static void finish(struct __test_metadata *_metadata, FIXTURE_DATA(stacks) *self)
{
	ASSERT_EQ(0, session_stop(self->dev, &self->s));
	ASSERT_EQ(0, session_read_rest(&self->s));
	EXPECT_EQ(self->s.stop.events, session_records(&self->s));
	EXPECT_EQ(self->s.stop.lost, session_lost(&self->s));
	EXPECT_EQ(self->s.stop.stackless, session_end(&self->s)->stackless);
	EXPECT_EQ(self->s.stop.stackless, session_stackless(&self->s));
}

/* A task takes a lock, and lets go of it when another one sleeps for it. */
static void contend_for(struct __test_metadata *_metadata, FIXTURE_DATA(stacks) *self,
			unsigned int kind, unsigned int how, unsigned int chain)
{
	struct kmprof_test_lock holder = {
		.kind = kind, .chain = (chain + HOLDER) % KMPROF_TEST_WAITERS, .waiters = 1,
	};
	struct kmprof_test_lock waiter = {
		.kind = kind, .how = how, .chain = chain, .flags = KMPROF_TEST_AFTER_HELD,
	};

	ASSERT_EQ(0, locker_contend(self->test, &holder, &waiter, 1, 0));
	ASSERT_EQ(1, waiter.contended);
}

static void contend(struct __test_metadata *_metadata, FIXTURE_DATA(stacks) *self)
{
	contend_for(_metadata, self, KMPROF_TEST_LOCK_MUTEX, KMPROF_TEST_PLAIN, WAITER);
}

/**
 * struct search - stacks of records of one type with a function
 * @symbols: names
 * @type: enum kmprof_trace_event
 * @function: the function
 * @found: number of records with such a stack
 * @wrong: of these, the ones whose stack is not what it should be
 */
struct search {
	const struct symbols *symbols;
	uint8_t type;
	const char *function;
	unsigned int found;
	unsigned int wrong;
};

static const char *name_of(const struct search *search, uint64_t frame)
{
	const struct symbol *symbol = symbols_caller(search->symbols, frame);

	return symbol ? symbol->name : "?";
}

static int is_of_kmprof(const struct search *search, uint64_t frame)
{
	const struct symbol *symbol = symbols_caller(search->symbols, frame);

	return symbol && !strcmp(symbol->module, "kmprof");
}

static void print(const struct search *search, const struct kmprof_trace_stack *stack)
{
	unsigned int i;

	for (i = 0; i < stack->nr_frames; i++)
		fprintf(stderr, "# %s\n", name_of(search, stack->frames[i]));
}

/*
 * It begins with the caller of __schedule() or try_to_wake_up(), has no frame of kmprof, and ends
 * where the task has entered the kernel.
 */
static int is_right(const struct search *search, const struct kmprof_trace_stack *stack)
{
	static const char entry[] = "entry_SYSCALL_64";
	const char *first = name_of(search, stack->frames[0]);
	const char *last = name_of(search, stack->frames[stack->nr_frames - 1]);
	unsigned int i;

	for (i = 0; i < stack->nr_frames; i++)
		if (is_of_kmprof(search, stack->frames[i]))
			return 0;
	return !strcmp(first, search->type == KMPROF_TRACE_SWITCH ? "schedule" : "wake_up_q") &&
	       !strncmp(last, entry, strlen(entry)) && !stack->flags;
}

/* On its way to sleep, a task can be preempted anywhere. */
static int is_preempted(const struct record *r)
{
	return r->type == KMPROF_TRACE_SWITCH &&
	       (r->args[1] == KMPROF_TRACE_RUNNABLE || r->args[1] == KMPROF_TRACE_PREEMPTED);
}

static int look(const struct record *r, void *data)
{
	struct search *search = data;
	unsigned int i;

	if (r->type != search->type || !r->stack || is_preempted(r))
		return 0;
	for (i = 0; i < r->stack->nr_frames; i++)
		if (!strcmp(name_of(search, r->stack->frames[i]), search->function))
			break;
	if (i == r->stack->nr_frames)
		return 0;
	search->found++;
	if (!is_right(search, r->stack)) {
		if (!search->wrong++)
			print(search, r->stack);
	}
	return 0;
}

/* The first times, the kernel's unwinder walks; later on, learned rules do. */
TEST_F(stacks, tell_where_a_task_sleeps_and_who_wakes_it)
{
	struct search sleep = {
		.symbols = &self->symbols, .type = KMPROF_TRACE_SWITCH,
		.function = "kmprof_test_w05_lock",
	};
	struct search wake = {
		.symbols = &self->symbols, .type = KMPROF_TRACE_WAKING,
		.function = "kmprof_test_w08_unlock",
	};
	unsigned int i;

	ASSERT_EQ(0, session_start_stacks(self->dev, &self->s, SESSION_SCHED, 0));
	for (i = 0; i < TIMES; i++)
		contend(_metadata, self);
	finish(_metadata, self);
	EXPECT_EQ(0, self->s.stop.stackless);
	ASSERT_EQ(0, session_walk(&self->s, look, &sleep));
	ASSERT_EQ(0, session_walk(&self->s, look, &wake));
	EXPECT_LE(TIMES, sleep.found);
	EXPECT_EQ(0, sleep.wrong);
	EXPECT_LE(TIMES, wake.found);
	EXPECT_EQ(0, wake.wrong);
}

static int count_stacks(const struct record *r, void *data)
{
	unsigned int *count = data;

	*count += r->stack ? 1 : 0;
	return 0;
}

/* Nobody has asked for them. */
TEST_F(stacks, are_not_there_without_the_flag)
{
	unsigned int count = 0;

	ASSERT_EQ(0, session_start(self->dev, &self->s, SESSION_SCHED, 0));
	contend(_metadata, self);
	finish(_metadata, self);
	ASSERT_EQ(0, session_walk(&self->s, count_stacks, &count));
	EXPECT_EQ(0, count);
}

static void load(struct __test_metadata *_metadata, const char *loops)
{
	const char *const argv[] = { "hackbench", "-g", "1", "-f", "5", "-l", loops, NULL };
	pid_t pid = guest_spawn(argv);
	int status;

	ASSERT_LT(0, pid);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_EQ(0, status);
}

/* There is room for 2048 words. The stacks of these waits have more: the rest is counted. */
TEST_F(stacks, count_what_finds_no_room)
{
	static const unsigned int kinds[] = {
		KMPROF_TEST_LOCK_MUTEX, KMPROF_TEST_LOCK_SEMAPHORE, KMPROF_TEST_LOCK_RTMUTEX,
	};
	static const unsigned int hows[] = {
		KMPROF_TEST_PLAIN, KMPROF_TEST_INTERRUPTIBLE, KMPROF_TEST_KILLABLE,
	};
	unsigned int count = 0, i, k, h;

	ASSERT_EQ(0, session_start_stacks(self->dev, &self->s, SESSION_SCHED, SMALLEST));
	for (i = 0; i < KMPROF_TEST_WAITERS; i++)
		for (k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
			for (h = 0; h < sizeof(hows) / sizeof(*hows); h++)
				contend_for(_metadata, self, kinds[k], hows[h], i);
	finish(_metadata, self);
	ASSERT_EQ(0, session_walk(&self->s, count_stacks, &count));
	EXPECT_LT(0, count);
	EXPECT_LT(0, self->s.stop.stackless);
}

/* All CPUs find and add stacks while they are read. */
TEST_F(stacks, come_before_who_names_them)
{
	unsigned int count = 0;
	pid_t reader;
	int file;

	ASSERT_EQ(0, session_start_stacks(self->dev, &self->s, SESSION_SCHED, 1 << 20));
	reader = session_copy(&self->s, &file);
	ASSERT_LT(0, reader);
	load(_metadata, "300");
	ASSERT_EQ(0, session_take_copy(self->dev, &self->s, reader, file));
	ASSERT_EQ(0, session_walk(&self->s, count_stacks, &count));
	EXPECT_LT(100, count);
	EXPECT_EQ(self->s.stop.stackless, session_stackless(&self->s));
}

/* The errno of an attempt to start with stacks, 0 for success. */
static int try_start(int dev)
{
	struct session s;

	return -session_start_stacks(dev, &s, SESSION_SCHED, 0);
}

static int try_opened_start(int dev)
{
	int fd = open(KMPROF_DEVICE_PATH, O_RDONLY);

	(void)dev;
	return fd < 0 ? 101 : try_start(fd);
}

/* Addresses are for those who may see them in /proc/kallsyms. */
TEST_F(stacks, need_rights)
{
	const uint64_t admin = 1ULL << CAP_SYS_ADMIN, syslog = 1ULL << CAP_SYSLOG;

	ASSERT_EQ(0, guest_write_file(KPTR_RESTRICT, "1"));
	EXPECT_EQ(EPERM, rights_run(admin, try_start, self->dev));
	ASSERT_EQ(0, chmod(KMPROF_DEVICE_PATH, 0666));
	EXPECT_EQ(EPERM, rights_run(admin, try_opened_start, -1));
	EXPECT_EQ(0, rights_run(admin | syslog, try_opened_start, -1));
	ASSERT_EQ(0, chmod(KMPROF_DEVICE_PATH, 0600));
	ASSERT_EQ(0, guest_write_file(KPTR_RESTRICT, "2"));
	EXPECT_EQ(-EPERM, session_start_stacks(self->dev, &self->s, SESSION_SCHED, 0));
	ASSERT_EQ(0, guest_write_file(KPTR_RESTRICT, "0"));
	EXPECT_EQ(0, session_start_stacks(self->dev, &self->s, SESSION_SCHED, 0));
}

/* Under load. Then nothing of it is left, and the module can go. */
TEST_F(stacks, come_and_go)
{
	const char *const argv[] = { "hackbench", "-g", "1", "-f", "5", "-l", "100000", NULL };
	pid_t pid = guest_spawn(argv);
	unsigned int i;

	ASSERT_LT(0, pid);
	for (i = 0; i < TIMES; i++) {
		ASSERT_EQ(0, session_start_stacks(self->dev, &self->s, SESSION_SCHED, 0));
		usleep(20000);
		if (i % 2)
			finish(_metadata, self);
		session_free(&self->s);
	}
	close(self->dev);
	close(self->test);
	EXPECT_EQ(0, guest_unload());
	EXPECT_EQ(0, guest_stop(pid));
	ASSERT_EQ(0, guest_load("kprobe", "heap_rate=0"));
	self->dev = guest_open();
	self->test = open(KMPROF_TEST_DEVICE_PATH, O_RDWR | O_CLOEXEC);
}

TEST_HARNESS_MAIN
