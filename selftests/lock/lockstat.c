// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's own account of contention, /proc/lock_stat, as the truth: with
 * block_rate=1 the profile shows as many waits for a lock, and as much time.
 *
 * Where they differ, a cause must be named. All of these are measured, by a trace:
 *
 * free		a kernel with lockdep tells of a wait for each mutex that is taken: those
 *		have KMPROF_WAIT_SPUN in the profile, and are left out. So are those that
 *		end while the waiter spins, which the account does not count either.
 * untold	a rwsem is counted when the first attempt to take it has failed, and is
 *		told to be waited for when the waiter queues. Whoever comes while the one
 *		who is next wakes up, or spins until the owner is through, has it before.
 *		The profile cannot have these; as many, and as much time, are missing.
 * early	a mutex is counted when the waiter queues, and told when it begins to spin:
 *		the profile has longer waits; of a rwsem or rwlock it has shorter ones.
 *
 * The account's clock is the scheduler's, which stands still while a CPU misses its
 * ticks, unless the TSC is good: the kernel has to be booted with tsc=reliable. Left
 * out are locks that the account does not know (semaphores, rtmutexes, percpu-rwsems)
 * and spinlocks: under a hypervisor their slow path tells nothing.
 */
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/contention.h"
#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/locker.h"
#include "lib/waited.h"
#include "lib/watch.h"
#include "lock/classes.h"

enum {
	MIN_US = 1000,		/* of a hold */
	MAX_US = 10000,
	ENOUGH_WAITS = 300,	/* for a lock */
	MANY_WAITS = 400,	/* more than enough, by a rougher count */
	WAIT_NS = 100000,	/* what is longer is one of them */
	MOST_TIMES = 10,	/* the turns, to come to so many */
	MAX_WORKERS = 5,	/* at a lock */
};

FIXTURE(lockstat)
{
	struct watch watch;
	struct classes classes;
};

FIXTURE_SETUP(lockstat)
{
	ASSERT_EQ(0, classes_open(&self->classes));
	ASSERT_EQ(0, watch_begin(&self->watch, "tracepoint", "block_rate=1"));
}

FIXTURE_TEARDOWN(lockstat)
{
	classes_close(&self->classes);
	EXPECT_EQ(0, watch_end(&self->watch, _metadata->passed));
}

/**
 * struct subject - a lock of the test module, or several of one class
 * @class: its name, as for classes_sum()
 * @kind: enum kmprof_test_lock_kind
 * @index: which one of them
 * @writers: tasks that take it for writing
 * @readers: tasks that take it for reading
 */
struct subject {
	const char *class;
	unsigned int kind;
	unsigned int index;
	unsigned int writers;
	unsigned int readers;
};

/* They hold these asleep, all at a time. */
static const struct subject sleepers[] = {
	{ "kmprof_test_mutex_0", KMPROF_TEST_LOCK_MUTEX, 0, 4, 0 },
	{ "kmprof_test_mutex_1", KMPROF_TEST_LOCK_MUTEX, 1, 4, 0 },
	{ "kmprof_test_mutex_2", KMPROF_TEST_LOCK_MUTEX, 2, 4, 0 },
	{ "kmprof_test_mutex_3", KMPROF_TEST_LOCK_MUTEX, 3, 5, 0 },
	{ "kmprof_test_rwsem_0", KMPROF_TEST_LOCK_RWSEM, 0, 4, 0 },
	{ "kmprof_test_rwsem_1", KMPROF_TEST_LOCK_RWSEM, 1, 4, 0 },
	{ "kmprof_test_rwsem_2", KMPROF_TEST_LOCK_RWSEM, 2, 2, 2 },
	{ "kmprof_test_rwsem_3", KMPROF_TEST_LOCK_RWSEM, 3, 2, 3 },
};

/* They hold these busily, one lock after the other: each task needs a CPU. */
static const struct subject spinners[] = {
	{ "kmprof_test_rwlock_0", KMPROF_TEST_LOCK_RWLOCK, 0, 2, 0 },
	{ "kmprof_test_rwlock_1", KMPROF_TEST_LOCK_RWLOCK, 1, 2, 0 },
	{ "kmprof_test_rwlock_2", KMPROF_TEST_LOCK_RWLOCK, 2, 1, 1 },
	{ "kmprof_test_rwlock_3", KMPROF_TEST_LOCK_RWLOCK, 3, 1, 1 },
};

/**
 * struct crew - the tasks at a lock
 * @subject: which lock
 * @turns: how often each takes it, or more often, until enough have waited
 * @spins: they hold it busily
 * @contended: how often one has waited long enough to be sure of that
 */
struct crew {
	const struct subject *subject;
	unsigned int turns;
	int spins;
	unsigned int contended;
};

/**
 * struct worker - a task that takes a lock again and again
 * @fd: the test module's device
 * @crew: that it belongs to
 * @number: among these: the function that it uses
 * @ret: out: of the first order that failed
 * @thread: the task
 */
struct worker {
	int fd;
	struct crew *crew;
	unsigned int number;
	int ret;
	pthread_t thread;
};

static int is_done(struct crew *crew, unsigned int turn)
{
	if (turn < crew->turns)
		return 0;
	return __atomic_load_n(&crew->contended, __ATOMIC_RELAXED) >= MANY_WAITS ||
	       turn >= crew->turns * MOST_TIMES;
}

static void *work(void *arg)
{
	struct worker *worker = arg;
	struct crew *crew = worker->crew;
	const struct subject *subject = crew->subject;
	unsigned int seed = subject->index * MAX_WORKERS + worker->number, i;

	for (i = 0; !worker->ret && !is_done(crew, i); i++) {
		unsigned int us = MIN_US + rand_r(&seed) % (MAX_US - MIN_US);
		struct kmprof_test_lock order = {
			.kind = subject->kind,
			.index = subject->index,
			.access = worker->number < subject->writers ?
				  KMPROF_TEST_WRITE : KMPROF_TEST_READ,
			.chain = worker->number,
			.busy_us = crew->spins ? us : 0,
			.sleep_us = crew->spins ? 0 : us,
		};

		worker->ret = locker_order(worker->fd, &order) ?: order.result;
		__atomic_add_fetch(&crew->contended, order.wait_ns > WAIT_NS, __ATOMIC_RELAXED);
		if (!crew->spins)
			usleep(rand_r(&seed) % MAX_US);
	}
	return NULL;
}

/* Lets tasks contend for all of these locks at a time. */
static int contend(int fd, const struct subject *subjects, unsigned int count, unsigned int turns,
		   int spins)
{
	struct worker workers[ARRAY_SIZE(sleepers) * MAX_WORKERS];
	struct crew crews[ARRAY_SIZE(sleepers)];
	unsigned int i, k, started = 0;
	int ret = 0;

	for (i = 0; i < count; i++) {
		crews[i] = (struct crew){
			.subject = &subjects[i], .turns = turns, .spins = spins,
		};
		for (k = 0; k < subjects[i].writers + subjects[i].readers; k++) {
			struct worker *worker = &workers[started++];

			*worker = (struct worker){ .fd = fd, .crew = &crews[i], .number = k };
			if (pthread_create(&worker->thread, NULL, work, worker))
				exit(EXIT_FAILURE);
		}
	}
	for (i = 0; i < started; i++) {
		pthread_join(workers[i].thread, NULL);
		ret = ret ?: workers[i].ret;
	}
	return ret;
}

/* As the account is, if it counted and timed what contention_begin tells. */
static struct contention expected_of(const struct class_waits *truth)
{
	return (struct contention){
		.count = truth->count - truth->untold,
		.delay_ns = truth->ns - truth->untold_ns + truth->early_ns,
	};
}

/* One of the two, or a 50th. */
static int is_count(uint64_t count, uint64_t expected)
{
	uint64_t off = count > expected ? count - expected : expected - count;

	return off <= 1 || off <= expected / 50;
}

/* A 20th. */
static int is_time(uint64_t ns, uint64_t expected)
{
	return llabs((int64_t)(ns - expected)) <= (int64_t)(expected / 20);
}

static void compare(struct __test_metadata *_metadata, const char *name,
		    struct class_waits truth, struct contention shown)
{
	struct contention expected = expected_of(&truth);
	uint64_t count = shown.count / WAITED_ONE;

	TH_LOG("%-20s | %5" PRIu64 " %12" PRIu64 " | %5" PRIu64 " %12" PRIu64 " | %4" PRIu64
	       " %10" PRId64 " %11" PRId64, name, truth.count, truth.ns, count, shown.delay_ns,
	       truth.untold, truth.untold_ns, truth.early_ns);
	EXPECT_LE(ENOUGH_WAITS, truth.count);
	EXPECT_EQ(truth.traced, truth.count);
	EXPECT_LT(truth.untold, truth.count);
	EXPECT_TRUE(is_count(count, expected.count))
		TH_LOG("%s: %" PRIu64 " waits, were %" PRIu64, name, count, expected.count);
	EXPECT_TRUE(is_time(shown.delay_ns, expected.delay_ns))
		TH_LOG("%s: %" PRIu64 " ns, were %" PRIu64, name, shown.delay_ns,
		       expected.delay_ns);
}

static void begin(struct __test_metadata *_metadata, FIXTURE_DATA(lockstat) *self,
		  const char *filter)
{
	ASSERT_EQ(0, guest_reset(self->watch.dev));
	ASSERT_EQ(0, classes_begin(&self->classes, filter));
}

static void end(struct __test_metadata *_metadata, FIXTURE_DATA(lockstat) *self,
		struct snapshot *snapshot)
{
	ASSERT_EQ(0, classes_end(&self->classes));
	ASSERT_EQ(0, snapshot_take(self->watch.dev, snapshot));
	EXPECT_IMAGE(snapshot);
	/* Nor is the account told of kmprof's own waits that way. */
	EXPECT_EQ(snapshot_loss(snapshot, "wait_own"), snapshot_lost(snapshot, "block"));
	TH_LOG("%-20s | %18s | %18s | %15s %11s", "lock", "lock_stat       ns",
	       "kmprof          ns", "untold       ns", "early ns");
}

static void compare_subject(struct __test_metadata *_metadata, FIXTURE_DATA(lockstat) *self,
			    const struct snapshot *snapshot, const struct subject *subject)
{
	struct kmprof_test_lock_state states[2], state;
	struct contention_which which;

	/* They are in an array. */
	ASSERT_EQ(0, locker_state(self->watch.fd, subject->kind, 0, &states[0]));
	ASSERT_EQ(0, locker_state(self->watch.fd, subject->kind, 1, &states[1]));
	ASSERT_EQ(0, locker_state(self->watch.fd, subject->kind, subject->index, &state));
	which = contention_waits(state.address, CONTENTION_ANY_CHAIN);
	if (subject->kind == KMPROF_TEST_LOCK_MUTEX)
		which.without = KMPROF_WAIT_SPUN;
	compare(_metadata, subject->class,
		classes_sum(&self->classes, subject->class, state.address,
			    states[1].address - states[0].address),
		contention_sum(snapshot, &self->watch.symbols, which));
}

TEST_F_TIMEOUT(lockstat, test_locks, 300)
{
	enum { TURNS = 150, BUSY_TURNS = 200 };
	struct snapshot snapshot;
	unsigned int i;

	begin(_metadata, self, "name ~ \"kmprof_test_*\"");
	ASSERT_EQ(0, contend(self->watch.fd, sleepers, ARRAY_SIZE(sleepers), TURNS, 0));
	for (i = 0; i < ARRAY_SIZE(spinners); i++)
		ASSERT_EQ(0, contend(self->watch.fd, &spinners[i], 1, BUSY_TURNS, 1));
	end(_metadata, self, &snapshot);
	for (i = 0; i < ARRAY_SIZE(sleepers); i++)
		compare_subject(_metadata, self, &snapshot, &sleepers[i]);
	for (i = 0; i < ARRAY_SIZE(spinners); i++)
		compare_subject(_metadata, self, &snapshot, &spinners[i]);
	snapshot_free(&snapshot);
}

/**
 * struct load - what several threads do with locks of the kernel at a time
 * @name: of the locks
 * @class: all classes of locks of that kind in these objects, as for classes_sum()
 * @filter: the same, for classes_begin()
 * @kind: enum kmprof_lock_kind
 * @caches: that the objects are from, as for fnmatch()
 * @run: what each does; returns 0 or a negative errno
 */
struct load {
	const char *name;
	const char *class;
	const char *filter;
	uint32_t kind;
	const char *caches;
	int (*run)(unsigned int number);
};

enum {
	LOADERS = 8,
	PAGE = 4096,
	SHARED_BYTES = 16 * PAGE,
	PATH_SIZE = 300,
};

/* Where the host keeps files: these locks are held asleep. */
static char top[PATH_SIZE - 32];
static int shared_fd;	/* a file in there */

static int read_shared(unsigned int number)
{
	char page[PAGE];
	unsigned int i;

	(void)number;
	for (i = 0; i < 200; i++) {
		ssize_t got = read(shared_fd, page, sizeof(page));

		if (got < 0 || (!got && lseek(shared_fd, 0, SEEK_SET) < 0))
			return -errno;
	}
	return 0;
}

/* Half of them change the mappings, and the others look at these. */
static int map_memory(unsigned int number)
{
	enum { BYTES = 2 << 20 };
	unsigned int i, k;
	char *text, *map;
	int ret;

	for (i = 0; i < 100; i++) {
		if (number % 2) {
			ret = guest_read_file("/proc/self/maps", &text, NULL);
			if (ret)
				return ret;
			free(text);
			continue;
		}
		map = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (map == MAP_FAILED)
			return -errno;
		for (k = 0; k < BYTES; k += 16 * PAGE)
			map[k] = 1;
		if (munmap(map, BYTES))
			return -errno;
	}
	return 0;
}

static const struct load loads[] = {
	{
		.name = "f_pos_lock",
		.class = "&f->f_pos_lock",
		.filter = "name ~ \"&f->f_pos_lock\"",
		.kind = KMPROF_LOCK_MUTEX,
		.caches = "filp",
		.run = read_shared,
	}, {
		.name = "mmap_lock",
		.class = "&mm->mmap_lock",
		.filter = "name ~ \"&mm->mmap_lock\"",
		.kind = KMPROF_LOCK_RWSEM,
		.caches = "mm_struct",
		.run = map_memory,
	},
};

/**
 * struct loader - one of these threads
 * @load: what it does
 * @number: which one it is
 * @ret: what came of it
 * @thread: the thread
 */
struct loader {
	const struct load *load;
	unsigned int number;
	int ret;
	pthread_t thread;
};

static void *carry(void *arg)
{
	struct loader *loader = arg;

	loader->ret = loader->load->run(loader->number);
	return NULL;
}

static int run_load(const struct load *load)
{
	struct loader loaders[LOADERS];
	unsigned int i;
	int ret = 0;

	for (i = 0; i < LOADERS; i++) {
		loaders[i] = (struct loader){ .load = load, .number = i };
		if (pthread_create(&loaders[i].thread, NULL, carry, &loaders[i]))
			exit(EXIT_FAILURE);
	}
	for (i = 0; i < LOADERS; i++) {
		pthread_join(loaders[i].thread, NULL);
		ret = ret ?: loaders[i].ret;
	}
	return ret;
}

/* The waits for all locks of that kind in objects of such a cache. */
static struct contention sum_in(const struct snapshot *snapshot, const struct load *load)
{
	struct contention sum = { 0 };
	uint32_t i;

	for (i = 0; i < snapshot_rows(snapshot, "block"); i++) {
		const struct kmprof_image_contention *bucket =
			snapshot_contention(snapshot, "block", i);

		if (bucket->kind != load->kind || fnmatch(load->caches, bucket->cache, 0) ||
		    (load->kind == KMPROF_LOCK_MUTEX && bucket->flags & KMPROF_WAIT_SPUN))
			continue;
		sum.count += bucket->count;
		sum.delay_ns += bucket->delay_ns;
	}
	return sum;
}

static void make_shared(struct __test_metadata *_metadata, char path[PATH_SIZE])
{
	static const char text[SHARED_BYTES];
	const char *results = getenv("KMPROF_RESULTS");

	ASSERT_NE(NULL, results);
	snprintf(top, sizeof(top), "%s/lockstat.XXXXXX", results);
	ASSERT_NE(NULL, mkdtemp(top));
	snprintf(path, PATH_SIZE, "%s/shared", top);
	shared_fd = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
	ASSERT_LE(0, shared_fd);
	ASSERT_EQ(sizeof(text), (size_t)write(shared_fd, text, sizeof(text)));
}

TEST_F_TIMEOUT(lockstat, kernel_locks, 300)
{
	struct snapshot snapshot;
	char path[PATH_SIZE];
	unsigned int i;

	make_shared(_metadata, path);
	for (i = 0; i < ARRAY_SIZE(loads); i++) {
		begin(_metadata, self, loads[i].filter);
		EXPECT_EQ(0, run_load(&loads[i]));
		end(_metadata, self, &snapshot);
		compare(_metadata, loads[i].name,
			classes_sum(&self->classes, loads[i].class, 0, 0),
			sum_in(&snapshot, &loads[i]));
		if (!_metadata->passed)
			classes_print(&self->classes, loads[i].class);
		snapshot_free(&snapshot);
	}
	EXPECT_EQ(0, close(shared_fd));
	EXPECT_EQ(0, unlink(path));
	EXPECT_EQ(0, rmdir(top));
}

TEST_HARNESS_MAIN
