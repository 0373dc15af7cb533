// SPDX-License-Identifier: GPL-2.0
/*
 * System calls in the execution trace: of a task that writes down what it calls, the trace has the
 * same calls, in the same order, with the same results, and no others.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "trace/session.h"

#define EVENT(name)	(1ULL << KMPROF_TRACE_##name)

enum {
	TASKS	= 4,
	MOST	= 4096,	/* events of a task */
	LINE	= 64,
	/* No system call has this number: the story of a task is from one to the next. */
	FENCE	= 9998,
	NO_CALL	= 9999,
	I386_GETPID = 20,
	/* Of rt_sigreturn(), when it returns. */
	NO_NUMBER = -1,
	/* What the kernel returns to itself: ERESTARTNOHAND. */
	INTERRUPTED = -514,
};

/**
 * struct story - the calls of a task
 * @child: a task that it has created
 * @fences: that were passed
 * @nr: how many events
 * @line: each in words
 */
struct story {
	pid_t child;
	unsigned int fences;
	unsigned int nr;
	char line[MOST][LINE];
};

/* What the tasks have called, as they themselves tell; in memory that is shared with them. */
static struct story *told;

FIXTURE(syscalls) {
	int dev;
	struct session s;
	struct story traced;
};

static void start(struct __test_metadata *_metadata, FIXTURE_DATA(syscalls) *self)
{
	ASSERT_EQ(0, session_start(self->dev, &self->s,
				   EVENT(SWITCH) | EVENT(SYSCALL_ENTER) | EVENT(SYSCALL_EXIT), 0));
}

FIXTURE_SETUP(syscalls)
{
	ASSERT_EQ(0, guest_load("kprobe", "heap_rate=0"));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	self->s.fd = -1;
	told = mmap(NULL, TASKS * sizeof(*told), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, told);
}

FIXTURE_TEARDOWN(syscalls)
{
	munmap(told, TASKS * sizeof(*told));
	session_free(&self->s);
	close(self->dev);
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

/* --- what a task does --- */

static void tell_enter(struct story *story, uint64_t number)
{
	if (story->nr < MOST)
		snprintf(story->line[story->nr++], LINE, "enter %" PRIu64, number);
}

static void tell_exit(struct story *story, uint64_t number, int64_t result)
{
	if (story->nr < MOST)
		snprintf(story->line[story->nr++], LINE, "exit %" PRIu64 " with %" PRId64, number,
			 result);
}

/* By the C library, which makes no other calls for that. */
static long call(struct story *story, long number, long a, long b, long c)
{
	long result = syscall(number, a, b, c, 0, 0, 0);

	if (result < 0 && result >= -4095)
		result = -errno;
	tell_enter(story, number);
	tell_exit(story, number, result);
	return result;
}

static void fence(void)
{
	syscall(FENCE);
}

static void call_something(struct story *story, unsigned int *seed, const int *ends)
{
	const struct timespec moment = { .tv_nsec = 1000 };
	char byte = 0;

	switch (rand_r(seed) % 8) {
	case 0:
		call(story, SYS_getppid, 0, 0, 0);
		break;
	case 1:
		call(story, SYS_close, -1, 0, 0);
		break;
	case 2:
		call(story, SYS_lseek, ends[0], 0, SEEK_SET);
		break;
	case 3:
		call(story, SYS_write, ends[1], (long)&byte, 1);
		call(story, SYS_read, ends[0], (long)&byte, 1);
		break;
	case 4:
		call(story, SYS_sched_yield, 0, 0, 0);
		break;
	case 5:
		call(story, SYS_nanosleep, (long)&moment, 0, 0);
		break;
	case 6:
		call(story, NO_CALL, 0, 0, 0);
		break;
	case 7:
		call(story, SYS_brk, 0, 0, 0);
		break;
	}
}

static void call_many(struct story *story, unsigned int seed)
{
	int ends[2];

	if (pipe(ends))
		_exit(EXIT_FAILURE);
	fence();
	/* A pass of the switch has up to four events. */
	while (story->nr + 4 <= MOST)
		call_something(story, &seed, ends);
	fence();
	_exit(EXIT_SUCCESS);
}

/* --- what the trace has of it --- */

/**
 * struct event - the begin or the end of a call
 * @ticks: when
 * @index: how many were read before it
 * @number: which
 * @result: of an end
 * @begins: it is a begin
 */
struct event {
	uint64_t ticks;
	unsigned int index;
	uint64_t number;
	int64_t result;
	bool begins;
};

/**
 * struct events - those of a task, as they are read: one CPU after the other
 * @tid: the task
 * @nr: how many
 * @event: they
 */
struct events {
	uint32_t tid;
	unsigned int nr;
	struct event event[2 * MOST];
};

static int take(const struct record *r, void *data)
{
	struct events *events = data;
	bool begins = r->type == KMPROF_TRACE_SYSCALL_ENTER;
	struct event *e = &events->event[events->nr];

	if (r->tid != events->tid || (!begins && r->type != KMPROF_TRACE_SYSCALL_EXIT))
		return 0;
	if (r->context != KMPROF_TRACE_IN_TASK)
		return -EBADMSG;
	if (events->nr == ARRAY_SIZE(events->event))
		return -E2BIG;
	*e = (struct event){
		.ticks = r->ticks, .index = events->nr++, .number = r->args[0], .begins = begins,
	};
	if (!begins)
		e->result = (int64_t)(r->args[1] >> 1) ^ -(int64_t)(r->args[1] & 1);
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->ticks != y->ticks)
		return x->ticks < y->ticks ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

static void finish(struct __test_metadata *_metadata, FIXTURE_DATA(syscalls) *self)
{
	ASSERT_EQ(0, session_stop(self->dev, &self->s));
	ASSERT_EQ(0, session_read_rest(&self->s));
	ASSERT_EQ(0, session_lost(&self->s));
}

/* Reads the story of a task: what is between its fences; if @fences is 1, up to the next one. */
static void read_story(struct __test_metadata *_metadata, FIXTURE_DATA(syscalls) *self, pid_t tid,
		       unsigned int fences)
{
	struct story *story = &self->traced;
	static struct events events;
	const struct event *e;

	events.tid = tid;
	events.nr = 0;
	ASSERT_EQ(0, session_walk(&self->s, take, &events));
	qsort(events.event, events.nr, sizeof(*e), by_time);
	memset(story, 0, sizeof(*story));
	story->fences = fences;
	for (e = events.event; e < events.event + events.nr; e++) {
		if (e->number == FENCE)
			story->fences += !e->begins;
		else if (story->fences == 1 && e->begins)
			tell_enter(story, e->number);
		else if (story->fences == 1)
			tell_exit(story, e->number, e->result);
	}
}

static void expect_told(struct __test_metadata *_metadata, const struct story *traced,
			const struct story *wanted)
{
	unsigned int i;

	EXPECT_EQ(wanted->nr, traced->nr);
	for (i = 0; i < wanted->nr && i < traced->nr; i++)
		ASSERT_STREQ(wanted->line[i], traced->line[i])
			TH_LOG("event %u of %u", i, wanted->nr);
}

static void wait_for(struct __test_metadata *_metadata, pid_t pid, int wanted)
{
	int status;

	ASSERT_LT(0, pid);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_EQ(wanted, status);
}

TEST_F(syscalls, are_those_of_the_task)
{
	pid_t pid[TASKS];
	unsigned int i;

	start(_metadata, self);
	for (i = 0; i < TASKS; i++) {
		pid[i] = fork();
		if (!pid[i])
			call_many(&told[i], i + 1);
	}
	for (i = 0; i < TASKS; i++)
		wait_for(_metadata, pid[i], 0);
	finish(_metadata, self);
	for (i = 0; i < TASKS; i++) {
		read_story(_metadata, self, pid[i], 0);
		EXPECT_EQ(2, self->traced.fences);
		EXPECT_LT(MOST / 2, self->traced.nr);
		expect_told(_metadata, &self->traced, &told[i]);
	}
}

/* Traces a task from its begin to its end. @act: what it does, with told[1]. Returns its id. */
static pid_t trace_task(struct __test_metadata *_metadata, FIXTURE_DATA(syscalls) *self,
			void (*act)(struct story *story))
{
	pid_t pid;

	start(_metadata, self);
	pid = fork();
	if (!pid)
		act(&told[1]);
	wait_for(_metadata, pid, 0);
	finish(_metadata, self);
	return pid;
}

static void on_signal(int signal)
{
	(void)signal;
}

/* A signal handler returns by a call of its own, which returns with no number. */
static void be_signalled(struct story *story)
{
	if (signal(SIGUSR1, on_signal))
		_exit(EXIT_FAILURE);
	fence();
	call(story, SYS_tgkill, getpid(), getpid(), SIGUSR1);
	fence();
	_exit(EXIT_SUCCESS);
}

TEST_F(syscalls, a_signal_handler_returns)
{
	pid_t pid = trace_task(_metadata, self, be_signalled);
	struct story *wanted = told;

	read_story(_metadata, self, pid, 0);
	tell_enter(wanted, SYS_getpid);
	tell_exit(wanted, SYS_getpid, pid);
	tell_enter(wanted, SYS_getpid);
	tell_exit(wanted, SYS_getpid, pid);
	tell_enter(wanted, SYS_tgkill);
	tell_exit(wanted, SYS_tgkill, 0);
	tell_enter(wanted, SYS_rt_sigreturn);
	tell_exit(wanted, (uint32_t)NO_NUMBER, 0);
	expect_told(_metadata, &self->traced, wanted);
}

/* Of fork(), a new task has the exit only; exit() has none. */
static void have_a_child(struct story *story)
{
	long child;
	int status;

	fence();
	child = syscall(SYS_fork);
	if (!child)
		syscall(SYS_exit, 0);
	story->child = child;
	if (child < 0 || waitpid(child, &status, 0) != child)
		_exit(EXIT_FAILURE);
	_exit(EXIT_SUCCESS);
}

TEST_F(syscalls, of_a_task_from_its_begin_to_its_end)
{
	struct story *wanted = told;

	trace_task(_metadata, self, have_a_child);
	read_story(_metadata, self, told[1].child, 1);
	tell_exit(wanted, SYS_fork, 0);
	tell_enter(wanted, SYS_exit);
	expect_told(_metadata, &self->traced, wanted);
}

static void execute(struct story *story)
{
	(void)story;
	fence();
	execl("/nothing/there", "nothing", NULL);
	execl("/bin/true", "true", NULL);
	_exit(EXIT_FAILURE);
}

TEST_F(syscalls, of_a_new_program)
{
	pid_t pid = trace_task(_metadata, self, execute);
	struct story *wanted = told;

	read_story(_metadata, self, pid, 0);
	tell_enter(wanted, SYS_execve);
	tell_exit(wanted, SYS_execve, -ENOENT);
	tell_enter(wanted, SYS_execve);
	tell_exit(wanted, SYS_execve, 0);
	ASSERT_LT(wanted->nr, self->traced.nr);
	EXPECT_STREQ("enter 231", self->traced.line[self->traced.nr - 1]);
	self->traced.nr = wanted->nr;
	expect_told(_metadata, &self->traced, wanted);
}

/* Waits until a task sleeps in a call. */
static void until_in(struct __test_metadata *_metadata, pid_t pid, long number)
{
	char path[40], wanted[24], *text;
	bool is_there = false;

	snprintf(path, sizeof(path), "/proc/%d/syscall", pid);
	snprintf(wanted, sizeof(wanted), "%ld ", number);
	while (!is_there) {
		ASSERT_EQ(0, guest_read_file(path, &text, NULL));
		is_there = !strncmp(text, wanted, strlen(wanted));
		free(text);
		usleep(1000);
	}
}

/* One that sleeps in a call when the trace begins has an exit only; one that is killed has both. */
TEST_F(syscalls, that_went_on_at_the_start)
{
	struct story *wanted = told;
	int ends[2];
	pid_t pid;
	char byte;

	ASSERT_EQ(0, pipe(ends));
	pid = fork();
	if (!pid) {
		syscall(SYS_read, ends[0], &byte, 1);
		syscall(SYS_pause);
	}
	ASSERT_LT(0, pid);
	until_in(_metadata, pid, SYS_read);
	start(_metadata, self);
	ASSERT_EQ(1, write(ends[1], "x", 1));
	until_in(_metadata, pid, SYS_pause);
	ASSERT_EQ(0, kill(pid, SIGKILL));
	wait_for(_metadata, pid, SIGKILL);
	finish(_metadata, self);
	close(ends[0]);
	close(ends[1]);
	read_story(_metadata, self, pid, 1);
	tell_exit(wanted, SYS_read, 1);
	tell_enter(wanted, SYS_pause);
	tell_exit(wanted, SYS_pause, INTERRUPTED);
	expect_told(_metadata, &self->traced, wanted);
}

/* Has the kernel an entry for int 0x80? Who tries without one is killed, and the log complains. */
static bool has_i386(struct __test_metadata *_metadata)
{
	bool has_entry;
	char *text;

	ASSERT_EQ(0, guest_read_file("/proc/kallsyms", &text, NULL));
	has_entry = strstr(text, "int80_emulation\n") || strstr(text, "entry_INT80_compat\n");
	free(text);
	return has_entry;
}

/* The same number means another call there. */
static long getpid_of_i386(void)
{
	long result;

	asm volatile("int $0x80" : "=a"(result) : "a"(I386_GETPID)
		     : "memory", "r8", "r9", "r10", "r11");
	return result;
}

static void call_i386(struct story *story)
{
	(void)story;
	fence();
	getpid_of_i386();
	fence();
	_exit(EXIT_SUCCESS);
}

TEST_F(syscalls, of_i386)
{
	struct story *wanted = told;
	pid_t pid;

	if (!has_i386(_metadata)) {
		TH_LOG("not tested: this kernel has no system calls of i386");
		return;
	}
	pid = trace_task(_metadata, self, call_i386);
	read_story(_metadata, self, pid, 0);
	tell_enter(wanted, KMPROF_TRACE_SYSCALL_I386 | I386_GETPID);
	tell_exit(wanted, KMPROF_TRACE_SYSCALL_I386 | I386_GETPID, pid);
	expect_told(_metadata, &self->traced, wanted);
}

TEST_HARNESS_MAIN
