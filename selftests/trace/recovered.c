// SPDX-License-Identifier: GPL-2.0
/*
 * What kmprof trace recover finds in a dump is what can be read of the recorder. The memory of the
 * running kernel serves as a dump, /proc/kcore: the recorder has been stopped, so that its records
 * do not change meanwhile. Crashes are a matter of selftests/crash/run.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/command.h"
#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/scene.h"
#include "trace/session.h"

#define FOUND		"/tmp/recovered.trace"
#define RECOVER		"tools/kmprof trace recover /proc/kcore -o " FOUND " 2>&1"
#define THREAD		"thread-of-it"
#define EVENTS							\
	(SESSION_SCHED | 1 << KMPROF_TRACE_CONTENTION_BEGIN | 1 << KMPROF_TRACE_CONTENTION_END | \
	 1 << KMPROF_TRACE_SYSCALL_ENTER | 1 << KMPROF_TRACE_SYSCALL_EXIT)

enum {
	SMALLEST	= 4 * KMPROF_TRACE_BATCH_MAX,
	MARKS		= 40,
	/* Of marks of the longest text, there is room for a fraction. */
	MANY		= 4 * SMALLEST / KMPROF_TRACE_TEXT_MAX,
	WAITERS		= 2,
	HELD_US		= 20000,
	TRIES		= 10,
};

FIXTURE(recovered) {
	int dev;
	int test;
	struct session s;
	struct session found;
};

FIXTURE_SETUP(recovered)
{
	ASSERT_EQ(0, guest_load("kprobe", "heap_rate=0"));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	self->test = open(KMPROF_TEST_DEVICE_PATH, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->test);
	self->s.fd = -1;
	self->found.fd = -1;
	unlink(FOUND);
}

FIXTURE_TEARDOWN(recovered)
{
	session_free(&self->s);
	session_free(&self->found);
	close(self->test);
	close(self->dev);
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

static void put_marks(struct __test_metadata *_metadata, int dev, unsigned int count)
{
	char text[KMPROF_TRACE_TEXT_MAX + 1];
	unsigned int i;

	for (i = 0; i < count; i++) {
		ASSERT_EQ(0, guest_pin_cpu(i / 8 % 2));
		snprintf(text, sizeof(text), "%-*u", KMPROF_TRACE_TEXT_MAX, i);
		ASSERT_EQ(KMPROF_TRACE_TEXT_MAX, write(dev, text, KMPROF_TRACE_TEXT_MAX));
	}
}

/* Up to its end: behind that, the program has put names. */
static void leave_names(struct __test_metadata *_metadata, struct session *s)
{
	const struct kmprof_trace_header *header = session_header(s);
	struct kmprof_trace_batch batch = {};
	size_t at;

	at = header->header_size + (size_t)header->nr_types * header->type_size +
	     (size_t)header->nr_tasks * header->task_size;
	for (; !(batch.flags & KMPROF_TRACE_END); at += batch.bytes) {
		ASSERT_LE(at + sizeof(batch), s->size);
		memcpy(&batch, s->bytes + at, sizeof(batch));
		ASSERT_LT(0, batch.bytes);
	}
	ASSERT_LE(at, s->size);
	s->size = at;
}

static void read_found(struct __test_metadata *_metadata, struct session *found)
{
	struct stat st;
	int file = open(FOUND, O_RDONLY | O_CLOEXEC);

	ASSERT_LE(0, file);
	ASSERT_EQ(0, fstat(file, &st));
	found->bytes = malloc(st.st_size);
	ASSERT_NE(NULL, found->bytes);
	ASSERT_EQ(st.st_size, read(file, found->bytes, st.st_size));
	found->size = st.st_size;
	close(file);
	leave_names(_metadata, found);
}

/* Stops the recorder. Takes what is in the memory, then what is read. */
static void take_both(struct __test_metadata *_metadata, FIXTURE_DATA(recovered) *self)
{
	char *said;
	int status;

	ASSERT_EQ(0, session_stop(self->dev, &self->s));
	said = command_run(RECOVER, &status);
	ASSERT_EQ(0, status) TH_LOG("%s", said);
	EXPECT_EQ(NULL, strstr(said, "warning")) TH_LOG("%s", said);
	free(said);
	read_found(_metadata, &self->found);
	ASSERT_EQ(0, session_read_rest(&self->s));
}

/* --- are both the same? --- */

/**
 * struct item - a record
 * @ticks: when
 * @tid: the task that runs
 * @type: its type
 * @hash: of all else
 */
struct item {
	uint64_t ticks;
	uint32_t tid;
	uint32_t type;
	uint64_t hash;
};

/* Those of a CPU. */
struct items {
	uint32_t cpu;
	struct item *item;
	size_t nr;
};

static uint64_t hash_more(uint64_t hash, const void *bytes, size_t size)
{
	const unsigned char *byte = bytes;

	while (size--)
		hash = (hash ^ *byte++) * 0x100000001b3ULL;
	return hash;
}

static int add_item(const struct record *r, void *data)
{
	struct items *items = data;
	struct item *item;

	if (r->cpu != items->cpu)
		return 0;
	item = realloc(items->item, (items->nr + 1) * sizeof(*item));
	if (!item)
		return -1;
	items->item = item;
	item += items->nr++;
	*item = (struct item) { .ticks = r->ticks, .tid = r->tid, .type = r->type };
	item->hash = hash_more(r->context, r->args, sizeof(r->args));
	item->hash = hash_more(item->hash, r->text, r->len);
	/* Its number is not one of the arguments. */
	if (r->stack)
		item->hash = hash_more(item->hash, r->stack->frames,
				       r->stack->nr_frames * sizeof(r->stack->frames[0]));
	return 0;
}

/* What comes after its end is not told by what is read. */
static void expect_same_on(struct __test_metadata *_metadata, FIXTURE_DATA(recovered) *self,
			   uint32_t cpu)
{
	struct items read = { .cpu = cpu }, found = { .cpu = cpu };
	size_t i;

	ASSERT_EQ(0, session_walk(&self->s, add_item, &read));
	ASSERT_EQ(0, session_walk(&self->found, add_item, &found));
	ASSERT_LT(0, read.nr);
	ASSERT_LE(read.nr, found.nr);
	for (i = 0; i < read.nr; i++)
		ASSERT_EQ(0, memcmp(&read.item[i], &found.item[i], sizeof(read.item[i])))
			TH_LOG("record %zu of CPU %u", i, cpu);
	for (; i < found.nr; i++)
		ASSERT_LT(session_end(&self->s)->end.ticks, found.item[i].ticks);
	free(read.item);
	free(found.item);
}

static void expect_same(struct __test_metadata *_metadata, FIXTURE_DATA(recovered) *self)
{
	const struct kmprof_trace_header *read = session_header(&self->s);
	const struct kmprof_trace_header *found = session_header(&self->found);
	size_t tables = (size_t)read->nr_types * read->type_size +
			(size_t)read->nr_tasks * read->task_size;

	ASSERT_EQ(0, memcmp(read, found, sizeof(*read)));
	EXPECT_EQ(0, memcmp(read + 1, found + 1, tables));
	expect_same_on(_metadata, self, 0);
	expect_same_on(_metadata, self, 1);
	EXPECT_EQ(session_end(&self->s)->events, session_end(&self->found)->events);
	EXPECT_EQ(session_records(&self->s), session_records(&self->found));
	EXPECT_EQ(session_end(&self->s)->stackless, session_end(&self->found)->stackless);
	EXPECT_EQ(0, session_end(&self->found)->lost);
	EXPECT_EQ(0, session_lost(&self->found));
}

/* --- the tests --- */

TEST_F(recovered, is_what_is_read)
{
	char *said;
	int status;

	ASSERT_EQ(0, session_start_flight(self->dev, &self->s, EVENTS, 0, 0));
	put_marks(_metadata, self->dev, MARKS);
	take_both(_metadata, self);
	expect_same(_metadata, self);

	/* Nothing is left of it, and nothing is missing. */
	said = command_run(RECOVER, &status);
	ASSERT_EQ(0, status);
	EXPECT_NE(NULL, strstr(said, ": 0 events,")) TH_LOG("%s", said);
	EXPECT_EQ(NULL, strstr(said, "warning")) TH_LOG("%s", said);
	free(said);
}

/* Several blocks were written over, and the trace begins in the middle. */
TEST_F(recovered, is_the_rest_of_what_was_written_over)
{
	ASSERT_EQ(0, session_start_flight(self->dev, &self->s, EVENTS, 0, SMALLEST));
	put_marks(_metadata, self->dev, MANY);
	take_both(_metadata, self);
	expect_same(_metadata, self);
}

/* Frames have the names of the kernel's functions and of a module's. */
TEST_F(recovered, has_stacks_with_names)
{
	struct play play;
	char *text;
	int status;

	ASSERT_EQ(0, session_start_flight(self->dev, &self->s, EVENTS, KMPROF_TRACE_START_STACKS,
					  1 << 20));
	ASSERT_EQ(0, scene_play(self->test, &scenes[0], 0, WAITERS, HELD_US, &play));
	take_both(_metadata, self);
	expect_same(_metadata, self);
	text = command_run("tools/kmprof trace --input " FOUND, &status);
	ASSERT_EQ(0, status);
	ASSERT_NE(NULL, text);
	EXPECT_NE(NULL, strstr(text, " < do_syscall_64"));
	EXPECT_NE(NULL, strstr(text, "[kmprof_test]"));
	EXPECT_EQ(NULL, strstr(text, " < 0x"));
	free(text);
}

/* A thread that has got its name since the start, and shows it until its gate is closed. */
struct named {
	int ready;
	int gate;
	pid_t tid;
};

static void *be_named(void *arg)
{
	struct named *named = arg;
	char byte;

	prctl(PR_SET_NAME, THREAD);
	named->tid = syscall(SYS_gettid);
	return write(named->ready, "", 1) == 1 && !read(named->gate, &byte, 1) ? NULL : named;
}

/* Once more if tasks have gone while they were looked for: a crash stops them. */
static void recover_with_tasks(struct __test_metadata *_metadata, struct session *found)
{
	bool have_gone = true;
	unsigned int i;
	int status;
	char *said;

	for (i = 0; have_gone && i < TRIES; i++) {
		said = command_run(RECOVER, &status);
		ASSERT_EQ(0, status) TH_LOG("%s", said);
		have_gone = strstr(said, "the tasks cannot be read");
		free(said);
	}
	ASSERT_FALSE(have_gone);
	read_found(_metadata, found);
}

/* While it records: then they are those of the moment, and not those of its start or its end. */
TEST_F(recovered, has_the_tasks)
{
	const struct kmprof_trace_task *task;
	struct named named;
	pthread_t thread;
	int ready[2], gate[2];
	void *failed;
	char byte;

	ASSERT_EQ(0, session_start_flight(self->dev, &self->s, 1 << KMPROF_TRACE_EXEC, 0, 0));
	ASSERT_EQ(0, pipe2(ready, O_CLOEXEC));
	ASSERT_EQ(0, pipe2(gate, O_CLOEXEC));
	named = (struct named) { .ready = ready[1], .gate = gate[0] };
	ASSERT_EQ(0, pthread_create(&thread, NULL, be_named, &named));
	ASSERT_EQ(1, read(ready[0], &byte, 1));
	recover_with_tasks(_metadata, &self->found);
	close(gate[1]);
	ASSERT_EQ(0, pthread_join(thread, &failed));
	EXPECT_EQ(NULL, failed);

	task = session_task(&self->found, named.tid);
	ASSERT_NE(NULL, task);
	EXPECT_STREQ(THREAD, task->comm);
	EXPECT_EQ((uint32_t)getpid(), task->tgid);
	task = session_task(&self->found, getpid());
	ASSERT_NE(NULL, task);
	EXPECT_EQ(0, strncmp("recovered", task->comm, 9));
	EXPECT_NE(NULL, session_task(&self->found, 1));
	EXPECT_EQ(NULL, session_task(&self->found, 0));
}

static void expect_nothing(struct __test_metadata *_metadata)
{
	int status;
	char *said = command_run(RECOVER, &status);

	ASSERT_NE(NULL, said);
	EXPECT_EQ(1, WEXITSTATUS(status));
	EXPECT_NE(NULL, strstr(said, "no flight recorder was running")) TH_LOG("%s", said);
	EXPECT_EQ(-1, access(FOUND, F_OK));
	free(said);
}

/* There never was one; there is a trace that is none; there was one. */
TEST_F(recovered, is_nothing_without_a_recorder)
{
	expect_nothing(_metadata);
	ASSERT_EQ(0, session_start(self->dev, &self->s, SESSION_SCHED, 0));
	expect_nothing(_metadata);
	session_free(&self->s);
	ASSERT_EQ(0, session_start_flight(self->dev, &self->s, SESSION_SCHED, 0, 0));
	put_marks(_metadata, self->dev, 1);
	session_free(&self->s);
	expect_nothing(_metadata);
}

TEST_HARNESS_MAIN
