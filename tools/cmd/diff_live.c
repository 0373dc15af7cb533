// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/diff_live.h"
#include "cmd/stop.h"

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

/* Keys end the command, and not kmprof, as with time(1). Other signals end both. */
int diff_live_run(char *const *argv, struct kmprof_error *err)
{
	int ret, status = 0;
	struct stop stop;

	stop_begin(&stop);
	/* Standard output is for the difference. */
	ret = stop_run(&stop, argv, STDIN_FILENO, STDERR_FILENO, &status, err);
	if (stop.caught == SIGINT || stop.caught == SIGQUIT)
		stop_forget(&stop);
	stop_end(&stop);
	if (ret && ret != -EINTR)
		return ret;
	warn_of_status(argv[0], status);
	return 0;
}
