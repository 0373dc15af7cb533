// SPDX-License-Identifier: GPL-2.0
/*
 * A stack starts at the caller of the allocator, shows nothing of kmprof and
 * of the machinery that its probes are made of, ends where an interrupt
 * entered but not where a page fault did, and is the same whatever the source.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/order.h"
#include "lib/snapshot.h"
#include "lib/symbols.h"

/* Functions that allocate for their caller: never the leaf. */
static const char *const allocators[] = {
	"__kmalloc", "__kmalloc_node", "__kmalloc_node_track_caller", "kmalloc_trace",
	"kmalloc_node_trace", "kmalloc_large", "kmalloc_large_node", "kmem_cache_alloc",
	"kmem_cache_alloc_lru", "kmem_cache_alloc_node", "kmem_cache_alloc_bulk",
	"krealloc", "kmemdup", "kstrdup",
};

/* Beginnings of names of functions that stand between a probe and its handler. */
static const char *const machinery[] = {
	"arch_ftrace_", "ftrace_", "__ftrace_", "kprobe_", "kprobes_", "__kprobe",
	"arch_kprobe", "opt_pre_handler", "optimized_callback", "optprobe_",
	"kretprobe_", "arch_rethook", "rethook_", "return_to_handler",
	"__traceiter_", "perf_trace_", "__bpf_trace", "trace_event_raw_",
	"stack_trace_", "arch_stack_walk", "thunk_", "fprobe_",
};

static bool is_one_of(const char *name, const char *const *list, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!strcmp(name, list[i]))
			return true;
	return false;
}

static bool starts_with_one_of(const char *name, const char *const *list, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!strncmp(name, list[i], strlen(list[i])))
			return true;
	return false;
}

static void print_stack(const struct symbols *symbols, const struct snapshot *snapshot,
			const struct kmprof_image_sample *sample)
{
	const uint64_t *frames = snapshot_frames(snapshot, &sample->row);
	uint32_t i;

	fprintf(stderr, "# size %llu:", (unsigned long long)sample->object_size);
	for (i = 0; i < sample->row.nr_frames; i++) {
		const struct symbol *symbol = symbols_caller(symbols, frames[i]);

		fprintf(stderr, " %s[%s]", symbol ? symbol->name : "?",
			symbol ? symbol->module : "");
	}
	fprintf(stderr, "\n");
}

/*
 * KASAN walks up the stack wherever memory is allocated or freed. With preemption,
 * what happens next can be below that.
 */
static int is_kasans_walk(const struct symbols *symbols, const uint64_t *frames, uint32_t nr)
{
	uint32_t i;

	for (i = 0; i < nr; i++) {
		const struct symbol *symbol = symbols_caller(symbols, frames[i]);

		if (symbol && !strcmp(symbol->name, "kasan_save_stack"))
			return 1;
	}
	return 0;
}

/* What is wrong with a stack, or NULL. */
static const char *stack_wrong(const struct symbols *symbols, const struct snapshot *snapshot,
			       const struct kmprof_image_sample *sample)
{
	const uint64_t *frames = snapshot_frames(snapshot, &sample->row);
	uint32_t i;

	for (i = 0; i < sample->row.nr_frames; i++) {
		const struct symbol *symbol = symbols_caller(symbols, frames[i]);

		if (!symbol)
			return "a frame outside the kernel";
		if (!strcmp(symbol->module, "kmprof"))
			return "a frame of kmprof";
		if (!strcmp(symbol->module, "__builtin__ftrace") ||
		    !strcmp(symbol->module, "__builtin__kprobes"))
			return "a frame of a trampoline";
		if (starts_with_one_of(symbol->name, machinery, ARRAY_SIZE(machinery)) &&
		    !is_kasans_walk(symbols, &frames[i], sample->row.nr_frames - i))
			return "a frame of the probe machinery";
		if (!i && is_one_of(symbol->name, allocators, ARRAY_SIZE(allocators)))
			return "the leaf is an allocator";
	}
	return NULL;
}

STORE_FIXTURE(frames, "heap_rate=1 stack_depth=128 " GUEST_ROOMY);

static unsigned int size_for(unsigned int method)
{
	return order_can_alloc(method, 200, KMPROF_TEST_TASK) ? 200 : 512;
}

/* Every method, in every context that it is allowed in, through chain @method. */
static int churn_all(int store, int cpu)
{
	unsigned int method, context;
	int ret;

	for (context = 0; context < order_contexts(); context++) {
		for (method = 0; method < KMPROF_TEST_NR_METHODS; method++) {
			unsigned int size = size_for(method);
			struct kmprof_test_op op = {
				.op = KMPROF_TEST_CHURN, .chain = method, .method = method,
				.context = context, .cpu = cpu, .size = size, .count = 3,
			};

			if (!order_can_alloc(method, size, context))
				continue;
			if (!order_can_free(KMPROF_TEST_KFREE, method, size, context))
				op.free = KMPROF_TEST_CACHE_FREE;
			ret = order_run(store, &op);
			if (ret)
				return ret;
		}
	}
	return 0;
}

/* Each call leaves one bucket per context, and its leaf is the chain's leaf. */
TEST_F(frames, leaf_is_the_caller)
{
	unsigned int found[KMPROF_TEST_NR_METHODS] = { 0 };
	unsigned int method, context, expected;
	struct snapshot snapshot;
	uint32_t i;

	ASSERT_EQ(0, churn_all(self->store, 0));
	ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
	for (i = 0; i < snapshot_rows(&snapshot, "heap"); i++) {
		const struct kmprof_image_sample *sample = snapshot_sample(&snapshot, i);
		int chain = symbols_chain(&self->symbols, &snapshot, sample);

		if (chain < 0)
			continue;
		ASSERT_GT(KMPROF_TEST_NR_METHODS, chain);
		EXPECT_EQ(size_for(chain), sample->object_size);
		found[chain]++;
	}
	for (method = 0; method < KMPROF_TEST_NR_METHODS; method++) {
		for (expected = 0, context = 0; context < order_contexts(); context++)
			expected += order_can_alloc(method, size_for(method), context);
		EXPECT_EQ(expected, found[method])
			TH_LOG("method %u", method);
	}
	snapshot_free(&snapshot);
}

/* Lets the load run until there are stacks enough, and in a run with more effort for long. */
static void collect_stacks(struct __test_metadata *_metadata, int dev)
{
	enum { STACKS = 150, EVERY_US = 50000, MOST_S = 60 };
	struct kmprof_profile_info heap;
	unsigned int us = 0;

	if (!guest_is_quick("10 s of load"))
		sleep(10);
	do {
		usleep(EVERY_US);
		us += EVERY_US;
		ASSERT_EQ(0, guest_profile(dev, "heap", &heap));
	} while (heap.buckets < STACKS && us < MOST_S * 1000000);
	TH_LOG("%u stacks", heap.buckets);
}

/* The whole system's stacks, under load of many kinds. */
TEST_F(frames, nothing_of_the_probes)
{
	static const char *const hackbench[] = { "hackbench", "-g", "2", "-l", "100000000", NULL };
	static const char *const find[] = {
		"sh", "-c",
		"while :; do find /proc /sys/class /etc -xdev -newermt 1970-01-02; done", NULL
	};
	unsigned int bad = 0;
	struct snapshot snapshot;
	int pids[2];
	uint32_t i;

	/* Loading a module does call into ftrace, and allocates there. */
	ASSERT_EQ(0, guest_reset(self->dev));
	ASSERT_EQ(0, churn_all(self->store, 1));
	pids[0] = guest_spawn(hackbench);
	ASSERT_LT(0, pids[0]);
	pids[1] = guest_spawn(find);
	ASSERT_LT(0, pids[1]);
	collect_stacks(_metadata, self->dev);
	EXPECT_EQ(0, guest_stop(pids[0]));
	guest_stop(pids[1]);

	ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	EXPECT_LT(100, snapshot_rows(&snapshot, "heap"));
	for (i = 0; i < snapshot_rows(&snapshot, "heap"); i++) {
		const struct kmprof_image_sample *sample = snapshot_sample(&snapshot, i);
		const char *what = stack_wrong(&self->symbols, &snapshot, sample);

		if (!what)
			continue;
		if (bad++ < 10) {
			TH_LOG("%s", what);
			print_stack(&self->symbols, &snapshot, sample);
		}
	}
	EXPECT_EQ(0, bad);
	snapshot_free(&snapshot);
}

/*
 * An interrupt's stack does not go on into what it interrupted. Where
 * handle_softirqs() exists, __do_softirq() is not on the stack: it jumps there.
 */
TEST_F(frames, end_at_the_interrupt)
{
	const char *ends[] = {
		"entry_SYSCALL_64_after_hwframe", "__do_softirq", "asm_sysvec_irq_work",
	};
	const struct symbol *softirq;
	unsigned int context, seen;
	struct snapshot snapshot;
	uint32_t i;

	softirq = symbols_by_name(&self->symbols, "handle_softirqs");
	if (softirq)
		ends[KMPROF_TEST_SOFTIRQ] = softirq->name;
	for (context = 0; context < order_contexts(); context++) {
		struct kmprof_test_op op = {
			.op = KMPROF_TEST_CHURN, .chain = context, .context = context,
			.cpu = KMPROF_TEST_CPU_ANY, .size = 512, .count = 3,
		};

		ASSERT_EQ(0, order_run(self->store, &op));
	}
	ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
	for (seen = 0, i = 0; i < snapshot_rows(&snapshot, "heap"); i++) {
		const struct kmprof_image_sample *sample = snapshot_sample(&snapshot, i);
		const uint64_t *frames = snapshot_frames(&snapshot, &sample->row);
		int chain = symbols_chain(&self->symbols, &snapshot, sample);
		const struct symbol *last;

		if (chain < 0)
			continue;
		last = symbols_caller(&self->symbols, frames[sample->row.nr_frames - 1]);
		ASSERT_NE(NULL, last);
		EXPECT_STREQ(ends[chain], last->name)
			print_stack(&self->symbols, &snapshot, sample);
		seen++;
	}
	EXPECT_EQ(order_contexts(), seen);
	snapshot_free(&snapshot);
}

/* Reads a file into a page that is not there: the copy to it faults, and the fault allocates. */
static int fault_in_read(void)
{
	size_t page = sysconf(_SC_PAGESIZE);
	char *area = mmap(NULL, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = open("/proc/version", O_RDONLY);
	int ret = -1;

	/* An area of its own: it has to get what the neighbours of others have already. */
	if (fd >= 0 && area != MAP_FAILED && !mprotect(area + page, page, PROT_READ | PROT_WRITE))
		ret = read(fd, area + page, 8) == 8 ? 0 : -1;
	if (area != MAP_FAILED)
		munmap(area, 3 * page);
	close(fd);
	return ret;
}

/* A fault in the kernel is caused by what it interrupts: the stack ends at the system call. */
TEST_F(frames, go_on_through_a_page_fault)
{
	unsigned int round, seen = 0;
	struct snapshot snapshot;
	uint32_t i, k;

	/* The later ones may be walked in another way than the first. */
	for (round = 0; round < 20; round++) {
		ASSERT_EQ(0, fault_in_read());
		usleep(10000);
	}
	ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
	for (i = 0; i < snapshot_rows(&snapshot, "heap"); i++) {
		const struct kmprof_image_sample *sample = snapshot_sample(&snapshot, i);
		const uint64_t *frames = snapshot_frames(&snapshot, &sample->row);
		bool faults = false, reads = false, ends = false;

		for (k = 0; k < sample->row.nr_frames; k++) {
			const struct symbol *symbol = symbols_caller(&self->symbols, frames[k]);
			const char *name = symbol ? symbol->name : "";

			reads |= faults && !strcmp(name, "vfs_read");
			faults |= !strcmp(name, "asm_exc_page_fault");
			ends = !strcmp(name, "entry_SYSCALL_64_after_hwframe");
		}
		if (reads && ends)
			seen += sample->allocs;
	}
	EXPECT_LE(20, seen);
	snapshot_free(&snapshot);
}

/* The chains' stacks of a snapshot, as sorted text. */
struct stacks {
	char *lines[256];
	unsigned int count;
};

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *stack_text(const struct symbols *symbols, const struct snapshot *snapshot,
			const struct kmprof_image_sample *sample)
{
	const uint64_t *frames = snapshot_frames(snapshot, &sample->row);
	char *text = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);
	uint32_t i;

	if (!stream)
		return NULL;
	fprintf(stream, "%llu x %llu:", (unsigned long long)sample->allocs,
		(unsigned long long)sample->object_size);
	for (i = 0; i < sample->row.nr_frames; i++) {
		const struct symbol *symbol = symbols_caller(symbols, frames[i]);

		fprintf(stream, " %s+%#llx", symbol ? symbol->name : "?",
			(unsigned long long)(frames[i] - (symbol ? symbol->address : 0)));
	}
	return fclose(stream) ? NULL : text;
}

static void collect(struct __test_metadata *_metadata, const char *source, struct stacks *stacks)
{
	struct snapshot snapshot;
	struct symbols symbols;
	int dev, store;
	uint32_t i;

	ASSERT_EQ(0, guest_load(source, "heap_rate=1 stack_depth=128 " GUEST_ROOMY));
	dev = guest_open();
	ASSERT_LE(0, dev);
	store = order_open();
	ASSERT_LE(0, store);
	ASSERT_EQ(0, symbols_load(&symbols));
	ASSERT_EQ(0, churn_all(store, KMPROF_TEST_CPU_ANY));
	ASSERT_EQ(0, snapshot_take(dev, &snapshot));

	stacks->count = 0;
	for (i = 0; i < snapshot_rows(&snapshot, "heap"); i++) {
		const struct kmprof_image_sample *sample = snapshot_sample(&snapshot, i);

		if (symbols_chain(&symbols, &snapshot, sample) < 0)
			continue;
		ASSERT_GT(ARRAY_SIZE(stacks->lines), stacks->count);
		stacks->lines[stacks->count] = stack_text(&symbols, &snapshot, sample);
		ASSERT_NE(NULL, stacks->lines[stacks->count]);
		stacks->count++;
	}
	qsort(stacks->lines, stacks->count, sizeof(stacks->lines[0]), by_text);

	snapshot_free(&snapshot);
	symbols_free(&symbols);
	close(store);
	close(dev);
	ASSERT_EQ(0, guest_unload());
}

TEST(same_from_both_sources)
{
	struct stacks kprobe, tracepoint;
	unsigned int i;

	collect(_metadata, "kprobe", &kprobe);
	collect(_metadata, "tracepoint", &tracepoint);

	EXPECT_LT(KMPROF_TEST_NR_METHODS, kprobe.count);
	ASSERT_EQ(kprobe.count, tracepoint.count);
	for (i = 0; i < kprobe.count; i++)
		EXPECT_STREQ(kprobe.lines[i], tracepoint.lines[i]);
}

TEST_HARNESS_MAIN
