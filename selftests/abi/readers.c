// SPDX-License-Identifier: GPL-2.0
/*
 * Snapshots are whole and never change: with several readers at once, after a
 * reset, after the device is closed, by read(), pread() and mmap().
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/order.h"
#include "lib/snapshot.h"

enum { MAX_SNAPSHOTS = 4, SNAPSHOTS = 25, SNAPSHOTS_FEW = 5 };

static unsigned int snapshots(void)
{
	return guest_effort(SNAPSHOTS) < SNAPSHOTS_FEW ? SNAPSHOTS_FEW : guest_effort(SNAPSHOTS);
}

FIXTURE(readers) {
	int dev;
	int store;
	int load;
};

GUEST_SOURCE_VARIANTS(readers);

static const char *const hackbench[] = { "hackbench", "-g", "1", "-l", "100000000", NULL };
static const char *const idle[] = { "sleep", "86400", NULL };

/* Probes are not put off under load: see "Emulated guests" in testing.rst. */
static int exchange_load(FIXTURE_DATA(readers) *self, const char *const argv[])
{
	int ret = guest_stop(self->load);

	self->load = guest_spawn(argv);
	return ret ?: self->load < 0 ? self->load : 0;
}

FIXTURE_SETUP(readers)
{
	ASSERT_EQ(0, guest_load(variant->source, "heap_rate=64 max_snapshots=4 " GUEST_ROOMY));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	self->store = order_open();
	ASSERT_LE(0, self->store);
	self->load = guest_spawn(hackbench);
	ASSERT_LT(0, self->load);
}

FIXTURE_TEARDOWN(readers)
{
	EXPECT_EQ(0, guest_stop(self->load));
	close(self->store);
	close(self->dev);
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

static int snapshot_rewind(int fd, struct snapshot *snapshot)
{
	if (lseek(fd, 0, SEEK_SET))
		return -errno;
	return snapshot_read(fd, snapshot);
}

struct reader {
	pthread_t thread;
	unsigned int snapshots;
	char wrong[256];
	uint64_t cycle;
};

/* Each opens the device for itself, and reads each image twice. */
static void *read_snapshots(void *arg)
{
	struct reader *reader = arg;
	int dev = guest_open();

	while (dev >= 0 && reader->snapshots < snapshots()) {
		struct kmprof_snapshot taken;
		struct snapshot once = { 0 }, again = { 0 };
		int fd = snapshot_ioctl(dev, 0, &taken);

		if (fd < 0 || snapshot_read(fd, &once) || snapshot_rewind(fd, &again)) {
			snprintf(reader->wrong, sizeof(reader->wrong),
				 "cannot take or read: %d", fd);
			break;
		}
		once.cycle = taken.cycle;
		if (once.bytes != again.bytes || memcmp(once.image, again.image, once.bytes))
			snprintf(reader->wrong, sizeof(reader->wrong),
				 "read twice, and it differs");
		else if (once.bytes != taken.bytes)
			snprintf(reader->wrong, sizeof(reader->wrong), "size is not what was told");
		else if (taken.cycle <= reader->cycle)
			snprintf(reader->wrong, sizeof(reader->wrong), "the cycle did not advance");
		reader->cycle = taken.cycle;
		reader->snapshots++;
		snapshot_free(&once);
		snapshot_free(&again);
		close(fd);
		if (reader->wrong[0])
			break;
	}
	if (dev >= 0)
		close(dev);
	return NULL;
}

TEST_F(readers, two_at_once)
{
	struct reader readers[2] = { 0 };
	int i;

	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, pthread_create(&readers[i].thread, NULL, read_snapshots, &readers[i]));
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, pthread_join(readers[i].thread, NULL));
		EXPECT_STREQ("", readers[i].wrong);
		EXPECT_EQ(snapshots(), readers[i].snapshots);
	}
}

/* The contract is checked by one process, the other one keeps interfering. */
TEST_F(readers, whole_beside_another_reader)
{
	struct reader other = { 0 };
	struct snapshot snapshot;
	unsigned int i;

	ASSERT_EQ(0, pthread_create(&other.thread, NULL, read_snapshots, &other));
	for (i = 0; i < snapshots(); i++) {
		ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
		EXPECT_IMAGE(&snapshot);
		snapshot_free(&snapshot);
	}
	ASSERT_EQ(0, pthread_join(other.thread, NULL));
	EXPECT_STREQ("", other.wrong);
}

/* Nothing that happens to the profiler afterwards shows in an image. */
TEST_F(readers, outlives_everything)
{
	struct kmprof_advance advance = { .size = sizeof(advance) };
	struct snapshot first, later;
	struct kmprof_snapshot taken;
	int fd;

	fd = snapshot_ioctl(self->dev, 0, &taken);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, snapshot_read(fd, &first));
	EXPECT_IMAGE(&first);
	EXPECT_LT(0, snapshot_rows(&first, "heap"));

	ASSERT_EQ(0, guest_reset(self->dev));
	ASSERT_EQ(0, ioctl(self->dev, KMPROF_IOC_ADVANCE, &advance));
	ASSERT_EQ(0, exchange_load(self, idle));
	ASSERT_EQ(0, guest_set_rate(self->dev, 0));
	close(self->dev);
	usleep(1000 * guest_effort(1000));

	ASSERT_EQ(0, snapshot_rewind(fd, &later));
	ASSERT_EQ(first.bytes, later.bytes);
	EXPECT_EQ(0, memcmp(first.image, later.image, first.bytes));
	snapshot_free(&later);
	snapshot_free(&first);

	/* An open snapshot keeps the module. */
	EXPECT_EQ(-EWOULDBLOCK, guest_rmmod("kmprof"));
	close(fd);
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
}

/* A reset begins anew: the counts before it are gone. */
TEST_F(readers, reset_forgets)
{
	struct kmprof_test_op op = {
		.op = KMPROF_TEST_ALLOC, .chain = 1, .size = 1024, .count = 500,
		.cpu = KMPROF_TEST_CPU_ANY,
	};
	struct snapshot before, after;

	ASSERT_EQ(0, exchange_load(self, idle));
	ASSERT_EQ(0, order_run(self->store, &op));
	ASSERT_EQ(0, snapshot_take(self->dev, &before));
	ASSERT_EQ(0, guest_reset(self->dev));
	ASSERT_EQ(0, snapshot_take(self->dev, &after));
	EXPECT_IMAGE(&after);
	EXPECT_GT(snapshot_scalar(&before, "total.alloc_calls"),
		  snapshot_scalar(&after, "total.alloc_calls"));
	EXPECT_LT(before.header->cycle, after.header->cycle);
	EXPECT_LT(before.header->start_ns, after.header->start_ns);
	snapshot_free(&before);
	snapshot_free(&after);

	/* Frees of forgotten objects find nothing to be booked in. */
	op.op = KMPROF_TEST_FREE;
	ASSERT_EQ(0, order_run(self->store, &op));
	ASSERT_EQ(0, snapshot_take(self->dev, &after));
	EXPECT_IMAGE(&after);
	snapshot_free(&after);
}

TEST_F(readers, mmap_is_read)
{
	struct kmprof_snapshot taken;
	struct snapshot whole;
	size_t page = sysconf(_SC_PAGESIZE), mapped, offset;
	char buffer[1000];
	unsigned char *map;
	int fd;

	fd = snapshot_ioctl(self->dev, 0, &taken);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, snapshot_read(fd, &whole));
	ASSERT_EQ(taken.bytes, whole.bytes);
	EXPECT_LT(page, whole.bytes);

	mapped = (whole.bytes + page - 1) / page * page;
	map = mmap(NULL, whole.bytes, PROT_READ, MAP_SHARED, fd, 0);
	ASSERT_NE(MAP_FAILED, map);
	EXPECT_EQ(0, memcmp(whole.image, map, whole.bytes));
	/* What is behind the image in its last page is no kernel memory. */
	for (offset = whole.bytes; offset < mapped; offset++)
		EXPECT_EQ(0, map[offset]);

	/* pread() leaves the position alone; short and late reads are right. */
	ASSERT_EQ(0, lseek(fd, 0, SEEK_SET));
	for (offset = 0; offset < whole.bytes; offset += whole.bytes / 7 + 1) {
		ssize_t got = pread(fd, buffer, sizeof(buffer), offset);
		size_t left = whole.bytes - offset;

		ASSERT_EQ((ssize_t)(left < sizeof(buffer) ? left : sizeof(buffer)), got);
		EXPECT_EQ(0, memcmp((char *)whole.image + offset, buffer, got));
	}
	EXPECT_EQ(0, lseek(fd, 0, SEEK_CUR));
	EXPECT_EQ(0, pread(fd, buffer, sizeof(buffer), whole.bytes));
	EXPECT_EQ(0, pread(fd, buffer, sizeof(buffer), whole.bytes + 12345));
	EXPECT_EQ(3, pread(fd, buffer, sizeof(buffer), whole.bytes - 3));

	/* Nobody takes the memory apart: v6.12 would try so for ever. */
	EXPECT_EQ(-1, madvise(map, page, MADV_COLD));
	EXPECT_EQ(-1, madvise(map, page, MADV_PAGEOUT));

	/* A part of it, from a page on. */
	EXPECT_EQ(0, munmap(map, whole.bytes));
	map = mmap(NULL, page, PROT_READ, MAP_PRIVATE, fd, page);
	ASSERT_NE(MAP_FAILED, map);
	EXPECT_EQ(0, memcmp((char *)whole.image + page, map,
			    whole.bytes - page < page ? whole.bytes - page : page));

	/* The mapping outlives the descriptor and holds the module. */
	close(fd);
	EXPECT_EQ(0, memcmp((char *)whole.image + page, map, 16));
	EXPECT_EQ(-EWOULDBLOCK, guest_rmmod("kmprof"));
	EXPECT_EQ(0, munmap(map, page));
	snapshot_free(&whole);
}

TEST_F(readers, image_cannot_be_written)
{
	struct kmprof_snapshot taken;
	void *map;
	int fd;

	fd = snapshot_ioctl(self->dev, 0, &taken);
	ASSERT_LE(0, fd);
	EXPECT_NE(0, fcntl(fd, F_GETFD) & FD_CLOEXEC);
	EXPECT_EQ(-1, write(fd, "x", 1));
	EXPECT_EQ(-1, pwrite(fd, "x", 1, 0));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, taken.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
	/* Nor behind its end. */
	EXPECT_EQ(MAP_FAILED, mmap(NULL, taken.bytes + (1 << 20), PROT_READ, MAP_SHARED, fd, 0));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 1ULL << 40));

	map = mmap(NULL, taken.bytes, PROT_READ, MAP_SHARED, fd, 0);
	ASSERT_NE(MAP_FAILED, map);
	EXPECT_EQ(-1, mprotect(map, taken.bytes, PROT_READ | PROT_WRITE));
	EXPECT_EQ(0, munmap(map, taken.bytes));
	close(fd);
}

/* The same published cycle is the same for everybody. */
TEST_F(readers, published_is_shared)
{
	struct kmprof_advance advance = { .size = sizeof(advance) };
	struct kmprof_snapshot taken[2];
	struct snapshot images[2];
	int other, i, fds[2];

	other = guest_open();
	ASSERT_LE(0, other);
	ASSERT_EQ(0, ioctl(self->dev, KMPROF_IOC_ADVANCE, &advance));
	for (i = 0; i < 2; i++) {
		fds[i] = snapshot_ioctl(i ? other : self->dev, KMPROF_SNAPSHOT_PUBLISHED,
					&taken[i]);
		ASSERT_LE(0, fds[i]);
		EXPECT_EQ(advance.cycle, taken[i].cycle);
		ASSERT_EQ(0, snapshot_read(fds[i], &images[i]));
		images[i].cycle = taken[i].cycle;
		EXPECT_IMAGE(&images[i]);
	}
	EXPECT_SAME_SCALAR(&images[0], &images[1], "total.alloc_calls");
	EXPECT_SAME_SCALAR(&images[0], &images[1], "total.free_calls");
	EXPECT_SAME_SCALAR(&images[0], &images[1], "counted");
	EXPECT_EQ(images[0].header->time_ns, images[1].header->time_ns);
	for (i = 0; i < 2; i++) {
		snapshot_free(&images[i]);
		close(fds[i]);
	}
	close(other);
}

static int readable(int fd)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	return poll(&poll_fd, 1, 0) == 1 && poll_fd.revents & POLLIN;
}

/* Is a process in poll()? */
static int is_asleep(pid_t pid)
{
	char path[64], *text;
	int asleep;

	snprintf(path, sizeof(path), "/proc/%d/stack", pid);
	if (guest_read_file(path, &text, NULL))
		return 1;
	asleep = !!strstr(text, "do_poll") || !!strstr(text, "do_sys_poll");
	free(text);
	return asleep;
}

TEST_F(readers, poll_wakes_for_a_new_cycle)
{
	struct kmprof_advance advance = { .size = sizeof(advance) };
	struct pollfd poll_fd = { .fd = self->dev, .events = POLLIN };
	struct snapshot snapshot;
	int other, status;
	pid_t pid;

	other = guest_open();
	ASSERT_LE(0, other);

	ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
	snapshot_free(&snapshot);
	EXPECT_FALSE(readable(self->dev));

	/* Another file's cycle is new for this one, once. */
	ASSERT_EQ(0, ioctl(other, KMPROF_IOC_ADVANCE, &advance));
	EXPECT_TRUE(readable(self->dev));
	EXPECT_FALSE(readable(other));
	ASSERT_EQ(0, ioctl(self->dev, KMPROF_IOC_ADVANCE, &advance));
	EXPECT_FALSE(readable(self->dev));
	EXPECT_TRUE(readable(other));

	/* A sleeper is woken. */
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		while (!is_asleep(getppid()))
			usleep(1000);
		_exit(ioctl(other, KMPROF_IOC_ADVANCE, &advance) ? 1 : 0);
	}
	EXPECT_EQ(1, poll(&poll_fd, 1, 30000));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	close(other);
}

TEST_F(readers, snapshots_are_bounded)
{
	struct kmprof_info info = { .size = sizeof(info) };
	int fds[MAX_SNAPSHOTS], i;
	struct kmprof_snapshot taken;

	for (i = 0; i < MAX_SNAPSHOTS; i++) {
		fds[i] = snapshot_ioctl(self->dev, 0, &taken);
		ASSERT_LE(0, fds[i]);
	}
	EXPECT_EQ(-ENOSPC, snapshot_ioctl(self->dev, 0, &taken));
	ASSERT_EQ(0, ioctl(self->dev, KMPROF_IOC_INFO, &info));
	EXPECT_EQ(MAX_SNAPSHOTS, info.snapshots);
	EXPECT_EQ(MAX_SNAPSHOTS, info.max_snapshots);

	close(fds[0]);
	fds[0] = snapshot_ioctl(self->dev, 0, &taken);
	EXPECT_LE(0, fds[0]);
	for (i = 0; i < MAX_SNAPSHOTS; i++)
		close(fds[i]);
	ASSERT_EQ(0, ioctl(self->dev, KMPROF_IOC_INFO, &info));
	EXPECT_EQ(0, info.snapshots);
}

TEST_HARNESS_MAIN
