// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmd/stop.h"

/* What a shell exits with for a program that cannot be run. */
enum { EXIT_NO_PROGRAM = 127 };

__u64 now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (__u64)now.tv_sec * NSEC_PER_SEC + (__u64)now.tv_nsec;
}

void stop_begin(struct stop *stop)
{
	static const int ends[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };
	struct sigaction action;
	size_t i;

	stop->caught = 0;
	sigemptyset(&stop->signals);
	sigaddset(&stop->signals, SIGCHLD);
	for (i = 0; i < ARRAY_SIZE(ends); i++)
		if (!sigaction(ends[i], NULL, &action) && action.sa_handler != SIG_IGN)
			sigaddset(&stop->signals, ends[i]);
	/* A pipe that nobody reads is an error, and not the end before all is put back. */
	sigaction(SIGPIPE, &(struct sigaction){ .sa_handler = SIG_IGN }, &stop->pipe);
	/* A child that is not waited for would be gone where SIGCHLD is ignored. */
	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_BLOCK, &stop->signals, &stop->before);
}

void stop_forget(struct stop *stop)
{
	const struct timespec now = { 0 };

	while (sigtimedwait(&stop->signals, NULL, &now) > 0)
		;
	stop->caught = 0;
}

void stop_end(struct stop *stop)
{
	sigaction(SIGPIPE, &stop->pipe, NULL);
	if (stop->caught) {
		signal(stop->caught, SIG_DFL);
		raise(stop->caught);
	}
	sigprocmask(SIG_SETMASK, &stop->before, NULL);
}

/* Return: whether a signal to end came before @until; SIGCHLD is none. */
static bool wait_until(struct stop *stop, const struct timespec *until)
{
	struct timespec now, left;
	int caught;

	while (!stop->caught) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		left.tv_sec = until->tv_sec - now.tv_sec;
		left.tv_nsec = until->tv_nsec - now.tv_nsec;
		if (left.tv_nsec < 0) {
			left.tv_sec--;
			left.tv_nsec += (long)NSEC_PER_SEC;
		}
		if (left.tv_sec < 0)
			left = (struct timespec){ 0 };
		caught = sigtimedwait(&stop->signals, NULL, &left);
		if (caught < 0 && errno == EAGAIN)
			break;
		if (caught > 0 && caught != SIGCHLD)
			stop->caught = caught;
	}
	return stop->caught;
}

bool stop_sleep(struct stop *stop, __u64 ns)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += (time_t)(ns / NSEC_PER_SEC);
	until.tv_nsec += (long)(ns % NSEC_PER_SEC);
	if (until.tv_nsec >= (long)NSEC_PER_SEC) {
		until.tv_sec++;
		until.tv_nsec -= (long)NSEC_PER_SEC;
	}
	return wait_until(stop, &until);
}

bool stop_now(struct stop *stop)
{
	return stop_sleep(stop, 0);
}

/* In the child. Why it cannot be run goes through the pipe, which closes if it can. */
__noreturn
static void run_program(const struct stop *stop, char *const *argv, int input, int output,
			int told)
{
	int error;

	sigprocmask(SIG_SETMASK, &stop->before, NULL);
	sigaction(SIGPIPE, &stop->pipe, NULL);
	/* main.c ignores it. */
	signal(SIGXFSZ, SIG_DFL);
	if (dup2(input, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0)
		execvp(argv[0], argv);
	error = errno;
	if (write(told, &error, sizeof(error)) < 0)
		_exit(EXIT_FAILURE);
	_exit(EXIT_NO_PROGRAM);
}

/* Return: 0 or a negative errno. */
static int wait_for(struct stop *stop, pid_t child, int *status)
{
	siginfo_t info;
	pid_t ended;
	int caught;

	/* SIGCHLD may be of another child, and of several at a time. */
	while (!(ended = waitpid(child, status, WNOHANG))) {
		caught = sigwaitinfo(&stop->signals, &info);
		if (caught <= 0 || caught == SIGCHLD)
			continue;
		stop->caught = caught;
		if (info.si_code != SI_KERNEL)
			kill(child, caught);
	}
	return ended < 0 ? -errno : 0;
}

int stop_run(struct stop *stop, char *const *argv, int input, int output, int *status,
	     struct kmprof_error *err)
{
	int told[2], error = 0, ret;
	pid_t child;

	if (pipe2(told, O_CLOEXEC))
		return kmprof_error_set(err, -errno, NULL, "%s: %s", argv[0], strerror(errno));
	child = fork();
	if (child < 0) {
		error = errno;
		close(told[0]);
		close(told[1]);
		return kmprof_error_set(err, -error, NULL, "%s: %s", argv[0], strerror(error));
	}
	if (!child)
		run_program(stop, argv, input, output, told[1]);
	close(told[1]);
	if (read(told[0], &error, sizeof(error)) != sizeof(error))
		error = 0;
	close(told[0]);
	ret = wait_for(stop, child, status);
	if (error)
		return kmprof_error_set(err, -error, NULL, "%s: cannot be run: %s", argv[0],
					strerror(error));
	if (stop->caught)
		return kmprof_error_set(err, -EINTR, NULL, "%s: ended by a signal (%s)", argv[0],
					strsignal(stop->caught));
	return ret ? kmprof_error_set(err, ret, NULL, "%s: waiting for its end: %s", argv[0],
				      strerror(-ret)) : 0;
}
