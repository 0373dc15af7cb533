// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/diff_live.h"

#define MSEC_PER_SEC	1000ULL
#define NSEC_PER_MSEC	1000000ULL

static __u64 now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return (__u64)t.tv_sec * MSEC_PER_SEC + (__u64)t.tv_nsec / NSEC_PER_MSEC;
}

void diff_live_wait(__u64 ms)
{
	const __u64 end = now_ms() + ms;
	bool is_watched = isatty(STDERR_FILENO);
	struct timespec t;
	__u64 now, left;

	while ((now = now_ms()) < end) {
		left = end - now;
		if (is_watched)
			fprintf(stderr, "\rkmprof: second snapshot in %llu s \b",
				(left + MSEC_PER_SEC - 1) / MSEC_PER_SEC);
		/* Up to the next full second of what is left. */
		left = (left - 1) % MSEC_PER_SEC + 1;
		t.tv_sec = (time_t)(left / MSEC_PER_SEC);
		t.tv_nsec = (long)(left % MSEC_PER_SEC * NSEC_PER_MSEC);
		nanosleep(&t, NULL);
	}
	if (is_watched)
		fputs("\r\033[K", stderr);
}

/* Signals that end the command, and not kmprof, as with time(1). */
static const int keys[] = { SIGINT, SIGQUIT };

/* The command has the signals as they were before main.c and this file ignored some. */
static int spawn(pid_t *pid, char *const *argv, const struct sigaction before[ARRAY_SIZE(keys)])
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t signals;
	size_t i;
	int ret;

	ret = posix_spawnattr_init(&attributes);
	if (ret)
		return ret;
	ret = posix_spawn_file_actions_init(&actions);
	if (ret)
		goto out_attributes;
	sigemptyset(&signals);
	sigaddset(&signals, SIGXFSZ);
	for (i = 0; i < ARRAY_SIZE(keys); i++)
		if (before[i].sa_handler != SIG_IGN)
			sigaddset(&signals, keys[i]);
	posix_spawnattr_setsigdefault(&attributes, &signals);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	/* Standard output is for the difference. */
	ret = posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
	if (!ret)
		ret = posix_spawnp(pid, argv[0], &actions, &attributes, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
out_attributes:
	posix_spawnattr_destroy(&attributes);
	return ret;
}

int diff_live_run(char *const *argv, struct kmprof_error *err)
{
	const struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct sigaction before[ARRAY_SIZE(keys)];
	int ret, status = 0;
	pid_t pid;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++)
		sigaction(keys[i], &ignore, &before[i]);
	ret = spawn(&pid, argv, before);
	while (!ret && waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			ret = errno;
	for (i = 0; i < ARRAY_SIZE(keys); i++)
		sigaction(keys[i], &before[i], NULL);
	if (ret)
		return kmprof_error_set(err, -ret, NULL, "%s: %s", argv[0], strerror(ret));
	warn_of_status(argv[0], status);
	return 0;
}
