// SPDX-License-Identifier: GPL-2.0
/*
 * Every allocation, free, wait and release that is in the exact totals fires a trace event, at any
 * rate. Listening changes no profile, and without listeners no probe is armed for the events.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/listener.h"
#include "lib/modules.h"
#include "lib/order.h"
#include "lib/scene.h"
#include "lib/settings.h"
#include "lib/snapshot.h"

#define KPROBES "/sys/kernel/debug/kprobes/enabled"
#define OFF "heap_rate=0 heap=slab,percpu,vmalloc,page "

enum { PAGE = 4096, COUNT = 24 };

STORE_FIXTURE(events, OFF GUEST_ROOMY);

static const uint64_t rates[] = { 0, 1, 524288 };

/* What the test allocates: sizes that nobody else asks for. */
enum {
	ODD_SIZE	= 5003,
	EVEN_SIZE	= 5004,
	CACHE_SIZE	= 7000,
	CONST_SIZE	= 65536,
	PERCPU_SIZE	= 7768,
	VMALLOC_SIZE	= 37 * PAGE,
	PAGE_ORDER	= 6,
};

static unsigned int size_of(unsigned int method, unsigned int context)
{
	static const unsigned int sizes[] = { ODD_SIZE, EVEN_SIZE, CACHE_SIZE, CONST_SIZE };
	unsigned int i = 0;

	while (i < ARRAY_SIZE(sizes) - 1 && !order_can_alloc(method, sizes[i], context))
		i++;
	return sizes[i];
}

static int open_for_sizes(struct listener *listener)
{
	const struct {
		unsigned int kind;
		unsigned long bytes;
	} all[] = {
		{ KMPROF_KIND_SLAB, ODD_SIZE }, { KMPROF_KIND_SLAB, EVEN_SIZE },
		{ KMPROF_KIND_SLAB, CACHE_SIZE }, { KMPROF_KIND_SLAB, CONST_SIZE },
		{ KMPROF_KIND_PERCPU, PERCPU_SIZE * sysconf(_SC_NPROCESSORS_CONF) },
		{ KMPROF_KIND_VMALLOC, VMALLOC_SIZE }, { KMPROF_KIND_PAGE, PAGE << PAGE_ORDER },
	};
	char filter[512];
	unsigned int i;
	int length = 0;

	for (i = 0; i < ARRAY_SIZE(all); i++)
		length += snprintf(filter + length, sizeof(filter) - length,
				   "%s(kind == %u && bytes == %lu)", i ? " || " : "", all[i].kind,
				   all[i].bytes);
	return listener_open(listener, "kmprof", "alloc", filter);
}

/* What comes together at a listener while COUNT objects are allocated. */
static void expect_bytes(struct __test_metadata *_metadata, const struct listener *listener,
			 uint64_t bytes, int fd, unsigned long code, void *op)
{
	uint64_t before, after;

	ASSERT_EQ(0, listener_read(listener, &before));
	ASSERT_EQ(0, ioctl(fd, code, op));
	ASSERT_EQ(0, listener_read(listener, &after));
	EXPECT_EQ(COUNT * bytes, after - before);
}

static void slabs_are_told(struct __test_metadata *_metadata, FIXTURE_DATA(events) *self,
			   const struct listener *listener, unsigned int context)
{
	unsigned int method;

	for (method = 0; method < KMPROF_TEST_NR_METHODS; method++) {
		struct kmprof_test_op op = {
			.op = KMPROF_TEST_ALLOC, .method = method, .context = context,
			.size = size_of(method, context), .count = COUNT,
		};

		if (!order_can_alloc(method, op.size, context))
			continue;
		expect_bytes(_metadata, listener, op.size, self->store, KMPROF_TEST_IOC_RUN, &op);
		while (!order_can_free(op.free, method, op.size, context))
			op.free++;
		op.op = KMPROF_TEST_FREE;
		ASSERT_EQ(0, order_run(self->store, &op));
	}
}

static void others_are_told(struct __test_metadata *_metadata, FIXTURE_DATA(events) *self,
			    const struct listener *listener)
{
	struct kmprof_test_percpu percpu = {
		.op = KMPROF_TEST_ALLOC, .cpu = KMPROF_TEST_CPU_ANY, .size = PERCPU_SIZE,
		.count = COUNT,
	};
	struct kmprof_test_vmalloc vmalloc = {
		.op = KMPROF_TEST_ALLOC, .size = VMALLOC_SIZE, .count = COUNT,
	};
	struct kmprof_test_page page = {
		.op = KMPROF_TEST_ALLOC, .order = PAGE_ORDER, .count = COUNT, .parts = 1,
	};

	expect_bytes(_metadata, listener, PERCPU_SIZE * sysconf(_SC_NPROCESSORS_CONF),
		     self->store, KMPROF_TEST_IOC_PERCPU, &percpu);
	expect_bytes(_metadata, listener, VMALLOC_SIZE, self->store, KMPROF_TEST_IOC_VMALLOC,
		     &vmalloc);
	expect_bytes(_metadata, listener, PAGE << PAGE_ORDER, self->store, KMPROF_TEST_IOC_PAGE,
		     &page);
	percpu.op = KMPROF_TEST_FREE;
	vmalloc.op = KMPROF_TEST_FREE;
	page.op = KMPROF_TEST_FREE;
	ASSERT_EQ(0, ioctl(self->store, KMPROF_TEST_IOC_PERCPU, &percpu));
	ASSERT_EQ(0, ioctl(self->store, KMPROF_TEST_IOC_VMALLOC, &vmalloc));
	ASSERT_EQ(0, ioctl(self->store, KMPROF_TEST_IOC_PAGE, &page));
}

TEST_F(events, every_allocation_is_told)
{
	struct listener listener;
	unsigned int i, context;

	ASSERT_EQ(0, open_for_sizes(&listener));
	for (i = 0; i < ARRAY_SIZE(rates); i++) {
		ASSERT_EQ(0, guest_set_rate(self->dev, rates[i]));
		for (context = 0; context < order_contexts(); context++)
			slabs_are_told(_metadata, self, &listener, context);
		others_are_told(_metadata, self, &listener);
	}
	listener_close(&listener);
}

/*
 * Objects come and go in a task, in interrupts, in bulk and through RCU; all that wait for a grace
 * period are freed at the end. Returns how many.
 */
static unsigned int churn(int store, unsigned int rounds)
{
	unsigned int i, objects = 0;

	for (i = 0; i < rounds; i++) {
		struct kmprof_test_op op = {
			.op = KMPROF_TEST_CHURN, .chain = i % KMPROF_TEST_CHAINS,
			.method = i % KMPROF_TEST_NR_METHODS, .size = 200,
			.free = i / 7 % KMPROF_TEST_NR_FREE_METHODS,
			.context = i / 3 % order_contexts(), .cpu = i % 2, .count = 64,
		};

		if (op.free == KMPROF_TEST_KFREE_RCU_MIGHTSLEEP ||
		    !order_can_alloc(op.method, op.size, op.context) ||
		    !order_can_free(op.free, op.method, op.size, op.context))
			continue;
		if (order_run(store, &op))
			return 0;
		objects += op.count;
	}
	return objects;
}

static uint64_t total_bytes(const struct snapshot *s)
{
	return snapshot_scalar(s, "total.alloc_bytes") + snapshot_scalar(s, "total.percpu_bytes") +
	       snapshot_scalar(s, "total.vmalloc_bytes") +
	       snapshot_scalar(s, "total.pages_allocated") * PAGE;
}

static uint64_t total_frees(const struct snapshot *s)
{
	return snapshot_scalar(s, "total.free_calls") + snapshot_scalar(s, "total.percpu_frees") +
	       snapshot_scalar(s, "total.vmalloc_frees") + snapshot_scalar(s, "total.pages_freed");
}

/* Totals at a moment between two readings of a listener. */
struct moment {
	uint64_t before;
	uint64_t total;
	uint64_t after;
};

static struct moment look(struct __test_metadata *_metadata, int dev,
			  const struct listener *listener,
			  uint64_t (*total)(const struct snapshot *s))
{
	struct snapshot snapshot;
	struct moment m = { 0 };

	EXPECT_EQ(0, listener_read(listener, &m.before));
	EXPECT_EQ(0, snapshot_take(dev, &snapshot));
	EXPECT_EQ(0, listener_read(listener, &m.after));
	EXPECT_IMAGE(&snapshot);
	m.total = total(&snapshot);
	snapshot_free(&snapshot);
	return m;
}

/* Between two moments, as much was told as was counted, and at least @least. */
static void expect_told(struct __test_metadata *_metadata, const struct moment *first,
			const struct moment *last, uint64_t least)
{
	uint64_t counted = last->total - first->total;

	EXPECT_LE(least, counted);
	EXPECT_LE(counted, last->after - first->before);
	EXPECT_GE(counted, last->before - first->after);
}

static void expect_totals(struct __test_metadata *_metadata, FIXTURE_DATA(events) *self,
			  const char *event, uint64_t (*total)(const struct snapshot *s),
			  unsigned int weight)
{
	struct listener listener;
	struct moment first, last;
	unsigned int i, objects;

	ASSERT_EQ(0, listener_open(&listener, "kmprof", event, NULL));
	for (i = 0; i < ARRAY_SIZE(rates); i++) {
		ASSERT_EQ(0, guest_set_rate(self->dev, rates[i]));
		first = look(_metadata, self->dev, &listener, total);
		objects = churn(self->store, 500);
		ASSERT_LT(1000, objects);
		ASSERT_EQ(0, guest_settle(self->dev));
		last = look(_metadata, self->dev, &listener, total);
		expect_told(_metadata, &first, &last, (uint64_t)objects * weight);
	}
	listener_close(&listener);
}

TEST_F(events, allocations_are_the_totals)
{
	expect_totals(_metadata, self, "alloc", total_bytes, 200);
}

TEST_F(events, frees_are_the_totals)
{
	expect_totals(_metadata, self, "free", total_frees, 1);
}

/* With heap_rate=1, all that is counted is sampled, while listeners come and go. */
TEST_F(events, listeners_change_no_profile)
{
	uint64_t told, seen = 0;
	struct listener listener;
	struct snapshot snapshot;
	unsigned int i;
	int pid;

	ASSERT_EQ(0, guest_set(self->dev, KMPROF_SETTING_HEAP, KMPROF_HEAP_SLAB));
	ASSERT_EQ(0, guest_set_rate(self->dev, 1));
	ASSERT_EQ(0, guest_reset(self->dev));
	pid = fork();
	ASSERT_LE(0, pid);
	while (!pid)
		if (!churn(self->store, 1000))
			_exit(1);
	/* Some come while objects do, however slow these are. */
	for (i = 0; i < 3 + guest_effort(100) / 5 || seen < 1000; i++) {
		ASSERT_EQ(0, listener_open(&listener, "kmprof", i % 3 ? "alloc" : "free", NULL));
		EXPECT_EQ(0, listener_read(&listener, &told));
		seen += told;
		listener_close(&listener);
	}
	ASSERT_EQ(0, guest_stop(pid));
	ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	EXPECT_LT(0, snapshot_scalar(&snapshot, "sampled"));
	EXPECT_EQ(snapshot_scalar(&snapshot, "total.alloc_calls"),
		  snapshot_scalar(&snapshot, "sampled"));
	snapshot_free(&snapshot);
}

/* Probes are armed while an event is listened to, with perf and in tracefs, and no longer. */
TEST_F(events, nobody_listens)
{
	static const struct {
		const char *event;
		uint32_t setting;
	} all[] = {
		{ "alloc", KMPROF_SETTING_HEAP_RATE },
		{ "free", KMPROF_SETTING_HEAP_RATE },
		{ "block", KMPROF_SETTING_BLOCK_RATE },
		{ "release", KMPROF_SETTING_MUTEX_FRACTION },
	};
	struct listener listener;
	unsigned int i, wait;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		EXPECT_FALSE(is_attached(_metadata, self->dev, all[i].setting));
		ASSERT_EQ(0, listener_open(&listener, "kmprof", all[i].event, NULL));
		EXPECT_TRUE(is_attached(_metadata, self->dev, all[i].setting));
		ASSERT_EQ(0, listener_tracefs(all[i].event, 1));
		listener_close(&listener);
		/* A setting that is on too stays on. */
		ASSERT_EQ(0, guest_set(self->dev, all[i].setting, 1));
		ASSERT_EQ(0, guest_set(self->dev, all[i].setting, 0));
		EXPECT_TRUE(is_attached(_metadata, self->dev, all[i].setting));
		ASSERT_EQ(0, listener_tracefs(all[i].event, 0));
		/* Who goes does not wait for it. */
		for (wait = 0; wait < 600; wait++) {
			if (!is_attached(_metadata, self->dev, all[i].setting))
				break;
			usleep(100000);
		}
		EXPECT_GT(600, wait);
	}
}

/* perf would let every user count any event; but these arm probes for the whole machine. */
TEST_F(events, users_may_not_listen)
{
	EXPECT_EQ(0, listener_open_as_user("kmem", "kmalloc"));
	EXPECT_EQ(-EACCES, listener_open_as_user("kmprof", "alloc"));
	EXPECT_EQ(-EACCES, listener_open_as_user("kmprof", "release"));
	EXPECT_FALSE(is_attached(_metadata, self->dev, KMPROF_SETTING_HEAP_RATE));
}

/* A listener is refused if the probes cannot be armed, and another event's is not. */
TEST_F(events, listeners_are_refused)
{
	struct listener listener, other;

	/* It needs no kprobe. */
	if (!strcmp(variant->source, "tracepoint"))
		return;
	ASSERT_EQ(0, guest_write_file(KPROBES, "0"));
	EXPECT_EQ(-ENOENT, listener_open(&listener, "kmprof", "alloc", NULL));
	EXPECT_GT(0, listener_tracefs("alloc", 1));
	EXPECT_FALSE(is_attached(_metadata, self->dev, KMPROF_SETTING_HEAP_RATE));
	EXPECT_EQ(0, listener_open(&other, "kmprof", "block", NULL));
	EXPECT_EQ(0, guest_write_file(KPROBES, "1"));
	EXPECT_EQ(0, listener_open(&listener, "kmprof", "alloc", NULL));
	listener_close(&listener);
	listener_close(&other);
}

static uint64_t total_waited(const struct snapshot *s)
{
	return snapshot_scalar(s, "total.wait_ns");
}

static uint64_t total_blamed(const struct snapshot *s)
{
	return snapshot_scalar(s, "total.blamed_ns");
}

static void expect_waits(struct __test_metadata *_metadata, FIXTURE_DATA(events) *self,
			 const char *event, uint64_t (*total)(const struct snapshot *s))
{
	const struct scene scene = { .kind = KMPROF_TEST_LOCK_SEMAPHORE };
	struct listener listener;
	struct moment first, last;
	struct play play;

	ASSERT_EQ(0, listener_open(&listener, "kmprof", event, NULL));
	first = look(_metadata, self->dev, &listener, total);
	ASSERT_EQ(0, scene_play(self->store, &scene, 0, 3, 20000, &play));
	last = look(_metadata, self->dev, &listener, total);
	expect_told(_metadata, &first, &last, 3 * 20000000ULL);
	listener_close(&listener);
}

TEST_F(events, waits_are_the_totals)
{
	expect_waits(_metadata, self, "block", total_waited);
}

TEST_F(events, releases_are_the_totals)
{
	expect_waits(_metadata, self, "release", total_blamed);
}

TEST_HARNESS_MAIN
