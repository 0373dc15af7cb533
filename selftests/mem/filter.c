// SPDX-License-Identifier: GPL-2.0
/*
 * The filter of the heap profile: with heap_rate=1, the profile has each allocation that the
 * filter wants, and no other, whoever allocates what in which context; what is left out is
 * counted; and a filter that is refused changes nothing.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/command.h"
#include "lib/harness.h"
#include "lib/kind_expect.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/order.h"
#include "lib/owner.h"
#include "lib/snapshot.h"
#include "lib/symbols.h"
#include "lib/tally.h"

#define RECORD "tools/kmprof record -s heap_filter=size=32 -o /tmp/filter.kmprof -- "
#define PARAMETER "/sys/module/kmprof/parameters/heap_filter"

enum { CHAIN = 5, SIZE = 200, COUNT = 40 };

STORE_FIXTURE(filter, "heap_rate=1 " GUEST_ROOMY);

static int set(int dev, const char *text)
{
	return guest_set_text(dev, KMPROF_SETTING_HEAP_FILTER, text);
}

static int clear(int dev)
{
	return guest_set(dev, KMPROF_SETTING_HEAP_FILTER, 0);
}

static int run(FIXTURE_DATA(filter) *self, unsigned int code, unsigned int method,
	       unsigned int size, unsigned int context, unsigned int first)
{
	struct kmprof_test_op op = {
		.op = code, .chain = CHAIN, .cpu = KMPROF_TEST_CPU_ANY, .method = method,
		.size = size, .context = context, .first = first, .count = COUNT,
	};

	return order_run(self->store, &op);
}

static int allocate(FIXTURE_DATA(filter) *self, unsigned int size, unsigned int first)
{
	return run(self, KMPROF_TEST_ALLOC, KMPROF_TEST_KMALLOC_VARIABLE, size, KMPROF_TEST_TASK,
		   first);
}

/* What the chain has allocated and freed of a size; and what the filter has left out of all. */
static struct cell look(struct __test_metadata *_metadata, FIXTURE_DATA(filter) *self,
			unsigned int size, uint64_t *filtered)
{
	struct snapshot snapshot = take(_metadata, self->dev);
	struct tally tally = { NULL, 0 };
	struct cell cell;

	EXPECT_EQ(0, tally_take(&tally, &snapshot, &self->symbols));
	cell = tally_cell(&tally, CHAIN, size);
	if (filtered)
		*filtered = snapshot_scalar(&snapshot, "filtered");
	tally_free(&tally);
	snapshot_free(&snapshot);
	return cell;
}

static void expect_allocs(struct __test_metadata *_metadata, FIXTURE_DATA(filter) *self,
			  unsigned int size, uint64_t allocs)
{
	EXPECT_EQ(allocs, look(_metadata, self, size, NULL).allocs);
}

/* In a process of this name, and in this cgroup if it has one. */
static void allocate_as(struct __test_metadata *_metadata, FIXTURE_DATA(filter) *self,
			const char *comm, const char *procs, unsigned int first, pid_t *pid)
{
	int status;

	*pid = fork();
	ASSERT_LE(0, *pid);
	if (!*pid) {
		prctl(PR_SET_NAME, comm);
		if (procs && guest_write_file(procs, "0"))
			_exit(1);
		_exit(!!allocate(self, SIZE, first));
	}
	ASSERT_EQ(*pid, waitpid(*pid, &status, 0));
	ASSERT_EQ(0, status);
}

/* Every way to allocate, with sizes at both ends; the frees are seen. */
TEST_F(filter, by_size)
{
	static const struct {
		unsigned int method;
		unsigned int size;
		int is_wanted;
	} ways[] = {
		{ KMPROF_TEST_KMALLOC_VARIABLE, 199, 0 },
		{ KMPROF_TEST_CACHE, 200, 1 },
		{ KMPROF_TEST_KMALLOC_NODE_VARIABLE, 201, 1 },
		{ KMPROF_TEST_KMALLOC, 512, 1 },
		{ KMPROF_TEST_CACHE_BULK, 72, 0 },
		{ KMPROF_TEST_CACHE_BULK, 520, 1 },
		{ KMPROF_TEST_KCALLOC, 1024, 1 },
		{ KMPROF_TEST_KSTRDUP, 1025, 0 },
		{ KMPROF_TEST_CACHE_NODE, 3000, 0 },
		{ KMPROF_TEST_KMALLOC_VARIABLE, 16384, 0 },
	};
	unsigned int i, not_wanted = 0;
	uint64_t before, filtered;

	ASSERT_EQ(0, set(self->dev, "size=200-1K"));
	look(_metadata, self, SIZE, &before);
	for (i = 0; i < ARRAY_SIZE(ways); i++) {
		ASSERT_EQ(0, run(self, KMPROF_TEST_ALLOC, ways[i].method, ways[i].size,
				 KMPROF_TEST_TASK, i * COUNT));
		EXPECT_EQ(ways[i].is_wanted ? COUNT : 0,
			  look(_metadata, self, ways[i].size, &filtered).allocs)
			TH_LOG("method %u, size %u", ways[i].method, ways[i].size);
		not_wanted += ways[i].is_wanted ? 0 : COUNT;
	}
	EXPECT_LE(before + not_wanted, filtered);

	/* Closing frees them. */
	close(self->store);
	self->store = order_open();
	ASSERT_LE(0, self->store);
	for (i = 0; i < ARRAY_SIZE(ways); i++)
		EXPECT_EQ(ways[i].is_wanted ? COUNT : 0,
			  look(_metadata, self, ways[i].size, NULL).frees)
			TH_LOG("method %u, size %u", ways[i].method, ways[i].size);
}

/* Cache, kind, class and the module that calls the allocator: known when the object is there. */
TEST_F(filter, by_object)
{
	static const struct {
		const char *text;
		int of_cache;
		int of_kmalloc;
	} filters[] = {
		{ "cache=kmprof_test_200", 1, 0 },
		{ "kind=slab", 1, 1 },
		{ "kind=page", 0, 0 },
		{ "gfp=unmovable,size=200", 1, 1 },
		{ "gfp=reclaimable", 0, 0 },
		{ "module=kmprof_test", 1, 1 },
		{ "module=kmprof-test,cache=kmprof_test_200,kind=slab", 1, 0 },
		{ "module=kmprof", 0, 0 },
	};
	unsigned int i, n = 0;
	uint64_t wanted, before, filtered;

	for (i = 0; i < ARRAY_SIZE(filters); i++) {
		ASSERT_EQ(0, set(self->dev, filters[i].text));
		ASSERT_EQ(0, guest_reset(self->dev));
		look(_metadata, self, SIZE, &before);
		ASSERT_EQ(0, run(self, KMPROF_TEST_ALLOC, KMPROF_TEST_CACHE, SIZE,
				 KMPROF_TEST_TASK, n++ * COUNT));
		ASSERT_EQ(0, run(self, KMPROF_TEST_ALLOC, KMPROF_TEST_CACHE_BULK, SIZE,
				 KMPROF_TEST_TASK, n++ * COUNT));
		wanted = filters[i].of_cache ? 2 * COUNT : 0;
		EXPECT_EQ(wanted, look(_metadata, self, SIZE, NULL).allocs)
			TH_LOG("%s", filters[i].text);
		ASSERT_EQ(0, allocate(self, SIZE, n++ * COUNT));
		wanted += filters[i].of_kmalloc ? COUNT : 0;
		EXPECT_EQ(wanted, look(_metadata, self, SIZE, &filtered).allocs)
			TH_LOG("%s", filters[i].text);
		EXPECT_LE(before + 3 * COUNT - wanted, filtered);
	}
}

TEST_F(filter, by_task)
{
	char text[KMPROF_TEXT_LEN];
	pid_t pid;

	snprintf(text, sizeof(text), "pid=%d", getpid());
	ASSERT_EQ(0, set(self->dev, text));
	ASSERT_EQ(0, allocate(self, SIZE, 0));
	allocate_as(_metadata, self, "another", NULL, COUNT, &pid);
	expect_allocs(_metadata, self, SIZE, COUNT);

	ASSERT_EQ(0, set(self->dev, "comm=kmprof?one"));
	ASSERT_EQ(0, allocate(self, SIZE, 2 * COUNT));
	allocate_as(_metadata, self, "kmprof one", NULL, 3 * COUNT, &pid);
	allocate_as(_metadata, self, "kmprof two", NULL, 4 * COUNT, &pid);
	expect_allocs(_metadata, self, SIZE, 2 * COUNT);

	ASSERT_EQ(0, clear(self->dev));
	allocate_as(_metadata, self, "kmprof two", NULL, 5 * COUNT, &pid);
	expect_allocs(_metadata, self, SIZE, 3 * COUNT);
}

/* What an interrupt allocates is not the task's that it has interrupted. */
TEST_F(filter, by_interrupt)
{
	static const char *const names[] = {
		[KMPROF_TEST_SOFTIRQ] = "comm=[softirq]", [KMPROF_TEST_HARDIRQ] = "comm=[hardirq]",
	};
	unsigned int context, slot = 0;
	char text[KMPROF_TEXT_LEN];
	uint64_t allocs = 0;

	snprintf(text, sizeof(text), "pid=%d", getpid());
	for (context = KMPROF_TEST_SOFTIRQ;
	     context < order_contexts() && context <= KMPROF_TEST_HARDIRQ; context++) {
		ASSERT_EQ(0, set(self->dev, text));
		ASSERT_EQ(0, run(self, KMPROF_TEST_ALLOC, KMPROF_TEST_KMALLOC_VARIABLE, SIZE,
				 context, slot++ * COUNT));
		expect_allocs(_metadata, self, SIZE, allocs);
		ASSERT_EQ(0, set(self->dev, names[context]));
		ASSERT_EQ(0, run(self, KMPROF_TEST_ALLOC, KMPROF_TEST_KMALLOC_VARIABLE, SIZE,
				 context, slot++ * COUNT));
		ASSERT_EQ(0, allocate(self, SIZE, slot++ * COUNT));
		allocs += COUNT;
		expect_allocs(_metadata, self, SIZE, allocs);
	}
	EXPECT_LT(0, allocs);
}

TEST_F(filter, by_cgroup)
{
	static const char below[] = "/tmp/kmprof_owners/one/below";
	struct owner owners[OWNERS];
	char text[KMPROF_TEXT_LEN];
	pid_t pid;

	memcpy(owners, owners_unborn, sizeof(owners));
	ASSERT_EQ(0, owners_make_cgroups(owners));
	ASSERT_EQ(0, mkdir(below, 0700));
	ASSERT_EQ(0, set(self->dev, "cgroup=/one"));
	ASSERT_EQ(0, allocate(self, SIZE, 0));
	allocate_as(_metadata, self, "one", "/tmp/kmprof_owners/one/cgroup.procs", COUNT, &pid);
	allocate_as(_metadata, self, "below", "/tmp/kmprof_owners/one/below/cgroup.procs",
		    2 * COUNT, &pid);
	allocate_as(_metadata, self, "two", "/tmp/kmprof_owners/two/cgroup.procs", 3 * COUNT, &pid);
	expect_allocs(_metadata, self, SIZE, 2 * COUNT);

	snprintf(text, sizeof(text), "size=-%u,cgroup=%" PRIu64, SIZE, owners[1].cgroup);
	ASSERT_EQ(0, set(self->dev, text));
	allocate_as(_metadata, self, "below", "/tmp/kmprof_owners/one/below/cgroup.procs",
		    4 * COUNT, &pid);
	allocate_as(_metadata, self, "two", "/tmp/kmprof_owners/two/cgroup.procs", 5 * COUNT, &pid);
	expect_allocs(_metadata, self, SIZE, 3 * COUNT);

	/* It goes, and nobody is in it. */
	EXPECT_EQ(0, rmdir(below));
	EXPECT_EQ(0, owners_remove_cgroups(owners));
	ASSERT_EQ(0, allocate(self, SIZE, 6 * COUNT));
	expect_allocs(_metadata, self, SIZE, 3 * COUNT);
	EXPECT_EQ(-EINVAL, set(self->dev, "cgroup=/one"));
}

static void expect_text(struct __test_metadata *_metadata, int dev, const char *text)
{
	const struct kmprof_image_scalar *scalar;
	struct kmprof_setting_value setting;
	struct snapshot snapshot;
	char parameter[256];

	ASSERT_EQ(0, guest_get_setting(dev, KMPROF_SETTING_HEAP_FILTER, &setting));
	EXPECT_STREQ(text, setting.text);
	EXPECT_EQ(!!strcmp(text, "none"), setting.value);
	EXPECT_EQ(KMPROF_SETTING_IS_TEXT, setting.flags);
	ASSERT_EQ(0, guest_param("heap_filter", parameter, sizeof(parameter)));
	EXPECT_STREQ(text, parameter);
	snapshot = take(_metadata, dev);
	scalar = snapshot_find_scalar(&snapshot, "heap_filter");
	ASSERT_NE(NULL, scalar);
	EXPECT_STREQ(text, snapshot_string(&snapshot, scalar->text));
	EXPECT_EQ(setting.value, scalar->value);
	snapshot_free(&snapshot);
}

/* Device, parameter and image tell it; so does the tool. */
TEST_F(filter, is_told)
{
	char *text;
	int status;

	expect_text(_metadata, self->dev, "none");
	ASSERT_EQ(0, set(self->dev, "size=64-"));
	expect_text(_metadata, self->dev, "size=64-");
	ASSERT_EQ(0, guest_write_file(PARAMETER, "comm=one,size=-64\n"));
	expect_text(_metadata, self->dev, "comm=one,size=-64");
	ASSERT_EQ(0, guest_write_file(PARAMETER, "none"));
	expect_text(_metadata, self->dev, "none");

	text = command_output("tools/kmprof set heap_filter=pid=1,size=1M-");
	EXPECT_STREQ("heap_filter=pid=1,size=1M-\n", text);
	free(text);
	expect_text(_metadata, self->dev, "pid=1,size=1M-");
	ASSERT_EQ(0, allocate(self, SIZE, 0));
	text = command_output("tools/kmprof status");
	ASSERT_NE(NULL, text);
	EXPECT_NE(NULL, strstr(text, "\nHeap filter pid=1,size=1M-; left out: "))
		TH_LOG("%s", text);
	free(text);

	text = command_run("tools/kmprof set heap=none heap_filter=cgroup=/none/such 2>&1",
			   &status);
	ASSERT_NE(NULL, text);
	EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) &&
		    strstr(text, "heap_filter=cgroup=/none/such"))
		TH_LOG("%d: %s", status, text);
	free(text);
	expect_text(_metadata, self->dev, "pid=1,size=1M-");

	/* A recording puts it back. */
	text = command_run(RECORD "cat " PARAMETER, &status);
	ASSERT_NE(NULL, text);
	EXPECT_EQ(0, status);
	EXPECT_NE(NULL, strstr(text, "size=32\n"))
		TH_LOG("%s", text);
	free(text);
	expect_text(_metadata, self->dev, "pid=1,size=1M-");

	ASSERT_EQ(0, close(self->dev));
	ASSERT_EQ(0, guest_rmmod("kmprof"));
	EXPECT_EQ(-EINVAL, guest_insmod("kmprof", "heap_filter=color=blue"));
	ASSERT_EQ(0, guest_insmod("kmprof", "heap_filter=size=64-128"));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	expect_text(_metadata, self->dev, "size=64-128");

	/* The module of a parameter is found, wherever it is. */
	ASSERT_EQ(0, close(self->dev));
	ASSERT_EQ(0, guest_rmmod("kmprof"));
	ASSERT_EQ(0, guest_insmod("kmprof", "heap_filter=module=kmprof_test heap_rate=1"));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	ASSERT_EQ(0, allocate(self, SIZE, COUNT));
	expect_allocs(_metadata, self, SIZE, COUNT);
}

static void expect_refused(struct __test_metadata *_metadata, FIXTURE_DATA(filter) *self,
			   const struct kmprof_setting_value *settings, unsigned int count)
{
	EXPECT_EQ(-EINVAL, guest_set_settings(self->dev, settings, count))
		TH_LOG("%s", settings->text);
	expect_text(_metadata, self->dev, "size=200");
}

TEST_F(filter, what_is_refused_changes_nothing)
{
	static const char *const bad[] = { "color=blue", "size=2-1", "pid=me", "comm=a b" };
	struct kmprof_setting_value settings[2] = {
		{ .id = KMPROF_SETTING_HEAP_FILTER, .value = 1 },
		{ .id = KMPROF_SETTING_HEAP_RATE, .value = KMPROF_HEAP_RATE_MAX + 1 },
	};
	/* That of an older program. */
	struct {
		__u32 id;
		__u32 flags;
		__u64 value;
	} old = { .id = KMPROF_SETTING_HEAP_FILTER, .value = 1 };
	struct kmprof_config config = {
		.size = sizeof(config), .count = 1, .entry_size = sizeof(old),
		.settings = (uintptr_t)&old,
	};
	unsigned int i;

	ASSERT_EQ(0, set(self->dev, "size=200"));
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		strcpy(settings[0].text, bad[i]);
		expect_refused(_metadata, self, settings, 1);
		EXPECT_EQ(-EINVAL, guest_write_file(PARAMETER, bad[i]));
	}
	/* One that has no end; nothing; and one beside a rate that is refused. */
	memset(settings[0].text, '1', sizeof(settings[0].text));
	memcpy(settings[0].text, "pid=", 4);
	EXPECT_EQ(-EINVAL, guest_set_settings(self->dev, settings, 1));
	strcpy(settings[0].text, "none");
	expect_refused(_metadata, self, settings, 1);
	strcpy(settings[0].text, "size=1");
	expect_refused(_metadata, self, settings, 2);
	settings[0].value = 2;
	expect_refused(_metadata, self, settings, 1);
	ASSERT_EQ(0, allocate(self, SIZE, 0));
	ASSERT_EQ(0, allocate(self, 1, COUNT));
	expect_allocs(_metadata, self, SIZE, COUNT);
	expect_allocs(_metadata, self, 1, 0);

	EXPECT_EQ(-1, ioctl(self->dev, KMPROF_IOC_SET_CONFIG, &config));
	EXPECT_EQ(EINVAL, errno);
	expect_text(_metadata, self->dev, "size=200");
	old.value = 0;
	EXPECT_EQ(0, ioctl(self->dev, KMPROF_IOC_SET_CONFIG, &config));
	expect_text(_metadata, self->dev, "none");
}

/* Allocates and frees sizes of both sides of the filters until it is killed. */
static void churn(FIXTURE_DATA(filter) *self, unsigned int process)
{
	unsigned int i, first = process * 4 * COUNT;

	for (i = 0; ; i++) {
		struct kmprof_test_op op = {
			.op = KMPROF_TEST_FREE, .cpu = KMPROF_TEST_CPU_ANY, .first = first,
			.count = COUNT, .free = KMPROF_TEST_KFREE,
		};

		if (allocate(self, 64 << i % 4, first) || order_run(self->store, &op))
			_exit(1);
	}
}

/* Filters come and go under load: each free of what has passed one is seen. */
TEST_F(filter, changes_under_load)
{
	static const char *const texts[] = {
		"size=128-256", "none", "comm=churn", "size=512-,comm=churn", "size=-64", "pid=1",
	};
	enum { PROCESSES = 4 };
	unsigned int i, rounds = guest_effort(2000), size;
	pid_t pids[PROCESSES];
	uint64_t filtered;
	struct cell cell;
	int status;

	for (i = 0; i < PROCESSES; i++) {
		pids[i] = fork();
		ASSERT_LE(0, pids[i]);
		if (!pids[i]) {
			prctl(PR_SET_NAME, "churn");
			churn(self, i);
		}
	}
	for (i = 0; i < (rounds < 24 ? 24 : rounds); i++) {
		ASSERT_EQ(0, guest_write_file(PARAMETER, texts[i % ARRAY_SIZE(texts)]));
		if (i % 4 == 3)
			look(_metadata, self, 64, &filtered);
	}
	for (i = 0; i < PROCESSES; i++) {
		ASSERT_EQ(0, kill(pids[i], SIGKILL));
		ASSERT_EQ(pids[i], waitpid(pids[i], &status, 0));
		EXPECT_TRUE(WIFSIGNALED(status));
	}
	EXPECT_LT(0, filtered);
	/* What was in slots goes with them. */
	close(self->store);
	self->store = order_open();
	ASSERT_LE(0, self->store);
	for (size = 64; size <= 512; size *= 2) {
		cell = look(_metadata, self, size, NULL);
		EXPECT_EQ(cell.allocs, cell.frees)
			TH_LOG("size %u", size);
	}
}

static const char *const percpu_inner[] = { "pcpu_alloc", "__alloc_percpu", NULL };
static const char *const vmalloc_inner[] = { "__vmalloc", "vmalloc", NULL };
static const struct kind percpu = { KMPROF_KIND_PERCPU, 'p', percpu_inner };
static const struct kind vmalloc = { KMPROF_KIND_VMALLOC, 'v', vmalloc_inner };

FIXTURE(filter_kinds) {
	int dev;
	int store;
	struct symbols symbols;
};

STORE_SETUP(filter_kinds, "tracepoint",
	    "heap_rate=1 heap_peak=1 heap=percpu,vmalloc,page " GUEST_ROOMY);

static uint64_t objects_of(struct __test_metadata *_metadata, FIXTURE_DATA(filter_kinds) *self,
			   const struct kind *kind)
{
	struct snapshot snapshot = take(_metadata, self->dev);
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < snapshot_rows(&snapshot, "heap"); i++) {
		const struct kmprof_image_sample *sample = snapshot_sample(&snapshot, i);

		if (sample->kind == kind->id &&
		    kind_chain(kind, &self->symbols, &snapshot, sample) == 1)
			sum += sample->allocs;
	}
	snapshot_free(&snapshot);
	return sum;
}

enum { EACH = 4, ORDER = 3 };

/* Some of each kind, 24 KiB or more each, or less. */
static void run_kinds(struct __test_metadata *_metadata, int store, unsigned int code, int is_big)
{
	const unsigned int first = is_big ? EACH : 0;
	struct kmprof_test_percpu percpu_op = {
		.op = code, .chain = 1, .cpu = KMPROF_TEST_CPU_ANY, .first = first, .count = EACH,
		.size = is_big ? 24576 : 64,
	};
	struct kmprof_test_vmalloc vmalloc_op = {
		.op = code, .chain = 1, .first = first, .count = EACH,
		.size = is_big ? 6 << 12 : 5 << 12,
	};
	struct kmprof_test_page page_op = {
		.op = code, .chain = 1, .first = first, .count = EACH, .parts = 1,
		.order = is_big ? ORDER : ORDER - 1,
	};

	ASSERT_EQ(0, ioctl(store, KMPROF_TEST_IOC_PERCPU, &percpu_op));
	ASSERT_EQ(0, ioctl(store, KMPROF_TEST_IOC_VMALLOC, &vmalloc_op));
	ASSERT_EQ(0, ioctl(store, KMPROF_TEST_IOC_PAGE, &page_op));
}

/* The other kinds of memory pass by their sizes as well; pages by that of their block. */
TEST_F(filter_kinds, by_size)
{
	struct snapshot snapshot;
	uint64_t pages[2] = { 0 };
	uint32_t row;
	int is_big;

	ASSERT_EQ(0, set(self->dev, "size=24K-"));
	ASSERT_EQ(0, guest_reset(self->dev));
	for (is_big = 0; is_big < 2; is_big++) {
		run_kinds(_metadata, self->store, KMPROF_TEST_ALLOC, is_big);
		EXPECT_EQ(is_big ? EACH : 0, objects_of(_metadata, self, &percpu));
		EXPECT_EQ(is_big ? EACH : 0, objects_of(_metadata, self, &vmalloc));
	}
	snapshot = take(_metadata, self->dev);
	for (row = 0; row < snapshot_rows(&snapshot, "heap"); row++) {
		const struct kmprof_image_sample *sample = snapshot_sample(&snapshot, row);

		if (sample->kind == KMPROF_KIND_PAGE)
			pages[sample->together >= 1 << ORDER] += sample->allocs;
	}
	EXPECT_EQ(0, pages[0]);
	EXPECT_LE(EACH << ORDER, pages[1]);
	EXPECT_LT(0, snapshot_scalar(&snapshot, "filtered"));
	EXPECT_LE(snapshot_scalar(&snapshot, "filtered"),
		  snapshot_scalar(&snapshot, "filtered_bytes"));
	snapshot_free(&snapshot);
	for (is_big = 0; is_big < 2; is_big++)
		run_kinds(_metadata, self->store, KMPROF_TEST_FREE, is_big);
}

/* All kinds know their kind and who has called the allocator. */
TEST_F(filter_kinds, by_object)
{
	static const struct {
		const char *text;
		unsigned int percpu;
		unsigned int vmalloc;
		unsigned int pages;
		int is_all;	/* nobody else has pages that are wanted */
	} filters[] = {
		{ "kind=percpu", EACH, 0, 0, 1 },
		{ "kind=vmalloc", 0, EACH, 0, 1 },
		{ "kind=page", 0, 0, EACH << (ORDER - 1), 0 },
		{ "gfp=unmovable", EACH, EACH, EACH << (ORDER - 1), 0 },
		{ "gfp=movable", 0, 0, 0, 1 },
		{ "cache=kmprof_test_200", 0, 0, 0, 1 },
		{ "module=kmprof_test", EACH, EACH, EACH << (ORDER - 1), 1 },
		{ "module=kmprof", 0, 0, 0, 1 },
	};
	struct snapshot snapshot;
	unsigned int i;
	uint64_t pages;
	uint32_t row;

	for (i = 0; i < ARRAY_SIZE(filters); i++) {
		ASSERT_EQ(0, set(self->dev, filters[i].text));
		ASSERT_EQ(0, guest_reset(self->dev));
		run_kinds(_metadata, self->store, KMPROF_TEST_ALLOC, 0);
		EXPECT_EQ(filters[i].percpu, objects_of(_metadata, self, &percpu))
			TH_LOG("%s", filters[i].text);
		EXPECT_EQ(filters[i].vmalloc, objects_of(_metadata, self, &vmalloc))
			TH_LOG("%s", filters[i].text);
		run_kinds(_metadata, self->store, KMPROF_TEST_FREE, 0);
		snapshot = take(_metadata, self->dev);
		for (row = 0, pages = 0; row < snapshot_rows(&snapshot, "heap"); row++)
			if (snapshot_sample(&snapshot, row)->kind == KMPROF_KIND_PAGE)
				pages += snapshot_sample(&snapshot, row)->allocs;
		snapshot_free(&snapshot);
		EXPECT_LE(filters[i].pages, pages)
			TH_LOG("%s", filters[i].text);
		/* Others allocate pages as well, but not in a module that is not wanted. */
		if (filters[i].is_all)
			EXPECT_EQ(filters[i].pages, pages)
				TH_LOG("%s", filters[i].text);
	}
}

TEST_HARNESS_MAIN
