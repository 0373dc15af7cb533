// SPDX-License-Identifier: GPL-2.0
/*
 * A user without privileges does all at once that makes kmprof work: fights for locks under ever
 * new names, forks, and keeps a lock for as long as it likes, for which others of its tasks wait.
 * Meanwhile the profiles of what root does are exact, but for what the ledger has; and neither the
 * user nor a reader in a cgroup without memory keeps others from taking snapshots.
 */
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "lib/contention.h"
#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/order.h"
#include "lib/locker.h"
#include "lib/scene.h"
#include "lib/memory_cgroup.h"
#include "lib/snapshot.h"
#include "lib/tally.h"
#include "lib/user.h"

#define PARAMS "heap_rate=1 block_rate=1 mutex_fraction=1 labels=comm " \
	       "max_live=1048576 max_buckets=1024 ring_bytes=4194304"

enum { HOLDS, FIGHTS, FORKS, USERS };

enum {
	CHAIN		= 7,
	SIZE		= 512,
	OBJECTS		= 100,
	WAITERS		= 3,
	WAIT_US		= 1000,
	CALM		= 3,
	ROUNDS		= 40,
	ROUNDS_FEW	= 4,
	MOST_S		= 120,
};

FIXTURE(attack) {
	int dev;
	int store;
	struct symbols symbols;
	pid_t users[USERS];
};

GUEST_SOURCE_VARIANTS(attack);

FIXTURE_SETUP(attack)
{
	ASSERT_EQ(0, guest_load(variant->source, PARAMS));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	self->store = order_open();
	ASSERT_LE(0, self->store);
	ASSERT_EQ(0, symbols_load(&self->symbols));
}

static void start_attacks(struct __test_metadata *_metadata, FIXTURE_DATA(attack) *self)
{
	static void (*const attacks[USERS])(void) = {
		[HOLDS] = user_holds, [FIGHTS] = user_fights, [FORKS] = user_forks,
	};
	unsigned int i;

	ASSERT_EQ(0, user_may_hold());
	for (i = 0; i < USERS; i++) {
		self->users[i] = user_start(attacks[i]);
		ASSERT_LT(0, self->users[i]);
		/* Its many tasks would have to fight for a CPU. */
		if (i == HOLDS)
			ASSERT_EQ(0, user_until_held(self->users[i]));
	}
}

FIXTURE_TEARDOWN(attack)
{
	unsigned int i;

	/* Each has gone on until now. */
	for (i = 0; i < USERS; i++)
		EXPECT_EQ(0, user_stop(self->users[i]))
			TH_LOG("attack %u", i);
	symbols_free(&self->symbols);
	close(self->store);
	close(self->dev);
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

/**
 * struct done - what root has done, and how long snapshots took
 * @rounds: of it
 * @allocs: objects that the chain has allocated
 * @waits: waits for the lock of the scene
 * @snapshots_ns: sum of all
 * @longest_ns: of one
 */
struct done {
	unsigned int rounds;
	uint64_t allocs;
	uint64_t waits;
	uint64_t snapshots_ns;
	uint64_t longest_ns;
};

/* Nobody spins for a semaphore, so all waits for it have the same few buckets. */
static const struct scene scene = { .kind = KMPROF_TEST_LOCK_SEMAPHORE };

static void work(struct __test_metadata *_metadata, FIXTURE_DATA(attack) *self, struct done *done)
{
	struct kmprof_test_op op = {
		.op = KMPROF_TEST_ALLOC, .chain = CHAIN, .size = SIZE, .count = OBJECTS,
		.cpu = KMPROF_TEST_CPU_ANY,
	};
	struct play play;
	unsigned int i;

	ASSERT_EQ(0, order_run(self->store, &op));
	op.op = KMPROF_TEST_FREE;
	ASSERT_EQ(0, order_run(self->store, &op));
	done->allocs += OBJECTS;
	ASSERT_EQ(0, scene_play(self->store, &scene, 0, WAITERS, WAIT_US, &play));
	for (i = 0; i < play.count; i++)
		done->waits += play.waiters[i].contended;
	done->rounds++;
}

/*
 * Nothing is counted twice, and what is not counted is in the ledger. Root's buckets are older
 * than the attack: that a profile has no room for more is no reason to miss anything.
 */
static void expect_done(struct __test_metadata *_metadata, FIXTURE_DATA(attack) *self,
			const struct snapshot *snapshot, const struct done *done)
{
	struct kmprof_test_lock_state state;
	struct contention waits;
	struct tally tally;
	struct cell cell;
	uint64_t lost;

	ASSERT_EQ(0, tally_take(&tally, snapshot, &self->symbols));
	cell = tally_cell(&tally, CHAIN, SIZE);
	tally_free(&tally);
	lost = snapshot_lost(snapshot, "heap") - snapshot_loss(snapshot, "own");
	EXPECT_GE(done->allocs, cell.allocs);
	EXPECT_LE(done->allocs, cell.allocs + lost);
	EXPECT_EQ(snapshot_scalar(snapshot, "total.alloc_calls"),
		  snapshot_scalar(snapshot, "sampled"));
	/* A flood of waits takes neither buckets nor half of the rings from allocations. */
	EXPECT_EQ(0, snapshot_loss(snapshot, "bucket_full"));

	ASSERT_EQ(0, locker_state(self->store, scene.kind, scene.index, &state));
	waits = contention_sum(snapshot, &self->symbols,
			       contention_waits(state.address, CONTENTION_ANY_CHAIN));
	lost = snapshot_lost(snapshot, "block") + snapshot_loss(snapshot, "missed_wait") -
	       snapshot_loss(snapshot, "wait_bucket_full");
	EXPECT_GE(done->waits * WAITED_ONE, waits.count);
	EXPECT_LE(done->waits, waits.count / WAITED_ONE + lost);
	EXPECT_EQ(snapshot_scalar(snapshot, "total.waits"),
		  snapshot_scalar(snapshot, "waits_sampled"));
	if (!_metadata->passed) {
		TH_LOG("%u buckets: %llu of %llu objects, %llu of %llu waits",
		       snapshot_rows(snapshot, "heap"), (unsigned long long)cell.allocs,
		       (unsigned long long)done->allocs,
		       (unsigned long long)waits.count / WAITED_ONE,
		       (unsigned long long)done->waits);
		snapshot_print_losses(snapshot);
	}
}

static void take(struct __test_metadata *_metadata, FIXTURE_DATA(attack) *self,
		 struct snapshot *snapshot, struct done *done)
{
	uint64_t ns = guest_now_ns();

	ASSERT_EQ(0, snapshot_take(self->dev, snapshot));
	ns = guest_now_ns() - ns;
	done->snapshots_ns += ns;
	if (ns > done->longest_ns)
		done->longest_ns = ns;
	EXPECT_IMAGE(snapshot);
}

static void tell(struct __test_metadata *_metadata, const char *when, const struct done *done)
{
	TH_LOG("%s: %llu objects, %llu waits in %u rounds; a snapshot took %llu us, at most %llu",
	       when, (unsigned long long)done->allocs, (unsigned long long)done->waits,
	       done->rounds, (unsigned long long)done->snapshots_ns / done->rounds / 1000,
	       (unsigned long long)done->longest_ns / 1000);
}

/* There are many more releases than waits. */
static int is_flooded(const struct snapshot *snapshot)
{
	return snapshot_loss(snapshot, "delay_bucket_full") &&
	       (snapshot_loss(snapshot, "wait_bucket_full") ||
		guest_is_quick("an attack until there is no bucket for waits either"));
}

static uint64_t deadline(void)
{
	return guest_now_ns() + MOST_S * guest_slow() * 1000000000ULL;
}

TEST_F_TIMEOUT(attack, leaves_others_their_profiles, 300)
{
	uint64_t until = deadline();
	unsigned int rounds = guest_effort(ROUNDS), flooded = 0;
	struct done done = { 0 };
	struct snapshot snapshot;

	while (done.rounds < CALM) {
		work(_metadata, self, &done);
		take(_metadata, self, &snapshot, &done);
		expect_done(_metadata, self, &snapshot, &done);
		snapshot_free(&snapshot);
	}
	tell(_metadata, "before the attack", &done);
	done.longest_ns = 0;

	start_attacks(_metadata, self);
	while (_metadata->passed && flooded < (rounds < ROUNDS_FEW ? ROUNDS_FEW : rounds)) {
		ASSERT_GT(until, guest_now_ns())
			TH_LOG("%u rounds since all buckets are taken", flooded);
		work(_metadata, self, &done);
		take(_metadata, self, &snapshot, &done);
		expect_done(_metadata, self, &snapshot, &done);
		flooded += is_flooded(&snapshot);
		if (flooded == rounds || flooded == ROUNDS_FEW) {
			TH_LOG("%u buckets of allocations", snapshot_rows(&snapshot, "heap"));
			snapshot_print_losses(&snapshot);
		}
		snapshot_free(&snapshot);
	}
	tell(_metadata, "with the attack", &done);
}

/**
 * struct slow - a reader in the cgroup, which only takes snapshots
 * @pid: the process
 * @taken: how many it has taken
 */
struct slow {
	pid_t pid;
	unsigned int taken;
};

static void read_slowly(struct slow *slow)
{
	struct kmprof_snapshot taken;
	int dev, fd;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	dev = guest_open();
	if (dev < 0 || memory_cgroup_enter())
		_exit(1);
	for (;;) {
		fd = snapshot_ioctl(dev, 0, &taken);
		if (fd < 0)
			_exit(2);
		close(fd);
		__atomic_add_fetch(&slow->taken, 1, __ATOMIC_SEQ_CST);
	}
}

/* The readers are shared with those that they are. Several: see a_slow_reader_delays_nobody. */
enum { SLOW_READERS = 6 };

static struct slow *start_slow_readers(struct __test_metadata *_metadata)
{
	struct slow *slow;
	unsigned int i;
	pid_t pid;

	slow = mmap(NULL, SLOW_READERS * sizeof(*slow), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, slow);
	for (i = 0; i < SLOW_READERS; i++) {
		pid = fork();
		ASSERT_LE(0, pid);
		if (!pid)
			read_slowly(&slow[i]);
		/* For user_stop(), whatever the child has come to. */
		ASSERT_EQ(0, setpgid(pid, pid));
		slow[i].pid = pid;
	}
	return slow;
}

/* Is it asleep in the memory of a snapshot? */
static int is_asleep(const struct slow *slow)
{
	return memory_cgroup_sleeps(slow->pid, "kmprof_pages_alloc", "kmprof_snapshot_open");
}

static void until_flooded(struct __test_metadata *_metadata, FIXTURE_DATA(attack) *self)
{
	uint64_t until = deadline();
	struct snapshot snapshot;
	int flooded;

	do {
		ASSERT_GT(until, guest_now_ns());
		ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
		flooded = is_flooded(&snapshot);
		snapshot_free(&snapshot);
	} while (!flooded);
}

/* Takes snapshots while a reader is asleep in one; is it in the same one still? */
static int stays_asleep(struct __test_metadata *_metadata, FIXTURE_DATA(attack) *self,
			const struct slow *slow)
{
	enum { SNAPSHOTS = 5 };
	unsigned int i, before = __atomic_load_n(&slow->taken, __ATOMIC_SEQ_CST);
	struct snapshot snapshot;

	if (!is_asleep(slow))
		return 0;
	for (i = 0; i < SNAPSHOTS; i++) {
		ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
		snapshot_free(&snapshot);
	}
	return is_asleep(slow) && __atomic_load_n(&slow->taken, __ATOMIC_SEQ_CST) == before;
}

/*
 * While a reader sleeps in the middle of one snapshot, because its cgroup has no memory, others
 * take several.
 *
 * A cgroup is charged for 64 pages at a time on each CPU. A reader is put to sleep there only if
 * these run out at one of the last few pages of an image, which are taken one by one; else when its
 * ioctl is over. With a single reader that depends on the size of the image, and can be so each
 * time or never; several get into each other's way.
 */
TEST_F_TIMEOUT(attack, a_slow_reader_delays_nobody, 300)
{
	enum { TRIES = 20000, TRY_US = 1000 };
	unsigned int try, asleep = 0, taken = 0, i;
	struct slow *slow;
	int passed = 0;

	if (guest_is_quick("a reader that is asleep in its snapshot"))
		return;
	/* A small image is allocated before its cgroup notices. */
	start_attacks(_metadata, self);
	until_flooded(_metadata, self);
	ASSERT_EQ(0, memory_cgroup_setup("memory.high", "65536"));
	slow = start_slow_readers(_metadata);
	for (try = 0; try < TRIES && !passed; try++) {
		for (i = 0; i < SLOW_READERS && !is_asleep(&slow[i]); i++)
			;
		if (i == SLOW_READERS) {
			usleep(TRY_US);
			continue;
		}
		asleep++;
		passed = stays_asleep(_metadata, self, &slow[i]);
	}
	for (i = 0; i < SLOW_READERS; i++) {
		taken += slow[i].taken;
		EXPECT_EQ(0, user_stop(slow[i].pid));
	}
	TH_LOG("asleep in a snapshot %u times in %u looks; %u were taken", asleep, try, taken);
	EXPECT_TRUE(passed);
	memory_cgroup_teardown();
}

TEST_HARNESS_MAIN
