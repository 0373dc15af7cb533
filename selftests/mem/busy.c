// SPDX-License-Identifier: GPL-2.0
/*
 * Busy call sites: many small objects of many kinds, or a given amount of
 * memory at each of a few sites.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "lib/kmprof_guest.h"
#include "mem/busy.h"

enum {
	MANY = 150,		/* of each kind of file */
	FEW = 30,		/* of what is slow to make */
	MAPS = 200,
	PAGE = 4096,
	PIPE_BYTES = 1 << 20,
	PIPE_RING = PIPE_BYTES / PAGE * 40,
	XATTR_BYTES = 65536,
	SEMAPHORES = 400,	/* of a set */
	SEMAPHORE_BYTES = 64,
	MESSAGE = 7000,
	QUEUE_BYTES = 1 << 26,
};

static int complain(const char *what)
{
	int error = errno;

	fprintf(stderr, "# busy: %s: %s\n", what, strerror(error));
	return -error;
}

static int hold(struct busy *busy, int fd, const char *what)
{
	if (fd < 0)
		return complain(what);
	if (busy->nr_fds == BUSY_FDS) {
		close(fd);
		errno = EMFILE;
		return complain(what);
	}
	busy->fds[busy->nr_fds++] = fd;
	return 0;
}

/**
 * busy_open() - get ready
 * @busy: out: for busy_close()
 */
int busy_open(struct busy *busy)
{
	struct rlimit files = { BUSY_FDS + 64, BUSY_FDS + 64 };
	char text[32];

	memset(busy, 0, sizeof(*busy));
	if (setrlimit(RLIMIT_NOFILE, &files))
		return complain("setrlimit");
	snprintf(text, sizeof(text), "%d", QUEUE_BYTES);
	if (guest_write_file("/proc/sys/kernel/msgmnb", text) ||
	    guest_write_file("/proc/sys/kernel/msgmax", "8192"))
		return complain("kernel.msgmnb");
	strcpy(busy->top, "/tmp/busy.XXXXXX");
	if (!mkdtemp(busy->top)) {
		busy->top[0] = '\0';
		return complain("mkdtemp");
	}
	if (mount("busy", busy->top, "tmpfs", 0, "size=1G")) {
		int ret = complain("mount tmpfs");

		rmdir(busy->top);
		busy->top[0] = '\0';
		return ret;
	}
	return 0;
}

/**
 * busy_close() - clean up
 * @busy: what busy_open() has made, or all zero
 */
void busy_close(struct busy *busy)
{
	busy_release(busy);
	if (!busy->top[0])
		return;
	umount2(busy->top, MNT_DETACH);
	rmdir(busy->top);
	busy->top[0] = '\0';
}

static const char *path_of(const struct busy *busy, const char *kind, unsigned int i)
{
	static char path[160];

	snprintf(path, sizeof(path), "%s/%s-with-a-name-that-needs-memory-of-its-own-%04u",
		 busy->top, kind, i);
	return path;
}

/* Files of a tmpfs: some stay, some stay open, some go. */
static int many_files(struct busy *busy)
{
	static const char text[100] = "some";
	struct flock lock = { .l_type = F_WRLCK, .l_len = 1 };
	unsigned int i;
	int fd;

	for (i = 0; i < MANY; i++) {
		fd = open(path_of(busy, "file", i), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
		if (fd < 0)
			return complain("create");
		if (write(fd, text, sizeof(text)) != sizeof(text) ||
		    fsetxattr(fd, "trusted.kmprof", text, sizeof(text), 0))
			return complain("write or setxattr");
		if (i % 3 == 0) {
			lock.l_start = i;
			if (fcntl(fd, F_SETLK, &lock) || hold(busy, fd, "file"))
				return complain("lock");
		} else {
			close(fd);
		}
		if (i % 4 == 0 && unlink(path_of(busy, "file", i)))
			return complain("unlink");
		if (mkdir(path_of(busy, "dir", i), 0700) ||
		    symlink(busy->top, path_of(busy, "short", i)) ||
		    mknod(path_of(busy, "fifo", i), S_IFIFO | 0600, 0))
			return complain("mkdir, symlink or mknod");
		if (i % 2 && rmdir(path_of(busy, "dir", i)))
			return complain("rmdir");
	}
	return 0;
}

static int many_descriptors(struct busy *busy)
{
	struct itimerspec later = { .it_value.tv_sec = 3600 };
	struct epoll_event event = { .events = EPOLLIN };
	unsigned int i;
	int pipes[2], epoll, fd;
	sigset_t none;

	sigemptyset(&none);
	for (i = 0; i < MANY; i++) {
		if (pipe2(pipes, O_CLOEXEC))
			return complain("pipe");
		if (hold(busy, pipes[0], "pipe") || hold(busy, pipes[1], "pipe"))
			return -EMFILE;
		if (write(pipes[1], "x", 1) != 1)
			return complain("write to a pipe");
		if (i % 2 && fcntl(pipes[1], F_SETPIPE_SZ, 2 * PAGE) < 0)
			return complain("F_SETPIPE_SZ");

		epoll = epoll_create1(EPOLL_CLOEXEC);
		if (hold(busy, epoll, "epoll"))
			return -EMFILE;
		if (epoll_ctl(epoll, EPOLL_CTL_ADD, pipes[0], &event))
			return complain("epoll_ctl");
		if (hold(busy, eventfd(0, EFD_CLOEXEC), "eventfd") ||
		    hold(busy, signalfd(-1, &none, SFD_CLOEXEC), "signalfd") ||
		    hold(busy, memfd_create("busy", MFD_CLOEXEC), "memfd"))
			return -EMFILE;
		fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
		if (hold(busy, fd, "timerfd") || timerfd_settime(fd, 0, &later, NULL))
			return complain("timerfd");
		if (hold(busy, open("/proc/self/status", O_RDONLY | O_CLOEXEC), "/proc") ||
		    read(busy->fds[busy->nr_fds - 1], &event, 1) != 1)
			return complain("read of /proc/self/status");
	}
	for (i = 0; i < FEW; i++) {
		fd = inotify_init1(IN_CLOEXEC);
		if (hold(busy, fd, "inotify"))
			return -EMFILE;
		if (inotify_add_watch(fd, busy->top, IN_CREATE) < 0)
			return complain("inotify_add_watch");
	}
	return 0;
}

static int many_sockets(struct busy *busy)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	static const char text[1000];
	unsigned int i, kind;
	int pair[2], fd;

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	for (i = 0; i < MANY; i++) {
		for (kind = SOCK_STREAM; kind <= SOCK_DGRAM; kind++) {
			if (socketpair(AF_UNIX, kind | SOCK_CLOEXEC, 0, pair))
				return complain("socketpair");
			if (hold(busy, pair[0], "socket") || hold(busy, pair[1], "socket"))
				return -EMFILE;
			if (send(pair[0], text, sizeof(text), 0) != sizeof(text))
				return complain("send");
		}
		fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
		if (hold(busy, fd, "udp"))
			return -EMFILE;
		address.sin_port = 0;
		if (bind(fd, (struct sockaddr *)&address, sizeof(address)))
			return complain("bind");
		if (hold(busy, socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "tcp") ||
		    hold(busy, socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0), "netlink"))
			return -EMFILE;
	}
	return 0;
}

static int many_ipc(struct busy *busy)
{
	struct {
		long type;
		char text[MESSAGE];
	} message = { .type = 1 };
	unsigned int i;

	for (i = 0; i < MANY; i++) {
		int queue = msgget(IPC_PRIVATE, 0600);
		int set = semget(IPC_PRIVATE, 1 + i % 8, 0600);

		if (queue < 0 || set < 0)
			return complain("msgget or semget");
		busy->queues[busy->nr_queues++] = queue;
		busy->semaphores[busy->nr_semaphores++] = set;
		if (msgsnd(queue, &message, i % 2 ? 64 : MESSAGE, IPC_NOWAIT))
			return complain("msgsnd");
	}
	return 0;
}

static int many_maps(struct busy *busy)
{
	unsigned int i;

	busy->map_bytes = 2 * MAPS * PAGE;
	busy->map = mmap(NULL, busy->map_bytes, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (busy->map == MAP_FAILED) {
		busy->map = NULL;
		return complain("mmap");
	}
	for (i = 0; i < MAPS; i++) {
		if (mprotect(busy->map + 2 * i * PAGE, PAGE, PROT_READ))
			return complain("mprotect");
		busy->map[(2 * i + 1) * PAGE] = 1;
	}
	return 0;
}

static int many_children(struct busy *busy)
{
	unsigned int i;

	for (i = 0; i < 2 * BUSY_CHILDREN; i++) {
		pid_t pid = fork();

		if (pid < 0)
			return complain("fork");
		if (!pid) {
			if (i % 2)
				_exit(0);
			for (;;)
				pause();
		}
		if (i % 2)
			waitpid(pid, NULL, 0);
		else
			busy->children[busy->nr_children++] = pid;
	}
	return 0;
}

/* Objects that come and go, and entries of caches that stay. */
static int many_lookups(struct busy *busy)
{
	static const char *const directories[] = { "/sys/kernel/slab", "/sys/module", "/dev" };
	struct pollfd polled[64];
	char path[512];
	unsigned int i;
	DIR *dir;

	for (i = 0; i < 64; i++)
		polled[i] = (struct pollfd){ .fd = busy->fds[i], .events = 0 };
	for (i = 0; i < MANY; i++)
		if (poll(polled, 64, 0) < 0)
			return complain("poll");

	for (i = 0; i < sizeof(directories) / sizeof(directories[0]); i++) {
		struct dirent *entry;

		dir = opendir(directories[i]);
		while (dir && (entry = readdir(dir))) {
			struct stat st;

			snprintf(path, sizeof(path), "%s/%s", directories[i], entry->d_name);
			if (lstat(path, &st))
				return complain(path);
		}
		if (dir)
			closedir(dir);
	}
	for (i = 0; i < MANY; i++) {
		/* Negative entries. */
		if (!access(path_of(busy, "absent", i), F_OK))
			return complain("access");
	}
	return 0;
}

/**
 * busy_many() - hold some hundred objects of many kinds
 * @busy: gets them
 */
int busy_many(struct busy *busy)
{
	int (*const kinds[])(struct busy *busy) = {
		many_files, many_descriptors, many_sockets, many_ipc, many_maps,
		many_children, many_lookups,
	};
	unsigned int i;
	int ret;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		ret = kinds[i](busy);
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * busy_big() - hold much memory at each of a few call sites
 * @busy: gets it
 * @bytes: at each site
 */
int busy_big(struct busy *busy, size_t bytes)
{
	static char value[XATTR_BYTES - PAGE];
	static char name[32];
	unsigned int i, n;
	int pipes[2], fd;

	for (i = 0; i < bytes / PIPE_RING + 1; i++) {
		if (pipe2(pipes, O_CLOEXEC))
			return complain("pipe");
		if (hold(busy, pipes[0], "pipe") || hold(busy, pipes[1], "pipe"))
			return -EMFILE;
		if (fcntl(pipes[1], F_SETPIPE_SZ, PIPE_BYTES) < 0)
			return complain("F_SETPIPE_SZ");
	}
	fd = open(path_of(busy, "big", 0), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
	if (hold(busy, fd, "file"))
		return -EMFILE;
	n = bytes / sizeof(value) + 1;
	for (i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "trusted.big%u", i);
		if (fsetxattr(fd, name, value, sizeof(value), 0))
			return complain("setxattr");
	}
	for (i = 0; i < bytes / (SEMAPHORES * SEMAPHORE_BYTES) + 1 && i < BUSY_IDS; i++) {
		int set = semget(IPC_PRIVATE, SEMAPHORES, 0600);

		if (set < 0)
			return complain("semget");
		busy->semaphores[busy->nr_semaphores++] = set;
	}
	return 0;
}

/**
 * busy_release() - let go of everything
 * @busy: what holds it
 */
int busy_release(struct busy *busy)
{
	static const char *const kinds[] = { "file", "dir", "short", "fifo", "big" };
	unsigned int i, k;
	int ret = 0;

	while (busy->nr_children) {
		pid_t pid = busy->children[--busy->nr_children];

		kill(pid, SIGKILL);
		if (waitpid(pid, NULL, 0) != pid)
			ret = complain("waitpid");
	}
	while (busy->nr_fds)
		close(busy->fds[--busy->nr_fds]);
	while (busy->nr_queues)
		if (msgctl(busy->queues[--busy->nr_queues], IPC_RMID, NULL))
			ret = complain("msgctl");
	while (busy->nr_semaphores)
		if (semctl(busy->semaphores[--busy->nr_semaphores], 0, IPC_RMID))
			ret = complain("semctl");
	if (busy->map && munmap(busy->map, busy->map_bytes))
		ret = complain("munmap");
	busy->map = NULL;
	for (i = 0; busy->top[0] && i < MANY; i++)
		for (k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
			remove(path_of(busy, kinds[k], i));
	return ret;
}
