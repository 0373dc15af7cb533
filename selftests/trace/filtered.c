// SPDX-License-Identifier: GPL-2.0
/*
 * Which processes are traced: what a traced one does is in it, and what it creates; of other tasks,
 * only when they run and are woken. And what a filter is. A task of a test says what it is by calls
 * of a number that no system call has.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/order.h"
#include "lib/owner.h"
#include "lib/scene.h"
#include "trace/session.h"

#define EVENT(name)	(1ULL << KMPROF_TRACE_##name)
#define CALLS		(EVENT(SYSCALL_ENTER) | EVENT(SYSCALL_EXIT))
/* What a task does itself, beside waits for locks. */
#define OWN									\
	(CALLS | EVENT(RECLAIM_BEGIN) | EVENT(RECLAIM_END) | EVENT(MEMCG_RECLAIM_BEGIN) |	\
	 EVENT(MEMCG_RECLAIM_END) | EVENT(COMPACTION_BEGIN) | EVENT(COMPACTION_END) |	\
	 EVENT(ALLOC))

/* Who calls. */
enum who { ONE, OTHER, THREAD, CHILD, BEFORE, AFTER, LATER, WHOS };

enum {
	FIRST_NUMBER	= 9000,
	TIMES		= 30,
	NAPS		= 20,
	NAP_US		= 500,
	FAMILY		= 64,
	COUNT		= 16,	/* objects */
	EACH_BYTES	= 200,
	OTHER_BYTES	= 300,
	CHAIN		= 5,
	SLEEP_US	= 20000,
	BUFFER_BYTES	= 16 << 20,
	KIND		= 1,	/* argument of a wait */
};

/**
 * struct player - a process of a test, which waits until the trace has begun
 * @pid: its id
 * @gate: a byte lets it go on
 */
struct player {
	pid_t pid;
	int gate;
};

FIXTURE(filtered) {
	int dev;
	int test;
	struct session s;
};

FIXTURE_SETUP(filtered)
{
	ASSERT_EQ(0, guest_load("kprobe", "heap_rate=0"));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	self->test = open(KMPROF_TEST_DEVICE_PATH, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->test);
	self->s.fd = -1;
}

FIXTURE_TEARDOWN(filtered)
{
	session_free(&self->s);
	close(self->test);
	close(self->dev);
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

/* --- what the tasks do --- */

static void act(enum who who)
{
	unsigned int i;

	for (i = 0; i < TIMES; i++)
		syscall(FIRST_NUMBER + who);
}

static void nap(void)
{
	unsigned int i;

	for (i = 0; i < NAPS; i++)
		usleep(NAP_US);
}

static void wait_for(struct __test_metadata *_metadata, pid_t pid)
{
	int status;

	ASSERT_LT(0, pid);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_EQ(0, status);
}

/* A process of this name. Returns when it waits. */
static struct player begin(struct __test_metadata *_metadata, FIXTURE_DATA(filtered) *self,
			   const char *comm, void (*play)(FIXTURE_DATA(filtered) *self))
{
	int ready[2], gate[2];
	struct player player;
	char byte;

	ASSERT_EQ(0, pipe2(ready, O_CLOEXEC));
	ASSERT_EQ(0, pipe2(gate, O_CLOEXEC));
	player.pid = fork();
	ASSERT_LE(0, player.pid);
	if (!player.pid) {
		close(gate[1]);
		prctl(PR_SET_NAME, comm);
		if (write(ready[1], "", 1) != 1 || read(gate[0], &byte, 1) != 1)
			_exit(EXIT_FAILURE);
		play(self);
		_exit(EXIT_SUCCESS);
	}
	ASSERT_EQ(1, read(ready[0], &byte, 1));
	close(ready[0]);
	close(ready[1]);
	close(gate[0]);
	player.gate = gate[1];
	return player;
}

static void let_go(struct __test_metadata *_metadata, const struct player *player)
{
	ASSERT_EQ(1, write(player->gate, "", 1));
	close(player->gate);
	wait_for(_metadata, player->pid);
}

static int start(FIXTURE_DATA(filtered) *self, const char *filter, uint64_t events, uint32_t flags)
{
	return session_start_filtered(self->dev, &self->s, filter, events, flags, BUFFER_BYTES);
}

static void start_pid(struct __test_metadata *_metadata, FIXTURE_DATA(filtered) *self, pid_t pid,
		      uint64_t events, uint32_t flags)
{
	char filter[32];

	snprintf(filter, sizeof(filter), "pid=%d", pid);
	ASSERT_EQ(0, start(self, filter, events, flags));
}

/* --- what the trace has of it --- */

static void finish(struct __test_metadata *_metadata, FIXTURE_DATA(filtered) *self)
{
	ASSERT_EQ(0, session_stop(self->dev, &self->s));
	ASSERT_EQ(0, session_read_rest(&self->s));
	ASSERT_EQ(0, session_lost(&self->s));
}

/**
 * struct seen - what a trace has
 * @enters: begins of calls of each
 * @exits: ends of them
 * @tid: a task
 * @executor: its id before it executed a program: until it is switched out, records have that
 * @runs: how often it began to run
 * @woken: how often it was woken
 * @calls: how often it began the call @number
 * @returns: how often that call ended
 * @number: a system call
 */
struct seen {
	unsigned int enters[WHOS];
	unsigned int exits[WHOS];
	pid_t tid;
	pid_t executor;
	unsigned int runs;
	unsigned int woken;
	unsigned int calls;
	unsigned int returns;
	uint64_t number;
};

static bool is_of(const struct seen *seen, uint32_t tid)
{
	return tid == (uint32_t)seen->tid || (seen->executor && tid == (uint32_t)seen->executor);
}

static int look(const struct record *r, void *data)
{
	bool is_enter = r->type == KMPROF_TRACE_SYSCALL_ENTER;
	struct seen *seen = data;
	uint64_t who;

	if (r->type == KMPROF_TRACE_SWITCH)
		seen->runs += r->args[0] == (uint64_t)seen->tid;
	if (r->type == KMPROF_TRACE_WAKING)
		seen->woken += r->args[0] == (uint64_t)seen->tid;
	if (r->type == KMPROF_TRACE_EXEC)
		seen->executor = (pid_t)r->args[0];
	if (!is_enter && r->type != KMPROF_TRACE_SYSCALL_EXIT)
		return 0;
	if (is_of(seen, r->tid) && r->args[0] == seen->number) {
		seen->calls += is_enter;
		seen->returns += !is_enter;
	}
	who = r->args[0] - FIRST_NUMBER;
	if (who < WHOS && is_enter)
		seen->enters[who]++;
	else if (who < WHOS)
		seen->exits[who]++;
	return 0;
}

/* @tid, @number: of whom and of which call more is wanted */
static struct seen see(struct __test_metadata *_metadata, FIXTURE_DATA(filtered) *self, pid_t tid,
		       uint64_t number)
{
	struct seen seen = { .tid = tid, .number = number };

	ASSERT_EQ(0, session_walk(&self->s, look, &seen));
	return seen;
}

static void expect_calls(struct __test_metadata *_metadata, const struct seen *seen, enum who who,
			 unsigned int times)
{
	EXPECT_EQ(times, seen->enters[who]) TH_LOG("of %u", who);
	EXPECT_EQ(times, seen->exits[who]) TH_LOG("of %u", who);
}

/**
 * struct family - a task, and all that it has created
 * @tid: they
 * @nr: how many
 * @waits: waits for locks of theirs
 * @others: what others do
 * @softirqs: on top of others
 */
struct family {
	uint32_t tid[FAMILY];
	unsigned int nr;
	unsigned int waits;
	unsigned int others;
	unsigned int softirqs;
};

static bool is_member(const struct family *family, uint32_t tid)
{
	unsigned int i;

	for (i = 0; i < family->nr; i++)
		if (family->tid[i] == tid)
			return true;
	return false;
}

static int add_child(const struct record *r, void *data)
{
	struct family *family = data;

	if (r->type != KMPROF_TRACE_FORK || !is_member(family, r->tid) ||
	    is_member(family, r->args[0]))
		return 0;
	if (family->nr == FAMILY)
		return -E2BIG;
	family->tid[family->nr++] = r->args[0];
	return 0;
}

/*
 * The scheduler can wait for a spinlock on its way from the record of a switch to the next task:
 * that is still of the one before.
 */
static int look_for_others(const struct record *r, void *data)
{
	bool is_wait = r->type == KMPROF_TRACE_CONTENTION_BEGIN;
	struct family *family = data;

	family->softirqs += r->type == KMPROF_TRACE_SOFTIRQ_ENTRY && !is_member(family, r->tid);
	if (is_wait ? r->args[KIND] == KMPROF_LOCK_SPINLOCK : !(OWN & 1ULL << r->type))
		return 0;
	if (is_member(family, r->tid))
		family->waits += is_wait;
	else
		family->others++;
	return 0;
}

/* A walk goes over one CPU after the other: a child can come before its parent. */
static struct family family_of(struct __test_metadata *_metadata, FIXTURE_DATA(filtered) *self,
			       pid_t pid)
{
	struct family family = { .tid[0] = pid, .nr = 1 };
	unsigned int before;

	do {
		before = family.nr;
		ASSERT_EQ(0, session_walk(&self->s, add_child, &family));
	} while (family.nr != before);
	ASSERT_EQ(0, session_walk(&self->s, look_for_others, &family));
	return family;
}

/* --- the tests --- */

/* Traces system calls and executions while a process named "one" plays. Returns its id. */
static pid_t trace_one(struct __test_metadata *_metadata, FIXTURE_DATA(filtered) *self,
		       const char *filter, void (*play)(FIXTURE_DATA(filtered) *self))
{
	struct player one = begin(_metadata, self, "one", play);

	ASSERT_EQ(0, start(self, filter, CALLS | EVENT(EXEC), 0));
	let_go(_metadata, &one);
	finish(_metadata, self);
	return one.pid;
}

static void *act_in_thread(void *unused)
{
	(void)unused;
	act(THREAD);
	return NULL;
}

/* Also waits for a lock that another thread holds. */
static void have_a_family(FIXTURE_DATA(filtered) *self)
{
	const struct scene scene = { .kind = KMPROF_TEST_LOCK_MUTEX };
	struct play played;
	pthread_t thread;
	int status;
	pid_t pid;

	act(ONE);
	if (scene_play(self->test, &scene, 0, 1, SLEEP_US, &played) ||
	    pthread_create(&thread, NULL, act_in_thread, NULL) || pthread_join(thread, NULL))
		_exit(EXIT_FAILURE);
	pid = fork();
	if (!pid) {
		act(CHILD);
		_exit(EXIT_SUCCESS);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
		_exit(EXIT_FAILURE);
}

static void be_another(FIXTURE_DATA(filtered) *self)
{
	const struct scene scene = { .kind = KMPROF_TEST_LOCK_MUTEX, .index = 1 };
	struct play played;

	act(OTHER);
	nap();
	if (scene_play(self->test, &scene, 0, 1, SLEEP_US, &played))
		_exit(EXIT_FAILURE);
}

TEST_F(filtered, by_process)
{
	struct player one = begin(_metadata, self, "one", have_a_family);
	struct player other = begin(_metadata, self, "other", be_another);
	struct family family;
	struct seen seen;

	start_pid(_metadata, self, one.pid, SESSION_ALL, 0);
	let_go(_metadata, &one);
	let_go(_metadata, &other);
	finish(_metadata, self);
	seen = see(_metadata, self, other.pid, 0);
	expect_calls(_metadata, &seen, ONE, TIMES);
	expect_calls(_metadata, &seen, THREAD, TIMES);
	expect_calls(_metadata, &seen, CHILD, TIMES);
	expect_calls(_metadata, &seen, OTHER, 0);
	EXPECT_LT(NAPS / 2, seen.runs);
	EXPECT_LT(NAPS / 2, seen.woken);
	family = family_of(_metadata, self, one.pid);
	EXPECT_LE(4, family.nr);
	EXPECT_LT(0, family.waits);
	EXPECT_EQ(0, family.others);
	EXPECT_LT(0, family.softirqs);
}

static void change_names(FIXTURE_DATA(filtered) *self)
{
	(void)self;
	act(BEFORE);
	prctl(PR_SET_NAME, "wanted");
	act(AFTER);
	prctl(PR_SET_NAME, "another");
	act(LATER);
}

static void act_as_one(FIXTURE_DATA(filtered) *self)
{
	(void)self;
	act(ONE);
}

/* What was traced once stays so, whatever its name is then. */
TEST_F(filtered, by_name)
{
	struct player one = begin(_metadata, self, "wanted", act_as_one);
	struct player other = begin(_metadata, self, "wanted, too", change_names);
	struct seen seen;

	ASSERT_EQ(0, start(self, "comm=want?d", CALLS, 0));
	let_go(_metadata, &one);
	let_go(_metadata, &other);
	finish(_metadata, self);
	seen = see(_metadata, self, 0, 0);
	expect_calls(_metadata, &seen, ONE, TIMES);
	expect_calls(_metadata, &seen, BEFORE, 0);
	expect_calls(_metadata, &seen, AFTER, TIMES);
	expect_calls(_metadata, &seen, LATER, TIMES);
}

static void execute(FIXTURE_DATA(filtered) *self)
{
	(void)self;
	act(BEFORE);
	execl("/bin/true", "true", NULL);
	_exit(EXIT_FAILURE);
}

/* It has the name when execve() ends. */
TEST_F(filtered, by_the_name_of_a_program)
{
	pid_t pid = trace_one(_metadata, self, "comm=true", execute);
	struct seen seen = see(_metadata, self, pid, SYS_execve);

	expect_calls(_metadata, &seen, BEFORE, 0);
	EXPECT_EQ(0, seen.calls);
	EXPECT_EQ(1, seen.returns);
	seen = see(_metadata, self, pid, SYS_exit_group);
	EXPECT_EQ(1, seen.calls);
}

static void *execute_in_thread(void *self)
{
	prctl(PR_SET_NAME, "wanted");
	execute(self);
	return NULL;
}

static void execute_beside(FIXTURE_DATA(filtered) *self)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, execute_in_thread, self))
		_exit(EXIT_FAILURE);
	pthread_join(thread, NULL);
	_exit(EXIT_FAILURE);
}

/* A thread that executes a program takes over the id of its process. */
TEST_F(filtered, goes_on_with_another_id)
{
	pid_t pid = trace_one(_metadata, self, "comm=wanted", execute_beside);
	struct seen seen = see(_metadata, self, pid, SYS_exit_group);

	expect_calls(_metadata, &seen, BEFORE, TIMES);
	EXPECT_EQ(1, seen.calls);
}

static void move(FIXTURE_DATA(filtered) *self)
{
	(void)self;
	act(BEFORE);
	if (guest_write_file("/tmp/kmprof_owners/one/cgroup.procs", "0"))
		_exit(EXIT_FAILURE);
	/* It is looked at when it runs again. */
	nap();
	act(AFTER);
}

static void be_wanted(FIXTURE_DATA(filtered) *self)
{
	prctl(PR_SET_NAME, "wanted");
	act_as_one(self);
}

/* A process that gets the id of one that was traced is another one. */
TEST_F(filtered, ends_with_the_process)
{
	struct player one = begin(_metadata, self, "one", be_wanted);
	struct clone_args again = {
		.exit_signal = SIGCHLD, .set_tid = (uintptr_t)&one.pid, .set_tid_size = 1,
	};
	struct seen seen;
	pid_t pid;

	ASSERT_EQ(0, start(self, "comm=wanted", CALLS, 0));
	let_go(_metadata, &one);
	pid = syscall(SYS_clone3, &again, sizeof(again));
	ASSERT_LE(0, pid);
	if (!pid) {
		act(OTHER);
		_exit(EXIT_SUCCESS);
	}
	EXPECT_EQ(one.pid, pid);
	wait_for(_metadata, pid);
	finish(_metadata, self);
	seen = see(_metadata, self, 0, 0);
	expect_calls(_metadata, &seen, ONE, TIMES);
	expect_calls(_metadata, &seen, OTHER, 0);
}

/* Who is in the cgroup, and who comes. */
TEST_F(filtered, by_cgroup)
{
	struct owner owners[OWNERS];
	char procs[16];
	struct player one, other;
	struct seen seen;

	memcpy(owners, owners_unborn, sizeof(owners));
	ASSERT_EQ(0, owners_make_cgroups(owners));
	one = begin(_metadata, self, "one", act_as_one);
	snprintf(procs, sizeof(procs), "%d", one.pid);
	ASSERT_EQ(0, guest_write_file("/tmp/kmprof_owners/one/cgroup.procs", procs));
	other = begin(_metadata, self, "other", move);
	EXPECT_EQ(0, start(self, "cgroup=/one", CALLS, 0));
	let_go(_metadata, &one);
	let_go(_metadata, &other);
	finish(_metadata, self);
	EXPECT_EQ(0, owners_remove_cgroups(owners));
	seen = see(_metadata, self, 0, 0);
	expect_calls(_metadata, &seen, ONE, TIMES);
	expect_calls(_metadata, &seen, BEFORE, 0);
	expect_calls(_metadata, &seen, AFTER, TIMES);
}

static void sleep_some_times(FIXTURE_DATA(filtered) *self)
{
	(void)self;
	nap();
}

/**
 * struct stacks - stacks of switches and wake-ups
 * @pid: the traced task
 * @good: of it, as they should be
 * @without: of others, which have none
 * @wrong: missing ones, or too many
 */
struct stacks {
	uint32_t pid;
	unsigned int good;
	unsigned int without;
	unsigned int wrong;
};

static int look_at_stack(const struct record *r, void *data)
{
	struct stacks *stacks = data;
	bool is_wanted = r->tid == stacks->pid;

	if (r->type == KMPROF_TRACE_WAKING)
		is_wanted |= r->args[0] == stacks->pid;
	else if (r->type != KMPROF_TRACE_SWITCH)
		return 0;
	if (is_wanted != !!r->stack)
		stacks->wrong++;
	else if (is_wanted)
		stacks->good++;
	else
		stacks->without++;
	return 0;
}

/* What has no stack because nobody wants it does not count as without room. */
TEST_F(filtered, stacks)
{
	struct player one = begin(_metadata, self, "one", sleep_some_times);
	struct player other = begin(_metadata, self, "other", sleep_some_times);
	struct stacks stacks = { .pid = one.pid };

	start_pid(_metadata, self, one.pid, SESSION_SCHED, KMPROF_TRACE_START_STACKS);
	let_go(_metadata, &one);
	let_go(_metadata, &other);
	finish(_metadata, self);
	EXPECT_EQ(0, self->s.stop.stackless);
	ASSERT_EQ(0, session_walk(&self->s, look_at_stack, &stacks));
	EXPECT_EQ(0, stacks.wrong);
	EXPECT_LT(NAPS, stacks.good);
	EXPECT_LT(NAPS, stacks.without);
}

static int order(FIXTURE_DATA(filtered) *self, unsigned int code, unsigned int size,
		 unsigned int first)
{
	struct kmprof_test_op op = {
		.op = code, .chain = CHAIN, .cpu = KMPROF_TEST_CPU_ANY,
		.method = KMPROF_TEST_KMALLOC_VARIABLE, .size = size,
		.context = KMPROF_TEST_TASK, .first = first, .count = COUNT,
	};

	return order_run(self->test, &op);
}

static void allocate(FIXTURE_DATA(filtered) *self)
{
	if (order(self, KMPROF_TEST_ALLOC, EACH_BYTES, 0))
		_exit(EXIT_FAILURE);
}

static void allocate_other(FIXTURE_DATA(filtered) *self)
{
	if (order(self, KMPROF_TEST_ALLOC, OTHER_BYTES, COUNT))
		_exit(EXIT_FAILURE);
}

/* Objects of a size: allocated, and freed. */
struct objects {
	unsigned int allocs[2];
	unsigned int frees[2];
};

static int look_at_object(const struct record *r, void *data)
{
	enum { BYTES = 2 };
	static const uint64_t sizes[] = { EACH_BYTES, OTHER_BYTES };
	struct objects *objects = data;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		if (r->args[BYTES] != sizes[i])
			continue;
		objects->allocs[i] += r->type == KMPROF_TRACE_ALLOC;
		objects->frees[i] += r->type == KMPROF_TRACE_FREE;
	}
	return 0;
}

/* Who frees an object need not be who has allocated it: all frees are there. */
TEST_F(filtered, memory)
{
	struct player one = begin(_metadata, self, "one", allocate);
	struct player other = begin(_metadata, self, "other", allocate_other);
	struct objects objects = {};

	ASSERT_EQ(0, guest_set_text(self->dev, KMPROF_SETTING_HEAP_FILTER, "module=kmprof_test"));
	ASSERT_EQ(0, guest_set(self->dev, KMPROF_SETTING_HEAP_RATE, 1));
	start_pid(_metadata, self, one.pid, EVENT(ALLOC) | EVENT(FREE), 0);
	let_go(_metadata, &one);
	let_go(_metadata, &other);
	ASSERT_EQ(0, order(self, KMPROF_TEST_FREE, EACH_BYTES, 0));
	ASSERT_EQ(0, order(self, KMPROF_TEST_FREE, OTHER_BYTES, COUNT));
	ASSERT_EQ(0, guest_settle(self->dev));
	finish(_metadata, self);
	ASSERT_EQ(0, session_walk(&self->s, look_at_object, &objects));
	EXPECT_EQ(COUNT, objects.allocs[0]);
	EXPECT_EQ(0, objects.allocs[1]);
	EXPECT_EQ(COUNT, objects.frees[0]);
	EXPECT_EQ(COUNT, objects.frees[1]);
}

/* The trace says by which filter; the next one has none. */
TEST_F(filtered, is_told)
{
	struct player one = begin(_metadata, self, "one", act_as_one);
	struct seen seen;

	ASSERT_EQ(0, start(self, " comm=one ", EVENT(EXIT), KMPROF_TRACE_START_FLIGHT));
	ASSERT_EQ(0, session_snapshot(self->dev));
	finish(_metadata, self);
	EXPECT_STREQ("comm=one", session_header(&self->s)->filter);
	EXPECT_EQ(EVENT(SWITCH) | EVENT(FORK) | EVENT(EXIT) | EVENT(RENAME),
		  session_header(&self->s)->events);
	session_free(&self->s);
	ASSERT_EQ(0, start(self, "", CALLS, 0));
	let_go(_metadata, &one);
	finish(_metadata, self);
	EXPECT_STREQ("", session_header(&self->s)->filter);
	EXPECT_EQ(EVENT(SWITCH) | CALLS, session_header(&self->s)->events);
	seen = see(_metadata, self, 0, 0);
	expect_calls(_metadata, &seen, ONE, TIMES);
}

TEST_F(filtered, refuses)
{
	static const char *const wrong[] = {
		"pid", "pid=", "pid=0", "pid=-1", "pid=x", "pid=4294967297", "comm=",
		"comm=longer than a name", "comm=sixteen_of_them_", "cgroup=", "cgroup=/none/such",
		"size=8", "pid=1,", ",pid=1", "pid=1,pid=2", "pid=1,kind=slab", "none", " ",
		"comm=\033[7m", "cpu=", "cpu=x", "cpu=1-0", "cpu=4096", "cpu=all", "cpu=0-1:1/2",
		"cpu=0,1", "cpu=0,cpu=1",
		"duration=", "duration=1", "duration=0ms", "duration=-1ms", "duration=1h",
		"duration=3601s", "duration=1ms,duration=1ms", "duration=18446744073709551617ns",
	};
	struct kmprof_trace_start unended = { .events = SESSION_SCHED };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(wrong); i++)
		EXPECT_EQ(-EINVAL, start(self, wrong[i], SESSION_SCHED, 0))
			TH_LOG("filter %u", i);
	memset(unended.filter, ' ', sizeof(unended.filter));
	memcpy(unended.filter, "pid=1", strlen("pid=1"));
	EXPECT_EQ(-EINVAL, session_ioctl_start(self->dev, &unended));
	ASSERT_EQ(0, start(self, "pid=1,comm=init,cpu=0-1+0,duration=3600s", SESSION_SCHED, 0));
}

TEST_HARNESS_MAIN
