// SPDX-License-Identifier: GPL-2.0
/*
 * What is measured of the module through its device, inside a guest that counts
 * instructions: CPU time of this thread, in which nanoseconds are instructions.
 * Prints rows, name, value and unit, with tabs between.
 *
 * Usage: measure DIRECTORY	that of kmprof_bench in debugfs
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "lib/kmprof_guest.h"
#include "lib/snapshot.h"

static int dev, stacks, copy;

static void die(const char *what)
{
	fprintf(stderr, "measure: %s: %s\n", what, strerror(errno));
	exit(1);
}

static double cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1e9 + now.tv_nsec;
}

static void row(const char *name, double value, const char *unit)
{
	printf("%s\t%.1f\t%s\n", name, value, unit);
	fflush(stdout);
}

static void set_rate(uint64_t rate)
{
	if (guest_set_rate(dev, rate))
		die("KMPROF_IOC_SET_CONFIG");
}

static void reset(void)
{
	if (guest_reset(dev))
		die("KMPROF_IOC_RESET");
}

static double advance(void)
{
	struct kmprof_advance request = { .size = sizeof(request) };
	double ns = cpu_ns();

	if (ioctl(dev, KMPROF_IOC_ADVANCE, &request))
		die("KMPROF_IOC_ADVANCE");
	return cpu_ns() - ns;
}

/* Takes a snapshot of what is published; returns what that took. */
static double take(struct kmprof_snapshot *taken)
{
	double ns = cpu_ns();

	if (snapshot_ioctl(dev, KMPROF_SNAPSHOT_PUBLISHED, taken) < 0)
		die("KMPROF_IOC_SNAPSHOT");
	ns = cpu_ns() - ns;
	close(taken->fd);
	return ns;
}

static void write_words(int fd, const char *words)
{
	if (write(fd, words, strlen(words)) != (ssize_t)strlen(words))
		die(words);
}

static void allocate(unsigned int first, unsigned int count)
{
	char words[64];

	snprintf(words, sizeof(words), "%u %u", first, count);
	write_words(stacks, words);
}

static double copying(uint64_t bytes)
{
	char words[64];
	double ns;

	snprintf(words, sizeof(words), "%llu", (unsigned long long)bytes);
	ns = cpu_ns();
	write_words(copy, words);
	return cpu_ns() - ns;
}

static unsigned int buckets(void)
{
	struct kmprof_profile_info heap;

	if (guest_profile(dev, "heap", &heap))
		die("KMPROF_IOC_PROFILE");
	return heap.buckets;
}

static void make_buckets(unsigned int count)
{
	set_rate(0);
	reset();
	set_rate(1);
	allocate(0, count);
	set_rate(0);
	advance();
	if (buckets() < count) {
		fprintf(stderr, "measure: %u buckets instead of %u\n", buckets(), count);
		exit(1);
	}
}

/* By the kernel's own account, what a function has got of vmalloc(), without the guard pages. */
static double vmalloc_bytes(const char *function)
{
	char *text, *line, *rest;
	double bytes, sum = 0;

	if (guest_read_file("/proc/vmallocinfo", &text, NULL))
		die("/proc/vmallocinfo");
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		if (strstr(line, function) && sscanf(line, "%*s %lf", &bytes) == 1)
			sum += bytes - sysconf(_SC_PAGESIZE);
	free(text);
	return sum;
}

static void measure_live(void)
{
	struct kmprof_info info = { .size = sizeof(info) };

	if (ioctl(dev, KMPROF_IOC_INFO, &info))
		die("KMPROF_IOC_INFO");
	row("live/object", vmalloc_bytes(" kmprof_live_init+") / info.max_live, "bytes");
}

/* Of so many that the last page does not matter. */
static void measure_bucket(void)
{
	struct snapshot snapshot;
	double stacks_bytes;

	if (snapshot_take(dev, &snapshot))
		die("snapshot");
	stacks_bytes = sizeof(uint64_t) * (double)snapshot.header->frames.count;
	row("bucket/object", (vmalloc_bytes(" kmprof_bucket_refill+") - stacks_bytes) /
	    snapshot_rows(&snapshot, "heap"), "bytes beside its stack");
	snapshot_free(&snapshot);
}

/* By number of buckets, the most at last. */
static void measure_snapshots(void)
{
	enum { NR_COUNTS = 3 };
	static const unsigned int counts[NR_COUNTS] = { 1000, 10000, 100000 };
	unsigned int i, k;

	for (i = 0; i < NR_COUNTS; i++) {
		struct kmprof_snapshot taken;
		double least = 1e18, closing = 1e18, copied = 1e18, ns, there;
		char name[64];

		make_buckets(counts[i]);
		there = buckets();
		for (k = 0; k < 5; k++) {
			ns = take(&taken);
			least = ns < least ? ns : least;
			ns = copying(taken.bytes);
			copied = ns < copied ? ns : copied;
			ns = advance();
			closing = ns < closing ? ns : closing;
		}
		snprintf(name, sizeof(name), "snapshot/%u", counts[i]);
		row(name, (least - copied) / there, "instructions/bucket");
		snprintf(name, sizeof(name), "snapshot/%u-copy", counts[i]);
		row(name, copied / there, "instructions/bucket");
		snprintf(name, sizeof(name), "snapshot/%u-bytes", counts[i]);
		row(name, taken.bytes / there, "bytes/bucket");
		snprintf(name, sizeof(name), "advance/%u", counts[i]);
		row(name, closing / there, "instructions/bucket");
	}
}

/* CPU time of the kworkers that drain: those of unbound work queues. */
static double workers_ns(void)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	double sum = 0;

	if (!proc)
		die("/proc");
	while ((entry = readdir(proc))) {
		char path[300], text[64] = "";
		FILE *file;

		snprintf(path, sizeof(path), "/proc/%s/comm", entry->d_name);
		file = fopen(path, "r");
		if (!file)
			continue;
		if (fgets(text, sizeof(text), file) && !strncmp(text, "kworker/u", 9)) {
			snprintf(path, sizeof(path), "/proc/%s/schedstat", entry->d_name);
			fclose(file);
			file = fopen(path, "r");
			if (!file || fscanf(file, "%63s", text) != 1)
				die(path);
			sum += atof(text);
		}
		fclose(file);
	}
	closedir(proc);
	return sum;
}

/* What it takes to drain records, by whoever does it. */
static double draining(unsigned int count, int all_new)
{
	double workers, ns;
	unsigned int i;

	set_rate(0);
	reset();
	workers = workers_ns();
	set_rate(1);
	if (all_new)
		allocate(0, count);
	else
		for (i = 0; i < count; i++)
			allocate(0, 1);
	ns = advance();
	set_rate(0);
	return ns + workers_ns() - workers;
}

/*
 * With this thread before all kworkers: while it allocates, nobody drains, so that
 * of one stack all records are in the ring before it has a bucket.
 */
static void measure_drain(void)
{
	enum { RECORDS = 1000 };
	struct sched_param fifo = { .sched_priority = 50 };
	double one, known, new;

	if (sched_setscheduler(0, SCHED_FIFO, &fifo))
		die("SCHED_FIFO");
	one = draining(1, 1);
	known = draining(RECORDS + 1, 0);
	new = draining(RECORDS + 1, 1);
	row("drain/record", (known - one) / RECORDS, "instructions");
	row("drain/bucket", (new - one) / RECORDS, "instructions");
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "Usage: measure DIRECTORY\n");
		return 2;
	}
	if (chdir(argv[1]))
		die(argv[1]);
	dev = guest_open();
	stacks = open("stacks", O_WRONLY | O_CLOEXEC);
	copy = open("copy", O_WRONLY | O_CLOEXEC);
	if (dev < 0 || stacks < 0 || copy < 0)
		die("open");
	measure_live();
	measure_snapshots();
	measure_bucket();
	measure_drain();
	return 0;
}
