// SPDX-License-Identifier: GPL-2.0
/*
 * Stands for the module, by LD_PRELOAD: answers opening /dev/kmprof and its commands
 * as the contract says. What it is like comes from the environment:
 *
 *	STUB_IMAGE=FILE		what a snapshot is
 *	STUB_WITHOUT=NAME	the profile that the module does not have, with its setting; or
 *				kinds: the setting heap
 *	STUB_PROFILE=NAME	a profile that it has besides
 *	STUB_SETTING=NAME	a setting that it has besides, with probes, of at most 9
 *	STUB_SETTINGS=NUMBER	so many more, called setting0 and so on
 *	STUB_LACKS=MASK		what cannot be seen: SET refuses waits, and allocations
 *	STUB_HEAP=0		allocations are not probed
 *	STUB_BLOCK=NS		waits are probed, and sampled at that rate
 *	STUB_MUTEX=1		releases are probed
 *	STUB_LABELS=MASK	what tells waits and releases apart at first
 *	STUB_MAX_LABELS=MASK	the largest value of that
 *	STUB_ROUNDS=PREFIX	the first snapshot is PREFIX.0, the next one PREFIX.1 and so on
 *	STUB_SETTLE=ERRNO	SETTLE fails
 *	STUB_LOG=FILE		settings that are changed, SETTLE, RESET, snapshots, and that caches
 *				are dropped, which they are not
 *	STUB_DROP=NUMBER	so many bytes are taken by what drops caches
 *	STUB_WAIT=ERRNO		waitpid() fails
 *	STUB_SYNC=SIGNAL	a signal comes while a file is put on the disk
 *	STUB_SETS=NUMBER	SET works so many times
 *	STUB_KINDS=MASK		the kinds of memory at first
 *	STUB_MAX_HEAP=MASK	the largest value of the kinds of memory
 *	STUB_NO_KINDS=MASK	of these kinds, not everything can be seen: SET refuses them
 *	STUB_OBJECTS=no		a snapshot cannot list objects
 *	STUB_NO_BYTES=1		nobody may see bytes of objects
 *	STUB_FILTER=TEXT	it has the setting heap_filter, with this text at first; none with
 *				"wrong" in it is one
 *	STUB_MARKS=1		it has the settings of marks
 *	STUB_CALL_RCU=1		it has the setting heap_call_rcu
 *	STUB_OWNERS=VALUE	it has the setting owners, with this value at first
 *	STUB_HEAP_LABELS=MASK	it has labels of the heap, and these at first
 *	STUB_OPEN=ERRNO		it cannot be opened
 *	STUB_CHANGE=ERRNO	SET and RESET fail
 *	STUB_ALL=ERRNO		all commands fail
 *	STUB_TRACE=FILE		what is read from a trace: half of it at once, and the rest when it
 *				has been stopped; without it, there is no tracer
 *	STUB_TRACE_ENDS=1	all of it at once, and its end
 *	STUB_TRACE_NO_REST=1	the rest does not come
 *	STUB_TRACE_ENDLESS=1	there is always something to read
 *	STUB_TRACE_UNREADABLE=1	reading it fails
 *	STUB_TRACE_START=ERRNO	starting a trace fails
 *	STUB_TRACE_STOP=ERRNO	stopping it fails
 *	STUB_TRACE_SNAPSHOTS=N	somebody stops the first N flight recorders at once. What one has is
 *				there when it is stopped
 *	STUB_SNAPSHOT=ERRNO	there is no flight recorder to be stopped
 *	STUB_MARK=ERRNO		putting a mark fails
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/kmprof.h>

#include "util/util.h"

enum { MAX_SETTINGS = 64, MAX_PROFILES = 8 };

static int device = -1, caches = -1, trace_file = -1, trace_end = -1;
static struct kmprof_setting_value setting[MAX_SETTINGS];
static __u32 nr_settings;

/* In the order of their numbers: name, and name of the table. */
static const char *profile[MAX_PROFILES][2];
static __u32 nr_profiles;

static __u64 number(const char *name)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 0) : 0;
}

__printf(1, 2)
static void log_line(const char *fmt, ...)
{
	const char *path = getenv("STUB_LOG");
	FILE *file = path ? fopen(path, "a") : NULL;
	va_list ap;

	if (!file)
		return;
	va_start(ap, fmt);
	vfprintf(file, fmt, ap);
	va_end(ap);
	fclose(file);
}

static int fail(int error)
{
	errno = error;
	return -1;
}

static int has(const char *name)
{
	const char *without = getenv("STUB_WITHOUT");

	return !without || strcmp(without, name);
}

static void add_setting(__u32 id, const char *name, __u64 value, __u64 max, __u32 flags)
{
	struct kmprof_setting_value *s = &setting[nr_settings++];

	s->id = id;
	s->value = value;
	s->max = max;
	s->flags = flags;
	snprintf(s->name, sizeof(s->name), "%s", name);
}

static void add_rate(__u32 id, const char *name, __u64 value, __u64 max, int attached)
{
	add_setting(id, name, value, max, KMPROF_SETTING_HAS_PROBES |
		    (attached ? KMPROF_SETTING_ATTACHED : 0));
}

static void add_profile(const char *name, const char *table)
{
	profile[nr_profiles][0] = name;
	profile[nr_profiles++][1] = table;
}

static void load(void)
{
	char name[KMPROF_NAME_LEN];
	__u32 i;

	if (has("heap")) {
		add_rate(KMPROF_SETTING_HEAP_RATE, "heap_rate", 524288, KMPROF_HEAP_RATE_MAX,
			 !getenv("STUB_HEAP") || number("STUB_HEAP"));
		add_profile("heap", "heap");
		add_profile("allocs", "heap");
	}
	if (has("block")) {
		add_rate(KMPROF_SETTING_BLOCK_RATE, "block_rate", number("STUB_BLOCK"),
			 KMPROF_BLOCK_RATE_MAX, !!getenv("STUB_BLOCK"));
		add_profile("block", "block");
	}
	if (has("mutex")) {
		add_rate(KMPROF_SETTING_MUTEX_FRACTION, "mutex_fraction", number("STUB_MUTEX"),
			 KMPROF_MUTEX_FRACTION_MAX, !!number("STUB_MUTEX"));
		add_profile("mutex", "mutex");
	}
	add_setting(KMPROF_SETTING_LABELS, "labels", number("STUB_LABELS"),
		    getenv("STUB_MAX_LABELS") ? number("STUB_MAX_LABELS") : KMPROF_LABELS, 0);
	if (getenv("STUB_OWNERS"))
		add_setting(KMPROF_SETTING_OWNERS, "owners", number("STUB_OWNERS"), 1, 0);
	if (getenv("STUB_HEAP_LABELS"))
		add_setting(KMPROF_SETTING_HEAP_LABELS, "heap_labels", number("STUB_HEAP_LABELS"),
			    KMPROF_HEAP_LABELS, 0);
	if (getenv("STUB_FILTER")) {
		add_setting(KMPROF_SETTING_HEAP_FILTER, "heap_filter",
			    !!strcmp(getenv("STUB_FILTER"), "none"), 1, KMPROF_SETTING_IS_TEXT);
		snprintf(setting[nr_settings - 1].text, sizeof(setting[0].text), "%s",
			 getenv("STUB_FILTER"));
	}
	if (getenv("STUB_MARKS")) {
		add_setting(KMPROF_SETTING_HEAP_PEAK, "heap_peak", 0, 1, 0);
		add_setting(KMPROF_SETTING_HEAP_AT, "heap_at", 0, KMPROF_HEAP_AT_MAX, 0);
	}
	if (getenv("STUB_CALL_RCU"))
		add_setting(KMPROF_SETTING_HEAP_CALL_RCU, "heap_call_rcu", 0, 1, 0);
	if (has("heap") && has("kinds"))
		add_setting(KMPROF_SETTING_HEAP, "heap",
			    getenv("STUB_KINDS") ? number("STUB_KINDS") : KMPROF_HEAP_SLAB,
			    getenv("STUB_MAX_HEAP") ? number("STUB_MAX_HEAP") :
			    KMPROF_HEAP_KINDS | KMPROF_HEAP_MOVABLE,
			    0);
	if (getenv("STUB_SETTING"))
		add_rate(100, getenv("STUB_SETTING"), 3, 9, 1);
	for (i = 0; i < number("STUB_SETTINGS"); i++) {
		snprintf(name, sizeof(name), "setting%u", i);
		add_setting(200 + i, name, i, 1000, 0);
	}
	if (getenv("STUB_PROFILE"))
		add_profile(getenv("STUB_PROFILE"), getenv("STUB_PROFILE"));
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
	struct kmprof_info info = { 0 };

	if (copy_in(&info, sizeof(info), arg))
		return -1;
	info.abi_version = KMPROF_ABI_VERSION;
	info.max_buckets = 16384;
	info.max_live = 65536;
	info.live = number("STUB_LIVE");
	info.max_snapshots = 64;
	info.lacks = number("STUB_LACKS");
	info.max_waits = 4096;
	info.max_objects = 65536;
	copy_out(arg, &info, sizeof(info));
	return 0;
}

static int get_profile(void *arg)
{
	struct kmprof_profile_info info = { 0 };

	if (copy_in(&info, sizeof(info), arg))
		return -1;
	if (info.index >= nr_profiles)
		return fail(ENOENT);
	info.buckets = 10 + info.index;
	snprintf(info.name, sizeof(info.name), "%s", profile[info.index][0]);
	snprintf(info.table, sizeof(info.table), "%s", profile[info.index][1]);
	copy_out(arg, &info, sizeof(info));
	return 0;
}

/* Entry @i of the array of the caller. */
static void *entry(const struct kmprof_config *config, __u32 i)
{
	return (char *)(uintptr_t)config->settings + (size_t)i * config->entry_size;
}

static int get_config(struct kmprof_config *config)
{
	size_t known = sizeof(setting[0]);
	__u32 i, room = config->count;

	if (config->size < sizeof(*config) || config->flags)
		return fail(EINVAL);
	for (i = 0; i < room && i < nr_settings; i++) {
		memset(entry(config, i), 0, config->entry_size);
		memcpy(entry(config, i), &setting[i],
		       config->entry_size < known ? config->entry_size : known);
	}
	config->count = nr_settings;
	return 0;
}

static struct kmprof_setting_value *setting_of(__u32 id)
{
	__u32 i;

	for (i = 0; i < nr_settings; i++)
		if (setting[i].id == id)
			return &setting[i];
	return NULL;
}

/* Return: 0, or the negative errno by which the kernel refuses an entry. */
static int refused(const struct kmprof_setting_value *new)
{
	const struct kmprof_setting_value *old = setting_of(new->id);

	if (!old || new->flags)
		return -EOPNOTSUPP;
	if (new->value > old->max)
		return -EINVAL;
	if (!new->value)
		return 0;
	if (new->id == KMPROF_SETTING_HEAP_FILTER &&
	    (!*new->text || !strcmp(new->text, "none") || strstr(new->text, "wrong")))
		return -EINVAL;
	if ((new->id == KMPROF_SETTING_BLOCK_RATE || new->id == KMPROF_SETTING_MUTEX_FRACTION) &&
	    number("STUB_LACKS") & KMPROF_LACKS_CONTENTION)
		return -ENOENT;
	if (new->id == KMPROF_SETTING_HEAP_RATE && number("STUB_LACKS") & KMPROF_LACKS_ALLOC)
		return -ENOENT;
	if (new->id == KMPROF_SETTING_HEAP && number("STUB_NO_KINDS") & new->value)
		return -ENOENT;
	/* Of the setting besides, nothing can be seen where waits cannot. */
	if (new->id == 100 && number("STUB_LACKS") & KMPROF_LACKS_CONTENTION)
		return -ENOENT;
	return 0;
}

static void change(struct kmprof_setting_value *s, const struct kmprof_setting_value *new)
{
	s->value = new->value;
	if (!(s->flags & KMPROF_SETTING_IS_TEXT)) {
		log_line("set %s %llu\n", s->name, new->value);
		return;
	}
	snprintf(s->text, sizeof(s->text), "%s", new->value ? new->text : "none");
	log_line("set %s %s\n", s->name, s->text);
}

static int set_config(const struct kmprof_config *config)
{
	const struct kmprof_setting_value *new;
	static __u64 sets;
	__u32 i;
	int ret;

	if (config->size < sizeof(*config) || config->flags)
		return fail(EINVAL);
	if (getenv("STUB_SETS") && sets++ >= number("STUB_SETS"))
		return fail(EBUSY);
	for (i = 0; i < config->count; i++) {
		ret = refused(entry(config, i));
		if (ret)
			return fail(-ret);
	}
	for (i = 0; i < config->count; i++) {
		new = entry(config, i);
		change(setting_of(new->id), new);
	}
	return 0;
}

static int take_snapshot(struct kmprof_snapshot *arg)
{
	const char *path = getenv("STUB_IMAGE"), *rounds = getenv("STUB_ROUNDS");
	static unsigned int round;
	char of_round[4096];
	struct stat st;
	int fd;

	if (rounds) {
		snprintf(of_round, sizeof(of_round), "%s.%u", rounds, round++);
		path = of_round;
	}
	if (arg->flags & KMPROF_SNAPSHOT_OBJECTS && getenv("STUB_OBJECTS"))
		return fail(EOPNOTSUPP);
	if (arg->flags & KMPROF_SNAPSHOT_BYTES && getenv("STUB_NO_BYTES"))
		return fail(EPERM);
	log_line("snapshot%s%s\n", arg->flags & KMPROF_SNAPSHOT_OBJECTS ? " objects" : "",
		 arg->flags & KMPROF_SNAPSHOT_BYTES ? " bytes" : "");
	fd = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0 || fstat(fd, &st))
		return fail(ENOMEM);
	arg->fd = fd;
	arg->bytes = (__u64)st.st_size;
	return 0;
}

static int wait_for_frees(void)
{
	log_line("settle\n");
	return getenv("STUB_SETTLE") ? fail((int)number("STUB_SETTLE")) : 0;
}

/* Moves so many bytes into the pipe that the program reads from. */
static void move_trace(size_t bytes)
{
	static char piece[4096];
	ssize_t n;

	while (bytes) {
		n = syscall(SYS_read, trace_file, piece,
			    bytes < sizeof(piece) ? bytes : sizeof(piece));
		if (n <= 0 || syscall(SYS_write, trace_end, piece, n) != n)
			return;
		bytes -= (size_t)n;
	}
}

static void end_trace(void)
{
	move_trace((size_t)-1);
	close(trace_file);
	close(trace_end);
	trace_file = -1;
	trace_end = -1;
}

/* How much of it can be read at the start. */
static size_t first_bytes(const struct kmprof_trace_start *arg, size_t all)
{
	static __u64 flights;

	if (!(arg->flags & KMPROF_TRACE_START_FLIGHT))
		return all / 2;
	return flights++ < number("STUB_TRACE_SNAPSHOTS") ? all : 0;
}

static int start_trace(struct kmprof_trace_start *arg)
{
	const __u32 flags = KMPROF_TRACE_START_STACKS | KMPROF_TRACE_START_FLIGHT;
	const char *path = getenv("STUB_TRACE");
	struct stat st;
	int ends[2];

	if (arg->size != sizeof(*arg) || arg->flags & ~flags)
		return fail(EINVAL);
	if (getenv("STUB_TRACE_START"))
		return fail((int)number("STUB_TRACE_START"));
	if (!path)
		return fail(ENOTTY);
	log_line("trace start %llx %u%s%s%s%s\n", arg->events, arg->buffer_bytes,
		 arg->flags & KMPROF_TRACE_START_STACKS ? " stacks" : "",
		 arg->flags & KMPROF_TRACE_START_FLIGHT ? " flight" : "",
		 arg->filter[0] ? " " : "", arg->filter);
	trace_file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
	if (trace_file < 0 || fstat(trace_file, &st) || pipe2(ends, O_CLOEXEC) ||
	    fcntl(ends[1], F_SETPIPE_SZ, 1 << 20) < 0)
		return fail(ENOMEM);
	arg->fd = getenv("STUB_TRACE_UNREADABLE") ? dup(ends[1]) : ends[0];
	trace_end = ends[1];
	if (getenv("STUB_TRACE_ENDLESS"))
		arg->fd = (int)syscall(SYS_openat, AT_FDCWD, "/dev/zero", O_RDONLY | O_CLOEXEC);
	if (getenv("STUB_TRACE_ENDS"))
		end_trace();
	else
		move_trace(first_bytes(arg, (size_t)st.st_size));
	return 0;
}

/* The counts are at the end of the file. */
static int stop_trace(struct kmprof_trace_stop *arg)
{
	struct kmprof_trace_end counts = { 0 };

	if (arg->size != sizeof(*arg) || arg->flags)
		return fail(EINVAL);
	log_line("trace stop\n");
	if (getenv("STUB_TRACE_STOP"))
		return fail((int)number("STUB_TRACE_STOP"));
	if (trace_file >= 0 && !getenv("STUB_TRACE_NO_REST")) {
		off_t at = lseek(trace_file, 0, SEEK_CUR);

		lseek(trace_file, -(off_t)sizeof(counts), SEEK_END);
		syscall(SYS_read, trace_file, &counts, sizeof(counts));
		lseek(trace_file, at, SEEK_SET);
		end_trace();
	}
	arg->events = counts.events;
	arg->lost = counts.lost;
	return 0;
}

static int stop_recorder(void)
{
	log_line("trace snapshot\n");
	return getenv("STUB_SNAPSHOT") ? fail((int)number("STUB_SNAPSHOT")) : 0;
}

static ssize_t put_mark(const char *text, size_t size)
{
	if (getenv("STUB_MARK"))
		return fail((int)number("STUB_MARK"));
	log_line("mark %.*s\n", (int)size, text);
	return (ssize_t)size;
}

int open(const char *path, int flags, ...)
{
	unsigned int mode = 0;
	va_list ap;

	va_start(ap, flags);
	if (flags & O_CREAT)
		mode = va_arg(ap, unsigned int);
	va_end(ap);
	if (!strcmp(path, "/proc/sys/vm/drop_caches")) {
		log_line("drop caches\n");
		caches = (int)syscall(SYS_openat, AT_FDCWD, "/dev/null", flags, 0);
		return caches;
	}
	if (strcmp(path, KMPROF_DEVICE_PATH))
		return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
	if (getenv("STUB_OPEN"))
		return fail((int)number("STUB_OPEN"));
	if (!nr_settings)
		load();
	device = (int)syscall(SYS_openat, AT_FDCWD, "/dev/null", flags, 0);
	return device;
}

ssize_t write(int fd, const void *buffer, size_t size)
{
	if (fd == caches && fd >= 0 && getenv("STUB_DROP"))
		return (ssize_t)number("STUB_DROP");
	if (fd == device && fd >= 0)
		return put_mark(buffer, size);
	return syscall(SYS_write, fd, buffer, size);
}

/* The whole machine's is none of the tests' business, and may take minutes. */
void sync(void)
{
}

int fsync(int fd)
{
	if (getenv("STUB_SYNC"))
		kill(getpid(), (int)number("STUB_SYNC"));
	return (int)syscall(SYS_fsync, fd);
}

pid_t waitpid(pid_t pid, int *status, int options)
{
	if (getenv("STUB_WAIT"))
		return fail((int)number("STUB_WAIT"));
	return (pid_t)syscall(SYS_wait4, pid, status, options, NULL);
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
	if (getenv("STUB_ALL"))
		return fail((int)number("STUB_ALL"));
	if (getenv("STUB_CHANGE") &&
	    (request == KMPROF_IOC_SET_CONFIG || request == KMPROF_IOC_RESET))
		return fail((int)number("STUB_CHANGE"));
	switch (request) {
	case KMPROF_IOC_INFO:
		return get_info(arg);
	case KMPROF_IOC_PROFILE:
		return get_profile(arg);
	case KMPROF_IOC_GET_CONFIG:
		return get_config(arg);
	case KMPROF_IOC_SET_CONFIG:
		return set_config(arg);
	case KMPROF_IOC_SNAPSHOT:
		return take_snapshot(arg);
	case KMPROF_IOC_RESET:
		log_line("reset\n");
		return 0;
	case KMPROF_IOC_SETTLE:
		return wait_for_frees();
	case KMPROF_IOC_TRACE_START:
		return start_trace(arg);
	case KMPROF_IOC_TRACE_STOP:
		return stop_trace(arg);
	case KMPROF_IOC_TRACE_SNAPSHOT:
		return stop_recorder();
	default:
		return fail(ENOTTY);
	}
}
