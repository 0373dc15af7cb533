// SPDX-License-Identifier: GPL-2.0
/*
 * Every ioctl rejects what it cannot accept with the documented errno, and has
 * changed nothing then.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/snapshot.h"

#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif

#define FTRACE_ENABLED "/proc/sys/kernel/ftrace_enabled"
#define KPROBES_ENABLED "/sys/kernel/debug/kprobes/enabled"

enum {
	RATE = 262144,
	PAGE = 4096,
	ALL_RATES = KMPROF_CONFIG_HEAP_RATE | KMPROF_CONFIG_BLOCK_RATE |
		    KMPROF_CONFIG_MUTEX_FRACTION,
	ALL_FIELDS = ALL_RATES | KMPROF_CONFIG_LABELS,
};

/* Room for every structure and for what may be behind it. */
union argument {
	struct {
		uint32_t size;
		uint32_t flags;
	};
	struct kmprof_info info;
	struct kmprof_config config;
	struct kmprof_select select;
	struct kmprof_snapshot snapshot;
	struct kmprof_advance advance;
	struct kmprof_reset reset;
	unsigned char bytes[2 * PAGE];
};

/**
 * struct command - one ioctl
 * @name: for messages
 * @cmd: its number
 * @size: of its structure
 * @first_size: of its structure's first version
 * @known_flags: flags that it accepts
 * @reserved: offset of a __u32 that has to be zero, or 0
 * @changes: needs CAP_SYS_ADMIN
 */
struct command {
	const char *name;
	unsigned int cmd;
	uint32_t size;
	uint32_t first_size;
	uint32_t known_flags;
	size_t reserved;
	int changes;
};

static const struct command commands[] = {
	{ "INFO", KMPROF_IOC_INFO, sizeof(struct kmprof_info), offsetof(struct kmprof_info, lacks),
	  0, offsetof(struct kmprof_info, __reserved), 0 },
	{ "GET_CONFIG", KMPROF_IOC_GET_CONFIG, sizeof(struct kmprof_config),
	  offsetof(struct kmprof_config, block_rate), 0, 0, 0 },
	{ "SET_CONFIG", KMPROF_IOC_SET_CONFIG, sizeof(struct kmprof_config),
	  offsetof(struct kmprof_config, block_rate), 0, 0, 1 },
	{ "SELECT", KMPROF_IOC_SELECT, sizeof(struct kmprof_select),
	  sizeof(struct kmprof_select), 0, offsetof(struct kmprof_select, __reserved), 0 },
	{ "SNAPSHOT", KMPROF_IOC_SNAPSHOT, sizeof(struct kmprof_snapshot),
	  sizeof(struct kmprof_snapshot), KMPROF_SNAPSHOT_PUBLISHED,
	  offsetof(struct kmprof_snapshot, __reserved), 0 },
	{ "ADVANCE", KMPROF_IOC_ADVANCE, sizeof(struct kmprof_advance),
	  sizeof(struct kmprof_advance), 0, 0, 0 },
	{ "RESET", KMPROF_IOC_RESET, sizeof(struct kmprof_reset), sizeof(struct kmprof_reset),
	  0, 0, 1 },
};

FIXTURE(ioctl) {
	int dev;
};

GUEST_SOURCE_VARIANTS(ioctl);

FIXTURE_SETUP(ioctl)
{
	ASSERT_EQ(0, guest_load(variant->source, "heap_rate=262144"));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
}

FIXTURE_TEARDOWN(ioctl)
{
	EXPECT_EQ(0, guest_write_file(FTRACE_ENABLED, "1"));
	EXPECT_EQ(0, guest_write_file(KPROBES_ENABLED, "1"));
	close(self->dev);
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

/* An argument with which the command succeeds and, if it can, changes much. */
static void valid_argument(const struct command *c, union argument *arg)
{
	memset(arg, 0, sizeof(*arg));
	arg->size = c->size;
	switch (c->cmd) {
	case KMPROF_IOC_SET_CONFIG:
		arg->config.fields = ALL_FIELDS;
		arg->config.heap_rate = 12345;
		arg->config.block_rate = 67890;
		arg->config.mutex_fraction = 77;
		arg->config.labels = KMPROF_LABEL_COMM;
		break;
	case KMPROF_IOC_SELECT:
		arg->select.profile = KMPROF_PROFILE_ALLOCS;
		break;
	}
}

/**
 * struct state - what a rejected call must not change
 * @rate: heap_rate
 * @block_rate: likewise
 * @mutex_fraction: likewise
 * @cycle: the last published cycle
 * @start_ns: when counting started
 * @alloc_calls: in that cycle
 * @snapshots: open snapshots
 * @next_fd: the lowest free descriptor
 */
struct state {
	uint64_t rate;
	uint64_t block_rate;
	uint64_t mutex_fraction;
	uint64_t cycle;
	uint64_t start_ns;
	uint64_t alloc_calls;
	uint32_t snapshots;
	int next_fd;
};

static void get_state(struct __test_metadata *_metadata, int dev, struct state *state)
{
	struct kmprof_config config = { .size = sizeof(config) };
	struct kmprof_info info = { .size = sizeof(info) };
	struct kmprof_snapshot taken;
	struct snapshot snapshot;
	int fd;

	memset(state, 0, sizeof(*state));
	ASSERT_EQ(0, ioctl(dev, KMPROF_IOC_GET_CONFIG, &config));
	ASSERT_EQ(0, ioctl(dev, KMPROF_IOC_INFO, &info));
	fd = snapshot_ioctl(dev, KMPROF_SNAPSHOT_PUBLISHED, &taken);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, snapshot_read(fd, &snapshot));
	close(fd);
	state->rate = config.heap_rate;
	state->block_rate = config.block_rate;
	state->mutex_fraction = config.mutex_fraction;
	state->cycle = taken.cycle;
	state->start_ns = snapshot.header->start_ns;
	state->alloc_calls = snapshot.header->alloc_calls;
	state->snapshots = info.snapshots;
	state->next_fd = fd;
	snapshot_free(&snapshot);
}

static void expect_same_state(struct __test_metadata *_metadata, int dev,
			      const struct state *before, const char *after_what)
{
	struct state after;

	get_state(_metadata, dev, &after);
	EXPECT_EQ(0, memcmp(before, &after, sizeof(after)))
		TH_LOG("changed by %s: rate %llu -> %llu, block rate %llu -> %llu, "
		       "mutex fraction %llu -> %llu, cycle %llu -> %llu, start %+lld, "
		       "allocs %+lld, snapshots %u -> %u, fd %d -> %d",
		       after_what, (unsigned long long)before->rate,
		       (unsigned long long)after.rate,
		       (unsigned long long)before->block_rate,
		       (unsigned long long)after.block_rate,
		       (unsigned long long)before->mutex_fraction,
		       (unsigned long long)after.mutex_fraction,
		       (unsigned long long)before->cycle,
		       (unsigned long long)after.cycle,
		       (long long)(after.start_ns - before->start_ns),
		       (long long)(after.alloc_calls - before->alloc_calls),
		       before->snapshots, after.snapshots,
		       before->next_fd, after.next_fd);
}

/* The call fails with @error, and writes nothing into its argument. */
static void expect_error(struct __test_metadata *_metadata, int dev, const struct command *c,
			 const union argument *arg, int error, const char *what)
{
	static union argument copy;
	int ret;

	copy = *arg;
	ret = ioctl(dev, c->cmd, &copy);
	EXPECT_EQ(-1, ret)
		TH_LOG("%s: %s: accepted", c->name, what);
	if (ret)
		EXPECT_EQ(error, errno)
			TH_LOG("%s: %s: %s", c->name, what, strerror(errno));
	EXPECT_EQ(0, memcmp(&copy, arg, sizeof(copy)))
		TH_LOG("%s: %s: argument written", c->name, what);
}

/* What the other tests reject differs from this in one thing only. */
TEST_F(ioctl, valid_is_accepted)
{
	static union argument arg;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		const struct command *c = &commands[i];

		valid_argument(c, &arg);
		EXPECT_EQ(0, ioctl(self->dev, c->cmd, &arg))
			TH_LOG("%s: %s", c->name, strerror(errno));
		EXPECT_EQ(c->size, arg.size);
		if (c->cmd == KMPROF_IOC_SNAPSHOT)
			close(arg.snapshot.fd);
	}
}

TEST_F(ioctl, wrong_size)
{
	static union argument arg;
	struct state before;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		const struct command *c = &commands[i];
		const uint32_t too_small[] = { 0, 1, 4, c->first_size - 1 };
		unsigned int k;

		get_state(_metadata, self->dev, &before);
		valid_argument(c, &arg);
		for (k = 0; k < ARRAY_SIZE(too_small); k++) {
			arg.size = too_small[k];
			expect_error(_metadata, self->dev, c, &arg, EINVAL, "too small");
		}
		arg.size = PAGE + 1;
		expect_error(_metadata, self->dev, c, &arg, E2BIG, "more than a page");
		arg.size = UINT32_MAX;
		expect_error(_metadata, self->dev, c, &arg, E2BIG, "4 GiB");

		arg.size = c->size + 8;
		arg.bytes[c->size + 7] = 1;
		expect_error(_metadata, self->dev, c, &arg, E2BIG, "unknown field");
		arg.size = PAGE;
		arg.bytes[c->size + 7] = 0;
		arg.bytes[PAGE - 1] = 1;
		expect_error(_metadata, self->dev, c, &arg, E2BIG, "unknown last field");
		expect_same_state(_metadata, self->dev, &before, c->name);
	}
}

/* What an old caller reads, it can write back: what it does not know of stays. */
TEST_F(ioctl, earlier_versions_of_a_configuration)
{
	static const struct {
		uint32_t size;
		uint64_t fields;
		uint64_t unknown;
	} versions[] = {
		{ offsetof(struct kmprof_config, block_rate), KMPROF_CONFIG_HEAP_RATE,
		  KMPROF_CONFIG_BLOCK_RATE },
		{ offsetof(struct kmprof_config, mutex_fraction),
		  KMPROF_CONFIG_HEAP_RATE | KMPROF_CONFIG_BLOCK_RATE,
		  KMPROF_CONFIG_MUTEX_FRACTION },
		{ offsetof(struct kmprof_config, labels), ALL_RATES, KMPROF_CONFIG_LABELS },
	};
	struct kmprof_config config = {
		.size = sizeof(config),
		.fields = ALL_FIELDS & ~KMPROF_CONFIG_HEAP_RATE,
		.block_rate = 777, .mutex_fraction = 55, .labels = KMPROF_LABEL_PID,
	};
	unsigned int i;

	ASSERT_EQ(0, ioctl(self->dev, KMPROF_IOC_SET_CONFIG, &config));
	for (i = 0; i < ARRAY_SIZE(versions); i++) {
		config = (struct kmprof_config){ .size = versions[i].size };
		ASSERT_EQ(0, ioctl(self->dev, KMPROF_IOC_GET_CONFIG, &config));
		EXPECT_EQ(versions[i].fields, config.fields);
		EXPECT_EQ(RATE, config.heap_rate);
		EXPECT_EQ(0, ioctl(self->dev, KMPROF_IOC_SET_CONFIG, &config));
		config.fields |= versions[i].unknown;
		EXPECT_EQ(-1, ioctl(self->dev, KMPROF_IOC_SET_CONFIG, &config));
		EXPECT_EQ(EOPNOTSUPP, errno);
	}
	config = (struct kmprof_config){ .size = sizeof(config) };
	ASSERT_EQ(0, ioctl(self->dev, KMPROF_IOC_GET_CONFIG, &config));
	EXPECT_EQ(ALL_FIELDS, config.fields);
	EXPECT_EQ(777, config.block_rate);
	EXPECT_EQ(55, config.mutex_fraction);
	EXPECT_EQ(KMPROF_LABEL_PID, config.labels);
}

static void expect_rates(struct __test_metadata *_metadata, int dev,
			 const struct kmprof_config *expected)
{
	struct kmprof_config config = { .size = sizeof(config) };
	struct kmprof_info info = { .size = sizeof(info) };

	ASSERT_EQ(0, ioctl(dev, KMPROF_IOC_GET_CONFIG, &config));
	ASSERT_EQ(0, ioctl(dev, KMPROF_IOC_INFO, &info));
	EXPECT_EQ(expected->heap_rate, config.heap_rate);
	EXPECT_EQ(expected->block_rate, config.block_rate);
	EXPECT_EQ(expected->mutex_fraction, config.mutex_fraction);
	EXPECT_EQ(expected->labels, config.labels);
	EXPECT_EQ(!!expected->heap_rate, info.attached);
	EXPECT_EQ(!!expected->block_rate, info.block_attached);
	EXPECT_EQ(!!expected->mutex_fraction, info.mutex_attached);
}

/* Wants all rates, and gets what it is expected to. */
static void expect_set(struct __test_metadata *_metadata, int dev, uint64_t mutex_fraction,
		       int ret, const struct kmprof_config *was)
{
	const struct kmprof_config wanted = {
		.size = sizeof(wanted), .fields = ALL_FIELDS,
		.heap_rate = RATE, .block_rate = 888, .mutex_fraction = mutex_fraction,
		.labels = KMPROF_LABEL_CGROUP,
	};

	EXPECT_EQ(ret, ioctl(dev, KMPROF_IOC_SET_CONFIG, &wanted));
	expect_rates(_metadata, dev, ret ? was : &wanted);
}

/* Where frees cannot be seen, nothing is armed for the sake of the other rates. */
TEST_F(ioctl, all_rates_or_none)
{
	struct kmprof_config was = { .size = sizeof(was), .fields = ALL_FIELDS };

	for (; was.block_rate <= 777; was.block_rate += 777) {
		ASSERT_EQ(0, ioctl(self->dev, KMPROF_IOC_SET_CONFIG, &was));
		ASSERT_EQ(0, guest_write_file(FTRACE_ENABLED, "0"));
		expect_set(_metadata, self->dev, 66, -1, &was);
		expect_set(_metadata, self->dev, 0, -1, &was);
		ASSERT_EQ(0, guest_write_file(FTRACE_ENABLED, "1"));
		expect_set(_metadata, self->dev, 66, 0, &was);
	}
}

/* Nor is a rate of what is armed changed; tracepoints need no kprobes. */
TEST_F(ioctl, all_rates_or_none_while_armed)
{
	const int ret = strcmp(variant->source, "kprobe") ? 0 : -1;
	const struct kmprof_config was = {
		.size = sizeof(was), .fields = ALL_FIELDS,
		.block_rate = 777, .mutex_fraction = 55,
	};

	ASSERT_EQ(0, ioctl(self->dev, KMPROF_IOC_SET_CONFIG, &was));
	/* The kernel does not let itself be blinded. */
	EXPECT_EQ(-EBUSY, guest_write_file(FTRACE_ENABLED, "0"));
	ASSERT_EQ(0, guest_write_file(KPROBES_ENABLED, "0"));
	expect_set(_metadata, self->dev, 66, ret, &was);
	ASSERT_EQ(0, guest_write_file(KPROBES_ENABLED, "1"));
	expect_set(_metadata, self->dev, 66, 0, &was);
}

/* A caller of the first version: what it has no room for is not written. */
TEST_F(ioctl, first_version_is_accepted)
{
	static union argument arg;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		const struct command *c = &commands[i];
		uint32_t k;

		valid_argument(c, &arg);
		arg.size = c->first_size;
		if (c->cmd == KMPROF_IOC_SET_CONFIG)
			arg.config.fields = KMPROF_CONFIG_HEAP_RATE;
		memset(&arg.bytes[c->first_size], 0xa5, PAGE - c->first_size);
		EXPECT_EQ(0, ioctl(self->dev, c->cmd, &arg))
			TH_LOG("%s: %s", c->name, strerror(errno));
		for (k = c->first_size; k < PAGE; k++)
			ASSERT_EQ(0xa5, (unsigned char)arg.bytes[k])
				TH_LOG("%s: byte %u", c->name, k);
		if (c->cmd == KMPROF_IOC_SNAPSHOT)
			close(arg.snapshot.fd);
		memset(&arg, 0, sizeof(arg));
	}
}

/* A caller from the future that does not use its new fields. */
TEST_F(ioctl, longer_and_zero)
{
	static union argument arg;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		const struct command *c = &commands[i];

		valid_argument(c, &arg);
		arg.size = PAGE;
		/* Behind what the size says, nothing counts. */
		arg.bytes[PAGE] = 1;
		EXPECT_EQ(0, ioctl(self->dev, c->cmd, &arg))
			TH_LOG("%s: %s", c->name, strerror(errno));
		if (c->cmd == KMPROF_IOC_SNAPSHOT)
			close(arg.snapshot.fd);
	}
}

TEST_F(ioctl, unknown_flags_and_reserved)
{
	static union argument arg;
	struct state before;
	unsigned int i, bit;

	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		const struct command *c = &commands[i];

		get_state(_metadata, self->dev, &before);
		for (bit = 0; bit < 32; bit++) {
			if (c->known_flags & (1U << bit))
				continue;
			valid_argument(c, &arg);
			arg.flags = 1U << bit;
			expect_error(_metadata, self->dev, c, &arg, EOPNOTSUPP, "unknown flag");
		}
		if (c->reserved) {
			valid_argument(c, &arg);
			arg.bytes[c->reserved] = 0x80;
			expect_error(_metadata, self->dev, c, &arg, EOPNOTSUPP, "reserved field");
		}
		expect_same_state(_metadata, self->dev, &before, c->name);
	}
}

TEST_F(ioctl, values_out_of_range)
{
	const struct command *get = &commands[1], *set = &commands[2], *select = &commands[3];
	static const uint32_t profiles[] = { 0, 5, 31, 63, 64, UINT32_MAX };
	static union argument arg;
	struct state before;
	unsigned int i;

	get_state(_metadata, self->dev, &before);

	valid_argument(set, &arg);
	arg.config.heap_rate = KMPROF_HEAP_RATE_MAX + 1;
	expect_error(_metadata, self->dev, set, &arg, EINVAL, "rate above the maximum");
	arg.config.heap_rate = UINT64_MAX;
	expect_error(_metadata, self->dev, set, &arg, EINVAL, "rate -1");
	valid_argument(set, &arg);
	arg.config.block_rate = KMPROF_BLOCK_RATE_MAX + 1;
	expect_error(_metadata, self->dev, set, &arg, EINVAL, "block rate above the maximum");
	valid_argument(set, &arg);
	arg.config.mutex_fraction = KMPROF_MUTEX_FRACTION_MAX + 1;
	expect_error(_metadata, self->dev, set, &arg, EINVAL, "mutex fraction above the maximum");
	valid_argument(set, &arg);
	arg.config.fields &= ~KMPROF_CONFIG_BLOCK_RATE;
	expect_error(_metadata, self->dev, set, &arg, EOPNOTSUPP, "a block rate without its bit");
	valid_argument(set, &arg);
	arg.config.fields &= ~KMPROF_CONFIG_MUTEX_FRACTION;
	expect_error(_metadata, self->dev, set, &arg, EOPNOTSUPP, "a fraction without its bit");
	valid_argument(set, &arg);
	arg.config.labels = KMPROF_LABELS + 1;
	expect_error(_metadata, self->dev, set, &arg, EINVAL, "unknown label");
	valid_argument(set, &arg);
	arg.config.fields &= ~KMPROF_CONFIG_LABELS;
	expect_error(_metadata, self->dev, set, &arg, EOPNOTSUPP, "labels without their bit");
	valid_argument(set, &arg);
	arg.config.fields |= 1ULL << 4;
	expect_error(_metadata, self->dev, set, &arg, EOPNOTSUPP, "unknown field bit 4");
	valid_argument(set, &arg);
	arg.config.fields |= 1ULL << 63;
	expect_error(_metadata, self->dev, set, &arg, EOPNOTSUPP, "unknown field bit 63");
	valid_argument(set, &arg);
	arg.config.fields = 0;
	expect_error(_metadata, self->dev, set, &arg, EOPNOTSUPP, "a value without its field bit");

	valid_argument(get, &arg);
	arg.config.fields = KMPROF_CONFIG_HEAP_RATE;
	expect_error(_metadata, self->dev, get, &arg, EOPNOTSUPP, "fields in a GET");

	for (i = 0; i < ARRAY_SIZE(profiles); i++) {
		valid_argument(select, &arg);
		arg.select.profile = profiles[i];
		expect_error(_metadata, self->dev, select, &arg, EOPNOTSUPP, "unknown profile");
	}
	expect_same_state(_metadata, self->dev, &before, "a value out of range");
}

/* Pointers that cannot be read. */
TEST_F(ioctl, unreadable_pointers)
{
	char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	static union argument arg;
	struct state before;
	unsigned int i, k;

	ASSERT_NE(MAP_FAILED, pages);
	ASSERT_EQ(0, munmap(pages + PAGE, PAGE));
	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		const struct command *c = &commands[i];
		/* The last three: the size can be read, the rest cannot. */
		void *const bad[] = {
			NULL, (void *)16, pages + PAGE, (void *)0x8000000000000000UL,
			(void *)0xffffffff81000000UL, (void *)-8L, pages + PAGE - 4,
			pages + PAGE - c->size + 4, pages + PAGE - c->size + 1,
		};

		get_state(_metadata, self->dev, &before);
		valid_argument(c, &arg);
		for (k = 0; k < ARRAY_SIZE(bad); k++) {
			size_t room = (char *)bad[k] >= pages && (char *)bad[k] < pages + PAGE ?
				      (size_t)(pages + PAGE - (char *)bad[k]) : 0;

			memcpy(pages + PAGE - room, &arg, room);
			errno = 0;
			EXPECT_EQ(-1, ioctl(self->dev, c->cmd, bad[k]));
			EXPECT_EQ(EFAULT, errno)
				TH_LOG("%s: pointer %p: %s", c->name, bad[k], strerror(errno));
		}
		expect_same_state(_metadata, self->dev, &before, c->name);
	}
	munmap(pages, PAGE);
}

/* A result that cannot be given back: as if the call had not been made. */
TEST_F(ioctl, unwritable_pointers)
{
	union argument *arg = mmap(NULL, sizeof(*arg), PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct state before;
	unsigned int i;

	ASSERT_NE(MAP_FAILED, arg);
	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		const struct command *c = &commands[i];

		get_state(_metadata, self->dev, &before);
		ASSERT_EQ(0, mprotect(arg, sizeof(*arg), PROT_READ | PROT_WRITE));
		valid_argument(c, arg);
		ASSERT_EQ(0, mprotect(arg, sizeof(*arg), PROT_READ));
		EXPECT_EQ(-1, ioctl(self->dev, c->cmd, arg))
			TH_LOG("%s: accepted", c->name);
		EXPECT_EQ(EFAULT, errno);
		expect_same_state(_metadata, self->dev, &before, c->name);
	}
	munmap(arg, sizeof(*arg));
}

TEST_F(ioctl, unknown_commands)
{
	const unsigned int unknown[] = {
		_IO(KMPROF_IOC_TYPE, KMPROF_CMD_RESET + 1), _IO(KMPROF_IOC_TYPE, 255),
		_IO(KMPROF_IOC_TYPE + 1, KMPROF_CMD_INFO), 0, UINT32_MAX,
		_IOR(KMPROF_IOC_TYPE, KMPROF_CMD_INFO, struct kmprof_info),
		_IOWR(KMPROF_IOC_TYPE, KMPROF_CMD_RESET, struct kmprof_reset),
	};
	static union argument arg;
	struct state before;
	unsigned int i;

	get_state(_metadata, self->dev, &before);
	for (i = 0; i < ARRAY_SIZE(unknown); i++) {
		const struct command c = { .name = "unknown", .cmd = unknown[i] };

		memset(&arg, 0, sizeof(arg));
		arg.size = sizeof(struct kmprof_info);
		expect_error(_metadata, self->dev, &c, &arg, ENOTTY, "unknown command");
	}
	expect_same_state(_metadata, self->dev, &before, "unknown commands");
}

/* Gives up root, but for the capabilities in @keep. */
static void drop_privileges(uint64_t keep)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = {
		{ .effective = keep, .permitted = keep },
		{ .effective = keep >> 32, .permitted = keep >> 32 },
	};

	if (prctl(PR_SET_KEEPCAPS, 1) || setresgid(65534, 65534, 65534) ||
	    setresuid(65534, 65534, 65534) || syscall(SYS_capset, &header, data))
		_exit(100);
}

/* Runs @child with @dev without privileges; returns its exit status. */
static int run_unprivileged(uint64_t keep, int (*child)(int dev), int dev)
{
	int status;
	pid_t pid = fork();

	if (pid < 0)
		return -1;
	if (!pid) {
		drop_privileges(keep);
		_exit(child(dev));
	}
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

/* The errno of an attempt to open the device, 0 for success. */
static int try_open(int dev)
{
	int fd = open(KMPROF_DEVICE_PATH, O_RDONLY);

	(void)dev;
	return fd < 0 ? errno : 0;
}

/* The number of the first command that was treated wrongly, plus 1. */
static int try_commands(int dev)
{
	static union argument arg;
	unsigned int i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		const struct command *c = &commands[i];

		valid_argument(c, &arg);
		ret = ioctl(dev, c->cmd, &arg);
		if (c->changes ? ret != -1 || errno != EPERM : ret)
			return i + 1;
	}
	return 0;
}

static int try_opened_commands(int dev)
{
	int fd = open(KMPROF_DEVICE_PATH, O_RDONLY);

	(void)dev;
	return fd < 0 ? 101 : try_commands(fd);
}

TEST_F(ioctl, missing_privileges)
{
	static union argument arg;
	struct state before, after;
	struct stat node;

	get_state(_metadata, self->dev, &before);
	ASSERT_EQ(0, stat(KMPROF_DEVICE_PATH, &node));
	EXPECT_EQ(0600, node.st_mode & 07777);
	EXPECT_EQ(EACCES, run_unprivileged(0, try_open, -1));

	/* Where an administrator lets everybody at the node, open() decides. */
	ASSERT_EQ(0, chmod(KMPROF_DEVICE_PATH, 0666));
	EXPECT_EQ(EPERM, run_unprivileged(0, try_open, -1));
	EXPECT_EQ(EPERM, run_unprivileged(1ULL << CAP_SYSLOG, try_open, -1));
	EXPECT_EQ(0, run_unprivileged(1ULL << CAP_PERFMON, try_open, -1));
	EXPECT_EQ(0, run_unprivileged(1ULL << CAP_SYS_ADMIN, try_open, -1));
	expect_same_state(_metadata, self->dev, &before, "open without privileges");

	/* An open file may look, whoever holds it; changing needs the right. */
	EXPECT_EQ(0, run_unprivileged(0, try_commands, self->dev));
	EXPECT_EQ(0, run_unprivileged(1ULL << CAP_PERFMON, try_commands, self->dev));
	EXPECT_EQ(0, run_unprivileged(1ULL << CAP_PERFMON, try_opened_commands, -1));
	ASSERT_EQ(0, chmod(KMPROF_DEVICE_PATH, 0600));

	get_state(_metadata, self->dev, &after);
	EXPECT_EQ(before.rate, after.rate);
	EXPECT_EQ(before.start_ns, after.start_ns);
	EXPECT_EQ(before.snapshots, after.snapshots);

	/* The same with privileges. */
	valid_argument(&commands[2], &arg);
	EXPECT_EQ(0, ioctl(self->dev, KMPROF_IOC_SET_CONFIG, &arg));
	get_state(_metadata, self->dev, &after);
	EXPECT_EQ(12345, after.rate);
}

/* What INFO tells is what the module was loaded with. */
TEST_F(ioctl, info_tells_the_parameters)
{
	static const char *const names[] = {
		"max_buckets", "max_live", "stack_depth", "ring_bytes", "max_snapshots",
	};
	struct kmprof_info info = { .size = sizeof(info) };
	const uint32_t *const values[] = {
		&info.max_buckets, &info.max_live, &info.stack_depth,
		&info.ring_bytes, &info.max_snapshots,
	};
	unsigned int i;
	char text[64];

	ASSERT_EQ(0, ioctl(self->dev, KMPROF_IOC_INFO, &info));
	EXPECT_EQ(KMPROF_ABI_VERSION, info.abi_version);
	EXPECT_EQ(strcmp(variant->source, "kprobe") ? KMPROF_SOURCE_TRACEPOINT :
		  KMPROF_SOURCE_KPROBE, info.source);
	EXPECT_EQ(KMPROF_SOURCE_TRACEPOINT, info.wait_source);
	EXPECT_EQ((1 << KMPROF_PROFILE_HEAP) | (1 << KMPROF_PROFILE_ALLOCS) |
		  (1 << KMPROF_PROFILE_BLOCK) | (1 << KMPROF_PROFILE_MUTEX), info.profiles);
	EXPECT_EQ(1, info.attached);
	EXPECT_EQ(0, info.block_attached);
	EXPECT_EQ(0, info.mutex_attached);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		ASSERT_EQ(0, guest_param(names[i], text, sizeof(text)));
		EXPECT_EQ(strtoul(text, NULL, 10), *values[i])
			TH_LOG("%s", names[i]);
	}
	ASSERT_EQ(0, guest_param("source", text, sizeof(text)));
	EXPECT_STREQ(variant->source, text);
}

TEST_HARNESS_MAIN
