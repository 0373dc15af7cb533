// SPDX-License-Identifier: GPL-2.0
/*
 * Reclaim and compaction in the execution trace, against the kernel's own trace of the same
 * tracepoints: what a task has done is in both, in the same order, with the same numbers.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/memory_cgroup.h"
#include "lib/modules.h"
#include "trace/session.h"

#define INSTANCE	"/sys/kernel/tracing/instances/kmprof_reclaim"
#define HUGE_PAGES	"/proc/sys/vm/nr_hugepages"
#define EVENT(name)	(1ULL << KMPROF_TRACE_##name)

enum {
	MOST		= 4096,	/* events of a task */
	LINE		= 64,
	HUGE_STEP	= 8,	/* huge pages */
};

/* Which of the kernel's tracepoints makes which record, and its number there. */
static const struct {
	unsigned int type;
	const char *folder;
	const char *name;
	const char *number;
} points[] = {
	{ KMPROF_TRACE_RECLAIM_BEGIN, "vmscan", "mm_vmscan_direct_reclaim_begin", "order=" },
	{ KMPROF_TRACE_RECLAIM_END, "vmscan", "mm_vmscan_direct_reclaim_end", "nr_reclaimed=" },
	{ KMPROF_TRACE_MEMCG_RECLAIM_BEGIN, "vmscan", "mm_vmscan_memcg_reclaim_begin", "order=" },
	{ KMPROF_TRACE_MEMCG_RECLAIM_END, "vmscan", "mm_vmscan_memcg_reclaim_end",
	  "nr_reclaimed=" },
	{ KMPROF_TRACE_COMPACTION_BEGIN, "compaction", "mm_compaction_begin", "mode=" },
	{ KMPROF_TRACE_COMPACTION_END, "compaction", "mm_compaction_end", "mode=" },
};

/**
 * struct story - what a task has done
 * @tid: the task
 * @nr: how many events
 * @line: each in words: type and number
 * @of_type: how many of each
 */
struct story {
	uint32_t tid;
	unsigned int nr;
	char line[MOST][LINE];
	unsigned int of_type[64];
};

FIXTURE(reclaim) {
	int dev;
	struct session s;
	struct story traced;
	struct story wanted;
};

static int enable(const char *value)
{
	char path[256];
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < ARRAY_SIZE(points); i++) {
		snprintf(path, sizeof(path), INSTANCE "/events/%s/%s/enable", points[i].folder,
			 points[i].name);
		ret = guest_write_file(path, value);
	}
	return ret;
}

FIXTURE_SETUP(reclaim)
{
	ASSERT_EQ(0, guest_load("kprobe", "heap_rate=0"));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	self->s.fd = -1;
	/* A test that was killed by its time limit leaves it behind. */
	rmdir(INSTANCE);
	ASSERT_EQ(0, mkdir(INSTANCE, 0700));
	ASSERT_EQ(0, enable("1"));
	ASSERT_EQ(0, session_start(self->dev, &self->s,
				   EVENT(SWITCH) | EVENT(RECLAIM_BEGIN) | EVENT(RECLAIM_END) |
				   EVENT(MEMCG_RECLAIM_BEGIN) | EVENT(MEMCG_RECLAIM_END) |
				   EVENT(COMPACTION_BEGIN) | EVENT(COMPACTION_END), 0));
}

FIXTURE_TEARDOWN(reclaim)
{
	EXPECT_EQ(0, enable("0"));
	EXPECT_EQ(0, rmdir(INSTANCE));
	session_free(&self->s);
	close(self->dev);
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

static int tell(struct story *story, unsigned int type, uint64_t number)
{
	if (story->nr == MOST)
		return -E2BIG;
	snprintf(story->line[story->nr++], LINE, "%u: %" PRIu64, type, number);
	story->of_type[type]++;
	return 0;
}

/* The kernel tells the result of a compaction in a word, which is not compared. */
static int take_record(const struct record *r, void *data)
{
	struct story *story = data;

	if (r->tid != story->tid || r->type < KMPROF_TRACE_RECLAIM_BEGIN)
		return 0;
	return tell(story, r->type, r->type == KMPROF_TRACE_COMPACTION_END ? 0 : r->args[0]);
}

/* A line of the kernel's trace: "cat-31 [001] ..... 3.1: mm_vmscan_...: order=0 gfp_flags=..." */
static int take_line(struct story *story, const char *line)
{
	const char *name, *number;
	char who[32];
	unsigned int i;

	snprintf(who, sizeof(who), "-%u ", story->tid);
	if (*line == '#' || !strstr(line, who))
		return 0;
	for (i = 0; i < ARRAY_SIZE(points); i++) {
		name = strstr(line, points[i].name);
		number = name ? strstr(name, points[i].number) : NULL;
		if (!number || name[strlen(points[i].name)] != ':')
			continue;
		number += strlen(points[i].number);
		if (points[i].type == KMPROF_TRACE_COMPACTION_END)
			return tell(story, points[i].type, 0);
		if (points[i].type == KMPROF_TRACE_COMPACTION_BEGIN)
			return tell(story, points[i].type, !strncmp(number, "sync", 4));
		return tell(story, points[i].type, strtoull(number, NULL, 10));
	}
	return -EBADMSG;
}

/* What task @tid has done is in both traces. */
static void compare(struct __test_metadata *_metadata, FIXTURE_DATA(reclaim) *self, uint32_t tid)
{
	char *text, *line, *rest;
	unsigned int i;

	self->traced.tid = tid;
	self->wanted.tid = tid;
	ASSERT_EQ(0, session_stop(self->dev, &self->s));
	ASSERT_EQ(0, session_read_rest(&self->s));
	ASSERT_EQ(0, session_lost(&self->s));
	ASSERT_EQ(0, session_walk(&self->s, take_record, &self->traced));
	ASSERT_EQ(0, guest_read_file(INSTANCE "/trace", &text, NULL));
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		ASSERT_EQ(0, take_line(&self->wanted, line))
			TH_LOG("%s", line);
	free(text);
	EXPECT_EQ(self->wanted.nr, self->traced.nr);
	for (i = 0; i < self->wanted.nr && i < self->traced.nr; i++)
		ASSERT_STREQ(self->wanted.line[i], self->traced.line[i])
			TH_LOG("event %u of %u", i, self->wanted.nr);
}

/* Each begin has an end, and the other way round. */
static void expect_pairs(struct __test_metadata *_metadata, const struct story *story,
			 unsigned int begin, unsigned int end)
{
	EXPECT_LT(0, story->of_type[begin]);
	EXPECT_EQ(story->of_type[begin], story->of_type[end]);
}

/* Somebody asks for the memory of a cgroup: more than there is, so it is tried several times. */
TEST_F(reclaim, of_a_cgroup)
{
	int ret;

	ASSERT_EQ(0, memory_cgroup_setup("memory.max", "33554432"));
	ret = memory_cgroup_reclaim("33554432");
	memory_cgroup_teardown();
	ASSERT_EQ(-EAGAIN, ret);
	compare(_metadata, self, getpid());
	expect_pairs(_metadata, &self->traced, KMPROF_TRACE_MEMCG_RECLAIM_BEGIN,
		     KMPROF_TRACE_MEMCG_RECLAIM_END);
}

TEST_F(reclaim, compaction)
{
	ASSERT_EQ(0, guest_write_file("/proc/sys/vm/compact_memory", "1"));
	compare(_metadata, self, getpid());
	expect_pairs(_metadata, &self->traced, KMPROF_TRACE_COMPACTION_BEGIN,
		     KMPROF_TRACE_COMPACTION_END);
}

/* Has the kernel traced an event? */
static bool has_seen(const char *name)
{
	char *text;
	bool has;

	if (guest_read_file(INSTANCE "/trace", &text, NULL))
		return false;
	has = strstr(text, name);
	free(text);
	return has;
}

/*
 * Huge pages are asked for, a few at a time, until there are none without reclaim. What else there
 * is, is the page cache, of which there is enough for others.
 */
TEST_F(reclaim, direct)
{
	char number[16];
	int wanted, ret;

	if (access(HUGE_PAGES, W_OK)) {
		TH_LOG("not tested: this kernel has no huge pages to ask for");
		return;
	}
	for (wanted = HUGE_STEP; !has_seen("mm_vmscan_direct_reclaim_end"); wanted += HUGE_STEP) {
		snprintf(number, sizeof(number), "%d", wanted);
		ret = guest_write_file(HUGE_PAGES, number);
		if (ret)
			break;
	}
	ASSERT_EQ(0, guest_write_file(HUGE_PAGES, "0"));
	ASSERT_EQ(0, ret);
	compare(_metadata, self, getpid());
	expect_pairs(_metadata, &self->traced, KMPROF_TRACE_RECLAIM_BEGIN,
		     KMPROF_TRACE_RECLAIM_END);
}

TEST_HARNESS_MAIN
