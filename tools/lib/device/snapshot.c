// SPDX-License-Identifier: GPL-2.0
/*
 * Gets images. The kernel's is mapped: it is immutable. A file is read into
 * memory instead, because a mapping of a file that somebody truncates kills
 * the reader.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/snapshot.h"

int kmprof_snapshot_take(struct kmprof_capture *capture, struct kmprof_device *dev, __u32 flags,
			 struct kmprof_error *err)
{
	struct kmprof_snapshot arg = { .size = sizeof(arg), .flags = flags, .fd = -1 };
	void *base;
	int ret;

	memset(capture, 0, sizeof(*capture));
	ret = kmprof_device_ioctl(dev, KMPROF_IOC_SNAPSHOT, &arg, "taking a snapshot", err);
	if (ret == -EOPNOTSUPP && flags & KMPROF_SNAPSHOT_OBJECTS)
		return kmprof_error_set(err, ret,
			"load the kmprof.ko that belongs to this program",
			"the module is an older one, which does not list objects");
	if (ret == -EPERM && flags & KMPROF_SNAPSHOT_BYTES)
		return kmprof_error_set(err, ret,
			"run as root, with kernel.kptr_restrict below 2, and without lockdown=confidentiality",
			"not allowed to see what is in the kernel's memory");
	if (ret)
		return ret;
	base = mmap(NULL, arg.bytes, PROT_READ, MAP_PRIVATE, arg.fd, 0);
	ret = -errno;
	/* The mapping keeps the image alive. */
	close(arg.fd);
	if (base == MAP_FAILED)
		return kmprof_error_set(err, ret, NULL, "mapping the snapshot: %s", strerror(-ret));
	capture->name = "snapshot";
	capture->base = base;
	capture->size = arg.bytes;
	capture->mapped = true;
	return 0;
}

/* Reads to the end, whatever the file's size claims to be: pipes have none. */
static int read_all(int fd, void **base, size_t *size)
{
	size_t have = 0, room = 1 << 16;
	char *buf = NULL, *more;
	struct stat st;
	ssize_t n;
	int ret;

	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0)
		room = (size_t)st.st_size + 1;
	for (;;) {
		if (!buf || have == room) {
			if (buf && __builtin_mul_overflow(room, 2, &room)) {
				ret = -ENOMEM;
				goto err_free;
			}
			more = realloc(buf, room);
			if (!more) {
				ret = -ENOMEM;
				goto err_free;
			}
			buf = more;
		}
		n = read(fd, buf + have, room - have);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			ret = -errno;
			goto err_free;
		}
		if (!n)
			break;
		have += (size_t)n;
	}
	*base = buf;
	*size = have;
	return 0;

err_free:
	free(buf);
	return ret;
}

int kmprof_snapshot_load(struct kmprof_capture *capture, const char *path,
			 struct kmprof_error *err)
{
	bool standard = !strcmp(path, "-");
	int fd, ret;

	memset(capture, 0, sizeof(*capture));
	if (standard)
		path = "standard input";
	fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return kmprof_error_set(err, -errno, NULL, "%s: %s", path, strerror(errno));
	ret = read_all(fd, &capture->base, &capture->size);
	if (!standard)
		close(fd);
	if (ret)
		return kmprof_error_set(err, ret, NULL, "%s: %s", path, strerror(-ret));
	capture->name = path;
	return 0;
}

void kmprof_snapshot_release(struct kmprof_capture *capture)
{
	if (capture->mapped)
		munmap(capture->base, capture->size);
	else
		free(capture->base);
	memset(capture, 0, sizeof(*capture));
}
