// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/file.h"
#include "util/write_all.h"

static int explain(const struct kmprof_trace *trace, int ret, struct kmprof_error *err)
{
	return kmprof_error_set(err, ret, NULL, "%s: %s", trace->name, strerror(-ret));
}

/* Return: 0 or a negative errno. */
static int copy_all(int to, int from)
{
	static char piece[65536];
	ssize_t n;
	int ret = 0;

	while (!ret && (n = read(from, piece, sizeof(piece)))) {
		if (n < 0 && errno != EINTR)
			ret = -errno;
		else if (n > 0)
			ret = kmprof_write_all(to, piece, (size_t)n);
	}
	return ret;
}

/* Return: a descriptor of memory with all that can be read from @fd, or a negative errno. */
static int keep_in_memory(int fd)
{
	int memory = memfd_create("kmprof trace", MFD_CLOEXEC), ret;

	if (memory < 0)
		return -errno;
	ret = copy_all(memory, fd);
	if (!ret)
		return memory;
	close(memory);
	return ret;
}

/* Takes @fd over. Return: a descriptor for pread(), or a negative errno. */
static int make_seekable(int fd, __u64 *size)
{
	struct stat st;
	int ret = fd;

	if (!fstat(fd, &st) && !S_ISREG(st.st_mode)) {
		ret = keep_in_memory(fd);
		close(fd);
		fd = ret;
	}
	if (fd >= 0 && fstat(fd, &st)) {
		ret = -errno;
		close(fd);
	}
	*size = (__u64)st.st_size;
	return ret;
}

int kmprof_trace_file_open(struct kmprof_trace *trace, const char *path, struct kmprof_error *err)
{
	bool is_standard = !strcmp(path, "-");
	int fd;

	trace->fd = -1;
	trace->name = is_standard ? "standard input" : path;
	fd = is_standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) :
			   open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return explain(trace, -errno, err);
	fd = make_seekable(fd, &trace->size);
	if (fd < 0)
		return explain(trace, fd, err);
	trace->fd = fd;
	return 0;
}

int kmprof_trace_file_read(const struct kmprof_trace *trace, __u64 at, void *buffer, size_t bytes,
			   struct kmprof_error *err)
{
	char *to = buffer;
	ssize_t n;

	for (; bytes; to += n, at += (__u64)n, bytes -= (size_t)n) {
		n = pread(trace->fd, to, bytes, (off_t)at);
		if (n < 0 && errno == EINTR)
			n = 0;
		else if (n < 0)
			return explain(trace, -errno, err);
		else if (!n)
			return kmprof_error_set(err, -EIO, NULL,
						"%s: has become shorter while it was read",
						trace->name);
	}
	return 0;
}

int kmprof_trace_copy(const struct kmprof_trace *trace, FILE *file, struct kmprof_error *err)
{
	static char piece[65536];
	__u64 at, n;
	int ret;

	for (at = 0; at < trace->size; at += n) {
		n = trace->size - at < sizeof(piece) ? trace->size - at : sizeof(piece);
		ret = kmprof_trace_file_read(trace, at, piece, n, err);
		if (ret)
			return ret;
		errno = 0;
		if (fwrite(piece, 1, n, file) == n)
			continue;
		ret = errno ? -errno : -EIO;
		return kmprof_error_set(err, ret, NULL, "writing the trace: %s", strerror(-ret));
	}
	return 0;
}

int kmprof_trace_damaged(const struct kmprof_trace *trace, __u64 at, __u64 batch, const char *what,
			 struct kmprof_error *err)
{
	char hint[128];

	snprintf(hint, sizeof(hint), "what is before that can be shown: 'head -c %llu' keeps it",
		 batch);
	return kmprof_error_set(err, -EINVAL, batch ? hint : NULL, "%s: damaged at byte %llu: %s",
				trace->name, at, what);
}
