// SPDX-License-Identifier: GPL-2.0
/*
 * The flight recorder: it keeps the newest records, and what is read of them when it is stopped is
 * a trace without a gap.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "trace/session.h"

enum {
	SMALLEST	= 4 * KMPROF_TRACE_BATCH_MAX,
	/* Marks of a round: the first one on CPU 1, the others, long ones, on CPU 0. */
	PER_ROUND	= 21,
	LONG		= 200,
	/* CPU 0 has room for less than half of them. */
	ROUNDS		= 2 * SMALLEST / (PER_ROUND * LONG) + 2,
};

FIXTURE(flight) {
	int dev;
	struct session s;
};

FIXTURE_SETUP(flight)
{
	ASSERT_EQ(0, guest_load("kprobe", "heap_rate=0"));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	self->s.fd = -1;
}

FIXTURE_TEARDOWN(flight)
{
	session_free(&self->s);
	close(self->dev);
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

/* Mark number @number of all rounds. */
static void put_mark(struct __test_metadata *_metadata, int dev, unsigned int number)
{
	char text[LONG + 1];
	int length = snprintf(text, sizeof(text), "%-*u", number % PER_ROUND ? LONG : 1, number);

	ASSERT_EQ(length, write(dev, text, length));
}

static void put_rounds(struct __test_metadata *_metadata, int dev, unsigned int nr_rounds)
{
	unsigned int i;

	for (i = 0; i < nr_rounds * PER_ROUND; i++) {
		if (i % PER_ROUND < 2)
			ASSERT_EQ(0, guest_pin_cpu(!(i % PER_ROUND)));
		put_mark(_metadata, dev, i);
	}
}

/* The marks between the start and the end of a trace. */
struct marks {
	bool is_there[ROUNDS * PER_ROUND];
	unsigned int first;
	unsigned int nr;
};

static int take_mark(const struct record *r, void *data)
{
	struct marks *marks = data;
	char text[KMPROF_TRACE_TEXT_MAX + 1] = {};
	unsigned long number;
	char *end;

	if (r->type != KMPROF_TRACE_MARK)
		return 0;
	memcpy(text, r->text, r->len);
	number = strtoul(text, &end, 10);
	if (end == text || number >= ROUNDS * PER_ROUND || marks->is_there[number])
		return -EBADMSG;
	marks->is_there[number] = true;
	if (!marks->nr || number < marks->first)
		marks->first = number;
	marks->nr++;
	return 0;
}

/* Reads what there is, and holds it against the counts of the module. */
static void read_all(struct __test_metadata *_metadata, FIXTURE_DATA(flight) *self,
		     struct marks *marks)
{
	ASSERT_EQ(0, session_stop(self->dev, &self->s));
	ASSERT_EQ(0, session_read_rest(&self->s));
	*marks = (struct marks) {};
	ASSERT_EQ(0, session_walk(&self->s, take_mark, marks));
	EXPECT_EQ(self->s.stop.events, session_end(&self->s)->events);
	EXPECT_EQ(self->s.stop.events, session_records(&self->s));
	EXPECT_EQ(0, self->s.stop.lost);
	EXPECT_EQ(0, session_lost(&self->s));
}

/* CPU 1 still has what CPU 0 has overwritten: that is left out. All that is newer is there. */
TEST_F(flight, has_the_newest_records_of_all_cpus)
{
	const unsigned int all = ROUNDS * PER_ROUND;
	struct marks marks;

	ASSERT_EQ(0, session_start_flight(self->dev, &self->s, 0, SMALLEST));
	put_rounds(_metadata, self->dev, ROUNDS);
	read_all(_metadata, self, &marks);
	EXPECT_LT(0, marks.nr);
	EXPECT_LT(PER_ROUND, marks.first);
	EXPECT_EQ(all - marks.first, marks.nr);
	/* A CPU keeps all blocks but the one that is overwritten next, or half of its records. */
	EXPECT_LT(SMALLEST / 2 / LONG, marks.nr);
}

/* Nothing was overwritten: it is the trace from its start. */
TEST_F(flight, has_all_of_a_short_flight)
{
	struct kmprof_trace_clock start;
	struct marks marks;
	uint64_t before = guest_now_ns(), after;

	ASSERT_EQ(0, session_start_flight(self->dev, &self->s, 0, 0));
	after = guest_now_ns();
	put_rounds(_metadata, self->dev, 2);
	read_all(_metadata, self, &marks);
	EXPECT_EQ(2 * PER_ROUND, marks.nr);
	start = session_header(&self->s)->start;
	EXPECT_LE(before, start.mono_ns);
	EXPECT_GE(after, start.mono_ns);
}

/* A process that comes after the start, and is there at the end. */
TEST_F(flight, has_the_tasks_of_its_end)
{
	struct marks marks;
	int pipes[2];
	pid_t child;
	char byte;

	ASSERT_EQ(0, session_start_flight(self->dev, &self->s, 0, SMALLEST));
	ASSERT_EQ(0, pipe(pipes));
	child = fork();
	ASSERT_LE(0, child);
	if (!child) {
		close(pipes[1]);
		_exit(read(pipes[0], &byte, 1) != 0);
	}
	close(pipes[0]);
	put_rounds(_metadata, self->dev, ROUNDS);
	read_all(_metadata, self, &marks);
	close(pipes[1]);
	ASSERT_EQ(child, waitpid(child, NULL, 0));
	ASSERT_NE(NULL, session_task(&self->s, child));
	EXPECT_EQ(0, strncmp("flight", session_task(&self->s, child)->comm, 6));
}

/* A header that was made anew has times between those of the start and of the end. */
TEST_F(flight, tells_when_it_begins)
{
	const struct kmprof_trace_clock *start, *end;
	uint64_t before, after;
	struct marks marks;

	before = guest_now_ns();
	ASSERT_EQ(0, session_start_flight(self->dev, &self->s, 0, SMALLEST));
	put_rounds(_metadata, self->dev, ROUNDS);
	read_all(_metadata, self, &marks);
	after = guest_now_ns();
	start = &session_header(&self->s)->start;
	end = &session_end(&self->s)->end;
	EXPECT_LT(before, start->mono_ns);
	EXPECT_LT(start->mono_ns, end->mono_ns);
	EXPECT_GT(after, end->mono_ns);
	EXPECT_LT(start->ticks, end->ticks);
	EXPECT_EQ(end->boot_ns - start->boot_ns, end->mono_ns - start->mono_ns);
	EXPECT_EQ(end->real_ns - start->real_ns, end->mono_ns - start->mono_ns);
}

/* Any program that may open the device asks for a snapshot. A reader waits for it. */
TEST_F(flight, is_read_after_a_snapshot)
{
	char block[KMPROF_TRACE_BATCH_MAX];
	struct pollfd poll_fd = { .events = POLLIN };
	struct marks marks;
	int other, status;
	pid_t reader;

	EXPECT_EQ(-ENODATA, session_snapshot(self->dev));
	ASSERT_EQ(0, session_start_flight(self->dev, &self->s, 0, 0));
	put_rounds(_metadata, self->dev, 1);
	poll_fd.fd = self->s.fd;
	EXPECT_EQ(0, poll(&poll_fd, 1, 100));
	ASSERT_EQ(0, fcntl(self->s.fd, F_SETFL, O_NONBLOCK));
	EXPECT_EQ(-1, read(self->s.fd, block, sizeof(block)));
	EXPECT_EQ(EAGAIN, errno);

	reader = fork();
	ASSERT_LE(0, reader);
	if (!reader)
		_exit(poll(&poll_fd, 1, -1) != 1 || !(poll_fd.revents & POLLIN));
	other = guest_open();
	ASSERT_LE(0, other);
	EXPECT_EQ(0, session_snapshot(other));
	ASSERT_EQ(reader, waitpid(reader, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(-ENODATA, session_snapshot(other));
	close(other);
	EXPECT_EQ(-1, write(self->dev, "x", 1));
	EXPECT_EQ(ENODATA, errno);
	read_all(_metadata, self, &marks);
	EXPECT_EQ(PER_ROUND, marks.nr);
}

TEST_F(flight, refuses)
{
	struct kmprof_trace_snapshot snapshot = { .size = sizeof(snapshot), .flags = 1 };

	ASSERT_EQ(0, session_start(self->dev, &self->s, SESSION_SCHED, 0));
	EXPECT_EQ(-ENODATA, session_snapshot(self->dev));
	EXPECT_EQ(-EBUSY, session_start_flight(self->dev, &(struct session) {}, 0, 0));
	EXPECT_EQ(-1, ioctl(self->dev, KMPROF_IOC_TRACE_SNAPSHOT, &snapshot));
	EXPECT_EQ(EOPNOTSUPP, errno);
}

/* Stacks come before the records that have them, and none is missing. */
TEST_F(flight, has_stacks)
{
	struct marks marks;

	ASSERT_EQ(0, session_start_flight(self->dev, &self->s, KMPROF_TRACE_START_STACKS,
					  1 << 20));
	put_rounds(_metadata, self->dev, ROUNDS);
	read_all(_metadata, self, &marks);
	EXPECT_EQ(self->s.stop.stackless, session_stackless(&self->s));
	EXPECT_EQ(0, self->s.stop.stackless);
}

/* Its memory goes with its file, whether it was stopped or not. */
TEST_F(flight, ends_with_its_file)
{
	ASSERT_EQ(0, session_start_flight(self->dev, &self->s, KMPROF_TRACE_START_STACKS, 0));
	put_rounds(_metadata, self->dev, 1);
	session_free(&self->s);
	EXPECT_EQ(-ENODATA, session_snapshot(self->dev));
	ASSERT_EQ(0, session_start_flight(self->dev, &self->s, 0, 0));
	ASSERT_EQ(0, session_snapshot(self->dev));
	session_free(&self->s);
	ASSERT_EQ(0, session_start(self->dev, &self->s, SESSION_SCHED, 0));
}

TEST_HARNESS_MAIN
