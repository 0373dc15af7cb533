// SPDX-License-Identifier: GPL-2.0
/*
 * Every ioctl rejects what it cannot accept with the documented errno, and has
 * changed nothing then.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/rights.h"
#include "lib/settings.h"
#include "lib/snapshot.h"

#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif

#define FTRACE_ENABLED "/proc/sys/kernel/ftrace_enabled"
#define KPTR_RESTRICT "/proc/sys/kernel/kptr_restrict"
#define KPROBES_ENABLED "/sys/kernel/debug/kprobes/enabled"

enum {
	RATE = 262144,
	PAGE = 4096,
	/* The settings of this module. */
	SETTINGS = KMPROF_SETTING_HEAP_CALL_RCU + 1,
	/* Bytes of the shortest entry of an array of settings. */
	SHORTEST = offsetof(struct kmprof_setting_value, value) + sizeof(uint64_t),
};

/* Room for every structure and for what may be behind it. */
union argument {
	struct {
		uint32_t size;
		uint32_t flags;
	};
	struct kmprof_info info;
	struct kmprof_profile_info profile;
	struct kmprof_config config;
	struct kmprof_select select;
	struct kmprof_snapshot snapshot;
	struct kmprof_advance advance;
	struct kmprof_reset reset;
	struct kmprof_settle settle;
	struct kmprof_trace_start trace_start;
	struct kmprof_trace_stop trace_stop;
	struct kmprof_trace_snapshot trace_snapshot;
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
	{ "INFO", KMPROF_IOC_INFO, sizeof(struct kmprof_info), sizeof(struct kmprof_info),
	  0, 0, 0 },
	{ "PROFILE", KMPROF_IOC_PROFILE, sizeof(struct kmprof_profile_info),
	  sizeof(struct kmprof_profile_info), 0, 0, 0 },
	{ "GET_CONFIG", KMPROF_IOC_GET_CONFIG, sizeof(struct kmprof_config),
	  sizeof(struct kmprof_config), 0, 0, 0 },
	{ "SET_CONFIG", KMPROF_IOC_SET_CONFIG, sizeof(struct kmprof_config),
	  sizeof(struct kmprof_config), 0, 0, 1 },
	{ "SELECT", KMPROF_IOC_SELECT, sizeof(struct kmprof_select),
	  sizeof(struct kmprof_select), 0, 0, 0 },
	{ "SNAPSHOT", KMPROF_IOC_SNAPSHOT, sizeof(struct kmprof_snapshot),
	  sizeof(struct kmprof_snapshot),
	  KMPROF_SNAPSHOT_PUBLISHED | KMPROF_SNAPSHOT_OBJECTS | KMPROF_SNAPSHOT_BYTES,
	  offsetof(struct kmprof_snapshot, __reserved), 0 },
	{ "ADVANCE", KMPROF_IOC_ADVANCE, sizeof(struct kmprof_advance),
	  sizeof(struct kmprof_advance), 0, 0, 0 },
	{ "RESET", KMPROF_IOC_RESET, sizeof(struct kmprof_reset), sizeof(struct kmprof_reset),
	  0, 0, 1 },
	{ "SETTLE", KMPROF_IOC_SETTLE, sizeof(struct kmprof_settle), sizeof(struct kmprof_settle),
	  0, 0, 1 },
	{ "TRACE_START", KMPROF_IOC_TRACE_START, sizeof(struct kmprof_trace_start),
	  offsetof(struct kmprof_trace_start, filter),
	  KMPROF_TRACE_START_STACKS | KMPROF_TRACE_START_FLIGHT, 0, 0 },
	{ "TRACE_STOP", KMPROF_IOC_TRACE_STOP, sizeof(struct kmprof_trace_stop),
	  offsetof(struct kmprof_trace_stop, stackless), 0,
	  offsetof(struct kmprof_trace_stop, __reserved), 0 },
	{ "TRACE_SNAPSHOT", KMPROF_IOC_TRACE_SNAPSHOT, sizeof(struct kmprof_trace_snapshot),
	  sizeof(struct kmprof_trace_snapshot), 0, 0, 0 },
};

static const struct command *command_of(unsigned int cmd)
{
	const struct command *c = commands;

	while (c->cmd != cmd)
		c++;
	return c;
}

/* The array of valid_argument(), with room for one that the module does not know. */
static struct kmprof_setting_value entries[SETTINGS + 1];

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

/* What TRACE_STOP and TRACE_SNAPSHOT stop. */
static int trace = -1;

static bool needs_trace(const struct command *c)
{
	return c->cmd == KMPROF_IOC_TRACE_STOP || c->cmd == KMPROF_IOC_TRACE_SNAPSHOT;
}

/* What the command needs. Returns 0 or an errno. */
static int prepare(int dev, const struct command *c)
{
	struct kmprof_trace_start start = {
		.size = sizeof(start), .flags = KMPROF_TRACE_START_FLIGHT,
		.events = 1 << KMPROF_TRACE_SWITCH,
	};

	if (!needs_trace(c))
		return 0;
	if (ioctl(dev, KMPROF_IOC_TRACE_START, &start))
		return errno;
	trace = start.fd;
	return 0;
}

/* After the command has succeeded: what it has opened is closed. */
static void close_opened(const struct command *c, const union argument *arg)
{
	if (c->cmd == KMPROF_IOC_SNAPSHOT)
		close(arg->snapshot.fd);
	if (c->cmd == KMPROF_IOC_TRACE_START)
		close(arg->trace_start.fd);
}

/* What prepare() has opened is closed. */
static void finish(const struct command *c)
{
	if (needs_trace(c))
		close(trace);
}

/* An argument with which the command succeeds and, if it can, changes much. */
static void valid_argument(const struct command *c, union argument *arg)
{
	memset(arg, 0, sizeof(*arg));
	memset(entries, 0, sizeof(entries));
	arg->size = c->size;
	switch (c->cmd) {
	case KMPROF_IOC_SET_CONFIG:
		entries[0].id = KMPROF_SETTING_HEAP_RATE;
		entries[0].value = 12345;
		entries[1].id = KMPROF_SETTING_BLOCK_RATE;
		entries[1].value = 67890;
		entries[2].id = KMPROF_SETTING_MUTEX_FRACTION;
		entries[2].value = 77;
		entries[3].id = KMPROF_SETTING_LABELS;
		entries[3].value = KMPROF_LABEL_COMM;
		entries[4].id = KMPROF_SETTING_THREADCREATE;
		entries[4].value = 1;
		entries[5].id = KMPROF_SETTING_HEAP;
		entries[5].value = KMPROF_HEAP_KINDS;
		entries[6].id = KMPROF_SETTING_HEAP_LABELS;
		entries[6].value = KMPROF_LABEL_PID;
		entries[7].id = KMPROF_SETTING_OWNERS;
		entries[7].value = 1;
		entries[8].id = KMPROF_SETTING_HEAP_FILTER;
		entries[8].value = 1;
		strcpy(entries[8].text, "size=64-");
		/* With 1, it would close cycles at any time. */
		entries[9].id = KMPROF_SETTING_HEAP_PEAK;
		entries[10].id = KMPROF_SETTING_HEAP_AT;
		entries[10].value = KMPROF_HEAP_AT_MAX;
		entries[11].id = KMPROF_SETTING_HEAP_CALL_RCU;
		entries[11].value = 1;
		break;
	case KMPROF_IOC_SELECT:
		strcpy(arg->select.name, "allocs");
		return;
	case KMPROF_IOC_TRACE_START:
		arg->trace_start.events = 1 << KMPROF_TRACE_SWITCH;
		return;
	case KMPROF_IOC_TRACE_STOP:
		arg->trace_stop.fd = trace;
		return;
	case KMPROF_IOC_GET_CONFIG:
		break;
	default:
		return;
	}
	arg->config.count = SETTINGS;
	arg->config.entry_size = sizeof(*entries);
	arg->config.settings = (uintptr_t)entries;
}

/**
 * struct state - what a rejected call must not change
 * @values: of all settings
 * @filter: text of heap_filter
 * @cycle: the last published cycle
 * @start_ns: when counting started
 * @alloc_calls: in that cycle
 * @snapshots: open snapshots
 * @next_fd: the lowest free descriptor
 */
struct state {
	uint64_t values[SETTINGS];
	char filter[KMPROF_TEXT_LEN];
	uint64_t cycle;
	uint64_t start_ns;
	uint64_t alloc_calls;
	uint32_t snapshots;
	int next_fd;
};

static void get_values(struct __test_metadata *_metadata, int dev, uint64_t values[SETTINGS])
{
	struct kmprof_setting_value all[GUEST_SETTINGS];
	unsigned int i;

	ASSERT_EQ(SETTINGS, guest_get_settings(dev, all));
	for (i = 0; i < SETTINGS; i++) {
		ASSERT_EQ(i, all[i].id);
		values[i] = all[i].value;
	}
}

static void get_state(struct __test_metadata *_metadata, int dev, struct state *state)
{
	struct kmprof_info info = { .size = sizeof(info) };
	struct kmprof_setting_value filter;
	struct kmprof_snapshot taken;
	struct snapshot snapshot;
	int fd;

	memset(state, 0, sizeof(*state));
	ASSERT_EQ(0, guest_get_setting(dev, KMPROF_SETTING_HEAP_FILTER, &filter));
	strcpy(state->filter, filter.text);
	get_values(_metadata, dev, state->values);
	ASSERT_EQ(0, ioctl(dev, KMPROF_IOC_INFO, &info));
	fd = snapshot_ioctl(dev, KMPROF_SNAPSHOT_PUBLISHED, &taken);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, snapshot_read(fd, &snapshot));
	close(fd);
	state->cycle = taken.cycle;
	state->start_ns = snapshot.header->start_ns;
	state->alloc_calls = snapshot_scalar(&snapshot, "total.alloc_calls");
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
		TH_LOG("changed by %s: heap_rate %" PRIu64 " -> %" PRIu64 ", block_rate %" PRIu64
		       " -> %" PRIu64 ", mutex_fraction %" PRIu64 " -> %" PRIu64 ", labels %"
		       PRIu64 " -> %" PRIu64 ", cycle %" PRIu64 " -> %" PRIu64 ", start %+"
		       PRId64 ", allocs %+" PRId64 ", snapshots %u -> %u, fd %d -> %d",
		       after_what, before->values[0], after.values[0], before->values[1],
		       after.values[1], before->values[2], after.values[2], before->values[3],
		       after.values[3], before->cycle, after.cycle,
		       (int64_t)(after.start_ns - before->start_ns),
		       (int64_t)(after.alloc_calls - before->alloc_calls),
		       before->snapshots, after.snapshots,
		       before->next_fd, after.next_fd);
}

/* The call fails with @error, and writes nothing into its argument and into @entries. */
static void expect_error(struct __test_metadata *_metadata, int dev, const struct command *c,
			 const union argument *arg, int error, const char *what)
{
	struct kmprof_setting_value array[SETTINGS + 1];
	static union argument copy;
	int ret;

	copy = *arg;
	memcpy(array, entries, sizeof(array));
	ret = ioctl(dev, c->cmd, &copy);
	EXPECT_EQ(-1, ret)
		TH_LOG("%s: %s: accepted", c->name, what);
	if (ret)
		EXPECT_EQ(error, errno)
			TH_LOG("%s: %s: %s", c->name, what, strerror(errno));
	EXPECT_EQ(0, memcmp(&copy, arg, sizeof(copy)))
		TH_LOG("%s: %s: argument written", c->name, what);
	EXPECT_EQ(0, memcmp(array, entries, sizeof(array)))
		TH_LOG("%s: %s: array written", c->name, what);
}

/* What the other tests reject differs from this in one thing only. */
TEST_F(ioctl, valid_is_accepted)
{
	static union argument arg;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		const struct command *c = &commands[i];

		ASSERT_EQ(0, prepare(self->dev, c));
		valid_argument(c, &arg);
		EXPECT_EQ(0, ioctl(self->dev, c->cmd, &arg))
			TH_LOG("%s: %s", c->name, strerror(errno));
		EXPECT_EQ(c->size, arg.size);
		close_opened(c, &arg);
		finish(c);
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

		ASSERT_EQ(0, prepare(self->dev, c));
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
		finish(c);
	}
}

/* Where nothing is asked for, the number of settings is told. */
TEST_F(ioctl, room_for_no_setting)
{
	struct kmprof_config config = { .size = sizeof(config), .entry_size = SHORTEST };
	struct state before;

	get_state(_metadata, self->dev, &before);
	ASSERT_EQ(0, ioctl(self->dev, KMPROF_IOC_GET_CONFIG, &config));
	EXPECT_EQ(SETTINGS, config.count);
	config.count = 0;
	EXPECT_EQ(0, ioctl(self->dev, KMPROF_IOC_SET_CONFIG, &config));
	expect_same_state(_metadata, self->dev, &before, "nothing to set");
}

/* Of the first settings only, and nothing behind them. */
TEST_F(ioctl, room_for_few_settings)
{
	struct kmprof_setting_value all[GUEST_SETTINGS], some[GUEST_SETTINGS], filled;
	struct kmprof_config config;
	uint32_t room;

	ASSERT_EQ(SETTINGS, guest_get_settings(self->dev, all));
	memset(&filled, 0xa5, sizeof(filled));
	for (room = 0; room <= SETTINGS + 2; room++) {
		const uint32_t filled_from = room < SETTINGS ? room : SETTINGS;
		uint32_t i;

		memset(some, 0xa5, sizeof(some));
		config = (struct kmprof_config){
			.size = sizeof(config), .count = room, .entry_size = sizeof(*some),
			.settings = (uintptr_t)some,
		};
		ASSERT_EQ(0, ioctl(self->dev, KMPROF_IOC_GET_CONFIG, &config));
		EXPECT_EQ(SETTINGS, config.count);
		EXPECT_EQ(sizeof(*some), config.entry_size);
		EXPECT_EQ((uintptr_t)some, config.settings);
		EXPECT_EQ(0, memcmp(all, some, filled_from * sizeof(*some)));
		for (i = filled_from; i < GUEST_SETTINGS; i++)
			EXPECT_EQ(0, memcmp(&filled, &some[i], sizeof(filled)))
				TH_LOG("room for %u: entry %u", room, i);
	}
}

/* What GET tells of each setting, besides its value. */
TEST_F(ioctl, settings_are_described)
{
	static const struct {
		const char *name;
		uint64_t value;
		uint64_t max;
		uint32_t flags;
	} expected[SETTINGS] = {
		[KMPROF_SETTING_HEAP_RATE] = { "heap_rate", RATE, KMPROF_HEAP_RATE_MAX,
			KMPROF_SETTING_HAS_PROBES | KMPROF_SETTING_ATTACHED },
		[KMPROF_SETTING_BLOCK_RATE] = { "block_rate", 0, KMPROF_BLOCK_RATE_MAX,
			KMPROF_SETTING_HAS_PROBES },
		[KMPROF_SETTING_MUTEX_FRACTION] = { "mutex_fraction", 0,
			KMPROF_MUTEX_FRACTION_MAX, KMPROF_SETTING_HAS_PROBES },
		[KMPROF_SETTING_LABELS] = { "labels", 0, KMPROF_LABELS, 0 },
		[KMPROF_SETTING_THREADCREATE] = { "threadcreate", 0, 1,
			KMPROF_SETTING_HAS_PROBES },
		[KMPROF_SETTING_HEAP] = { "heap", KMPROF_HEAP_SLAB,
					KMPROF_HEAP_KINDS | KMPROF_HEAP_MOVABLE, 0 },
		[KMPROF_SETTING_HEAP_LABELS] = { "heap_labels", 0, KMPROF_HEAP_LABELS, 0 },
		[KMPROF_SETTING_OWNERS] = { "owners", 0, 1, 0 },
		[KMPROF_SETTING_HEAP_FILTER] = { "heap_filter", 0, 1, KMPROF_SETTING_IS_TEXT },
		[KMPROF_SETTING_HEAP_PEAK] = { "heap_peak", 0, 1, 0 },
		[KMPROF_SETTING_HEAP_AT] = { "heap_at", 0, KMPROF_HEAP_AT_MAX, 0 },
		[KMPROF_SETTING_HEAP_CALL_RCU] = { "heap_call_rcu", 0, 1, 0 },
	};
	struct kmprof_setting_value all[GUEST_SETTINGS];
	unsigned int i;

	ASSERT_EQ(SETTINGS, guest_get_settings(self->dev, all));
	for (i = 0; i < SETTINGS; i++) {
		struct kmprof_setting_value setting = {
			.id = i, .flags = expected[i].flags, .value = expected[i].value,
			.max = expected[i].max,
		};

		strcpy(setting.name, expected[i].name);
		strcpy(setting.text, setting.flags & KMPROF_SETTING_IS_TEXT ? "none" : "");
		EXPECT_EQ(0, memcmp(&setting, &all[i], sizeof(setting)))
			TH_LOG("%.32s: id %u, flags %#x, value %llu, max %llu", all[i].name,
			       all[i].id, all[i].flags, (unsigned long long)all[i].value,
			       (unsigned long long)all[i].max);
	}
}

/* A value that the setting can have, another one in each round, if it has so many. */
static uint64_t other_value(uint32_t id, unsigned int round)
{
	switch (id) {
	case KMPROF_SETTING_LABELS:
	case KMPROF_SETTING_HEAP_LABELS:
		return KMPROF_LABEL_PID;
	case KMPROF_SETTING_THREADCREATE:
	case KMPROF_SETTING_OWNERS:
	case KMPROF_SETTING_HEAP_PEAK:
	case KMPROF_SETTING_HEAP_CALL_RCU:
		return 1;
	case KMPROF_SETTING_HEAP:
		return round % (KMPROF_HEAP_KINDS + 1);
	case KMPROF_SETTING_HEAP_FILTER:
		/* Shorter entries have no text. */
		return 0;
	default:
		return 100 + round;
	}
}

/* An array of entries that are shorter, or longer, than those of this kernel. */
TEST_F(ioctl, entries_of_other_sizes)
{
	static const uint32_t sizes[] = {
		SHORTEST, SHORTEST + sizeof(uint64_t), sizeof(struct kmprof_setting_value),
		sizeof(struct kmprof_setting_value) + 8, 512,
	};
	unsigned char array[SETTINGS + 1][512], *entry = array[0];
	struct kmprof_setting_value all[GUEST_SETTINGS];
	unsigned int i, k, id;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		const uint32_t known = sizes[i] < sizeof(*all) ? sizes[i] : sizeof(*all);
		struct kmprof_config config = {
			.size = sizeof(config), .count = SETTINGS, .entry_size = sizes[i],
			.settings = (uintptr_t)entry,
		};

		ASSERT_EQ(SETTINGS, guest_get_settings(self->dev, all));
		memset(array, 0xa5, sizeof(array));
		ASSERT_EQ(0, ioctl(self->dev, KMPROF_IOC_GET_CONFIG, &config));
		for (id = 0; id < SETTINGS; id++) {
			EXPECT_EQ(0, memcmp(&all[id], entry + id * sizes[i], known));
			for (k = known; k < sizes[i]; k++)
				ASSERT_EQ(0, entry[id * sizes[i] + k]);
		}
		EXPECT_EQ(0xa5, entry[SETTINGS * sizes[i]]);

		/* What is read can be written back, but for the flags. */
		for (id = 0; id < SETTINGS; id++) {
			struct kmprof_setting_value *setting = (void *)(entry + id * sizes[i]);

			setting->flags = 0;
			setting->value = other_value(id, i);
		}
		ASSERT_EQ(0, ioctl(self->dev, KMPROF_IOC_SET_CONFIG, &config));
		ASSERT_EQ(SETTINGS, guest_get_settings(self->dev, all));
		for (id = 0; id < SETTINGS; id++)
			EXPECT_EQ(other_value(id, i), all[id].value);
	}
}

/* Settings without an entry stay; what only GET tells is not read. */
TEST_F(ioctl, some_settings)
{
	struct kmprof_setting_value all[GUEST_SETTINGS], two[2] = {
		{ .id = KMPROF_SETTING_LABELS, .value = KMPROF_LABEL_PID, .max = 1 },
		{ .id = KMPROF_SETTING_MUTEX_FRACTION, .value = 55 },
	};
	unsigned int i;

	memset(two[0].name, 'x', sizeof(two[0].name));
	ASSERT_EQ(0, guest_set_block_rate(self->dev, 777));
	for (i = 0; i < ARRAY_SIZE(two); i++)
		ASSERT_EQ(0, guest_set_settings(self->dev, &two[i], 1));
	two[0].value |= KMPROF_LABEL_COMM;
	two[1].value++;
	ASSERT_EQ(0, guest_set_settings(self->dev, two, ARRAY_SIZE(two)));
	ASSERT_EQ(SETTINGS, guest_get_settings(self->dev, all));
	EXPECT_EQ(RATE, all[KMPROF_SETTING_HEAP_RATE].value);
	EXPECT_EQ(777, all[KMPROF_SETTING_BLOCK_RATE].value);
	EXPECT_EQ(56, all[KMPROF_SETTING_MUTEX_FRACTION].value);
	EXPECT_EQ(KMPROF_LABEL_COMM | KMPROF_LABEL_PID, all[KMPROF_SETTING_LABELS].value);
}

static void expect_settings(struct __test_metadata *_metadata, int dev,
			    const struct kmprof_setting_value expected[SETTINGS])
{
	struct kmprof_setting_value all[GUEST_SETTINGS];
	unsigned int i;

	ASSERT_EQ(SETTINGS, guest_get_settings(dev, all));
	for (i = 0; i < SETTINGS; i++) {
		EXPECT_EQ(expected[i].value, all[i].value)
			TH_LOG("%s", all[i].name);
		if (all[i].flags & KMPROF_SETTING_IS_TEXT)
			EXPECT_STREQ(expected[i].value ? expected[i].text : "none", all[i].text);
		if (all[i].flags & KMPROF_SETTING_HAS_PROBES)
			EXPECT_EQ(!!expected[i].value,
				  !!(all[i].flags & KMPROF_SETTING_ATTACHED))
				TH_LOG("%s", all[i].name);
	}
}

/* Wants all rates, and gets what it is expected to. */
static void expect_set(struct __test_metadata *_metadata, int dev, uint64_t mutex_fraction,
		       int is_set, const struct kmprof_setting_value was[SETTINGS])
{
	const struct kmprof_setting_value wanted[SETTINGS] = {
		{ .id = KMPROF_SETTING_HEAP_RATE, .value = RATE },
		{ .id = KMPROF_SETTING_BLOCK_RATE, .value = 888 },
		{ .id = KMPROF_SETTING_MUTEX_FRACTION, .value = mutex_fraction },
		{ .id = KMPROF_SETTING_LABELS, .value = KMPROF_LABEL_CGROUP },
		{ .id = KMPROF_SETTING_THREADCREATE },
		{ .id = KMPROF_SETTING_HEAP, .value = KMPROF_HEAP_KINDS },
		{ .id = KMPROF_SETTING_HEAP_LABELS, .value = KMPROF_LABEL_COMM },
		{ .id = KMPROF_SETTING_OWNERS, .value = 1 },
		{ .id = KMPROF_SETTING_HEAP_FILTER, .value = 1, .text = "size=-100" },
		{ .id = KMPROF_SETTING_HEAP_PEAK },
		{ .id = KMPROF_SETTING_HEAP_AT, .value = KMPROF_HEAP_AT_MAX },
		{ .id = KMPROF_SETTING_HEAP_CALL_RCU, .value = 1 },
	};

	EXPECT_EQ(is_set, !guest_set_settings(dev, wanted, SETTINGS));
	expect_settings(_metadata, dev, is_set ? wanted : was);
}

/* Where frees cannot be seen, nothing is armed for the sake of the other rates. */
TEST_F(ioctl, all_rates_or_none)
{
	struct kmprof_setting_value was[SETTINGS] = {
		{ .id = KMPROF_SETTING_HEAP_RATE }, { .id = KMPROF_SETTING_BLOCK_RATE },
		{ .id = KMPROF_SETTING_MUTEX_FRACTION }, { .id = KMPROF_SETTING_LABELS },
		{ .id = KMPROF_SETTING_THREADCREATE },
		{ .id = KMPROF_SETTING_HEAP, .value = KMPROF_HEAP_SLAB },
		{ .id = KMPROF_SETTING_HEAP_LABELS },
		{ .id = KMPROF_SETTING_OWNERS },
		{ .id = KMPROF_SETTING_HEAP_FILTER },
		{ .id = KMPROF_SETTING_HEAP_PEAK }, { .id = KMPROF_SETTING_HEAP_AT },
		{ .id = KMPROF_SETTING_HEAP_CALL_RCU },
	};
	__u64 *block_rate = &was[KMPROF_SETTING_BLOCK_RATE].value;

	for (; *block_rate <= 777; *block_rate += 777) {
		ASSERT_EQ(0, guest_set_settings(self->dev, was, SETTINGS));
		ASSERT_EQ(0, guest_write_file(FTRACE_ENABLED, "0"));
		expect_set(_metadata, self->dev, 66, 0, was);
		expect_set(_metadata, self->dev, 0, 0, was);
		ASSERT_EQ(0, guest_write_file(FTRACE_ENABLED, "1"));
		expect_set(_metadata, self->dev, 66, 1, was);
	}
}

/* Nor is a rate of what is armed changed; tracepoints need no kprobes. */
TEST_F(ioctl, all_rates_or_none_while_armed)
{
	const int is_set = !!strcmp(variant->source, "kprobe");
	const struct kmprof_setting_value was[SETTINGS] = {
		{ .id = KMPROF_SETTING_HEAP_RATE },
		{ .id = KMPROF_SETTING_BLOCK_RATE, .value = 777 },
		{ .id = KMPROF_SETTING_MUTEX_FRACTION, .value = 55 },
		{ .id = KMPROF_SETTING_LABELS },
		{ .id = KMPROF_SETTING_THREADCREATE },
		{ .id = KMPROF_SETTING_HEAP, .value = KMPROF_HEAP_PERCPU },
		{ .id = KMPROF_SETTING_HEAP_LABELS },
		{ .id = KMPROF_SETTING_OWNERS },
		{ .id = KMPROF_SETTING_HEAP_FILTER, .value = 1, .text = "size=100-" },
		{ .id = KMPROF_SETTING_HEAP_PEAK },
		{ .id = KMPROF_SETTING_HEAP_AT, .value = KMPROF_HEAP_AT_MAX - 1 },
		{ .id = KMPROF_SETTING_HEAP_CALL_RCU },
	};

	ASSERT_EQ(0, guest_set_settings(self->dev, was, SETTINGS));
	/* The kernel does not let itself be blinded. */
	EXPECT_EQ(-EBUSY, guest_write_file(FTRACE_ENABLED, "0"));
	ASSERT_EQ(0, guest_write_file(KPROBES_ENABLED, "0"));
	expect_set(_metadata, self->dev, 66, is_set, was);
	ASSERT_EQ(0, guest_write_file(KPROBES_ENABLED, "1"));
	expect_set(_metadata, self->dev, 66, 1, was);
}

/* A caller of the first version: what it has no room for is not written. */
TEST_F(ioctl, first_version_is_accepted)
{
	static union argument arg;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		const struct command *c = &commands[i];
		uint32_t k;

		ASSERT_EQ(0, prepare(self->dev, c));
		valid_argument(c, &arg);
		arg.size = c->first_size;
		memset(&arg.bytes[c->first_size], 0xa5, PAGE - c->first_size);
		EXPECT_EQ(0, ioctl(self->dev, c->cmd, &arg))
			TH_LOG("%s: %s", c->name, strerror(errno));
		for (k = c->first_size; k < PAGE; k++)
			ASSERT_EQ(0xa5, (unsigned char)arg.bytes[k])
				TH_LOG("%s: byte %u", c->name, k);
		close_opened(c, &arg);
		finish(c);
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

		ASSERT_EQ(0, prepare(self->dev, c));
		valid_argument(c, &arg);
		arg.size = PAGE;
		/* Behind what the size says, nothing counts. */
		arg.bytes[PAGE] = 1;
		EXPECT_EQ(0, ioctl(self->dev, c->cmd, &arg))
			TH_LOG("%s: %s", c->name, strerror(errno));
		close_opened(c, &arg);
		finish(c);
	}
}

TEST_F(ioctl, unknown_flags_and_reserved)
{
	static union argument arg;
	struct state before;
	unsigned int i, bit;

	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		const struct command *c = &commands[i];

		ASSERT_EQ(0, prepare(self->dev, c));
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
		finish(c);
	}
}

/* Each spoils one entry of a valid array, or what is said of the array. */
static const struct spoil {
	const char *what;
	int error;
	unsigned int entry;
	struct kmprof_setting_value value;
} spoils[] = {
	{ "heap_rate above the maximum", EINVAL, 0,
	  { .id = KMPROF_SETTING_HEAP_RATE, .value = KMPROF_HEAP_RATE_MAX + 1 } },
	{ "heap_rate -1", EINVAL, 0,
	  { .id = KMPROF_SETTING_HEAP_RATE, .value = UINT64_MAX } },
	{ "block_rate above the maximum", EINVAL, 1,
	  { .id = KMPROF_SETTING_BLOCK_RATE, .value = KMPROF_BLOCK_RATE_MAX + 1 } },
	{ "mutex_fraction above the maximum", EINVAL, 2,
	  { .id = KMPROF_SETTING_MUTEX_FRACTION, .value = KMPROF_MUTEX_FRACTION_MAX + 1 } },
	{ "an unknown label", EINVAL, 3,
	  { .id = KMPROF_SETTING_LABELS, .value = KMPROF_LABELS + 1 } },
	{ "an unknown kind of memory", EINVAL, 5,
	  { .id = KMPROF_SETTING_HEAP, .value = 2 * KMPROF_HEAP_MOVABLE } },
	{ "a kind of 64 bits", EINVAL, 5,
	  { .id = KMPROF_SETTING_HEAP, .value = KMPROF_HEAP_SLAB | 1ULL << 63 } },
	{ "an unknown label of the heap", EINVAL, 6,
	  { .id = KMPROF_SETTING_HEAP_LABELS, .value = KMPROF_HEAP_LABELS + 1 } },
	{ "owners neither on nor off", EINVAL, 7,
	  { .id = KMPROF_SETTING_OWNERS, .value = 2 } },
	{ "a filter neither on nor off", EINVAL, 8,
	  { .id = KMPROF_SETTING_HEAP_FILTER, .value = 2, .text = "size=1" } },
	{ "a filter without text", EINVAL, 8,
	  { .id = KMPROF_SETTING_HEAP_FILTER, .value = 1 } },
	{ "a filter that is none", EINVAL, 8,
	  { .id = KMPROF_SETTING_HEAP_FILTER, .value = 1, .text = "size=1,size=2" } },
	{ "the first id unknown", EOPNOTSUPP, 0, { .id = SETTINGS } },
	{ "the last id unknown", EOPNOTSUPP, 3, { .id = SETTINGS } },
	{ "an id of 31 bits", EOPNOTSUPP, 1, { .id = INT32_MAX } },
	{ "an id of 32 bits", EOPNOTSUPP, 1, { .id = UINT32_MAX } },
	{ "an id twice", EINVAL, 3, { .id = KMPROF_SETTING_HEAP_RATE, .value = 12345 } },
	{ "an id twice, with another value", EINVAL, 1,
	  { .id = KMPROF_SETTING_LABELS, .value = KMPROF_LABEL_PID } },
	{ "a flag of GET", EOPNOTSUPP, 0,
	  { .id = KMPROF_SETTING_HEAP_RATE, .value = 1, .flags = KMPROF_SETTING_ATTACHED } },
	{ "an unknown flag", EOPNOTSUPP, 3,
	  { .id = KMPROF_SETTING_LABELS, .flags = 1U << 31 } },
};

TEST_F(ioctl, wrong_settings)
{
	const struct command *set = command_of(KMPROF_IOC_SET_CONFIG);
	static union argument arg;
	struct state before;
	unsigned int i;

	get_state(_metadata, self->dev, &before);
	for (i = 0; i < ARRAY_SIZE(spoils); i++) {
		valid_argument(set, &arg);
		entries[spoils[i].entry] = spoils[i].value;
		expect_error(_metadata, self->dev, set, &arg, spoils[i].error, spoils[i].what);
	}
	valid_argument(set, &arg);
	entries[SETTINGS] = entries[0];
	arg.config.count = SETTINGS + 1;
	expect_error(_metadata, self->dev, set, &arg, E2BIG, "one entry too many");
	arg.config.count = UINT32_MAX;
	expect_error(_metadata, self->dev, set, &arg, E2BIG, "4 Gi entries");
	expect_same_state(_metadata, self->dev, &before, "wrong settings");
}

/* For GET, too, whether there is room for an entry or not. */
TEST_F(ioctl, wrong_size_of_entries)
{
	static const unsigned int cmds[] = { KMPROF_IOC_GET_CONFIG, KMPROF_IOC_SET_CONFIG };
	static const uint32_t too_small[] = { 0, 1, SHORTEST - 8, SHORTEST - 1 };
	static union argument arg;
	struct state before;
	unsigned int i, k, n;

	get_state(_metadata, self->dev, &before);
	for (i = 0; i < ARRAY_SIZE(cmds); i++) {
		const struct command *c = command_of(cmds[i]);

		for (n = 0; n <= SETTINGS; n += SETTINGS) {
			valid_argument(c, &arg);
			arg.config.count = n;
			for (k = 0; k < ARRAY_SIZE(too_small); k++) {
				arg.config.entry_size = too_small[k];
				expect_error(_metadata, self->dev, c, &arg, EINVAL, "too small");
			}
			arg.config.entry_size = PAGE + 1;
			expect_error(_metadata, self->dev, c, &arg, E2BIG, "more than a page");
			arg.config.entry_size = UINT32_MAX;
			expect_error(_metadata, self->dev, c, &arg, E2BIG, "4 GiB");
		}
	}
	expect_same_state(_metadata, self->dev, &before, "entries of a wrong size");
}

/* Surplus of entries that is not zero: a setting that this kernel would not understand. */
TEST_F(ioctl, entries_with_unknown_fields)
{
	const struct command *set = command_of(KMPROF_IOC_SET_CONFIG);
	enum { LONGER = sizeof(struct kmprof_setting_value) + 16 };
	static unsigned char array[SETTINGS][LONGER];
	static union argument arg;
	struct state before;
	unsigned int i;

	get_state(_metadata, self->dev, &before);
	valid_argument(set, &arg);
	memset(array, 0, sizeof(array));
	for (i = 0; i < SETTINGS; i++)
		memcpy(array[i], &entries[i], sizeof(entries[i]));
	arg.config.entry_size = LONGER;
	arg.config.settings = (uintptr_t)array;
	for (i = 0; i < SETTINGS; i++) {
		const unsigned int at = i % 2 ? LONGER - 1 : sizeof(struct kmprof_setting_value);

		array[i][at] = 1;
		expect_error(_metadata, self->dev, set, &arg, E2BIG, "unknown field of an entry");
		array[i][at] = 0;
	}
	expect_same_state(_metadata, self->dev, &before, "entries with unknown fields");
	EXPECT_EQ(0, ioctl(self->dev, KMPROF_IOC_SET_CONFIG, &arg));
	EXPECT_EQ(12345, value_of_setting(_metadata, self->dev, KMPROF_SETTING_HEAP_RATE));
}

/* Arrays that are not there, or end too early; for GET also one that cannot be written. */
TEST_F(ioctl, arrays_out_of_reach)
{
	static const unsigned int cmds[] = { KMPROF_IOC_GET_CONFIG, KMPROF_IOC_SET_CONFIG };
	char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	static union argument arg;
	struct state before;
	unsigned int i, k;

	ASSERT_NE(MAP_FAILED, pages);
	ASSERT_EQ(0, munmap(pages + PAGE, PAGE));
	get_state(_metadata, self->dev, &before);
	for (i = 0; i < ARRAY_SIZE(cmds); i++) {
		const struct command *c = command_of(cmds[i]);
		const uint64_t bad[] = {
			0, 16, (uintptr_t)pages + PAGE, 0x8000000000000000, 0xffffffff81000000,
			UINT64_MAX - 7, (uintptr_t)pages + PAGE - sizeof(entries[0]),
			(uintptr_t)pages + PAGE - SETTINGS * sizeof(entries[0]) + 8,
		};

		for (k = 0; k < ARRAY_SIZE(bad); k++) {
			valid_argument(c, &arg);
			if (bad[k] >= (uintptr_t)pages && bad[k] < (uintptr_t)pages + PAGE)
				memcpy((void *)(uintptr_t)bad[k], entries,
				       (uintptr_t)pages + PAGE - bad[k]);
			arg.config.settings = bad[k];
			expect_error(_metadata, self->dev, c, &arg, EFAULT, "bad array");
		}
	}
	valid_argument(command_of(KMPROF_IOC_GET_CONFIG), &arg);
	arg.config.settings = (uintptr_t)pages;
	ASSERT_EQ(0, mprotect(pages, PAGE, PROT_READ));
	expect_error(_metadata, self->dev, command_of(KMPROF_IOC_GET_CONFIG), &arg, EFAULT,
		     "read-only array");
	expect_same_state(_metadata, self->dev, &before, "bad arrays");

	/* SET only reads it. */
	ASSERT_EQ(0, mprotect(pages, PAGE, PROT_READ | PROT_WRITE));
	valid_argument(command_of(KMPROF_IOC_SET_CONFIG), &arg);
	memcpy(pages, entries, sizeof(entries));
	arg.config.settings = (uintptr_t)pages;
	ASSERT_EQ(0, mprotect(pages, PAGE, PROT_READ));
	EXPECT_EQ(0, ioctl(self->dev, KMPROF_IOC_SET_CONFIG, &arg));
	munmap(pages, PAGE);
}

TEST_F(ioctl, profiles_that_are_not_there)
{
	const struct command *select = command_of(KMPROF_IOC_SELECT);
	static const char *const names[] = {
		"", "hea", "heapx", "HEAP", "heap ", "stats", "1",
		"a name of thirty-one characters",
	};
	static union argument arg;
	struct state before;
	unsigned int i;

	get_state(_metadata, self->dev, &before);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		valid_argument(select, &arg);
		memset(arg.select.name, 0, sizeof(arg.select.name));
		strcpy(arg.select.name, names[i]);
		expect_error(_metadata, self->dev, select, &arg, ENOENT, names[i]);
	}
	memset(arg.select.name, 'h', sizeof(arg.select.name));
	expect_error(_metadata, self->dev, select, &arg, EINVAL, "a name without an end");
	expect_same_state(_metadata, self->dev, &before, "profiles that are not there");
}

/**
 * struct told - a profile as it is enumerated
 */
struct told {
	const char *name;
	const char *table;
};

/* The profiles have numbers from 0 on; what is behind the last one is not there. */
TEST_F(ioctl, profiles_are_enumerated)
{
	static const struct told expected[] = {
		{ "heap", "heap" }, { "allocs", "heap" }, { "block", "block" },
		{ "mutex", "mutex" }, { "threadcreate", "threadcreate" },
	};
	const struct command *c = command_of(KMPROF_IOC_PROFILE);
	struct kmprof_profile_info info, heap;
	struct snapshot snapshot;
	static union argument arg;
	unsigned int i, count;

	/* Nothing makes a bucket meanwhile. */
	ASSERT_EQ(0, guest_set_rate(self->dev, 1));
	ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
	snapshot_free(&snapshot);
	ASSERT_EQ(0, guest_set_rate(self->dev, 0));
	ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
	ASSERT_EQ(0, guest_profile(self->dev, "heap", &heap));
	EXPECT_LT(0, snapshot_rows(&snapshot, "heap"));
	EXPECT_LE(snapshot_rows(&snapshot, "heap"), heap.buckets);
	for (count = 0;; count++) {
		char rest[KMPROF_NAME_LEN] = "";

		info = (struct kmprof_profile_info){ .size = sizeof(info), .index = count };
		if (ioctl(self->dev, KMPROF_IOC_PROFILE, &info))
			break;
		EXPECT_EQ(sizeof(info), info.size);
		EXPECT_EQ(count, info.index);
		EXPECT_EQ('\0', info.name[KMPROF_NAME_LEN - 1]);
		EXPECT_EQ('\0', info.table[KMPROF_NAME_LEN - 1]);
		strcpy(rest, info.name);
		EXPECT_EQ(0, memcmp(rest, info.name, sizeof(rest)));
		/* An image has its table, and the text shows it. */
		snapshot_profile(&snapshot, info.table);
		EXPECT_EQ(0, guest_select(self->dev, info.name));
		EXPECT_EQ(strcmp(info.table, "heap") ? 0 : heap.buckets, info.buckets);
	}
	EXPECT_EQ(ENOENT, errno);
	ASSERT_EQ(ARRAY_SIZE(expected), count);
	for (i = 0; i < count; i++) {
		ASSERT_EQ(0, guest_profile(self->dev, expected[i].name, &info));
		EXPECT_STREQ(expected[i].table, info.table);
	}
	/* Each table of the image is one of a profile. */
	EXPECT_EQ(count - 1, snapshot.header->profiles.count);
	snapshot_free(&snapshot);

	for (i = 0; i < 3; i++) {
		valid_argument(c, &arg);
		arg.profile.index = i < 2 ? count + i : UINT32_MAX;
		expect_error(_metadata, self->dev, c, &arg, ENOENT, "no such number");
	}
	/* Buckets are given back by a reset. */
	ASSERT_EQ(0, guest_reset(self->dev));
	ASSERT_EQ(0, guest_profile(self->dev, "heap", &heap));
	EXPECT_EQ(0, heap.buckets);
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

		ASSERT_EQ(0, prepare(self->dev, c));
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
		finish(c);
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

		ASSERT_EQ(0, prepare(self->dev, c));
		get_state(_metadata, self->dev, &before);
		ASSERT_EQ(0, mprotect(arg, sizeof(*arg), PROT_READ | PROT_WRITE));
		valid_argument(c, arg);
		ASSERT_EQ(0, mprotect(arg, sizeof(*arg), PROT_READ));
		EXPECT_EQ(-1, ioctl(self->dev, c->cmd, arg))
			TH_LOG("%s: accepted", c->name);
		EXPECT_EQ(EFAULT, errno);
		expect_same_state(_metadata, self->dev, &before, c->name);
		finish(c);
	}
	munmap(arg, sizeof(*arg));
}

TEST_F(ioctl, unknown_commands)
{
	const unsigned int unknown[] = {
		_IO(KMPROF_IOC_TYPE, KMPROF_CMD_TRACE_SNAPSHOT + 1), _IO(KMPROF_IOC_TYPE, 255),
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

		if (prepare(dev, c))
			return i + 1;
		valid_argument(c, &arg);
		ret = ioctl(dev, c->cmd, &arg);
		if (c->changes ? ret != -1 || errno != EPERM : ret)
			return i + 1;
		if (!ret)
			close_opened(c, &arg);
		finish(c);
	}
	return 0;
}

static int try_opened_commands(int dev)
{
	int fd = open(KMPROF_DEVICE_PATH, O_RDONLY);

	(void)dev;
	return fd < 0 ? 101 : try_commands(fd);
}

#define WITH_BYTES	(KMPROF_SNAPSHOT_OBJECTS | KMPROF_SNAPSHOT_BYTES)

/* The errno of an attempt to see what is in memory, 0 for success. */
static int try_bytes(int dev)
{
	struct kmprof_snapshot taken;
	int fd = snapshot_ioctl(dev, WITH_BYTES, &taken);

	if (fd >= 0)
		close(fd);
	return fd < 0 ? -fd : 0;
}

static int try_opened_bytes(int dev)
{
	int fd = open(KMPROF_DEVICE_PATH, O_RDONLY);

	(void)dev;
	return fd < 0 ? 101 : try_bytes(fd);
}

/* What is in memory is seen by who may see all of it. */
TEST_F(ioctl, bytes_need_rights)
{
	const uint64_t admin = 1ULL << CAP_SYS_ADMIN, syslog = 1ULL << CAP_SYSLOG;
	struct kmprof_snapshot taken;
	struct state before;

	get_state(_metadata, self->dev, &before);
	EXPECT_EQ(-EINVAL, snapshot_ioctl(self->dev, KMPROF_SNAPSHOT_BYTES, &taken));
	EXPECT_EQ(EPERM, rights_run(0, try_bytes, self->dev));
	EXPECT_EQ(EPERM, rights_run(1ULL << CAP_PERFMON | syslog, try_bytes, self->dev));
	ASSERT_EQ(0, chmod(KMPROF_DEVICE_PATH, 0666));
	EXPECT_EQ(EPERM, rights_run(admin, try_opened_bytes, -1));
	EXPECT_EQ(0, rights_run(admin | syslog, try_opened_bytes, -1));
	ASSERT_EQ(0, chmod(KMPROF_DEVICE_PATH, 0600));
	ASSERT_EQ(0, guest_write_file(KPTR_RESTRICT, "2"));
	EXPECT_EQ(EPERM, try_bytes(self->dev));
	ASSERT_EQ(0, guest_write_file(KPTR_RESTRICT, "0"));
	EXPECT_EQ(0, try_bytes(self->dev));
}

TEST_F(ioctl, missing_privileges)
{
	static union argument arg;
	struct state before, after;
	struct stat node;

	get_state(_metadata, self->dev, &before);
	ASSERT_EQ(0, stat(KMPROF_DEVICE_PATH, &node));
	EXPECT_EQ(0600, node.st_mode & 07777);
	EXPECT_EQ(EACCES, rights_run(0, try_open, -1));

	/* Where an administrator lets everybody at the node, open() decides. */
	ASSERT_EQ(0, chmod(KMPROF_DEVICE_PATH, 0666));
	EXPECT_EQ(EPERM, rights_run(0, try_open, -1));
	EXPECT_EQ(EPERM, rights_run(1ULL << CAP_SYSLOG, try_open, -1));
	EXPECT_EQ(0, rights_run(1ULL << CAP_PERFMON, try_open, -1));
	EXPECT_EQ(0, rights_run(1ULL << CAP_SYS_ADMIN, try_open, -1));
	expect_same_state(_metadata, self->dev, &before, "open without privileges");

	/* An open file may look, whoever holds it; changing needs the right. */
	EXPECT_EQ(0, rights_run(0, try_commands, self->dev));
	EXPECT_EQ(0, rights_run(1ULL << CAP_PERFMON, try_commands, self->dev));
	EXPECT_EQ(0, rights_run(1ULL << CAP_PERFMON, try_opened_commands, -1));
	ASSERT_EQ(0, chmod(KMPROF_DEVICE_PATH, 0600));

	get_state(_metadata, self->dev, &after);
	EXPECT_EQ(0, memcmp(before.values, after.values, sizeof(before.values)));
	EXPECT_EQ(before.start_ns, after.start_ns);
	EXPECT_EQ(before.snapshots, after.snapshots);

	/* The same with privileges. */
	valid_argument(command_of(KMPROF_IOC_SET_CONFIG), &arg);
	EXPECT_EQ(0, ioctl(self->dev, KMPROF_IOC_SET_CONFIG, &arg));
	get_state(_metadata, self->dev, &after);
	EXPECT_EQ(12345, after.values[KMPROF_SETTING_HEAP_RATE]);
}

/* What INFO tells is what the module was loaded with. */
TEST_F(ioctl, info_tells_the_parameters)
{
	static const char *const names[] = {
		"max_buckets", "max_live", "stack_depth", "ring_bytes", "max_snapshots",
		"max_waits",
	};
	struct kmprof_info info = { .size = sizeof(info) };
	const uint32_t *const values[] = {
		&info.max_buckets, &info.max_live, &info.stack_depth,
		&info.ring_bytes, &info.max_snapshots, &info.max_waits,
	};
	unsigned int i;
	char text[64];

	ASSERT_EQ(0, ioctl(self->dev, KMPROF_IOC_INFO, &info));
	EXPECT_EQ(KMPROF_ABI_VERSION, info.abi_version);
	EXPECT_EQ(sizeof(info), info.size);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		ASSERT_EQ(0, guest_param(names[i], text, sizeof(text)));
		EXPECT_EQ(strtoul(text, NULL, 10), *values[i])
			TH_LOG("%s", names[i]);
	}
	ASSERT_EQ(0, guest_param("source", text, sizeof(text)));
	EXPECT_STREQ(variant->source, text);
}

/* An image tells how allocations and waits are seen. */
TEST_F(ioctl, image_tells_the_sources)
{
	struct snapshot snapshot;

	ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	EXPECT_EQ(strcmp(variant->source, "kprobe") ? KMPROF_SOURCE_TRACEPOINT :
		  KMPROF_SOURCE_KPROBE, snapshot_scalar(&snapshot, "source"));
	EXPECT_EQ(KMPROF_SOURCE_TRACEPOINT, snapshot_scalar(&snapshot, "wait_source"));
	snapshot_free(&snapshot);
}

TEST_HARNESS_MAIN
