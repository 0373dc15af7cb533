// SPDX-License-Identifier: GPL-2.0
/*
 * Waits for locks in the execution trace: each has a begin and an end, the lock, how it is waited
 * for, who holds it, and where the waiter is.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/locker.h"
#include "lib/scene.h"
#include "lib/symbols.h"
#include "lib/waited.h"
#include "trace/session.h"

/* Arguments. */
enum { LOCK, KIND, FLAGS, OWNER, FAILED = 1 };

enum {
	EVENTS		= 1 << KMPROF_TRACE_CONTENTION_BEGIN | 1 << KMPROF_TRACE_CONTENTION_END |
			  1 << KMPROF_TRACE_FORK,
	SLEEP_US	= 20000,
	BUSY_US		= 20000,
	ATTEMPTS	= 12,
	ENOUGH		= 3,	/* attempts that have come off */
};

/* With a block profile, there are two handlers at each tracepoint. */
FIXTURE_VARIANT(waits) {
	const char *source;
	const char *settings;
};

FIXTURE(waits) {
	int dev;
	int test;
	struct session s;
	struct symbols symbols;
};

FIXTURE_VARIANT_ADD(waits, alone) {
	.source = "kprobe",
	.settings = "heap_rate=0",
};

FIXTURE_VARIANT_ADD(waits, beside_a_profile) {
	.source = "tracepoint",
	.settings = "heap_rate=0 block_rate=1 wait_source=tracepoint",
};

FIXTURE_SETUP(waits)
{
	ASSERT_EQ(0, guest_load(variant->source, variant->settings));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	self->test = open(KMPROF_TEST_DEVICE_PATH, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->test);
	ASSERT_EQ(0, symbols_load(&self->symbols));
	self->s.fd = -1;
}

FIXTURE_TEARDOWN(waits)
{
	session_free(&self->s);
	symbols_free(&self->symbols);
	close(self->test);
	close(self->dev);
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

static void finish(struct __test_metadata *_metadata, FIXTURE_DATA(waits) *self)
{
	ASSERT_EQ(0, session_stop(self->dev, &self->s));
	ASSERT_EQ(0, session_read_rest(&self->s));
	EXPECT_EQ(0, session_lost(&self->s));
	EXPECT_EQ(self->s.stop.events, session_records(&self->s));
}

/**
 * struct seen - what a trace has of the waits for a lock in the first function
 * @session: the trace
 * @symbols: names
 * @lock: the lock, as in the trace
 * @tid: of the waiter; 0: not seen
 * @owner: who holds the lock, if that is told
 * @kind: of the lock
 * @flags: that all begins have
 * @begins: how often it began to wait, or went on in another way
 * @first_ns: when it did so first
 * @last_ns: and last
 * @ends: how often it ended
 * @failed: how often in vain
 * @end_ns: when it ended last
 */
struct seen {
	const struct session *session;
	const struct symbols *symbols;
	uint64_t lock;
	uint32_t tid;
	uint32_t owner;
	uint32_t kind;
	uint32_t flags;
	unsigned int begins;
	double first_ns;
	double last_ns;
	unsigned int ends;
	unsigned int failed;
	double end_ns;
};

/* The stack begins with the caller of the lock's function. */
static bool is_first_waiter(const struct seen *seen, const struct record *r)
{
	const struct symbol *symbol;

	if (!r->stack)
		return false;
	symbol = symbols_caller(seen->symbols, r->stack->frames[0]);
	return symbol && !strcmp(symbol->name, "kmprof_test_w00_lock");
}

static bool is_of(const struct seen *seen, const struct record *r, unsigned int type)
{
	return r->type == type && r->context == KMPROF_TRACE_IN_TASK && r->args[LOCK] == seen->lock;
}

static int look_at_begin(const struct record *r, void *data)
{
	struct seen *seen = data;
	double ns = session_ns(seen->session, r->ticks);

	if (!is_of(seen, r, KMPROF_TRACE_CONTENTION_BEGIN) || !is_first_waiter(seen, r))
		return 0;
	seen->flags = seen->begins ? seen->flags & r->args[FLAGS] : r->args[FLAGS];
	seen->first_ns = seen->begins && seen->first_ns < ns ? seen->first_ns : ns;
	seen->last_ns = seen->last_ns > ns ? seen->last_ns : ns;
	seen->begins++;
	seen->tid = r->tid;
	seen->kind = r->args[KIND];
	/* When it is given the lock, nobody may hold it. */
	if (r->args[OWNER])
		seen->owner = r->args[OWNER];
	return 0;
}

static int look_at_end(const struct record *r, void *data)
{
	struct seen *seen = data;
	double ns = session_ns(seen->session, r->ticks);

	if (!is_of(seen, r, KMPROF_TRACE_CONTENTION_END) || r->tid != seen->tid)
		return 0;
	seen->ends++;
	seen->failed += r->args[FAILED] == KMPROF_WAIT_FAILED;
	seen->end_ns = seen->end_ns > ns ? seen->end_ns : ns;
	return 0;
}

/* A walk does not go over the CPUs by time. */
static struct seen see(struct __test_metadata *_metadata, FIXTURE_DATA(waits) *self,
		       unsigned int kind, unsigned int index, const struct shown *shown)
{
	struct seen seen = { .session = &self->s, .symbols = &self->symbols };
	struct kmprof_test_lock_state state;

	ASSERT_EQ(0, locker_state(self->test, kind, index, &state));
	/* A profile shows no address of a lock in a slab object. */
	seen.lock = shown->lock ? shown->lock : state.address;
	ASSERT_EQ(0, session_walk(&self->s, look_at_begin, &seen));
	ASSERT_EQ(0, session_walk(&self->s, look_at_end, &seen));
	return seen;
}

/* Does the kernel know who holds the lock? */
static bool has_owner(const struct scene *scene, const struct shown *shown)
{
	switch (shown->kind) {
	case KMPROF_LOCK_MUTEX:
	case KMPROF_LOCK_RTMUTEX:
		return true;
	case KMPROF_LOCK_RWSEM:
		return scene->holder == KMPROF_TEST_WRITE;
	default:
		return false;
	}
}

static int look_for_owner(const struct record *r, void *data)
{
	const struct seen *seen = data;

	return r->type == KMPROF_TRACE_FORK && r->args[0] == seen->owner &&
	       r->args[1] == (uint64_t)getpid();
}

/* A thread that this program has created, and not the waiter: there is only the holder. */
static bool is_holder(const struct seen *seen)
{
	return seen->owner && seen->owner != seen->tid &&
	       session_walk(seen->session, look_for_owner, (void *)seen) > 0;
}

TEST_F(waits, are_told_as_they_were)
{
	struct shown shown;
	struct play played;
	struct seen seen;
	unsigned int i;

	ASSERT_EQ(0, session_start_stacks(self->dev, &self->s, EVENTS, 0));
	for (i = 0; i < SCENES; i++)
		ASSERT_EQ(0, scene_play(self->test, &scenes[i], 0, 1, SLEEP_US, &played));
	finish(_metadata, self);
	for (i = 0; i < SCENES; i++) {
		ASSERT_EQ(0, scene_shown(self->test, &scenes[i], &shown));
		seen = see(_metadata, self, scenes[i].kind, scenes[i].index, &shown);
		EXPECT_LE(1, seen.begins) TH_LOG("scene %u", i);
		EXPECT_EQ(1, seen.ends) TH_LOG("scene %u", i);
		EXPECT_EQ(0, seen.failed) TH_LOG("scene %u", i);
		EXPECT_EQ(shown.kind, seen.kind) TH_LOG("scene %u", i);
		EXPECT_EQ(shown.flags, seen.flags) TH_LOG("scene %u", i);
		EXPECT_EQ(has_owner(&scenes[i], &shown), is_holder(&seen))
			TH_LOG("scene %u: held by %u, waited for by %u", i, seen.owner, seen.tid);
		EXPECT_LT(seen.last_ns, seen.end_ns) TH_LOG("scene %u", i);
		EXPECT_LT(SLEEP_US * 900.0, seen.end_ns - seen.first_ns) TH_LOG("scene %u", i);
	}
}

TEST_F(waits, in_vain_are_told_as_such)
{
	const struct scene scene = {
		.kind = KMPROF_TEST_LOCK_MUTEX, .how = KMPROF_TEST_INTERRUPTIBLE,
	};
	struct shown shown;
	struct play played;
	struct seen seen;

	ASSERT_EQ(0, session_start_stacks(self->dev, &self->s, EVENTS, 0));
	ASSERT_EQ(0, scene_give_up(self->test, &scene, SCENE_INTERRUPT, 0, 1, SLEEP_US, &played));
	finish(_metadata, self);
	ASSERT_EQ(0, scene_shown(self->test, &scene, &shown));
	seen = see(_metadata, self, scene.kind, scene.index, &shown);
	EXPECT_LE(1, seen.begins);
	EXPECT_EQ(1, seen.ends);
	EXPECT_EQ(1, seen.failed);
}

/* See lock/block_spin.c: the host may take the CPU away from a waiter on its way. */
static unsigned int spin(struct __test_metadata *_metadata, FIXTURE_DATA(waits) *self,
			 unsigned int kind)
{
	unsigned int i, good = 0;

	for (i = 0; i < ATTEMPTS && good < ENOUGH; i++) {
		struct kmprof_test_lock hold = {
			.kind = kind, .chain = SCENE_HOLDER, .waiters = 1, .busy_us = BUSY_US,
		};
		struct kmprof_test_lock wait = { .kind = kind, .flags = KMPROF_TEST_AFTER_HELD };

		ASSERT_EQ(0, locker_contend(self->test, &hold, &wait, 1, 1));
		good += wait.contended && wait.wait_ns >= BUSY_US / 2 * 1000ULL;
	}
	return good;
}

/* Not spinlocks: most often, the first waiter is not reported. */
TEST_F(waits, of_those_that_spin_are_told)
{
	const unsigned int kind = KMPROF_TEST_LOCK_RWLOCK;
	unsigned int good;
	struct shown shown;
	struct seen seen;

	ASSERT_EQ(0, session_start_stacks(self->dev, &self->s, EVENTS, 0));
	good = spin(_metadata, self, kind);
	finish(_metadata, self);
	ASSERT_EQ(0, waited_shown(self->test, kind, 0, KMPROF_TEST_WRITE, KMPROF_TEST_WRITE,
				  &shown));
	seen = see(_metadata, self, kind, 0, &shown);
	/* What seems to have come off may not have: one of them has. */
	EXPECT_LT(0, good);
	EXPECT_LT(0, seen.begins);
	EXPECT_EQ(shown.kind, seen.kind);
	EXPECT_EQ(shown.flags, seen.flags);
	EXPECT_LT(seen.last_ns, seen.end_ns);
}

/**
 * struct numbers - locks of a trace without addresses
 * @first: that of the first begin
 * @firsts: begins of that
 * @others: begins of other locks
 * @ends: ends of @first
 * @wrong: what has an address, or a stack
 */
struct numbers {
	uint64_t first;
	unsigned int firsts;
	unsigned int others;
	unsigned int ends;
	unsigned int wrong;
};

static int look_at_number(const struct record *r, void *data)
{
	struct numbers *n = data;

	n->wrong += !!r->stack;
	if (r->type != KMPROF_TRACE_CONTENTION_BEGIN)
		return 0;
	n->wrong += r->args[LOCK] > UINT32_MAX || !r->args[LOCK];
	if (r->args[KIND] != KMPROF_LOCK_SEMAPHORE)
		return 0;
	if (!n->first)
		n->first = r->args[LOCK];
	n->firsts += r->args[LOCK] == n->first;
	n->others += r->args[LOCK] != n->first;
	return 0;
}

static int count_ends(const struct record *r, void *data)
{
	struct numbers *n = data;

	n->ends += r->type == KMPROF_TRACE_CONTENTION_END && r->args[LOCK] == n->first;
	return 0;
}

/* Nobody who may not see addresses gets one. But a lock can be told from others. */
TEST_F(waits, have_numbers_without_stacks)
{
	const struct scene semaphores[] = {
		{ .kind = KMPROF_TEST_LOCK_SEMAPHORE },
		{ .kind = KMPROF_TEST_LOCK_SEMAPHORE, .index = 1 },
		{ .kind = KMPROF_TEST_LOCK_SEMAPHORE },
	};
	struct numbers n = { 0 };
	struct play played;
	unsigned int i;

	ASSERT_EQ(0, session_start(self->dev, &self->s, EVENTS, 0));
	for (i = 0; i < ARRAY_SIZE(semaphores); i++)
		ASSERT_EQ(0, scene_play(self->test, &semaphores[i], 0, 1, 1000, &played));
	finish(_metadata, self);
	ASSERT_EQ(0, session_walk(&self->s, look_at_number, &n));
	ASSERT_EQ(0, session_walk(&self->s, count_ends, &n));
	EXPECT_EQ(0, n.wrong);
	EXPECT_LE(3, n.firsts + n.others);
	EXPECT_LE(1, n.firsts);
	EXPECT_LE(1, n.others);
	/* It may be one of the kernel's, with a wait that goes on at the start or the end. */
	EXPECT_GE(1, n.firsts > n.ends ? n.firsts - n.ends : n.ends - n.firsts);
}

TEST_HARNESS_MAIN
