// SPDX-License-Identifier: GPL-2.0
/*
 * On request, waits and releases are told apart by the name, the process and the cgroup
 * of whose they are, and not otherwise.
 */
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/contention.h"
#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/locker.h"
#include "lib/owner.h"
#include "lib/scene.h"
#include "lib/waited.h"
#include "lib/watch.h"

#define PARAMETER "/sys/module/kmprof/parameters/labels"

enum { CHAIN = 3, HOLD_US = 20000 };

static const struct scene scene = { .kind = KMPROF_TEST_LOCK_SEMAPHORE };

WATCH_FIXTURE(labels, "block_rate=1 mutex_fraction=1")

static int set_labels(int dev, uint64_t labels)
{
	return guest_set(dev, KMPROF_SETTING_LABELS, labels);
}

static uint64_t get_labels(struct __test_metadata *_metadata, int dev)
{
	struct kmprof_setting_value setting = { .value = UINT64_MAX };

	EXPECT_EQ(0, guest_get_setting(dev, KMPROF_SETTING_LABELS, &setting));
	/* Labels need no probes of their own. */
	EXPECT_EQ(0, setting.flags);
	EXPECT_STREQ("labels", setting.name);
	return setting.value;
}

/* In the child. */
static int wait_as(const struct owner *waiter, int fd)
{
	struct kmprof_test_lock order = scene_order(&scene, CHAIN);

	return owner_become(waiter) || locker_order(fd, &order) || order.result;
}

static void start(struct __test_metadata *_metadata, struct owner *waiter, int fd)
{
	waiter->pid = fork();
	ASSERT_LE(0, waiter->pid);
	if (!waiter->pid)
		_exit(wait_as(waiter, fd));
}

/* One after the other waits, in the same function. */
static void play(struct __test_metadata *_metadata, const struct watch *watch,
		 struct owner waiters[OWNERS])
{
	struct kmprof_test_lock holder = scene_order(&scene, SCENE_HOLDER);
	struct locker keeper;
	unsigned int i;
	int status;

	for (i = 0; i < OWNERS; i++) {
		ASSERT_EQ(0, locker_keep(&keeper, watch->fd, &holder));
		start(_metadata, &waiters[i], watch->fd);
		ASSERT_EQ(0, locker_until(watch->fd, scene.kind, scene.index, 1, 1));
		usleep(HOLD_US);
		ASSERT_EQ(0, locker_let_go(&keeper));
		ASSERT_EQ(waiters[i].pid, waitpid(waiters[i].pid, &status, 0));
		ASSERT_EQ(0, status);
	}
}

/**
 * struct found - what a snapshot says of the lock
 * @buckets: how many
 * @count: of waits, or releases
 * @delay_ns: what they took
 * @wrong: buckets with labels that are not what is expected
 */
struct found {
	unsigned int buckets;
	uint64_t count;
	uint64_t delay_ns;
	unsigned int wrong;
};

/* In a profile, of the lock, with that function on top; of a process or of anybody. */
static struct found find(const struct watch *watch, const struct snapshot *snapshot,
			 struct contention_which which, uint32_t labels,
			 const struct owner *waiter)
{
	struct found found = { 0 };
	uint32_t i;

	for (i = 0; i < snapshot_rows(snapshot, which.profile); i++) {
		const struct kmprof_image_contention *bucket =
			snapshot_contention(snapshot, which.profile, i);
		const struct kmprof_image_label *label = snapshot_label(snapshot, &bucket->row);

		if (!contention_is_wanted(snapshot, &watch->symbols, bucket, &which))
			continue;
		if (waiter && label && !owner_has(waiter, label, labels))
			continue;
		found.buckets++;
		found.count += bucket->count;
		found.delay_ns += bucket->delay_ns;
		found.wrong += labels ? !label : !!label;
	}
	return found;
}

/* Expects one bucket, of so many events. */
static void expect_one(struct __test_metadata *_metadata, const struct found *found,
		       unsigned int count, const char *what)
{
	EXPECT_EQ(1, found->buckets)
		TH_LOG("%s", what);
	EXPECT_EQ(count * WAITED_ONE, found->count)
		TH_LOG("%s", what);
	EXPECT_LE(count * HOLD_US * 1000ULL, found->delay_ns)
		TH_LOG("%s", what);
	EXPECT_EQ(0, found->wrong)
		TH_LOG("%s", what);
}

/* Plays the scene, and expects each wait and release to be whose it was. */
static void expect_labels(struct __test_metadata *_metadata, const struct watch *watch,
			  uint32_t labels, struct owner waiters[OWNERS],
			  struct snapshot *snapshot)
{
	struct owner self = { .pid = getpid(), .cgroup = waiters[0].cgroup ? 1 : 0 };
	struct kmprof_test_lock_state state;
	struct found found;
	unsigned int i;
	char comm[KMPROF_COMM_LEN];

	prctl(PR_GET_NAME, comm);
	self.comm = comm;
	ASSERT_EQ(0, locker_state(watch->fd, scene.kind, scene.index, &state));
	ASSERT_EQ(0, set_labels(watch->dev, labels));
	ASSERT_EQ(0, guest_reset(watch->dev));
	play(_metadata, watch, waiters);
	ASSERT_EQ(0, snapshot_take(watch->dev, snapshot));
	EXPECT_IMAGE(snapshot);
	for (i = 0; i < OWNERS; i++) {
		found = find(watch, snapshot, contention_waits(state.address, CHAIN), labels,
			     &waiters[i]);
		expect_one(_metadata, &found, 1, waiters[i].comm);
	}
	found = find(watch, snapshot, contention_blamed(state.address, SCENE_HOLDER), labels,
		     &self);
	expect_one(_metadata, &found, OWNERS, "holder");
	/* Nobody's fault has nobody's labels. */
	found = find(watch, snapshot, contention_unblamed(state.address), 0, NULL);
	EXPECT_EQ(0, found.wrong);
	if (!_metadata->passed)
		contention_print(snapshot, &watch->symbols);
}

TEST_F(labels, off_by_default)
{
	struct owner waiters[OWNERS];
	struct kmprof_test_lock_state state;
	struct snapshot snapshot;
	struct found found;

	EXPECT_EQ(0, get_labels(_metadata, self->watch.dev));
	memcpy(waiters, owners_unborn, sizeof(waiters));
	play(_metadata, &self->watch, waiters);
	ASSERT_EQ(0, locker_state(self->watch.fd, scene.kind, scene.index, &state));
	ASSERT_EQ(0, snapshot_take(self->watch.dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	EXPECT_EQ(0, snapshot.header->labels.count);
	found = find(&self->watch, &snapshot, contention_waits(state.address, CHAIN), 0, NULL);
	expect_one(_metadata, &found, OWNERS, "all");
	EXPECT_FALSE(guest_debugfs_has("block", ", comm "));
	EXPECT_TRUE(guest_debugfs_has("block", "\n# labels none\n"));
	snapshot_free(&snapshot);
}

TEST_F(labels, comm_and_pid)
{
	static const uint32_t all[] = {
		KMPROF_LABEL_COMM, KMPROF_LABEL_PID, KMPROF_LABEL_COMM | KMPROF_LABEL_PID,
	};
	struct owner waiters[OWNERS];
	struct snapshot snapshot;
	char text[128];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		memcpy(waiters, owners_unborn, sizeof(waiters));
		expect_labels(_metadata, &self->watch, all[i], waiters, &snapshot);
		snapshot_free(&snapshot);
	}
	EXPECT_TRUE(guest_debugfs_has("block", "\n# labels comm,pid\n"));
	EXPECT_TRUE(guest_debugfs_has("stats", "\n# labels comm,pid\n"));
	/* Nobody's terminal does what a name says. */
	snprintf(text, sizeof(text), ", comm " OWNER_SHOWN_AS ", pid %d, longest ", waiters[1].pid);
	EXPECT_TRUE(guest_debugfs_has("block", text));
	snprintf(text, sizeof(text), ", comm labels, pid %d, longest ", getpid());
	EXPECT_TRUE(guest_debugfs_has("mutex", text));
}

TEST_F(labels, cgroup)
{
	struct owner waiters[OWNERS];
	struct snapshot snapshot;

	memcpy(waiters, owners_unborn, sizeof(waiters));
	EXPECT_EQ(0, owners_make_cgroups(waiters));
	if (_metadata->passed) {
		expect_labels(_metadata, &self->watch, KMPROF_LABELS, waiters, &snapshot);
		snapshot_free(&snapshot);
	}
	EXPECT_EQ(0, owners_remove_cgroups(waiters));
}

TEST_F(labels, by_parameter)
{
	char text[32];

	ASSERT_EQ(0, guest_param("labels", text, sizeof(text)));
	EXPECT_STREQ("none", text);
	ASSERT_EQ(0, guest_write_file(PARAMETER, "cgroup,comm"));
	ASSERT_EQ(0, guest_param("labels", text, sizeof(text)));
	EXPECT_STREQ("comm,cgroup", text);
	EXPECT_EQ(KMPROF_LABEL_COMM | KMPROF_LABEL_CGROUP,
		  get_labels(_metadata, self->watch.dev));
	EXPECT_EQ(-EINVAL, guest_write_file(PARAMETER, "comm,uid"));
	EXPECT_EQ(-EINVAL, set_labels(self->watch.dev, KMPROF_LABELS + 1));
	EXPECT_EQ(KMPROF_LABEL_COMM | KMPROF_LABEL_CGROUP,
		  get_labels(_metadata, self->watch.dev));
	ASSERT_EQ(0, guest_write_file(PARAMETER, "none"));
	EXPECT_EQ(0, get_labels(_metadata, self->watch.dev));
}

TEST_HARNESS_MAIN
