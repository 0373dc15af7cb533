// SPDX-License-Identifier: GPL-2.0
/*
 * The module can go at any time: under load, refused while somebody holds it,
 * waiting for tasks that sleep inside an allocation; and it leaves nothing
 * behind.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/order.h"
#include "lib/memory_cgroup.h"
#include "lib/snapshot.h"

FIXTURE(unload) {
	char params[128];
};

GUEST_SOURCE_VARIANTS(unload);

FIXTURE_SETUP(unload)
{
	ASSERT_EQ(0, guest_unload());
	ASSERT_EQ(0, guest_insmod("kmprof_test", ""));
	snprintf(self->params, sizeof(self->params), "source=%s", variant->source);
}

FIXTURE_TEARDOWN(unload)
{
	EXPECT_EQ(0, guest_unload());
}

/* Every wait and every release is sampled, too. */
static int insmod_rate(const char *params, unsigned int rate)
{
	char all[256];

	snprintf(all, sizeof(all), "%s heap_rate=%u heap_peak=1 block_rate=1 mutex_fraction=1",
		 params, rate);
	return guest_insmod("kmprof", all);
}

static int exists(const char *path)
{
	struct stat node;

	return !stat(path, &node);
}

/* A field of /proc/meminfo in KiB. */
static long meminfo(const char *field)
{
	char *text, *line;
	long value = -1;

	if (guest_read_file("/proc/meminfo", &text, NULL))
		return -1;
	line = strstr(text, field);
	if (line)
		value = strtol(line + strlen(field) + 1, NULL, 10);
	free(text);
	return value;
}

/*
 * Gives back what slab caches keep: empty slabs, and on a kernel with KASAN the
 * quarantine of what was freed, which counts as in use.
 */
static int shrink_caches(void)
{
	unsigned int i;
	glob_t found;
	int err;

	err = glob("/sys/kernel/slab/*/shrink", 0, NULL, &found);
	if (err)
		return err == GLOB_NOMATCH ? -ENOENT : -ENOMEM;
	for (i = 0; i < found.gl_pathc && !err; i++)
		err = guest_write_file(found.gl_pathv[i], "1");
	globfree(&found);
	return err;
}

/*
 * Areas of vmalloc memory that belong to kmprof.ko, or to a module that is gone
 * (their caller has no name any more).
 */
static int vmalloc_areas(void)
{
	char *text, *line, *next;
	int count = 0;

	if (guest_read_file("/proc/vmallocinfo", &text, NULL))
		return -1;
	for (line = text; *line; line = next) {
		char caller[256] = "";

		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		if (sscanf(line, "%*s %*u %255s", caller) == 1 && !strncmp(caller, "0x", 2))
			count++;
		else if (strstr(line, "[kmprof]"))
			count++;
	}
	free(text);
	return count;
}

static int mentions_kmprof(const char *path)
{
	char *text;
	int found;

	if (guest_read_file(path, &text, NULL))
		return -1;
	found = strstr(text, "[kmprof]") || strstr(text, "\nkmprof ") ||
		!strncmp(text, "kmprof ", 7);
	free(text);
	return found;
}

static void expect_gone(struct __test_metadata *_metadata)
{
	EXPECT_EQ(0, exists("/dev/kmprof"));
	EXPECT_EQ(0, exists("/sys/module/kmprof"));
	EXPECT_EQ(0, exists("/sys/kernel/debug/kmprof"));
	EXPECT_EQ(0, mentions_kmprof("/proc/modules"));
}

/* Allocations in all contexts on both CPUs, a few at a time, until it is killed. */
static pid_t spawn_churn(void)
{
	unsigned int round;
	int store;
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (setpriority(PRIO_PROCESS, 0, 5))
		_exit(1);
	store = order_open();
	for (round = 0; store >= 0; round++) {
		struct kmprof_test_op op = {
			.op = KMPROF_TEST_CHURN, .chain = round % KMPROF_TEST_CHAINS,
			.context = round % order_contexts(), .cpu = round % 2,
			.size = 256, .count = 20,
			.free = round % 5 ? KMPROF_TEST_KFREE : KMPROF_TEST_KFREE_RCU,
		};

		if (order_run(store, &op))
			break;
		/* Whoever waits for all tasks to leave the kernel waits for this one, too. */
		sched_yield();
	}
	_exit(1);
}

/*
 * @ROUNDS_MIN: in fewer, what comes and goes by itself is more than what each may
 * leave, so that is never less than what so many may
 * @ROUNDS_FEW: each rate once
 */
enum { ROUNDS_MIN = 10, ROUNDS_FEW = 4 };

/* @first: round; the rate that it loads the module with depends on that */
static void load_and_unload(struct __test_metadata *_metadata, FIXTURE_DATA(unload) *self,
			    int first, int rounds)
{
	static const char *const hackbench[] = { "hackbench", "-g", "1", "-f", "2", "-l",
					     "100000000", NULL };
	static const unsigned int rates[] = { 524288, 1, 4096, 0 };
	int load, dev, round;
	pid_t churn;

	load = guest_spawn(hackbench);
	ASSERT_LT(0, load);
	churn = spawn_churn();
	ASSERT_LT(0, churn);
	for (round = first; round < first + rounds; round++) {
		struct snapshot snapshot;

		ASSERT_EQ(0, insmod_rate(self->params, rates[round % ARRAY_SIZE(rates)]));
		usleep(20000 * (round % 4));
		dev = guest_open();
		ASSERT_LE(0, dev);
		if (round % 2) {
			ASSERT_EQ(0, snapshot_take(dev, &snapshot));
			EXPECT_IMAGE(&snapshot);
			snapshot_free(&snapshot);
		}
		ASSERT_EQ(-EWOULDBLOCK, guest_rmmod("kmprof"));
		close(dev);
		ASSERT_EQ(0, guest_rmmod("kmprof"));
		expect_gone(_metadata);
	}
	/* The load has lived through all of it. */
	EXPECT_EQ(0, waitpid(churn, NULL, WNOHANG));
	EXPECT_EQ(0, kill(churn, SIGKILL));
	EXPECT_EQ(churn, waitpid(churn, NULL, 0));
	EXPECT_EQ(0, guest_stop(load));
}

/**
 * struct memory - what the kernel uses
 * @areas: see vmalloc_areas()
 * @percpu: KiB
 * @slab: KiB that cannot be reclaimed
 * @vmalloc_used: KiB
 */
struct memory {
	int areas;
	long percpu;
	long slab;
	long vmalloc_used;
};

static struct memory memory_take(struct __test_metadata *_metadata)
{
	struct memory memory;

	ASSERT_EQ(0, shrink_caches());
	memory = (struct memory){
		vmalloc_areas(), meminfo("Percpu"), meminfo("SUnreclaim"), meminfo("VmallocUsed"),
	};
	ASSERT_LE(0, memory.areas);
	ASSERT_LT(0, memory.percpu);
	ASSERT_LT(0, memory.slab);
	ASSERT_LT(0, memory.vmalloc_used);
	return memory;
}

static int has_grown(const struct memory *was, const struct memory *is, int rounds)
{
	return is->areas != was->areas || is->percpu - was->percpu > rounds * 4 ||
	       is->slab - was->slab > rounds * 64 ||
	       is->vmalloc_used - was->vmalloc_used > rounds * 16;
}

/* Freed vmalloc areas and kfree_rcu()'s batches take a while to go: on a busy host long. */
static struct memory settle(struct __test_metadata *_metadata, const struct memory *was, int rounds)
{
	enum { SETTLE_S = 8, GONE_S = 60 };
	struct memory memory;
	unsigned int second;
	int areas;

	if (!guest_is_quick("8 s until memory is looked at"))
		sleep(SETTLE_S);
	do {
		areas = vmalloc_areas();
		sleep(1);
	} while (areas != vmalloc_areas());
	memory = memory_take(_metadata);
	for (second = 0; was && has_grown(was, &memory, rounds) && second < GONE_S; second++) {
		sleep(1);
		memory = memory_take(_metadata);
	}
	return memory;
}

TEST_F_TIMEOUT(unload, rounds_under_load, 400)
{
	int quick = guest_is_quick("more rounds than one at each rate");
	int warm = quick ? 1 : ROUNDS_FEW;
	int rounds = quick ? ROUNDS_FEW - warm : (int)guest_effort(50);
	int allowed = rounds < ROUNDS_MIN ? ROUNDS_MIN : rounds;
	struct memory was, is;

	/* What the load and the first rounds leave in caches is no leak. */
	load_and_unload(_metadata, self, 0, warm);
	was = settle(_metadata, NULL, 0);
	load_and_unload(_metadata, self, warm, rounds);
	is = settle(_metadata, &was, allowed);
	TH_LOG("growth over %u rounds in KiB: Percpu %ld, SUnreclaim %ld, VmallocUsed %ld",
	       rounds, is.percpu - was.percpu, is.slab - was.slab,
	       is.vmalloc_used - was.vmalloc_used);
	EXPECT_EQ(was.areas, is.areas);
	EXPECT_FALSE(has_grown(&was, &is, allowed));
	EXPECT_EQ(0, mentions_kmprof("/proc/kallsyms"));
}

/* rmmod is refused while something of the module is open. */
TEST_F(unload, refused_while_open)
{
	static const char *const files[] = {
		"/dev/kmprof", "/sys/kernel/debug/kmprof/heap",
		"/sys/kernel/debug/kmprof/allocs", "/sys/kernel/debug/kmprof/block",
		"/sys/kernel/debug/kmprof/mutex", "/sys/kernel/debug/kmprof/stats",
	};
	struct kmprof_snapshot taken;
	unsigned int i;
	int fd, dev;
	char byte;

	ASSERT_EQ(0, insmod_rate(self->params, 4096));
	for (i = 0; i < ARRAY_SIZE(files); i++) {
		fd = open(files[i], O_RDONLY | O_CLOEXEC);
		ASSERT_LE(0, fd);
		EXPECT_EQ(-EWOULDBLOCK, guest_rmmod("kmprof"))
			TH_LOG("%s", files[i]);
		EXPECT_EQ(1, read(fd, &byte, 1));
		EXPECT_EQ(-EWOULDBLOCK, guest_rmmod("kmprof"))
			TH_LOG("%s after a read", files[i]);
		close(fd);
	}

	dev = guest_open();
	ASSERT_LE(0, dev);
	fd = snapshot_ioctl(dev, 0, &taken);
	ASSERT_LE(0, fd);
	close(dev);
	EXPECT_EQ(-EWOULDBLOCK, guest_rmmod("kmprof"));
	close(fd);
	EXPECT_EQ(0, guest_rmmod("kmprof"));
	expect_gone(_metadata);
}

enum { SLEEPERS = 4, SLEEPER_ROUNDS = 3 };

/* Allocates and frees, asleep nearly all the time, until *@stop is set. */
static pid_t spawn_sleeper(unsigned int number, const volatile int *stop)
{
	struct kmprof_test_op op = {
		.op = KMPROF_TEST_ALLOC, .chain = number,
		.method = KMPROF_TEST_KMALLOC_VARIABLE, .cpu = KMPROF_TEST_CPU_ANY,
		.size = 1 << 20, .count = 1, .flags = KMPROF_TEST_ACCOUNT,
	};
	int store;
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* Of the parent's files, none shall hold the module. */
	if (close_range(3, ~0U, 0))
		_exit(1);
	store = order_open();
	if (store < 0 || memory_cgroup_enter())
		_exit(1);
	while (!*stop) {
		op.op = KMPROF_TEST_ALLOC;
		if (order_run(store, &op))
			_exit(2);
		op.op = KMPROF_TEST_FREE;
		if (order_run(store, &op))
			_exit(3);
	}
	_exit(0);
}

static unsigned int count_inside(const pid_t *pids)
{
	unsigned int i, inside = 0;

	for (i = 0; i < SLEEPERS; i++)
		/* Inside the allocator, called by the test module. */
		inside += memory_cgroup_sleeps(pids[i], "__kmalloc", "kmprof_test_c");
	return inside;
}

static void print_stacks(const pid_t *pids)
{
	char path[64], *stack;
	unsigned int i;

	for (i = 0; i < SLEEPERS; i++) {
		snprintf(path, sizeof(path), "/proc/%d/stat", pids[i]);
		if (guest_read_file(path, &stack, NULL))
			continue;
		fprintf(stderr, "# %.60s\n", stack);
		free(stack);
		snprintf(path, sizeof(path), "/proc/%d/stack", pids[i]);
		if (guest_read_file(path, &stack, NULL))
			continue;
		fprintf(stderr, "%s", stack);
		free(stack);
	}
}

static void start_sleepers(struct __test_metadata *_metadata, pid_t *pids, volatile int *stop)
{
	unsigned int i, tries, inside = 0;

	*stop = 0;

	for (i = 0; i < SLEEPERS; i++) {
		pids[i] = spawn_sleeper(i, stop);
		ASSERT_LT(0, pids[i]);
	}
	/* Once all at the same time; a moment later one may be awake again. */
	for (tries = 0; tries < 500 && inside < SLEEPERS; tries++) {
		inside = count_inside(pids);
		if (inside < SLEEPERS)
			usleep(20000);
	}
	ASSERT_EQ(SLEEPERS, inside)
		print_stacks(pids);
}

static void expect_sleepers_end(struct __test_metadata *_metadata, const pid_t *pids,
				volatile int *stop)
{
	unsigned int i;
	int status;

	*stop = 1;
	for (i = 0; i < SLEEPERS; i++) {
		ASSERT_EQ(pids[i], waitpid(pids[i], &status, 0));
		EXPECT_EQ(0, status);
	}
}

TEST_F(unload, tasks_asleep_in_allocations)
{
	pid_t pids[SLEEPERS];
	volatile int *stop;
	int round, dev;

	stop = mmap(NULL, sizeof(*stop), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		    -1, 0);
	ASSERT_NE(MAP_FAILED, stop);
	ASSERT_EQ(0, memory_cgroup_setup("memory.high", "65536"));
	for (round = 0; round < SLEEPER_ROUNDS && (!round || guest_effort(100) >= 20); round++) {
		/* rmmod */
		ASSERT_EQ(0, insmod_rate(self->params, 1));
		start_sleepers(_metadata, pids, stop);
		EXPECT_EQ(0, guest_rmmod("kmprof"));
		expect_gone(_metadata);
		expect_sleepers_end(_metadata, pids, stop);
	}

	/* Detached, attached again and detached while they sleep. */
	ASSERT_EQ(0, insmod_rate(self->params, 1));
	dev = guest_open();
	ASSERT_LE(0, dev);
	start_sleepers(_metadata, pids, stop);
	EXPECT_EQ(0, guest_set_rate(dev, 0));
	EXPECT_EQ(0, guest_set_rate(dev, 1));
	EXPECT_EQ(0, guest_set_rate(dev, 0));
	close(dev);
	EXPECT_EQ(0, guest_rmmod("kmprof"));
	expect_sleepers_end(_metadata, pids, stop);
	memory_cgroup_teardown();
}

TEST_HARNESS_MAIN
