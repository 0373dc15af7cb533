// SPDX-License-Identifier: GPL-2.0
/*
 * How long the profiler keeps others from the CPU. A thread of the
 * highest priority wakes up every few microseconds, and sees how late it is, while
 * another one, on the same CPU, does what is measured. Prints rows, name, value and
 * unit, with tabs between; the first one is what it is late by while nothing but
 * user space runs. A third one never lets the CPU idle: a guest that counts
 * instructions is then woken up by the host's clock.
 *
 * Usage: latency NUMBER WORK...	what is measured, and how many buckets, symbols,
 *				pages or objects there are, for the names
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "lib/kmprof_guest.h"
#include "lib/snapshot.h"

enum {
	TICK_NS = 20000,
	ROUNDS = 3,
	SPIN_NS = 100000000,
	NR_WORKS = 9,
};

/* Of the wake-ups since it was cleared. */
static uint64_t latest_ns;

static int dev;

static void die(const char *what)
{
	fprintf(stderr, "latency: %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

static void *wake_up(void *unused)
{
	uint64_t at = now_ns(), late;

	(void)unused;
	for (;;) {
		struct timespec until;

		at += TICK_NS;
		until.tv_sec = at / 1000000000;
		until.tv_nsec = at % 1000000000;
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
		late = now_ns() - at;
		if (late > __atomic_load_n(&latest_ns, __ATOMIC_RELAXED))
			__atomic_store_n(&latest_ns, late, __ATOMIC_RELAXED);
		/* What it slept through counts once. */
		at += late;
	}
	return NULL;
}

static void *keep_busy(void *unused)
{
	for (;;)
		__asm__ volatile("" : : "r" (unused));
	return NULL;
}

static void start(void *(*run)(void *), int policy, int priority)
{
	struct sched_param param = { .sched_priority = priority };
	pthread_t thread;

	errno = pthread_create(&thread, NULL, run, NULL);
	if (!errno)
		errno = pthread_setschedparam(thread, policy, &param);
	if (errno)
		die("thread");
}

static void spin(void)
{
	uint64_t end = now_ns() + SPIN_NS;

	while (now_ns() < end)
		;
}

static void take(void)
{
	struct kmprof_snapshot taken;

	if (snapshot_ioctl(dev, KMPROF_SNAPSHOT_PUBLISHED, &taken) < 0)
		die("KMPROF_IOC_SNAPSHOT");
	close(taken.fd);
}

static void close_cycle(void)
{
	struct kmprof_advance request = { .size = sizeof(request) };

	if (ioctl(dev, KMPROF_IOC_ADVANCE, &request))
		die("KMPROF_IOC_ADVANCE");
}

static void map(void)
{
	struct kmprof_snapshot taken;
	void *image;

	if (snapshot_ioctl(dev, KMPROF_SNAPSHOT_PUBLISHED, &taken) < 0)
		die("KMPROF_IOC_SNAPSHOT");
	image = mmap(NULL, taken.bytes, PROT_READ, MAP_SHARED, taken.fd, 0);
	if (image == MAP_FAILED)
		die("mmap");
	munmap(image, taken.bytes);
	close(taken.fd);
}

/* The rest of it is written when it is asked for. */
static void read_text(void)
{
	static char text[65536];
	int fd = guest_open();

	if (fd < 0 || read(fd, text, sizeof(text)) <= 0)
		die("text");
	close(fd);
}

static void read_file(const char *path)
{
	char text[32];
	int fd = open(path, O_RDONLY);

	if (fd < 0 || read(fd, text, sizeof(text)) <= 0)
		die(path);
	close(fd);
}

/* Allocations by stacks that are new, and time for what comes behind. */
static void meet_new_stacks(void)
{
	read_file("/sys/kernel/debug/kmprof_bench_many/new");
	spin();
}

static void take_pages(void)
{
	read_file("/sys/kernel/debug/kmprof_bench/pages_64");
}

static void take_block(void)
{
	read_file("/sys/kernel/debug/kmprof_bench/page_10");
}

static void take_objects(void)
{
	read_file("/sys/kernel/debug/kmprof_bench/objects_500");
}

static const struct work {
	const char *name;
	void (*run)(void);
} works[NR_WORKS] = {
	{ "nothing", spin },
	{ "snapshot", take },
	{ "advance", close_cycle },
	{ "mmap", map },
	{ "text", read_text },
	{ "learn", meet_new_stacks },
	{ "pages", take_pages },
	{ "block", take_block },
	{ "objects", take_objects },
};

static const struct work *work_named(const char *name)
{
	unsigned int i;

	for (i = 0; i < NR_WORKS; i++)
		if (!strcmp(works[i].name, name))
			return &works[i];
	errno = EINVAL;
	die(name);
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned int round;
	int i;

	if (argc < 3) {
		fprintf(stderr, "Usage: latency NUMBER WORK...\n");
		return 2;
	}
	dev = guest_open();
	if (dev < 0)
		return 1;
	if (mlockall(MCL_CURRENT | MCL_FUTURE) || guest_pin_cpu(0))
		die("mlockall");
	start(wake_up, SCHED_FIFO, 90);
	start(keep_busy, SCHED_IDLE, 0);
	for (i = 2; i < argc; i++) {
		const struct work *work = work_named(argv[i]);

		__atomic_store_n(&latest_ns, 0, __ATOMIC_RELAXED);
		for (round = 0; round < ROUNDS; round++)
			work->run();
		printf("latency/%s-%s\t%.1f\tmicroseconds\n", work->name, argv[1],
		       __atomic_load_n(&latest_ns, __ATOMIC_RELAXED) / 1e3);
		fflush(stdout);
	}
	return 0;
}
