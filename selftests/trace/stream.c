// SPDX-License-Identifier: GPL-2.0
/*
 * The execution tracer: one trace at a time, what it delivers, what it has lost, and what is
 * refused.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "trace/session.h"

enum {
	SMALLEST	= 4 * KMPROF_TRACE_BATCH_MAX,
	LEAST_BYTES	= 4,	/* of a switch */
	CHILDREN	= 50,
};

FIXTURE(stream) {
	int dev;
	struct session s;
};

FIXTURE_SETUP(stream)
{
	ASSERT_EQ(0, guest_load("kprobe", "heap_rate=0"));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	self->s.fd = -1;
}

FIXTURE_TEARDOWN(stream)
{
	session_free(&self->s);
	close(self->dev);
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

/* Two children that hand one CPU to each other, so many times. */
static void switch_often(struct __test_metadata *_metadata, unsigned int times)
{
	pid_t children[2];
	unsigned int i;
	int status;

	for (i = 0; i < 2; i++) {
		children[i] = fork();
		ASSERT_LE(0, children[i]);
		if (children[i])
			continue;
		if (guest_pin_cpu(0))
			_exit(1);
		while (times--)
			sched_yield();
		_exit(0);
	}
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(children[i], waitpid(children[i], &status, 0));
		ASSERT_EQ(0, status);
	}
}

/* Children that exit at once. Their ids are those that fork() returns. */
static void fork_children(struct __test_metadata *_metadata, pid_t children[CHILDREN])
{
	unsigned int i;

	for (i = 0; i < CHILDREN; i++) {
		children[i] = fork();
		ASSERT_LE(0, children[i]);
		if (!children[i])
			_exit(0);
		ASSERT_EQ(children[i], waitpid(children[i], NULL, 0));
	}
}

/* What a walk counts. */
struct counts {
	uint64_t of_type[64];
	uint64_t all;
	const pid_t *children;
	unsigned int forks;
	unsigned int exits;
	char mark[KMPROF_TRACE_TEXT_MAX + 1];
	uint32_t mark_tid;
};

static int count(const struct record *r, void *data)
{
	struct counts *c = data;

	c->of_type[r->type]++;
	c->all++;
	if (r->type == KMPROF_TRACE_FORK && c->children && c->forks < CHILDREN &&
	    r->args[0] == (uint64_t)c->children[c->forks] && r->tid == (uint32_t)getpid())
		c->forks++;
	if (r->type == KMPROF_TRACE_EXIT && c->children && c->exits < CHILDREN &&
	    r->tid == (uint32_t)c->children[c->exits])
		c->exits++;
	if (r->type == KMPROF_TRACE_MARK) {
		memcpy(c->mark, r->text, r->len);
		c->mark_tid = r->tid;
	}
	return 0;
}

static void finish(struct __test_metadata *_metadata, FIXTURE_DATA(stream) *self,
		   struct counts *counts)
{
	ASSERT_EQ(0, session_stop(self->dev, &self->s));
	ASSERT_EQ(0, session_read_rest(&self->s));
	ASSERT_EQ(0, session_walk(&self->s, count, counts));
	EXPECT_EQ(self->s.stop.events, session_end(&self->s)->events);
	EXPECT_EQ(self->s.stop.events, session_records(&self->s));
	EXPECT_EQ(self->s.stop.lost, session_end(&self->s)->lost);
	EXPECT_EQ(self->s.stop.lost, session_lost(&self->s));
}

/* On one CPU, so that children come one after the other in its records. */
TEST_F(stream, has_every_fork_and_exit)
{
	struct counts counts = {};
	pid_t children[CHILDREN];
	const struct kmprof_trace_task *own;

	ASSERT_EQ(0, guest_pin_cpu(0));
	ASSERT_EQ(0, session_start(self->dev, &self->s, SESSION_SCHED, 0));
	fork_children(_metadata, children);
	counts.children = children;
	finish(_metadata, self, &counts);
	EXPECT_EQ(CHILDREN, counts.forks);
	EXPECT_EQ(CHILDREN, counts.exits);
	EXPECT_EQ(0, self->s.stop.lost);
	EXPECT_LE(2 * CHILDREN, counts.of_type[KMPROF_TRACE_SWITCH]);

	own = session_task(&self->s, getpid());
	ASSERT_NE(NULL, own);
	EXPECT_EQ(getpid(), own->tgid);
	EXPECT_EQ(0, strncmp("stream", own->comm, 6));
	EXPECT_NE(NULL, session_task(&self->s, 1));
	EXPECT_EQ(NULL, session_task(&self->s, 0));
}

/* How often all CPUs have switched, as the kernel counts it. */
static uint64_t switches(struct __test_metadata *_metadata)
{
	uint64_t sum;

	EXPECT_EQ(0, guest_read_number("/proc/stat", "\nctxt ", &sum));
	return sum;
}

/* Nobody reads meanwhile: full blocks stay, what comes later is lost and counted. */
TEST_F(stream, tells_every_loss)
{
	const uint64_t too_many = SMALLEST / LEAST_BYTES * sysconf(_SC_NPROCESSORS_ONLN);
	struct counts counts = {};
	uint64_t before;

	ASSERT_EQ(0, session_start(self->dev, &self->s, SESSION_SCHED, SMALLEST));
	before = switches(_metadata);
	while (switches(_metadata) - before < too_many)
		switch_often(_metadata, SMALLEST / LEAST_BYTES);
	finish(_metadata, self, &counts);
	EXPECT_LT(0, self->s.stop.lost);
	EXPECT_LT(0, counts.all);
}

/* Full blocks can be read while others are written, more than the buffers hold. */
TEST_F(stream, is_read_while_it_is_recorded)
{
	const off_t enough = 4 * SMALLEST;
	struct counts counts = {};
	struct stat copied = {};
	pid_t reader;
	int file;

	ASSERT_EQ(0, session_start(self->dev, &self->s, SESSION_SCHED, SMALLEST));
	reader = session_copy(&self->s, &file);
	ASSERT_LT(0, reader);
	while (copied.st_size < enough) {
		switch_often(_metadata, SMALLEST / LEAST_BYTES);
		ASSERT_EQ(0, fstat(file, &copied));
	}
	ASSERT_EQ(0, session_take_copy(self->dev, &self->s, reader, file));
	ASSERT_EQ(0, session_walk(&self->s, count, &counts));
	EXPECT_EQ(session_end(&self->s)->events, session_records(&self->s));
	EXPECT_EQ(session_end(&self->s)->lost, session_lost(&self->s));
}

TEST_F(stream, records_marks)
{
	static const char text[] = "the slow part begins\n";
	struct counts counts = {};
	char longest[KMPROF_TRACE_TEXT_MAX + 1];
	void *nowhere;

	/* The last one of a CPU is the last one of all. */
	ASSERT_EQ(0, guest_pin_cpu(0));
	memset(longest, 'x', sizeof(longest));
	EXPECT_EQ(-1, write(self->dev, "x", 1));
	EXPECT_EQ(ENODATA, errno);
	ASSERT_EQ(0, session_start(self->dev, &self->s, 1 << KMPROF_TRACE_FORK, 0));
	EXPECT_EQ(KMPROF_TRACE_TEXT_MAX, write(self->s.fd, longest, KMPROF_TRACE_TEXT_MAX));
	EXPECT_EQ(-1, write(self->dev, longest, sizeof(longest)));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, write(self->dev, "\n", 1));
	EXPECT_EQ(EINVAL, errno);
	nowhere = mmap(NULL, sizeof(text), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, nowhere);
	EXPECT_EQ(-1, write(self->dev, nowhere, 1));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ((ssize_t)strlen(text), write(self->dev, text, strlen(text)));
	finish(_metadata, self, &counts);
	EXPECT_EQ(2, counts.of_type[KMPROF_TRACE_MARK]);
	EXPECT_EQ(0, strncmp(text, counts.mark, strlen(text) - 1));
	EXPECT_EQ(getpid(), counts.mark_tid);
	EXPECT_EQ(0, counts.of_type[KMPROF_TRACE_WAKING]);
	EXPECT_EQ(-1, write(self->s.fd, "x", 1));
	EXPECT_EQ(ENODATA, errno);
}

TEST_F(stream, refuses)
{
	struct kmprof_trace_start start = { .events = SESSION_SCHED };
	struct kmprof_trace_stop stop = {};
	char byte;

	start.events = 0;
	EXPECT_EQ(-EINVAL, session_ioctl_start(self->dev, &start));
	start.events = 1 << KMPROF_TRACE_MARK;
	EXPECT_EQ(-EINVAL, session_ioctl_start(self->dev, &start));
	start.events = 1ULL << 63 | SESSION_SCHED;
	EXPECT_EQ(-EINVAL, session_ioctl_start(self->dev, &start));
	start.events = SESSION_SCHED;
	start.buffer_bytes = KMPROF_TRACE_BUFFER_MAX + 1;
	EXPECT_EQ(-EINVAL, session_ioctl_start(self->dev, &start));
	start.buffer_bytes = 0;
	start.flags = 1 << 2;
	EXPECT_EQ(-EOPNOTSUPP, session_ioctl_start(self->dev, &start));
	start.flags = 0;
	start.buffer_bytes = SMALLEST + 1;
	ASSERT_EQ(0, session_ioctl_start(self->dev, &start));
	EXPECT_EQ(2 * SMALLEST, start.buffer_bytes);
	EXPECT_EQ(FD_CLOEXEC, fcntl(start.fd, F_GETFD));
	self->s.fd = start.fd;
	EXPECT_EQ(-EBUSY, session_ioctl_start(self->dev, &start));

	stop.fd = self->dev;
	EXPECT_EQ(-EBADF, session_ioctl_stop(self->dev, &stop));
	stop.fd = -1;
	EXPECT_EQ(-EBADF, session_ioctl_stop(self->dev, &stop));
	stop.fd = self->s.fd;
	stop.__reserved = 1;
	EXPECT_EQ(-EOPNOTSUPP, session_ioctl_stop(self->dev, &stop));
	EXPECT_EQ(-1, read(self->s.fd, &byte, 1));
	EXPECT_EQ(EINVAL, errno);
}

/* What was recorded can be read after the stop, and twice is not an error. */
TEST_F(stream, does_not_wait_if_it_must_not)
{
	char block[KMPROF_TRACE_BATCH_MAX];

	ASSERT_EQ(0, session_start(self->dev, &self->s, 1 << KMPROF_TRACE_RENAME, 0));
	ASSERT_EQ(0, fcntl(self->s.fd, F_SETFL, O_NONBLOCK));
	while (read(self->s.fd, block, sizeof(block)) > 0)
		;
	EXPECT_EQ(EAGAIN, errno);
	ASSERT_EQ(0, session_stop(self->dev, &self->s));
	ASSERT_EQ(0, session_stop(self->dev, &self->s));
	EXPECT_LT(0, read(self->s.fd, block, sizeof(block)));
	EXPECT_EQ(0, read(self->s.fd, block, sizeof(block)));
	EXPECT_EQ(0, read(self->s.fd, block, sizeof(block)));
}

/* Its file is closed: the next trace can be started. */
TEST_F(stream, ends_with_its_reader)
{
	struct counts counts = {};
	pid_t reader;
	int pipes[2], status;
	char byte = 0;

	ASSERT_EQ(0, pipe(pipes));
	reader = fork();
	ASSERT_LE(0, reader);
	if (!reader) {
		if (session_start(self->dev, &self->s, SESSION_SCHED, 0) ||
		    write(pipes[1], &byte, 1) != 1)
			_exit(1);
		pause();
		_exit(1);
	}
	close(pipes[1]);
	ASSERT_EQ(1, read(pipes[0], &byte, 1));
	close(pipes[0]);
	EXPECT_EQ(-EBUSY, session_start(self->dev, &self->s, SESSION_SCHED, 0));
	ASSERT_EQ(0, kill(reader, SIGKILL));
	ASSERT_EQ(reader, waitpid(reader, &status, 0));
	ASSERT_EQ(0, session_start(self->dev, &self->s, SESSION_SCHED, 0));
	finish(_metadata, self, &counts);
}

/* A CPU goes and comes back: it keeps its ring, and no record is missing. */
TEST_F(stream, follows_a_cpu_that_goes)
{
	static const char online[] = "/sys/devices/system/cpu/cpu1/online";
	struct counts counts = {};
	unsigned int i;

	ASSERT_EQ(0, session_start(self->dev, &self->s, SESSION_SCHED, 0));
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, guest_write_file(online, "0"));
		switch_often(_metadata, 10);
		ASSERT_EQ(0, guest_write_file(online, "1"));
	}
	finish(_metadata, self, &counts);
	EXPECT_EQ(0, self->s.stop.lost);
}

/* So does a CPU that comes when the trace was started without it. */
TEST_F(stream, has_room_for_a_cpu_that_comes)
{
	static const char online[] = "/sys/devices/system/cpu/cpu1/online";
	struct counts counts = {};

	ASSERT_EQ(0, guest_write_file(online, "0"));
	EXPECT_EQ(0, session_start(self->dev, &self->s, SESSION_SCHED, 0));
	ASSERT_EQ(0, guest_write_file(online, "1"));
	ASSERT_EQ(0, guest_pin_cpu(1));
	ASSERT_EQ(5, write(self->dev, "there", 5));
	finish(_metadata, self, &counts);
	EXPECT_EQ(0, self->s.stop.lost);
	EXPECT_EQ(1, counts.of_type[KMPROF_TRACE_MARK]);
}

TEST_HARNESS_MAIN
