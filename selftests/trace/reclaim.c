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
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
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
	FREE_BYTES	= 16 << 20,
	HUGE_STEP	= 8,	/* huge pages */
	HUGE_KB		= 2048,
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
	{ KMPROF_TRACE_COMPACTION_END, "compaction", "mm_compaction_end", "status=" },
};

/* Numbers for which the kernel has words. */
static const char *const modes[] = { "async", "sync" };
static const char *const results[] = {
	"not_suitable_zone", "skipped", "deferred", "no_suitable_page", "continue", "complete",
	"partial_skipped", "contended", "success",
};

/**
 * struct story - what a task has done
 * @tid: the task
 * @nr: how many events
 * @line: each in words: type and number
 * @of_type: how many of each
 * @pages: that it has reclaimed
 */
struct story {
	uint32_t tid;
	unsigned int nr;
	char line[MOST][LINE];
	unsigned int of_type[64];
	uint64_t pages;
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

static int release_huge_pages(void)
{
	return access(HUGE_PAGES, W_OK) ? 0 : guest_write_file(HUGE_PAGES, "0");
}

FIXTURE_SETUP(reclaim)
{
	ASSERT_EQ(0, guest_load("kprobe", "heap_rate=0"));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	self->s.fd = -1;
	/* A test that was killed by its time limit leaves these behind. */
	rmdir(INSTANCE);
	ASSERT_EQ(0, release_huge_pages());
	/* Events of one CPU are in order, whatever the clocks are. */
	ASSERT_EQ(0, guest_pin_cpu(0));
	ASSERT_EQ(0, mkdir(INSTANCE, 0700));
	ASSERT_EQ(0, guest_write_file(INSTANCE "/tracing_on", "0"));
	ASSERT_EQ(0, enable("1"));
	ASSERT_EQ(0, session_start(self->dev, &self->s,
				   EVENT(SWITCH) | EVENT(RECLAIM_BEGIN) | EVENT(RECLAIM_END) |
				   EVENT(MEMCG_RECLAIM_BEGIN) | EVENT(MEMCG_RECLAIM_END) |
				   EVENT(COMPACTION_BEGIN) | EVENT(COMPACTION_END), 0));
	ASSERT_EQ(0, guest_write_file(INSTANCE "/tracing_on", "1"));
}

FIXTURE_TEARDOWN(reclaim)
{
	EXPECT_EQ(0, release_huge_pages());
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
	if (type == KMPROF_TRACE_RECLAIM_END || type == KMPROF_TRACE_MEMCG_RECLAIM_END)
		story->pages += number;
	return 0;
}

static int take_record(const struct record *r, void *data)
{
	struct story *story = data;

	if (r->tid != story->tid || r->type < KMPROF_TRACE_RECLAIM_BEGIN)
		return 0;
	return tell(story, r->type, r->args[0]);
}

/* Is it a line of that task? "cat-31 [001] ..... 3.1: mm_vmscan_...: order=0 gfp_flags=..." */
static bool is_of(const char *line, uint32_t tid)
{
	char who[32];

	snprintf(who, sizeof(who), "-%u ", tid);
	return *line != '#' && strstr(line, who);
}

/* Which of the words @text begins with; -EBADMSG: none. */
static int word_number(const char *text, const char *const words[], unsigned int nr)
{
	size_t length = strcspn(text, " ");
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (strlen(words[i]) == length && !strncmp(text, words[i], length))
			return i;
	return -EBADMSG;
}

/* @text: the number of an event of that type, in the kernel's trace */
static int64_t number_of(unsigned int type, const char *text)
{
	if (type == KMPROF_TRACE_COMPACTION_BEGIN)
		return word_number(text, modes, ARRAY_SIZE(modes));
	if (type == KMPROF_TRACE_COMPACTION_END)
		return word_number(text, results, ARRAY_SIZE(results));
	return strtoll(text, NULL, 10);
}

static int take_line(struct story *story, const char *line)
{
	const char *name, *text;
	unsigned int i;
	int64_t number;

	if (!is_of(line, story->tid))
		return 0;
	for (i = 0; i < ARRAY_SIZE(points); i++) {
		name = strstr(line, points[i].name);
		text = name ? strstr(name, points[i].number) : NULL;
		if (!text || name[strlen(points[i].name)] != ':')
			continue;
		number = number_of(points[i].type, text + strlen(points[i].number));
		return number < 0 ? number : tell(story, points[i].type, number);
	}
	return -EBADMSG;
}

/* What the kernel has traced of the task. */
static void read_wanted(struct __test_metadata *_metadata, struct story *wanted, uint32_t tid)
{
	char *text, *line, *rest;

	memset(wanted, 0, sizeof(*wanted));
	wanted->tid = tid;
	ASSERT_EQ(0, guest_read_file(INSTANCE "/trace", &text, NULL));
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		ASSERT_EQ(0, take_line(wanted, line))
			TH_LOG("%s", line);
	free(text);
}

/* What task @tid has done is in both traces. */
static void compare(struct __test_metadata *_metadata, FIXTURE_DATA(reclaim) *self, uint32_t tid)
{
	unsigned int i;

	ASSERT_EQ(0, guest_write_file(INSTANCE "/tracing_on", "0"));
	self->traced.tid = tid;
	ASSERT_EQ(0, session_stop(self->dev, &self->s));
	ASSERT_EQ(0, session_read_rest(&self->s));
	ASSERT_EQ(0, session_lost(&self->s));
	ASSERT_EQ(0, session_walk(&self->s, take_record, &self->traced));
	read_wanted(_metadata, &self->wanted, tid);
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

/* Has memory that can be taken away, since nobody needs what is in it, and asks for that. */
static void give_up(void)
{
	char *memory = mmap(NULL, FREE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);

	if (memory == MAP_FAILED || memory_cgroup_enter())
		_exit(EXIT_FAILURE);
	memset(memory, 1, FREE_BYTES);
	if (madvise(memory, FREE_BYTES, MADV_FREE))
		_exit(EXIT_FAILURE);
	/* That is more than there is, so it is tried several times. */
	_exit(memory_cgroup_reclaim("33554432") == -EAGAIN ? EXIT_SUCCESS : EXIT_FAILURE);
}

TEST_F(reclaim, of_a_cgroup)
{
	int status, ret = memory_cgroup_setup("memory.max", "max");
	pid_t pid = ret ? -1 : fork();

	if (!pid)
		give_up();
	if (pid > 0)
		ret = waitpid(pid, &status, 0) == pid ? 0 : -errno;
	memory_cgroup_teardown();
	ASSERT_EQ(0, ret);
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, status);
	compare(_metadata, self, pid);
	expect_pairs(_metadata, &self->traced, KMPROF_TRACE_MEMCG_RECLAIM_BEGIN,
		     KMPROF_TRACE_MEMCG_RECLAIM_END);
	EXPECT_LT(0, self->traced.pages);
}

TEST_F(reclaim, compaction)
{
	ASSERT_EQ(0, guest_write_file("/proc/sys/vm/compact_memory", "1"));
	compare(_metadata, self, getpid());
	expect_pairs(_metadata, &self->traced, KMPROF_TRACE_COMPACTION_BEGIN,
		     KMPROF_TRACE_COMPACTION_END);
}

/*
 * Huge pages are asked for, a few at a time, until there are none without reclaim. What else there
 * is, is the page cache, of which there is enough for others.
 */
TEST_F(reclaim, direct)
{
	uint64_t most, wanted;
	char number[24];

	if (access(HUGE_PAGES, W_OK)) {
		TH_LOG("not tested: this kernel has no huge pages to ask for");
		return;
	}
	ASSERT_EQ(0, guest_read_number("/proc/meminfo", "MemTotal:", &most));
	most /= HUGE_KB;
	for (wanted = HUGE_STEP; wanted < most && !self->wanted.pages; wanted += HUGE_STEP) {
		snprintf(number, sizeof(number), "%" PRIu64, wanted);
		ASSERT_EQ(0, guest_write_file(HUGE_PAGES, number));
		read_wanted(_metadata, &self->wanted, getpid());
	}
	ASSERT_EQ(0, release_huge_pages());
	compare(_metadata, self, getpid());
	expect_pairs(_metadata, &self->traced, KMPROF_TRACE_RECLAIM_BEGIN,
		     KMPROF_TRACE_RECLAIM_END);
	EXPECT_LT(0, self->traced.pages);
}

TEST_HARNESS_MAIN
