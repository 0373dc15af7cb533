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

#include "lib/actor.h"
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
	MARKS		= ROUNDS * PER_ROUND,
	SLACK_NS	= 1000000,
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

/* When each mark was begun, and the last one was there. */
static uint64_t put_ns[MARKS + 1];

static void put_rounds(struct __test_metadata *_metadata, int dev, unsigned int nr_rounds)
{
	unsigned int i;

	for (i = 0; i < nr_rounds * PER_ROUND; i++) {
		if (i % PER_ROUND < 2)
			ASSERT_EQ(0, guest_pin_cpu(!(i % PER_ROUND)));
		put_ns[i] = guest_now_ns();
		put_mark(_metadata, dev, i);
	}
	put_ns[i] = guest_now_ns();
}

/* The marks between the start and the end of a trace. */
struct marks {
	bool is_there[MARKS];
	unsigned int first;
	unsigned int nr;
};

static int take_mark(const struct record *r, void *data)
{
	struct marks *marks = data;
	uint64_t number;

	if (r->type != KMPROF_TRACE_MARK)
		return 0;
	if (session_mark_number(r, &number) || number >= MARKS || marks->is_there[number])
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
	struct marks marks;

	ASSERT_EQ(0, session_start_flight(self->dev, &self->s, SESSION_SCHED, 0, SMALLEST));
	put_rounds(_metadata, self->dev, ROUNDS);
	read_all(_metadata, self, &marks);
	EXPECT_LT(0, marks.nr);
	EXPECT_LT(PER_ROUND, marks.first);
	EXPECT_EQ(MARKS - marks.first, marks.nr);
	/* A CPU keeps all blocks but the one that is overwritten next: most are of marks. */
	EXPECT_LT(SMALLEST / 3 / LONG, marks.nr);
}

/* Nothing was overwritten: it is the trace from its start. */
TEST_F(flight, has_all_of_a_short_flight)
{
	struct kmprof_trace_clock start;
	struct marks marks;
	uint64_t before = guest_now_ns(), after;

	ASSERT_EQ(0, session_start_flight(self->dev, &self->s, SESSION_SCHED, 0, 0));
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

	ASSERT_EQ(0, session_start_flight(self->dev, &self->s, SESSION_SCHED, 0, SMALLEST));
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

/* It begins after the last mark that is left out, and before the first one that is there. */
TEST_F(flight, tells_when_it_begins)
{
	const struct kmprof_trace_clock *start, *end;
	struct marks marks;
	uint64_t after;

	ASSERT_EQ(0, session_start_flight(self->dev, &self->s, SESSION_SCHED, 0, SMALLEST));
	put_rounds(_metadata, self->dev, ROUNDS);
	read_all(_metadata, self, &marks);
	after = guest_now_ns();
	start = &session_header(&self->s)->start;
	end = &session_end(&self->s)->end;
	ASSERT_LT(0, marks.first);
	EXPECT_LE(put_ns[marks.first - 1], start->mono_ns + SLACK_NS);
	EXPECT_GE(put_ns[marks.first + 1] + SLACK_NS, start->mono_ns);
	EXPECT_LT(start->ticks, end->ticks);
	EXPECT_LE(put_ns[MARKS], end->mono_ns);
	EXPECT_GT(after, end->mono_ns);
	/* There was no suspend. The clocks are read one after the other. */
	EXPECT_GE(SLACK_NS, labs((long)(end->boot_ns - start->boot_ns - end->mono_ns +
					start->mono_ns)));
	EXPECT_EQ(end->real_ns - start->real_ns, end->mono_ns - start->mono_ns);
}

/* What threads wait with, until the trace can be read. */
static int wait_with_poll(void *data)
{
	const struct session *s = data;
	struct pollfd poll_fd = { .fd = s->fd, .events = POLLIN };

	return poll(&poll_fd, 1, -1) == 1 && poll_fd.revents & POLLIN ? 0 : -EIO;
}

static int wait_with_read(void *data)
{
	return session_read_rest(data);
}

/* Any program that may open the device asks for a snapshot. Readers wait for it. */
TEST_F(flight, is_read_after_a_snapshot)
{
	struct actor poller = {
		.name = "poller", .cpu = ACTOR_ANY_CPU, .act = wait_with_poll, .data = &self->s,
	};
	struct actor reader = {
		.name = "reader", .cpu = ACTOR_ANY_CPU, .act = wait_with_read, .data = &self->s,
	};
	struct marks marks;
	int other;

	EXPECT_EQ(-ENODATA, session_snapshot(self->dev));
	ASSERT_EQ(0, session_start_flight(self->dev, &self->s, SESSION_SCHED, 0, 0));
	put_rounds(_metadata, self->dev, 1);
	ASSERT_EQ(0, fcntl(self->s.fd, F_SETFL, O_NONBLOCK));
	EXPECT_EQ(-EAGAIN, session_read_rest(&self->s));
	ASSERT_EQ(0, fcntl(self->s.fd, F_SETFL, 0));
	ASSERT_EQ(0, actor_start(&poller));
	ASSERT_EQ(0, actor_start(&reader));
	ASSERT_EQ(0, actor_until_asleep(&poller));
	ASSERT_EQ(0, actor_until_asleep(&reader));

	other = guest_open();
	ASSERT_LE(0, other);
	EXPECT_EQ(0, session_snapshot(other));
	EXPECT_EQ(0, actor_join(&poller));
	EXPECT_EQ(0, actor_join(&reader));
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
	EXPECT_EQ(-EBUSY, session_start_flight(self->dev, &(struct session) {}, SESSION_SCHED,
					       0, 0));
	EXPECT_EQ(-1, ioctl(self->dev, KMPROF_IOC_TRACE_SNAPSHOT, &snapshot));
	EXPECT_EQ(EOPNOTSUPP, errno);
}

/* Stacks come before the records that have them, and none is missing. */
TEST_F(flight, has_stacks)
{
	struct marks marks;

	ASSERT_EQ(0, session_start_flight(self->dev, &self->s, SESSION_SCHED,
					  KMPROF_TRACE_START_STACKS, 1 << 20));
	put_rounds(_metadata, self->dev, ROUNDS);
	read_all(_metadata, self, &marks);
	EXPECT_EQ(self->s.stop.stackless, session_stackless(&self->s));
	EXPECT_EQ(0, self->s.stop.stackless);
}

/* Stacks stay when the records that had them are written over. */
TEST_F(flight, has_stacks_of_what_is_left)
{
	struct marks marks;

	ASSERT_EQ(0, session_start_flight(self->dev, &self->s, SESSION_SCHED,
					  KMPROF_TRACE_START_STACKS, SMALLEST));
	put_rounds(_metadata, self->dev, ROUNDS);
	read_all(_metadata, self, &marks);
	EXPECT_LT(PER_ROUND, marks.first);
	EXPECT_GE(self->s.stop.stackless, session_stackless(&self->s));
}

/* A CPU goes and comes back while another one writes over its records. */
TEST_F(flight, follows_a_cpu_that_goes)
{
	static const char online[] = "/sys/devices/system/cpu/cpu1/online";
	struct marks marks;
	unsigned int i;

	ASSERT_EQ(0, session_start_flight(self->dev, &self->s, SESSION_SCHED, 0, SMALLEST));
	ASSERT_EQ(0, guest_write_file(online, "0"));
	ASSERT_EQ(0, guest_pin_cpu(0));
	for (i = 0; i < MARKS - 1; i++)
		put_mark(_metadata, self->dev, i);
	ASSERT_EQ(0, guest_write_file(online, "1"));
	ASSERT_EQ(0, guest_pin_cpu(1));
	put_mark(_metadata, self->dev, i);
	read_all(_metadata, self, &marks);
	EXPECT_LT(0, marks.first);
	EXPECT_EQ(MARKS - marks.first, marks.nr);
}

/* Its memory goes with its file, whether it was stopped or not. */
TEST_F(flight, ends_with_its_file)
{
	ASSERT_EQ(0, session_start_flight(self->dev, &self->s, SESSION_SCHED,
					  KMPROF_TRACE_START_STACKS, 0));
	put_rounds(_metadata, self->dev, 1);
	session_free(&self->s);
	EXPECT_EQ(-ENODATA, session_snapshot(self->dev));
	ASSERT_EQ(0, session_start_flight(self->dev, &self->s, SESSION_SCHED, 0, 0));
	ASSERT_EQ(0, session_snapshot(self->dev));
	session_free(&self->s);
	ASSERT_EQ(0, session_start(self->dev, &self->s, SESSION_SCHED, 0));
}

TEST_HARNESS_MAIN
