// SPDX-License-Identifier: GPL-2.0
/* What the user does. Each attack goes on until its process is killed. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/kmprof_guest.h"
#include "lib/user.h"

#define HELD_FILE	"/tmp/kmprof_held"
#define MAY_HOLD	"/proc/sys/vm/unprivileged_userfaultfd"

enum {
	THREADS	= 8,
	MAPPED	= 64 * 1024,
	NOBODY	= 65534,
	FORKS	= 4,
	HOLDERS	= 64,
	TRIES	= 6000,
	TRY_US	= 10000,
};

static void *fight(void *number)
{
	unsigned int i;
	char name[16];
	void *memory;

	for (i = 0;; i++) {
		snprintf(name, sizeof(name), "%lx.%x", (long)number, i);
		prctl(PR_SET_NAME, name);
		memory = mmap(NULL, MAPPED, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
		if (memory != MAP_FAILED)
			munmap(memory, MAPPED);
	}
	return NULL;
}

/**
 * user_fights() - threads that fight for their mmap_lock, each time under another name
 *
 * With labels, each of their waits and releases wants a bucket of its own.
 */
void user_fights(void)
{
	pthread_t thread;
	long i;

	for (i = 0; i < THREADS; i++)
		if (pthread_create(&thread, NULL, fight, (void *)i))
			_exit(1);
	for (;;)
		pause();
}

/** user_forks() - a few processes at a time, that end at once */
void user_forks(void)
{
	unsigned int i;

	for (;;) {
		for (i = 0; i < FORKS; i++)
			if (!fork())
				_exit(0);
		while (wait(NULL) > 0)
			;
	}
}

/* A page that nobody ever fills. Reading it sleeps until the task is killed. */
static void *endless_page(size_t size)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	int fd = syscall(SYS_userfaultfd, O_CLOEXEC);
	void *page;

	page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	range.range.start = (unsigned long)page;
	range.range.len = size;
	if (fd < 0 || page == MAP_FAILED || ioctl(fd, UFFDIO_API, &api) ||
	    ioctl(fd, UFFDIO_REGISTER, &range))
		return NULL;
	return page;
}

/**
 * struct held - a file whose lock is kept
 * @fd: the file
 * @page: what is written to it
 * @size: bytes of that
 */
struct held {
	int fd;
	void *page;
	size_t size;
};

static void *hold(void *arg)
{
	const struct held *held = arg;

	/* Returns when the task is killed. At an offset: else they wait for the file's position. */
	if (pwrite(held->fd, held->page, held->size, 0) < 0)
		pause();
	return NULL;
}

/**
 * user_holds() - a task keeps the lock of an inode, and others wait for it, as long as they live
 *
 * It writes to a file what it reads from a page that is never there, as a file system in user space
 * could have it. Where the kernel has no userfaultfd, nothing happens.
 */
void user_holds(void)
{
	struct held held = { .size = (size_t)getpagesize() };
	pthread_t thread;
	unsigned int i;

	held.fd = open(HELD_FILE, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	held.page = endless_page(held.size);
	for (i = 0; held.page && i < HOLDERS; i++)
		if (held.fd < 0 || pthread_create(&thread, NULL, hold, &held))
			_exit(1);
	for (;;)
		pause();
}

static int has_userfaultfd(void)
{
	return !access(MAY_HOLD, F_OK);
}

/**
 * user_may_hold() - let users without privileges do what user_holds() does
 *
 * Return: 0 or a negative errno.
 */
int user_may_hold(void)
{
	unlink(HELD_FILE);
	if (has_userfaultfd())
		return guest_write_file(MAY_HOLD, "1");
	fprintf(stderr, "# LEFT OUT: a user that keeps a lock: this kernel has no userfaultfd\n");
	return 0;
}

static unsigned int count_waiters(pid_t pid)
{
	unsigned int waiters = 0;
	struct dirent *task;
	char path[300], *text;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	tasks = opendir(path);
	while (tasks && (task = readdir(tasks))) {
		snprintf(path, sizeof(path), "/proc/%d/task/%s/status", pid, task->d_name);
		if (task->d_name[0] == '.' || guest_read_file(path, &text, NULL))
			continue;
		/* The task that has the lock, and the first one, can be woken by a signal. */
		waiters += !!strstr(text, "State:\tD");
		free(text);
	}
	if (tasks)
		closedir(tasks);
	return waiters;
}

/**
 * user_until_held() - wait until a lock is kept, and others wait for it
 * @pid: of user_holds()
 *
 * Return: 0 or a negative errno.
 */
int user_until_held(pid_t pid)
{
	unsigned int try;

	for (try = 0; has_userfaultfd() && count_waiters(pid) < HOLDERS - 1; try++) {
		if (try == TRIES)
			return -ETIMEDOUT;
		usleep(TRY_US);
	}
	return 0;
}

/**
 * user_start() - start an attack
 * @attack: what a process of the user does
 *
 * Return: the process, or a negative errno.
 */
pid_t user_start(void (*attack)(void))
{
	pid_t pid = fork();

	if (pid)
		return pid < 0 ? -errno : pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* Nobody waits for what it forks: that is not to keep a module's device open. */
	close_range(3, ~0U, 0);
	if (setpgid(0, 0) || setgid(NOBODY) || setuid(NOBODY))
		_exit(1);
	attack();
	_exit(1);
}

/**
 * user_stop() - end an attack
 * @pid: from user_start(), or an error of it
 *
 * Return: 0 or a negative errno: -ESRCH if the process has ended before.
 */
int user_stop(pid_t pid)
{
	int status;

	if (pid <= 0)
		return 0;
	/* With those that it has forked. */
	if (kill(-pid, SIGKILL) || waitpid(pid, &status, 0) != pid)
		return -errno;
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL ? 0 : -ESRCH;
}
