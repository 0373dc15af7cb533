// SPDX-License-Identifier: GPL-2.0
/*
 * Other tracers on the functions that kmprof probes, and live patches: started before kmprof and
 * after it, and switched on and off under load. With heap_rate=1 every object is counted, for the
 * right chain, or the ledger says how many are missing; and every free is. An allocator that is
 * live patched is either counted as well, or is not probed, and kmprof says so.
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/livepatch.h"
#include "lib/modules.h"
#include "lib/order.h"
#include "lib/tally.h"
#include "lib/tracer.h"

enum { COUNT = 20, MOST_S = 900 };

/* Every method can do one of them, and some of them are large kmallocs. */
static const unsigned int sizes[] = { 200, 512, 16384, 40000 };

STORE_FIXTURE(beside, "heap_rate=1 heap_call_rcu=1 " GUEST_ROOMY);

/* Every method in every context, each with a chain of its own. Returns 0 or an errno. */
static int allocate(int store, unsigned int turn)
{
	unsigned int method, i;
	int ret = 0;

	for (method = 0; method < KMPROF_TEST_NR_METHODS; method++) {
		for (i = 0; !ret && i < ARRAY_SIZE(sizes); i++) {
			struct kmprof_test_op op = {
				.op = KMPROF_TEST_CHURN, .chain = method, .method = method,
				.context = (turn + method + i) % order_contexts(),
				.cpu = KMPROF_TEST_CPU_ANY, .size = sizes[i], .count = COUNT,
			};

			/* Interrupts cannot wait for memory. */
			if (sizes[i] > 8192)
				op.context = KMPROF_TEST_TASK;
			if (!order_can_alloc(method, op.size, op.context))
				op.context = KMPROF_TEST_TASK;
			if (turn % 2 && order_can_free(KMPROF_TEST_CALL_RCU, method, op.size,
						       op.context))
				op.free = KMPROF_TEST_CALL_RCU;
			while (op.free < KMPROF_TEST_NR_FREE_METHODS &&
			       !order_can_free(op.free, method, op.size, op.context))
				op.free++;
			if (order_can_alloc(method, op.size, op.context))
				ret = order_run(store, &op);
		}
	}
	return ret;
}

typedef uint64_t truths[KMPROF_TEST_NR_METHODS][ARRAY_SIZE(sizes)];

static void get_truths(struct __test_metadata *_metadata, int store, truths allocs)
{
	unsigned int method, i;

	for (method = 0; method < KMPROF_TEST_NR_METHODS; method++) {
		for (i = 0; i < ARRAY_SIZE(sizes); i++) {
			struct kmprof_test_truth truth;

			ASSERT_EQ(0, order_truth(store, method, sizes[i], &truth));
			ASSERT_EQ(truth.allocs, truth.frees);
			allocs[method][i] = truth.allocs;
		}
	}
}

/* Forget everything; the truth until then is @before. */
static void begin(struct __test_metadata *_metadata, FIXTURE_DATA(beside) *self, truths before)
{
	ASSERT_EQ(0, guest_reset(self->dev));
	get_truths(_metadata, self->store, before);
}

enum { ALL_SEEN = KMPROF_TEST_NR_METHODS };

/* @unseen: the method whose allocator is not probed, or ALL_SEEN */
static void compare(struct __test_metadata *_metadata, FIXTURE_DATA(beside) *self,
		    truths before, unsigned int unseen, const char *when)
{
	uint64_t all = 0, counted = 0, lost;
	unsigned int method, i, wrong = 0;
	struct snapshot snapshot;
	struct tally tally;
	truths now;

	get_truths(_metadata, self->store, now);
	ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	ASSERT_EQ(0, tally_take(&tally, &snapshot, &self->symbols));
	for (method = 0; method < KMPROF_TEST_NR_METHODS; method++) {
		for (i = 0; i < ARRAY_SIZE(sizes); i++) {
			struct cell cell = tally_cell(&tally, method, sizes[i]);
			uint64_t allocs = now[method][i] - before[method][i];

			if (method == unseen)
				allocs = 0;
			all += allocs;
			counted += cell.allocs;
			if (cell.allocs <= allocs && cell.frees == cell.allocs)
				continue;
			TH_LOG("%s: method %u size %u: allocs %llu frees %llu, really %llu", when,
			       method, sizes[i], (unsigned long long)cell.allocs,
			       (unsigned long long)cell.frees, (unsigned long long)allocs);
			wrong++;
		}
	}
	lost = snapshot_lost(&snapshot, "heap") - snapshot_loss(&snapshot, "own") +
	       snapshot_loss(&snapshot, "missed_probe");
	TH_LOG("%s: %llu of %llu counted; the ledger has %llu", when,
	       (unsigned long long)counted, (unsigned long long)all, (unsigned long long)lost);
	EXPECT_LT(0, all);
	EXPECT_EQ(0, wrong);
	EXPECT_EQ(0, snapshot_loss(&snapshot, "missed_free"));
	EXPECT_LE(all, counted + lost);
	if (wrong || all > counted + lost || snapshot_loss(&snapshot, "missed_free"))
		snapshot_print_losses(&snapshot);
	tally_free(&tally);
	snapshot_free(&snapshot);
}

/* What the profile has to say about allocations now. */
static void expect_counted(struct __test_metadata *_metadata, FIXTURE_DATA(beside) *self,
			   unsigned int unseen, const char *when)
{
	truths before;

	begin(_metadata, self, before);
	EXPECT_EQ(0, allocate(self->store, 0));
	EXPECT_EQ(0, allocate(self->store, 1));
	compare(_metadata, self, before, unseen, when);
}

struct load {
	pthread_t thread;
	volatile int stop;
	int ret;
};

static void *keep_allocating(void *arg)
{
	struct load *load = arg;
	int store = order_open();
	unsigned int turn;

	load->ret = store < 0 ? store : 0;
	for (turn = 0; !load->ret && !load->stop; turn++)
		load->ret = allocate(store, turn);
	if (store >= 0)
		close(store);
	return NULL;
}

/* With this source, kmprof's thunks are on the way into an allocator, and no live patch can be. */
static int redirects(const FIXTURE_VARIANT(beside) *variant)
{
	return !strcmp(variant->source, "kprobe");
}

static void run_beside(struct __test_metadata *_metadata, FIXTURE_DATA(beside) *self,
		       const FIXTURE_VARIANT(beside) *variant, enum tracer_id id)
{
	const struct tracer *tracer = &tracers[id];
	unsigned int i, times = tracer->is_bpf ? guest_effort(2) : guest_effort(10);
	struct load load = { .stop = 0 };
	truths before;

	if (!tracer_is_there(tracer))
		SKIP(return, "this kernel has no %s", tracer->name);
	if (tracer->is_bpf && !redirects(variant) &&
	    guest_is_quick("BPF programs with source=tracepoint, too"))
		return;

	ASSERT_EQ(0, guest_set_rate(self->dev, 0));
	ASSERT_EQ(0, tracer_start(tracer));
	ASSERT_EQ(0, guest_set_rate(self->dev, 1));
	expect_counted(_metadata, self, ALL_SEEN, "started before kmprof");
	ASSERT_EQ(0, tracer_stop(tracer));

	ASSERT_EQ(0, tracer_start(tracer));
	expect_counted(_metadata, self, ALL_SEEN, "started after kmprof");
	/* A tracer may have put its own address where the one of the caller was. */
	ASSERT_EQ(0, guest_set_text(self->dev, KMPROF_SETTING_HEAP_FILTER, "module=kmprof_test"));
	expect_counted(_metadata, self, ALL_SEEN, "with a filter of the module");
	ASSERT_EQ(0, guest_set(self->dev, KMPROF_SETTING_HEAP_FILTER, 0));
	/* Now the kernel has made room for both, on some functions only. */
	ASSERT_EQ(0, guest_set_rate(self->dev, 0));
	ASSERT_EQ(0, guest_set_rate(self->dev, 1));
	expect_counted(_metadata, self, ALL_SEEN, "kmprof attached anew");
	ASSERT_EQ(0, tracer_stop(tracer));

	/* To attach a BPF program to all these functions takes seconds, under load many. */
	if (tracer->is_bpf && guest_is_quick("BPF programs that come and go under load"))
		return;
	begin(_metadata, self, before);
	ASSERT_EQ(0, pthread_create(&load.thread, NULL, keep_allocating, &load));
	for (i = 0; i < times; i++) {
		EXPECT_EQ(0, tracer_start(tracer));
		EXPECT_EQ(0, tracer_stop(tracer));
	}
	load.stop = 1;
	ASSERT_EQ(0, pthread_join(load.thread, NULL));
	EXPECT_EQ(0, load.ret);
	compare(_metadata, self, before, ALL_SEEN, "switched on and off");
}

TEST_F_TIMEOUT(beside, function, MOST_S)
{
	run_beside(_metadata, self, variant, TRACER_FUNCTION);
}

TEST_F_TIMEOUT(beside, function_graph, MOST_S)
{
	run_beside(_metadata, self, variant, TRACER_FUNCTION_GRAPH);
}

TEST_F_TIMEOUT(beside, kprobe_event, MOST_S)
{
	run_beside(_metadata, self, variant, TRACER_KPROBE);
}

TEST_F_TIMEOUT(beside, kretprobe_event, MOST_S)
{
	run_beside(_metadata, self, variant, TRACER_KRETPROBE);
}

TEST_F_TIMEOUT(beside, fprobe_event, MOST_S)
{
	run_beside(_metadata, self, variant, TRACER_FPROBE);
}

TEST_F_TIMEOUT(beside, fprobe_exit_event, MOST_S)
{
	run_beside(_metadata, self, variant, TRACER_FPROBE_EXIT);
}

TEST_F_TIMEOUT(beside, kfunc, MOST_S)
{
	run_beside(_metadata, self, variant, TRACER_KFUNC);
}

TEST_F_TIMEOUT(beside, kretfunc, MOST_S)
{
	run_beside(_metadata, self, variant, TRACER_KRETFUNC);
}

/* The same with LIVEPATCH_ALLOC in force: its function is called for all of them. */
static void expect_patched(struct __test_metadata *_metadata, FIXTURE_DATA(beside) *self,
			   unsigned int unseen, const char *when)
{
	struct kmprof_test_truth was, is;
	long calls = livepatch_calls();

	ASSERT_EQ(0, order_truth(self->store, KMPROF_TEST_CACHE, sizes[0], &was));
	expect_counted(_metadata, self, unseen, when);
	ASSERT_EQ(0, order_truth(self->store, KMPROF_TEST_CACHE, sizes[0], &is));
	EXPECT_LT(was.allocs, is.allocs);
	EXPECT_LE((long)(is.allocs - was.allocs), livepatch_calls() - calls)
		TH_LOG("%s: calls went past the live patch", when);
}

static uint64_t lacks(struct __test_metadata *_metadata, int dev)
{
	struct kmprof_info info = { .size = sizeof(info) };

	ASSERT_EQ(0, ioctl(dev, KMPROF_IOC_INFO, &info));
	return info.lacks;
}

/* Has kmprof attached anew, with LIVEPATCH_ALLOC in force. */
static void expect_left_out(struct __test_metadata *_metadata, FIXTURE_DATA(beside) *self,
			    const FIXTURE_VARIANT(beside) *variant, const char *when)
{
	ASSERT_EQ(0, guest_set_rate(self->dev, 0));
	ASSERT_EQ(0, livepatch_load(LIVEPATCH_ALLOC));
	ASSERT_EQ(0, guest_set_rate(self->dev, 1));
	EXPECT_EQ(redirects(variant) ? KMPROF_LACKS_ALLOC : 0, lacks(_metadata, self->dev));
	expect_patched(_metadata, self, redirects(variant) ? KMPROF_TEST_CACHE : ALL_SEEN, when);
	ASSERT_EQ(0, livepatch_unload(LIVEPATCH_ALLOC));
	ASSERT_EQ(0, guest_set_rate(self->dev, 0));
	ASSERT_EQ(0, guest_set_rate(self->dev, 1));
	EXPECT_EQ(0, lacks(_metadata, self->dev));
	expect_counted(_metadata, self, ALL_SEEN, "no live patch any more");
}

/* A live patch that comes when kmprof is attached. */
static void expect_refused(struct __test_metadata *_metadata, FIXTURE_DATA(beside) *self,
			   const FIXTURE_VARIANT(beside) *variant, const char *when)
{
	int ret = livepatch_load(LIVEPATCH_ALLOC);

	EXPECT_EQ(redirects(variant) ? -EBUSY : 0, ret);
	EXPECT_EQ(0, lacks(_metadata, self->dev));
	if (!ret)
		expect_patched(_metadata, self, ALL_SEEN, when);
	else
		expect_counted(_metadata, self, ALL_SEEN, when);
	if (!ret)
		ASSERT_EQ(0, livepatch_unload(LIVEPATCH_ALLOC));
}

/* Live patches that come and go under load. */
static void come_and_go(struct __test_metadata *_metadata, FIXTURE_DATA(beside) *self,
			const char *name, int wanted)
{
	struct load load = { .stop = 0 };
	unsigned int i;
	truths before;

	begin(_metadata, self, before);
	ASSERT_EQ(0, pthread_create(&load.thread, NULL, keep_allocating, &load));
	for (i = 0; i < guest_effort(10); i++) {
		EXPECT_EQ(wanted, livepatch_load(name));
		if (!wanted)
			EXPECT_EQ(0, livepatch_unload(name));
	}
	load.stop = 1;
	ASSERT_EQ(0, pthread_join(load.thread, NULL));
	EXPECT_EQ(0, load.ret);
	compare(_metadata, self, before, ALL_SEEN, "live patched and not");
}

/* Whether /proc/cmdline is what the sample makes of it. */
static int is_sample_in_force(void)
{
	char *text;
	int is;

	if (guest_read_file("/proc/cmdline", &text, NULL))
		return -EIO;
	is = !!strstr(text, "this has been live patched");
	free(text);
	return is;
}

/* The kernel's own sample patches a function that kmprof has nothing to do with. */
TEST_F_TIMEOUT(beside, livepatch_of_another_function, MOST_S)
{
	if (!livepatch_is_there())
		SKIP(return, "this kernel has no live patches");
	if (harness_leaves_source(variant->source))
		return;
	ASSERT_EQ(0, livepatch_load(LIVEPATCH_SAMPLE));
	EXPECT_EQ(1, is_sample_in_force());
	expect_counted(_metadata, self, ALL_SEEN, "live patched after kmprof");

	ASSERT_EQ(0, guest_set_rate(self->dev, 0));
	ASSERT_EQ(0, guest_set_rate(self->dev, 1));
	EXPECT_EQ(1, is_sample_in_force());
	EXPECT_EQ(0, lacks(_metadata, self->dev));
	expect_counted(_metadata, self, ALL_SEEN, "live patched before kmprof");
	ASSERT_EQ(0, livepatch_unload(LIVEPATCH_SAMPLE));
	EXPECT_EQ(0, is_sample_in_force());
	come_and_go(_metadata, self, LIVEPATCH_SAMPLE, 0);
}

TEST_F_TIMEOUT(beside, livepatch_of_an_allocator, MOST_S)
{
	if (!livepatch_is_there())
		SKIP(return, "this kernel has no live patches");
	expect_left_out(_metadata, self, variant, "live patched before kmprof");
	expect_refused(_metadata, self, variant, "live patched after kmprof");
	come_and_go(_metadata, self, LIVEPATCH_ALLOC, redirects(variant) ? -EBUSY : 0);
	/* Whoever wants to live patch turns the profile off. */
	ASSERT_EQ(0, guest_set_rate(self->dev, 0));
	ASSERT_EQ(0, livepatch_load(LIVEPATCH_ALLOC));
	ASSERT_EQ(0, livepatch_unload(LIVEPATCH_ALLOC));
}

/*
 * The kernel does not count a kprobe as one that redirects if there was another kprobe on the
 * function before. A live patch must be refused all the same, or else be left alone.
 */
TEST_F_TIMEOUT(beside, livepatch_and_kprobe_events, MOST_S)
{
	const struct tracer *tracer = &tracers[TRACER_KPROBE];

	if (!livepatch_is_there())
		SKIP(return, "this kernel has no live patches");
	if (harness_leaves_source(variant->source))
		return;
	ASSERT_EQ(0, guest_set_rate(self->dev, 0));
	ASSERT_EQ(0, tracer_start(tracer));
	ASSERT_EQ(0, guest_set_rate(self->dev, 1));
	expect_refused(_metadata, self, variant, "kprobe events, kmprof, live patch");
	expect_left_out(_metadata, self, variant, "kprobe events, live patch, kmprof");
	ASSERT_EQ(0, tracer_stop(tracer));
	expect_refused(_metadata, self, variant, "kprobe events have gone");

	/* Those that come after kmprof stay what they are when it is turned off and on. */
	ASSERT_EQ(0, tracer_start(tracer));
	ASSERT_EQ(0, guest_set_rate(self->dev, 0));
	ASSERT_EQ(0, guest_set_rate(self->dev, 1));
	EXPECT_EQ(0, lacks(_metadata, self->dev));
	expect_refused(_metadata, self, variant, "kmprof, kprobe events, kmprof");
	ASSERT_EQ(0, tracer_stop(tracer));
	ASSERT_EQ(0, guest_set_rate(self->dev, 0));
	ASSERT_EQ(0, livepatch_load(LIVEPATCH_ALLOC));
	ASSERT_EQ(0, livepatch_unload(LIVEPATCH_ALLOC));
}

TEST_HARNESS_MAIN
