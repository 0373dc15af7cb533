// SPDX-License-Identifier: GPL-2.0
/*
 * A real load, always of the same amount: find and tar over a tree of files, hackbench with
 * sockets and with pipes, and processes that come and go. The root directory is on a tmpfs,
 * with all that the load executes: it waits for nothing outside of it.
 *
 * Usage: load prepare		make the tree
 *	  load run		run the load; print the nanoseconds that the CPU worked
 *
 * Under -icount shift=0, on one CPU, a nanosecond is an instruction. What kernel threads and
 * interrupts do is part of the sum. The time in which the CPU had nothing to do is not: then the
 * guest's clock follows the host's.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	/* There is an allocation for each 8000 instructions. */
	DIRECTORIES	= 6,
	FILES		= 50,	/* in each directory */
	FILE_BYTES	= 16000,
	FORKS		= 10,
	EXECS		= 10,
};

static void die(const char *what)
{
	fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	if (clock_gettime(clock, &now))
		die("clock_gettime");
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static pid_t fork_or_die(void)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	return pid;
}

static void wait_for(pid_t pid, const char *what)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		die("waitpid");
	if (status) {
		fprintf(stderr, "load: %s: status %#x\n", what, status);
		exit(1);
	}
}

static void run(const char *const arguments[])
{
	pid_t pid = fork_or_die();
	int null;

	if (!pid) {
		null = open("/null", O_WRONLY);
		if (null < 0 || dup2(null, STDOUT_FILENO) < 0)
			die("/null");
		execvp(arguments[0], (char **)arguments);
		die(arguments[0]);
	}
	wait_for(pid, arguments[0]);
}

static void find(void)
{
	run((const char *const []){ "find", "/tree", "-type", "f", "-size", "+100k", NULL });
}

static void archive(void)
{
	run((const char *const []){ "tar", "-C", "/", "-cf", "/archive", "tree", NULL });
	if (unlink("/archive"))
		die("/archive");
}

/* 10 processes send messages to each of 10 others: 6 through a socket, or 280 through a pipe. */
static void messages(void)
{
	run((const char *const []){ "hackbench", "-g", "1", "-f", "10", "-l", "6", NULL });
	run((const char *const []){ "hackbench", "-p", "-g", "1", "-f", "10", "-l", "280", NULL });
}

static void processes(void)
{
	pid_t pid;
	int i;

	for (i = 0; i < FORKS; i++) {
		pid = fork_or_die();
		if (!pid)
			_exit(0);
		wait_for(pid, "fork");
	}
	for (i = 0; i < EXECS; i++)
		run((const char *const []){ "true", NULL });
}

/* How long the CPU has slept: what the kernel notes for its tick. */
static int64_t idle_ns(void)
{
	FILE *file = fopen("/proc/timer_list", "r");
	long long ns = -1;
	char line[256];

	if (!file)
		die("/proc/timer_list");
	while (ns < 0 && fgets(line, sizeof(line), file))
		sscanf(line, " .idle_sleeptime : %lld", &ns);
	fclose(file);
	if (ns < 0) {
		fprintf(stderr, "load: /proc/timer_list: no idle_sleeptime\n");
		exit(1);
	}
	return ns;
}

static int64_t worked_ns(void)
{
	int64_t idle = idle_ns();

	return clock_ns(CLOCK_MONOTONIC_RAW) - idle;
}

static void prepare(void)
{
	static const char contents[FILE_BYTES];
	char path[64];
	int d, f, fd;

	if (mkdir("/tree", 0755))
		die("/tree");
	for (d = 0; d < DIRECTORIES; d++) {
		snprintf(path, sizeof(path), "/tree/directory-%d", d);
		if (mkdir(path, 0755))
			die(path);
		for (f = 0; f < FILES; f++) {
			snprintf(path, sizeof(path), "/tree/directory-%d/file-%d", d, f);
			fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0644);
			if (fd < 0 || write(fd, contents, FILE_BYTES) != FILE_BYTES || close(fd))
				die(path);
		}
	}
}

static void measure(void)
{
	static void (*const steps[])(void) = { find, archive, messages, processes };
	const struct sched_param none = { 0 };
	int64_t ns;
	size_t i;

	/* No process takes the CPU because it was woken: the order does not depend on chance. */
	if (sched_setscheduler(0, SCHED_BATCH, &none))
		die("SCHED_BATCH");
	ns = -worked_ns();

	for (i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		steps[i]();
	printf("%lld\n", (long long)(ns + worked_ns()));
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "prepare")) {
		prepare();
		return 0;
	}
	if (argc == 2 && !strcmp(argv[1], "run")) {
		measure();
		return 0;
	}
	fprintf(stderr, "Usage: load prepare|run\n");
	return 2;
}
