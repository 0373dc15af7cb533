// SPDX-License-Identifier: GPL-2.0
/*
 * Stands for the module, by LD_PRELOAD: answers opening /dev/kmprof and its commands
 * as the contract says. What it is like comes from the environment:
 *
 *	STUB_IMAGE=FILE		what a snapshot is
 *	STUB_OLD=block|mutex|labels	as before there was this profile, or labels
 *	STUB_LACKS=MASK		what cannot be seen: SET refuses waits, and allocations
 *	STUB_HEAP=0		allocations are not probed
 *	STUB_BLOCK=1		waits are sampled
 *	STUB_MUTEX=1		releases are probed
 *	STUB_LABELS=MASK	what tells waits and releases apart at first
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/kmprof.h>

#include "util/util.h"

static int device = -1;
static struct kmprof_config config = { .heap_rate = 524288 };

/* In the order in which they came. */
static const char *const stages[] = { "block", "mutex", "labels" };

enum { NR_STAGES = ARRAY_SIZE(stages) };

/* Which one it is as before; NR_STAGES if it has all of them. */
static int age(void)
{
	const char *old = getenv("STUB_OLD");
	int stage = 0;

	while (stage < NR_STAGES && (!old || strcmp(old, stages[stage])))
		stage++;
	return stage;
}

static int is_older_than(const char *what)
{
	int stage = 0;

	while (strcmp(what, stages[stage]))
		stage++;
	return age() <= stage;
}

/* Of a structure that has grown at each stage. */
static size_t size_of(const size_t before[NR_STAGES], size_t now)
{
	return age() < NR_STAGES ? before[age()] : now;
}

/* The settings that it has. */
static __u64 settings(void)
{
	__u64 fields = KMPROF_CONFIG_HEAP_RATE;

	if (!is_older_than("block"))
		fields |= KMPROF_CONFIG_BLOCK_RATE;
	if (!is_older_than("mutex"))
		fields |= KMPROF_CONFIG_MUTEX_FRACTION;
	if (!is_older_than("labels"))
		fields |= KMPROF_CONFIG_LABELS;
	return fields;
}

static __u64 number(const char *name)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 0) : 0;
}

static int fail(int error)
{
	errno = error;
	return -1;
}

/* Copies in what a module knows whose structure has @size bytes. */
static int copy_in(void *to, size_t size, const void *from)
{
	const unsigned char *bytes = from;
	__u32 given = *(const __u32 *)from, i;

	for (i = (__u32)size; i < given; i++)
		if (bytes[i])
			return fail(E2BIG);
	memcpy(to, from, given < size ? given : size);
	return 0;
}

static void copy_out(void *to, const void *from, size_t size)
{
	__u32 given = *(const __u32 *)to;

	memcpy((__u32 *)to + 1, (const __u32 *)from + 1,
	       (given < size ? given : size) - sizeof(__u32));
}

static int get_info(void *arg)
{
	static const size_t before[NR_STAGES] = {
		offsetof(struct kmprof_info, block_attached),
		offsetof(struct kmprof_info, mutex_attached),
		sizeof(struct kmprof_info),
	};
	size_t size = size_of(before, sizeof(struct kmprof_info));
	struct kmprof_info info = { 0 };

	if (copy_in(&info, size, arg))
		return -1;
	info.abi_version = KMPROF_ABI_VERSION;
	info.source = KMPROF_SOURCE_KPROBE;
	info.profiles = 1 << KMPROF_PROFILE_HEAP | 1 << KMPROF_PROFILE_ALLOCS;
	if (!is_older_than("block"))
		info.profiles |= 1 << KMPROF_PROFILE_BLOCK;
	if (!is_older_than("mutex"))
		info.profiles |= 1 << KMPROF_PROFILE_MUTEX;
	info.attached = !getenv("STUB_HEAP") || number("STUB_HEAP");
	info.max_buckets = 16384;
	info.max_live = 65536;
	info.max_snapshots = 64;
	info.lacks = number("STUB_LACKS");
	info.block_attached = (__u32)number("STUB_BLOCK");
	info.max_waits = 4096;
	info.mutex_attached = (__u32)number("STUB_MUTEX");
	info.wait_source = KMPROF_SOURCE_TRACEPOINT;
	copy_out(arg, &info, size);
	return 0;
}

static size_t config_size(void)
{
	static const size_t before[NR_STAGES] = {
		offsetof(struct kmprof_config, block_rate),
		offsetof(struct kmprof_config, mutex_fraction),
		offsetof(struct kmprof_config, labels),
	};

	return size_of(before, sizeof(config));
}

static int get_config(void *arg)
{
	struct kmprof_config now;

	if (copy_in(&now, config_size(), arg))
		return -1;
	now = config;
	now.fields = settings();
	if (getenv("STUB_LABELS"))
		now.labels = number("STUB_LABELS");
	copy_out(arg, &now, config_size());
	return 0;
}

static int set_config(const void *arg)
{
	struct kmprof_config new = { 0 };

	if (copy_in(&new, config_size(), arg))
		return -1;
	if (new.fields & ~settings())
		return fail(EOPNOTSUPP);
	if ((new.block_rate || new.mutex_fraction) &&
	    number("STUB_LACKS") & KMPROF_LACKS_CONTENTION)
		return fail(ENOENT);
	if (new.heap_rate && number("STUB_LACKS") & KMPROF_LACKS_ALLOC)
		return fail(ENOENT);
	if (new.fields & KMPROF_CONFIG_HEAP_RATE)
		config.heap_rate = new.heap_rate;
	if (new.fields & KMPROF_CONFIG_BLOCK_RATE)
		config.block_rate = new.block_rate;
	if (new.fields & KMPROF_CONFIG_MUTEX_FRACTION)
		config.mutex_fraction = new.mutex_fraction;
	if (new.fields & KMPROF_CONFIG_LABELS)
		config.labels = new.labels;
	return 0;
}

static int take_snapshot(struct kmprof_snapshot *arg)
{
	const char *path = getenv("STUB_IMAGE");
	struct stat st;
	int fd;

	fd = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0 || fstat(fd, &st))
		return fail(ENOMEM);
	arg->fd = fd;
	arg->bytes = (__u64)st.st_size;
	return 0;
}

int open(const char *path, int flags, ...)
{
	unsigned int mode = 0;
	va_list ap;

	va_start(ap, flags);
	if (flags & O_CREAT)
		mode = va_arg(ap, unsigned int);
	va_end(ap);
	if (strcmp(path, KMPROF_DEVICE_PATH))
		return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
	device = (int)syscall(SYS_openat, AT_FDCWD, "/dev/null", flags, 0);
	return device;
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list ap;
	void *arg;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	if (fd != device)
		return (int)syscall(SYS_ioctl, fd, request, arg);
	switch (request) {
	case KMPROF_IOC_INFO:
		return get_info(arg);
	case KMPROF_IOC_GET_CONFIG:
		return get_config(arg);
	case KMPROF_IOC_SET_CONFIG:
		return set_config(arg);
	case KMPROF_IOC_SNAPSHOT:
		return take_snapshot(arg);
	default:
		return fail(ENOTTY);
	}
}
