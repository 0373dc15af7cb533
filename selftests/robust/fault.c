// SPDX-License-Identifier: GPL-2.0
/*
 * Every allocation that an operation asks for is made to fail in turn. The
 * operation then says -ENOMEM, leaves everything as it was, and succeeds when
 * it is asked once more. Where the kernel does without the memory, or calls the
 * failure by another name, the table of causes has the reason.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/inject.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/snapshot.h"
#include "trace/session.h"

#define KPROBES_LIST "/sys/kernel/debug/kprobes/list"
#define ENABLED_FUNCTIONS "/sys/kernel/tracing/enabled_functions"
#define REFCOUNT "/sys/module/kmprof/refcnt"

/* Small, so that what needs pages needs few. */
#define LIMITS "max_live=1024 max_buckets=1024 ring_bytes=16384 max_snapshots=4 max_waits=256"

/**
 * struct cause - why a failed allocation does not come back as -ENOMEM
 * @function: on the stack of the allocation
 * @caller: who has called it, be it through a thunk; NULL: anybody
 * @result: what the operation returns then; 0: it succeeds
 * @why: with what the kernel makes do
 */
struct cause {
	const char *function;
	const char *caller;
	int result;
	const char *why;
};

static const struct cause causes[] = {
	{ "__alloc_pages_bulk", NULL, 0, "vmalloc() asks again, for one page at a time" },
	{ "__kmalloc_node", "kvmalloc_node", 0, "kvmalloc() asks vmalloc()" },
	{ "alloc_vmap_area", NULL, 0, "vmalloc() likes to have one in reserve, too" },
	{ "allocate_slab", NULL, 0, "slub asks again, for fewer pages" },
	{ "radix_tree_node_alloc", NULL, 0, "idr_preload() has put one aside" },
	/* insmod */
	{ "setup_modinfo_version", NULL, 0, "sysfs does not tell the version" },
	{ "setup_modinfo_srcversion", NULL, 0, "sysfs does not tell the srcversion" },
	{ "ftrace_process_locs", NULL, 0, "the probe of the canary is a breakpoint" },
	{ "ftrace_module_enable", NULL, 0, "no filters that were set for modules to come" },
	{ "alloc_aggr_kprobe", NULL, 0, "a probe on what ftrace does not trace stays as it is" },
	{ "ftrace_free_mem", NULL, 0, "init functions have no names in traces" },
	{ "kprobe_add_ksym_blacklist", NULL, 0, "handlers can be probed, and are never hit" },
	{ "trace_module_notify", NULL, 0, "a trace event less in tracefs, or names of numbers" },
	{ "kasprintf", "alloc_workqueue", 0, "lockdep calls it by the name of the work queue" },
	{ "module_enable_ro", NULL, 0, "v6.1 does not look whether the code is read-only now" },
	/* add_sect_attrs() and add_notes_attrs() are void. */
	{ "__kmalloc", "mod_sysfs_setup", 0, "no sections, or no notes, in sysfs" },
	{ "kstrdup", "mod_sysfs_setup", 0, "no sections in sysfs" },
	{ "internal_create_group", "mod_sysfs_setup", 0, "no sections in sysfs" },
	{ "kobject_create_and_add", "mod_sysfs_setup", 0, "no notes in sysfs" },
	{ "sysfs_create_bin_file", "mod_sysfs_setup", 0, "no notes in sysfs" },
	{ "kobject_uevent_env", NULL, 0, "nobody is told of the new object" },
	{ "devtmpfs_create_node", NULL, 0, "no node in devtmpfs" },
	{ "debugfs_create_dir", NULL, 0, "nothing in debugfs: the device has it all" },
	{ "__debugfs_create_file", NULL, 0, "one file less in debugfs" },
	/* attach and detach */
	{ "arch_ftrace_update_trampoline", NULL, 0, "the hook is called without a trampoline" },
	{ "tracepoint_probe_unregister", NULL, 0, "a stub takes the handler's place" },
	{ "kmprof_bucket_refill", NULL, 0, "the next drain asks again" },
	{ "disable_kprobe", NULL, 0, "kmprof takes the probe for disabled all the same" },
	/* snapshots */
	{ "kmprof_pages_alloc", NULL, 0, "a block can be had page by page" },
};

enum { NR_CAUSES = sizeof(causes) / sizeof(causes[0]) };

enum { TEXT_BYTES = 16 << 20 };

/**
 * struct rig - what operations work with
 * @module: image of kmprof.ko
 * @module_bytes: of it
 * @params: module parameters
 * @names: of kmprof's functions, see load_names()
 * @dev: /dev/kmprof, or -1
 * @path: to open
 * @fd: what was opened, or -1
 * @flags: of a snapshot
 * @taken: the snapshot
 * @map: its mapping
 * @text: what was read
 * @used: bytes of it
 * @whole_text: a file has a profile as text
 */
struct rig {
	char *module;
	size_t module_bytes;
	char params[256];
	char *names;
	int dev;
	const char *path;
	int fd;
	uint32_t flags;
	struct kmprof_snapshot taken;
	void *map;
	char *text;
	size_t used;
	int whole_text;
};

/* What arms, hits or disarms probes. */
FIXTURE(fault) {
	struct rig rig;
};

GUEST_SOURCE_VARIANTS(fault);

/* What is the same with either source. */
FIXTURE(fault_any_source) {
	struct rig rig;
};

/**
 * struct operation - what is made to fail
 * @name: for the report
 * @prepare: makes a state in which it does all that it can do; may be NULL
 * @run: the operation
 * @undo: after @run has succeeded; may be NULL
 * @images: of snapshots, that it may keep when it fails
 * @slow: see fail_from()
 * @certain: it has no way to fail
 * @probes: it arms probes, none of which may stay armed when it fails
 * @cycle: it closes no cycle when it fails; @prepare makes the device see the last one
 */
struct operation {
	const char *name;
	int (*prepare)(struct rig *rig);
	int (*run)(struct rig *rig);
	int (*undo)(struct rig *rig);
	unsigned int images;
	int slow;
	int certain;
	int probes;
	int cycle;
};

/* What no failed operation may change. */
struct state {
	int loaded;
	int descriptor;
	long references;
	struct kmprof_info info;
	struct kmprof_setting_value settings[GUEST_SETTINGS];
	int nr_settings;
	char *kprobes;
	char *functions;
	int newer_cycle;
};

static int exists(const char *path)
{
	struct stat node;

	return !stat(path, &node);
}

static void state_free(struct state *state)
{
	free(state->kprobes);
	free(state->functions);
}

static int state_take(const struct rig *rig, const struct operation *op,
		      struct state *state)
{
	char *text;

	memset(state, 0, sizeof(*state));
	state->descriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
	if (state->descriptor < 0)
		return -errno;
	close(state->descriptor);

	if (op->probes && (guest_read_file(KPROBES_LIST, &state->kprobes, NULL) ||
			   guest_read_file(ENABLED_FUNCTIONS, &state->functions, NULL)))
		return -EIO;
	state->loaded = exists("/sys/module/kmprof") + exists(KMPROF_DEVICE_PATH) +
			exists("/sys/kernel/debug/kmprof");
	if (rig->dev < 0)
		return 0;

	if (guest_read_file(REFCOUNT, &text, NULL))
		return -EIO;
	state->references = strtol(text, NULL, 10);
	free(text);
	state->info.size = sizeof(state->info);
	if (ioctl(rig->dev, KMPROF_IOC_INFO, &state->info))
		return -errno;
	if (op->cycle)
		state->newer_cycle = poll(&(struct pollfd){ rig->dev, POLLIN, 0 }, 1, 0);
	state->nr_settings = guest_get_settings(rig->dev, state->settings);
	return state->nr_settings < 0 ? state->nr_settings : 0;
}

static void expect_same(struct __test_metadata *_metadata, const struct operation *op,
			const struct state *was, const struct state *is)
{
	int i;

	EXPECT_EQ(was->loaded, is->loaded);
	EXPECT_EQ(was->descriptor, is->descriptor);
	EXPECT_EQ(was->references, is->references);
	EXPECT_LE(was->info.snapshots, is->info.snapshots);
	EXPECT_GE(was->info.snapshots + op->images, is->info.snapshots);
	EXPECT_EQ(was->newer_cycle, is->newer_cycle);
	EXPECT_EQ(was->nr_settings, is->nr_settings);
	for (i = 0; i < was->nr_settings; i++) {
		EXPECT_EQ(was->settings[i].value, is->settings[i].value)
			TH_LOG("%s", was->settings[i].name);
		EXPECT_EQ(was->settings[i].flags, is->settings[i].flags)
			TH_LOG("%s", was->settings[i].name);
	}
	if (was->kprobes) {
		EXPECT_STREQ(was->kprobes, is->kprobes);
		EXPECT_STREQ(was->functions, is->functions);
	}
}

static const char *caller_of(const struct inject_failure *failure, unsigned int frame)
{
	while (++frame < failure->nr_frames)
		if (!strstr(failure->frames[frame], "thunk"))
			return failure->frames[frame];
	return "";
}

static const struct cause *find_cause(const struct inject_failure *failure)
{
	unsigned int frame, i;

	for (frame = 0; frame < failure->nr_frames; frame++)
		for (i = 0; i < NR_CAUSES; i++)
			if (!strcmp(failure->frames[frame], causes[i].function) &&
			    (!causes[i].caller ||
			     !strcmp(caller_of(failure, frame), causes[i].caller)))
				return &causes[i];
	return NULL;
}

/*
 * Below a function of kmprof; a thunk does not count, it is below everything. A
 * module that is not there any more has lost its names.
 */
static int is_ours(const char *names, const struct inject_failure *failure)
{
	char name[INJECT_NAME + 2];
	unsigned int frame;

	for (frame = 0; frame < failure->nr_frames; frame++) {
		snprintf(name, sizeof(name), "\n%s\n", failure->frames[frame]);
		if (strstr(names, name) || !strncmp(name, "\n0x", 3))
			return 1;
	}
	return 0;
}

/* The names of kmprof's functions but for the thunks, each between newlines. */
static int load_names(char **names)
{
	char *text, *line, *rest, *put;

	if (guest_read_file("/proc/kallsyms", &text, NULL))
		return -EIO;
	*names = put = malloc(strlen(text) + 2);
	for (line = strtok_r(text, "\n", &rest); line && put; line = strtok_r(NULL, "\n", &rest)) {
		char name[128];

		if (strstr(line, "\t[kmprof]") && sscanf(line, "%*s %*s %127s", name) == 1 &&
		    !strstr(name, "thunk"))
			put += sprintf(put, "\n%s\n", name);
	}
	free(text);
	if (!put)
		return -ENOMEM;
	*put = '\0';
	return 0;
}

static void print_failure(const struct inject_failure *failure)
{
	unsigned int frame;

	fprintf(stderr, "#   failed in");
	for (frame = 0; frame < failure->nr_frames; frame++)
		fprintf(stderr, " %s", failure->frames[frame]);
	fprintf(stderr, "\n");
}

/* What has come of the failures of one operation. */
struct tally {
	unsigned int injected;
	unsigned int ours;
	unsigned int enomem;
	unsigned int caused[NR_CAUSES];
};

/*
 * Says NULL when the result follows from what has failed. A success needs a
 * cause for each failure; another errno needs one for one of them.
 */
static const struct inject_failure *unexplained(const char *names, struct tally *tally,
						int result, int injected)
{
	const struct inject_failure *failures = inject_failures(), *wrong = NULL;
	const struct cause *cause;
	int i, named = 0;

	tally->injected += injected;
	for (i = 0; i < injected; i++) {
		tally->ours += is_ours(names, &failures[i]);
		cause = find_cause(&failures[i]);
		if (cause && cause->result == result) {
			tally->caused[cause - causes]++;
			named++;
		} else {
			wrong = &failures[i];
		}
	}
	if (result == -ENOMEM) {
		tally->enomem++;
		return NULL;
	}
	return result && named ? NULL : wrong;
}

/*
 * Of so many allocations of a slow operation one is made to fail: with an effort of 100 percent,
 * each.
 */
static unsigned int stride(const struct operation *op)
{
	enum { MOST = 25 };
	unsigned int every = 100 / guest_effort(100);

	if (!op->slow || !every)
		return 1;
	return every < MOST ? every : MOST;
}

/* The first of them: chance says which, so that another run tries others. */
static unsigned int first(const struct operation *op)
{
	unsigned int n = 1;

	if (stride(op) > 1 && !guest_is_quick("chance says which allocations fail"))
		n += time(NULL) % stride(op);
	return n;
}

static void report(struct __test_metadata *_metadata, const struct operation *op,
		   const struct tally *tally, unsigned int rounds)
{
	unsigned int i;

	TH_LOG("%s: %u failures injected in %u rounds, %u of them below kmprof; %u times -ENOMEM",
	       op->name, tally->injected, rounds, tally->ours, tally->enomem);
	if (stride(op) > 1)
		TH_LOG("  LEFT OUT: of %u allocations, all but one", stride(op));
	for (i = 0; i < NR_CAUSES; i++) {
		if (tally->caused[i])
			TH_LOG("  %u in %s(): %d: %s", tally->caused[i], causes[i].function,
			       causes[i].result, causes[i].why);
	}
}

/*
 * From the @n-th allocation on, until nothing is left to fail. That a slow
 * operation can be done again is left to the next round to show, which comes as
 * far as the next allocation, and tried out in every eighth. Not all allocations
 * of a slow one are tried in a quick run: see stride().
 */
static void fail_from(struct __test_metadata *_metadata, struct rig *rig,
		      const struct operation *op, enum inject_mode mode, unsigned int n)
{
	unsigned int rounds = 0;
	const struct inject_failure *wrong;
	struct tally tally = { 0 };
	int result, injected = 1;
	struct state was, is;

	for (; injected; n += stride(op), rounds++) {
		if (op->prepare)
			ASSERT_EQ(0, op->prepare(rig));
		ASSERT_EQ(0, state_take(rig, op, &was));

		ASSERT_EQ(0, inject_begin(mode, n));
		result = op->run(rig);
		injected = inject_end();
		ASSERT_LE(0, injected);

		wrong = unexplained(rig->names, &tally, result, injected);
		if (!injected)
			EXPECT_EQ(0, result);
		EXPECT_EQ(NULL, wrong) {
			TH_LOG("%s, n = %u: %s", op->name, n, strerror(-result));
			print_failure(wrong);
		}
		if (result) {
			ASSERT_EQ(0, state_take(rig, op, &is));
			expect_same(_metadata, op, &was, &is);
			state_free(&is);
			if (!op->slow || rounds % 8 == 0)
				ASSERT_EQ(0, result = op->run(rig));
		}
		if (!result && op->undo)
			ASSERT_EQ(0, op->undo(rig));
		state_free(&was);
	}
	report(_metadata, op, &tally, rounds);
	EXPECT_LT(0, tally.injected);
	EXPECT_LT(0, tally.ours);
	EXPECT_EQ(!op->certain, tally.enomem > 0);
}

static void fail_in_turn(struct __test_metadata *_metadata, struct rig *rig,
			 const struct operation *op, enum inject_mode mode)
{
	fail_from(_metadata, rig, op, mode, first(op));
}

static void setup(struct __test_metadata *_metadata, struct rig *rig, const char *source)
{
	rig->dev = -1;
	rig->fd = -1;
	ASSERT_EQ(0, guest_unload());
	ASSERT_EQ(0, guest_read_module("kmprof", &rig->module, &rig->module_bytes));
	snprintf(rig->params, sizeof(rig->params), "source=%s " LIMITS, source);
	rig->names = strdup("");
	ASSERT_NE(NULL, rig->names);
	rig->text = malloc(TEXT_BYTES);
	ASSERT_NE(NULL, rig->text);
	ASSERT_EQ(0, inject_open());
	/* A page fault is nobody's operation. */
	ASSERT_EQ(0, mlockall(MCL_CURRENT));
}

static void teardown(struct __test_metadata *_metadata, struct rig *rig)
{
	inject_close();
	if (rig->fd >= 0)
		close(rig->fd);
	if (rig->dev >= 0)
		close(rig->dev);
	EXPECT_EQ(0, guest_unload());
	free(rig->names);
	free(rig->module);
	free(rig->text);
}

FIXTURE_SETUP(fault)
{
	setup(_metadata, &self->rig, variant->source);
}

FIXTURE_TEARDOWN(fault)
{
	teardown(_metadata, &self->rig);
}

FIXTURE_SETUP(fault_any_source)
{
	setup(_metadata, &self->rig, "kprobe");
}

FIXTURE_TEARDOWN(fault_any_source)
{
	teardown(_metadata, &self->rig);
}

/* As insmod, but the file has been read already. */
static int run_insmod(struct rig *rig)
{
	return syscall(SYS_init_module, rig->module, rig->module_bytes, rig->params) ?
	       -errno : 0;
}

static int undo_insmod(struct rig *rig)
{
	(void)rig;
	return guest_rmmod("kmprof");
}

TEST_F_TIMEOUT(fault_any_source, insmod, 1800)
{
	static const struct operation op = {
		.name = "insmod heap_rate=0 owners=1", .run = run_insmod, .undo = undo_insmod,
		.slow = 1,
	};

	strcat(self->rig.params, " heap_rate=0 owners=1");
	fail_in_turn(_metadata, &self->rig, &op, INJECT_NTH);
}

/* An n not far before the first allocation below kmprof, found in steps. */
static unsigned int before_ours(struct __test_metadata *_metadata, struct rig *rig,
				const struct operation *op)
{
	enum { STEP = 16 };
	struct tally tally = { 0 };
	unsigned int n;

	for (n = 1; !tally.ours; n += STEP) {
		int result, injected;

		ASSERT_EQ(0, inject_begin(INJECT_NTH, n));
		result = op->run(rig);
		injected = inject_end();
		ASSERT_LT(0, injected);
		unexplained(rig->names, &tally, result, injected);
		if (!result)
			ASSERT_EQ(0, op->undo(rig));
	}
	return n > 3 * STEP ? n - 3 * STEP : 1;
}

/* The kernel's part of loading a module is the same with either source. */
TEST_F_TIMEOUT(fault, insmod_that_attaches, 1800)
{
	static const struct operation op = {
		.name = "insmod that attaches", .run = run_insmod, .undo = undo_insmod,
		.slow = 1, .probes = 1,
	};

	fail_from(_metadata, &self->rig, &op, INJECT_NTH,
		  before_ours(_metadata, &self->rig, &op) + first(&op) - 1);
}

TEST_F_TIMEOUT(fault_any_source, insmod_without_pages, 1800)
{
	static const struct operation op = {
		.name = "insmod heap_rate=0 owners=1", .run = run_insmod, .undo = undo_insmod,
		.slow = 1,
	};

	strcat(self->rig.params, " heap_rate=0 owners=1");
	fail_in_turn(_metadata, &self->rig, &op, INJECT_PAGES);
}

static void load(struct __test_metadata *_metadata, struct rig *rig, const char *rate)
{
	strcat(rig->params, rate);
	ASSERT_EQ(0, guest_insmod("kmprof", rig->params));
	free(rig->names);
	ASSERT_EQ(0, load_names(&rig->names));
	rig->dev = guest_open();
	ASSERT_LE(0, rig->dev);
}

static int run_attach(struct rig *rig)
{
	return guest_set_rate(rig->dev, 4096);
}

static int run_detach(struct rig *rig)
{
	return guest_set_rate(rig->dev, 0);
}

TEST_F_TIMEOUT(fault, attach, 1200)
{
	static const struct operation attach = {
		.name = "attach", .run = run_attach, .undo = run_detach,
		.slow = 1, .probes = 1,
	};

	load(_metadata, &self->rig, " heap_rate=0");
	fail_in_turn(_metadata, &self->rig, &attach, INJECT_NTH);
}

static int prepare_detach(struct rig *rig)
{
	return guest_set_rate(rig->dev, 1);
}

/* In spite of all failures: allocations are seen again. */
static void expect_seen(struct __test_metadata *_metadata, const struct rig *rig)
{
	struct snapshot snapshot;

	ASSERT_EQ(0, guest_set_rate(rig->dev, 1));
	ASSERT_EQ(0, guest_reset(rig->dev));
	ASSERT_EQ(0, snapshot_take(rig->dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	EXPECT_LT(0, snapshot_scalar(&snapshot, "total.alloc_calls"));
	snapshot_free(&snapshot);
	ASSERT_EQ(0, guest_set_rate(rig->dev, 0));
}

/* The operation is done whatever fails, and leaves no probe behind. */
static void fail_detach(struct __test_metadata *_metadata, struct rig *rig,
			const struct operation *detach)
{
	static const struct operation none = { .probes = 1 };
	struct state was, is;

	load(_metadata, rig, " heap_rate=0");
	ASSERT_EQ(0, state_take(rig, &none, &was));
	fail_in_turn(_metadata, rig, detach, INJECT_NTH);
	ASSERT_EQ(0, state_take(rig, &none, &is));
	expect_same(_metadata, &none, &was, &is);
	state_free(&was);
	state_free(&is);
}

TEST_F_TIMEOUT(fault, detach, 1200)
{
	static const struct operation detach = {
		.name = "detach", .prepare = prepare_detach, .run = run_detach, .certain = 1,
		.slow = 1,
	};

	fail_detach(_metadata, &self->rig, &detach);
	expect_seen(_metadata, &self->rig);
}

static int set_locks(struct rig *rig, uint64_t block_rate, uint64_t mutex_fraction)
{
	const struct kmprof_setting_value settings[] = {
		{ .id = KMPROF_SETTING_BLOCK_RATE, .value = block_rate },
		{ .id = KMPROF_SETTING_MUTEX_FRACTION, .value = mutex_fraction },
	};

	return guest_set_settings(rig->dev, settings, 2);
}

static int run_attach_locks(struct rig *rig)
{
	return set_locks(rig, 1000, 10);
}

static int run_detach_locks(struct rig *rig)
{
	return set_locks(rig, 0, 0);
}

TEST_F_TIMEOUT(fault_any_source, attach_locks, 1200)
{
	static const struct operation attach = {
		.name = "attach to locks", .run = run_attach_locks, .undo = run_detach_locks,
		.slow = 1, .probes = 1,
	};

	load(_metadata, &self->rig, " heap_rate=0");
	fail_in_turn(_metadata, &self->rig, &attach, INJECT_NTH);
}

TEST_F_TIMEOUT(fault_any_source, detach_locks, 1200)
{
	static const struct operation detach = {
		.name = "detach from locks", .prepare = run_attach_locks, .run = run_detach_locks,
		.certain = 1, .slow = 1,
	};

	fail_detach(_metadata, &self->rig, &detach);
}

/* Opens rig->path. */
static int run_open(struct rig *rig)
{
	rig->fd = open(rig->path, O_RDONLY | O_CLOEXEC);
	return rig->fd < 0 ? -errno : 0;
}

static int undo_open(struct rig *rig)
{
	close(rig->fd);
	rig->fd = -1;
	return 0;
}

TEST_F_TIMEOUT(fault_any_source, open_device, 600)
{
	static const struct operation op = {
		.name = "open " KMPROF_DEVICE_PATH, .run = run_open, .undo = undo_open,
	};

	load(_metadata, &self->rig, " heap_rate=1");
	self->rig.path = KMPROF_DEVICE_PATH;
	fail_in_turn(_metadata, &self->rig, &op, INJECT_NTH);
}

/* A text tells how many samples it has. */
static int text_is_whole(const char *text)
{
	const char *line = strstr(text, "\n# rows ");
	unsigned int told = line ? strtoul(line + strlen("\n# rows "), NULL, 10) : 0;
	unsigned int found = 0;

	for (line = text; (line = strstr(line, "] @")); line++)
		found++;
	/* The first line has one, too. */
	return told && found == told + 1 && !strncmp(text, "heap profile: ", 14);
}

/* Goes on where an earlier call has failed. */
static int run_read(struct rig *rig)
{
	ssize_t got;

	while ((got = read(rig->fd, rig->text + rig->used, TEXT_BYTES - 1 - rig->used)) > 0)
		rig->used += got;
	rig->text[rig->used] = '\0';
	return got < 0 ? -errno : 0;
}

static int undo_read(struct rig *rig)
{
	int whole = text_is_whole(rig->text);

	rig->used = 0;
	if (lseek(rig->fd, 0, SEEK_SET))
		return -errno;
	return whole ? 0 : -EPROTO;
}

static const struct operation read_text = {
	.name = "read " KMPROF_DEVICE_PATH, .run = run_read, .undo = undo_read, .images = 1,
};

static void open_text(struct __test_metadata *_metadata, struct rig *rig)
{
	load(_metadata, rig, " heap_rate=1");
	rig->path = KMPROF_DEVICE_PATH;
	ASSERT_EQ(0, run_open(rig));
}

TEST_F_TIMEOUT(fault_any_source, read_text, 600)
{
	open_text(_metadata, &self->rig);
	fail_in_turn(_metadata, &self->rig, &read_text, INJECT_NTH);
}

TEST_F_TIMEOUT(fault_any_source, read_text_without_pages, 600)
{
	open_text(_metadata, &self->rig);
	fail_in_turn(_metadata, &self->rig, &read_text, INJECT_PAGES);
}

/* A file in debugfs, from open() to close(). */
static int run_debugfs(struct rig *rig)
{
	int ret = run_open(rig);

	if (ret)
		return ret;
	rig->used = 0;
	ret = run_read(rig);
	undo_open(rig);
	if (!ret && rig->whole_text)
		ret = text_is_whole(rig->text) ? 0 : -EPROTO;
	return ret;
}

static void fail_debugfs(struct __test_metadata *_metadata, struct rig *rig,
			 const char *path, int whole_text)
{
	const struct operation op = { .name = path, .run = run_debugfs };

	load(_metadata, rig, " heap_rate=1");
	rig->path = path;
	rig->whole_text = whole_text;
	fail_in_turn(_metadata, rig, &op, INJECT_NTH);
}

TEST_F_TIMEOUT(fault_any_source, debugfs_heap, 600)
{
	fail_debugfs(_metadata, &self->rig, "/sys/kernel/debug/kmprof/heap", 1);
}

TEST_F_TIMEOUT(fault_any_source, debugfs_allocs, 600)
{
	fail_debugfs(_metadata, &self->rig, "/sys/kernel/debug/kmprof/allocs", 1);
}

TEST_F_TIMEOUT(fault_any_source, debugfs_stats, 600)
{
	fail_debugfs(_metadata, &self->rig, "/sys/kernel/debug/kmprof/stats", 0);
}

static int prepare_snapshot(struct rig *rig)
{
	struct kmprof_advance advance = { .size = sizeof(advance) };

	return ioctl(rig->dev, KMPROF_IOC_ADVANCE, &advance) ? -errno : 0;
}

static int run_snapshot(struct rig *rig)
{
	rig->fd = snapshot_ioctl(rig->dev, rig->flags, &rig->taken);
	return rig->fd < 0 ? rig->fd : 0;
}

static int undo_snapshot(struct rig *rig)
{
	struct snapshot snapshot;
	const char *wrong;
	int ret;

	ret = snapshot_read(rig->fd, &snapshot);
	undo_open(rig);
	if (ret)
		return ret;
	snapshot.cycle = rig->taken.cycle;
	wrong = snapshot_wrong(&snapshot);
	if (wrong)
		fprintf(stderr, "# %s\n", wrong);
	snapshot_free(&snapshot);
	return wrong ? -EPROTO : 0;
}

static const struct operation take_snapshot = {
	.name = "KMPROF_IOC_SNAPSHOT", .prepare = prepare_snapshot, .run = run_snapshot,
	.undo = undo_snapshot, .cycle = 1,
};

TEST_F_TIMEOUT(fault_any_source, snapshot, 600)
{
	load(_metadata, &self->rig, " heap_rate=1");
	fail_in_turn(_metadata, &self->rig, &take_snapshot, INJECT_NTH);
	self->rig.flags = KMPROF_SNAPSHOT_PUBLISHED;
	fail_in_turn(_metadata, &self->rig, &take_snapshot, INJECT_NTH);
}

TEST_F_TIMEOUT(fault_any_source, snapshot_without_pages, 600)
{
	load(_metadata, &self->rig, " heap_rate=1");
	fail_in_turn(_metadata, &self->rig, &take_snapshot, INJECT_PAGES);
}

static int run_mmap(struct rig *rig)
{
	/* Where nothing else is: page tables are wanted on all levels. */
	rig->map = mmap((void *)(1UL << 44), rig->taken.bytes, PROT_READ,
			MAP_SHARED | MAP_FIXED_NOREPLACE, rig->fd, 0);
	return rig->map == MAP_FAILED ? -errno : 0;
}

static int undo_mmap(struct rig *rig)
{
	const struct kmprof_image_header *header = rig->map;
	int whole = header->magic == KMPROF_IMAGE_MAGIC &&
		    header->image_size == rig->taken.bytes;

	if (munmap(rig->map, rig->taken.bytes))
		return -errno;
	return whole ? 0 : -EPROTO;
}

static const struct operation map = {
	.name = "mmap of a snapshot", .run = run_mmap, .undo = undo_mmap,
};

TEST_F_TIMEOUT(fault_any_source, mmap, 600)
{
	load(_metadata, &self->rig, " heap_rate=1");
	ASSERT_EQ(0, run_snapshot(&self->rig));
	fail_in_turn(_metadata, &self->rig, &map, INJECT_NTH);
	fail_in_turn(_metadata, &self->rig, &map, INJECT_PAGES);
	undo_open(&self->rig);
}

static int run_advance(struct rig *rig)
{
	struct kmprof_advance advance = { .size = sizeof(advance) };

	return ioctl(rig->dev, KMPROF_IOC_ADVANCE, &advance) ? -errno : 0;
}

static int run_reset(struct rig *rig)
{
	return guest_reset(rig->dev);
}

/* The drain makes buckets: a sample that gets none is in the ledger. */
TEST_F(fault, buckets)
{
	struct kmprof_info info = { .size = sizeof(info) };
	struct kmprof_profile_info heap;
	struct snapshot snapshot;
	char *text;
	int i;

	load(_metadata, &self->rig, " heap_rate=1");
	ASSERT_EQ(0, inject_workers(1));
	/* Stacks that were known are new ones after it. */
	ASSERT_EQ(0, run_reset(&self->rig));
	/* So are those with another rate: more of them than the spare memory has room for. */
	for (i = 0; i < 100; i++) {
		ASSERT_EQ(0, guest_set_rate(self->rig.dev, 1 + i));
		ASSERT_EQ(0, guest_read_file("/proc/self/status", &text, NULL));
		free(text);
	}
	ASSERT_EQ(0, run_advance(&self->rig));
	ASSERT_EQ(0, inject_workers(0));

	ASSERT_EQ(0, snapshot_take(self->rig.dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	snapshot_print_losses(&snapshot);
	EXPECT_LT(0, snapshot_loss(&snapshot, "bucket_full"));
	snapshot_free(&snapshot);
	/* It was not for lack of room. */
	ASSERT_EQ(0, ioctl(self->rig.dev, KMPROF_IOC_INFO, &info));
	ASSERT_EQ(0, guest_profile(self->rig.dev, "heap", &heap));
	EXPECT_GT(info.max_buckets, heap.buckets);

	ASSERT_EQ(0, run_reset(&self->rig));
	ASSERT_EQ(0, guest_read_file("/proc/self/status", &text, NULL));
	free(text);
	ASSERT_EQ(0, snapshot_take(self->rig.dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	EXPECT_EQ(0, snapshot_loss(&snapshot, "bucket_full"));
	EXPECT_LT(0, snapshot_scalar(&snapshot, "counted"));
	snapshot_free(&snapshot);
}

static int run_info(struct rig *rig)
{
	struct kmprof_info info = { .size = sizeof(info) };

	return ioctl(rig->dev, KMPROF_IOC_INFO, &info) ? -errno : 0;
}

static int run_profile(struct rig *rig)
{
	struct kmprof_profile_info info;

	return guest_profile(rig->dev, "mutex", &info);
}

static int run_get_config(struct rig *rig)
{
	struct kmprof_setting_value settings[GUEST_SETTINGS];
	int count = guest_get_settings(rig->dev, settings);

	return count < 0 ? count : 0;
}

static int run_settle(struct rig *rig)
{
	return guest_settle(rig->dev);
}

static int run_select(struct rig *rig)
{
	return guest_select(rig->dev, "allocs");
}

static int start_trace(struct rig *rig, struct kmprof_trace_start start)
{
	int ret = session_ioctl_start(rig->dev, &start);

	rig->fd = ret ? -1 : start.fd;
	return ret;
}

static int run_trace(struct rig *rig)
{
	return start_trace(rig, (struct kmprof_trace_start) {
		.flags = KMPROF_TRACE_START_STACKS, .events = SESSION_SCHED,
	});
}

/* A trace that was not started is none: the next one can be. */
TEST_F_TIMEOUT(fault_any_source, trace, 600)
{
	static const struct operation op = {
		.name = "KMPROF_IOC_TRACE_START", .run = run_trace, .undo = undo_open,
	};

	load(_metadata, &self->rig, " heap_rate=0");
	fail_in_turn(_metadata, &self->rig, &op, INJECT_NTH);
}

static int run_filtered_trace(struct rig *rig)
{
	return start_trace(rig, (struct kmprof_trace_start) {
		.events = SESSION_SCHED, .filter = "pid=1,cpu=0,duration=1us",
	});
}

TEST_F_TIMEOUT(fault_any_source, filtered_trace, 600)
{
	static const struct operation op = {
		.name = "KMPROF_IOC_TRACE_START with a filter", .run = run_filtered_trace,
		.undo = undo_open,
	};

	load(_metadata, &self->rig, " heap_rate=0");
	fail_in_turn(_metadata, &self->rig, &op, INJECT_NTH);
}

/* Grace periods are functions of the kernel that are hooked. */
static int run_hooked_trace(struct rig *rig)
{
	return start_trace(rig, (struct kmprof_trace_start) {
		.events = 1ULL << KMPROF_TRACE_GRACE_PERIOD_BEGIN |
			  1ULL << KMPROF_TRACE_GRACE_PERIOD_END,
	});
}

TEST_F_TIMEOUT(fault_any_source, hooked_trace, 600)
{
	static const struct operation op = {
		.name = "KMPROF_IOC_TRACE_START of grace periods", .run = run_hooked_trace,
		.undo = undo_open,
	};

	load(_metadata, &self->rig, " heap_rate=0");
	fail_in_turn(_metadata, &self->rig, &op, INJECT_NTH);
}

static int start_flight(struct rig *rig)
{
	return start_trace(rig, (struct kmprof_trace_start) {
		.flags = KMPROF_TRACE_START_FLIGHT, .events = SESSION_SCHED,
	});
}

static int run_snapshot_of_flight(struct rig *rig)
{
	return session_snapshot(rig->dev);
}

/* There is a trace to read, whatever has failed. */
static int read_flight(struct rig *rig)
{
	struct session s = { .fd = rig->fd };
	int ret = session_read_rest(&s);

	if (!ret && session_records(&s) == UINT64_MAX)
		ret = -EBADMSG;
	session_free(&s);
	rig->fd = -1;
	return ret;
}

TEST_F_TIMEOUT(fault_any_source, snapshot_of_flight, 600)
{
	static const struct operation op = {
		.name = "KMPROF_IOC_TRACE_SNAPSHOT", .prepare = start_flight,
		.run = run_snapshot_of_flight, .undo = read_flight, .certain = 1,
	};

	load(_metadata, &self->rig, " heap_rate=0");
	fail_in_turn(_metadata, &self->rig, &op, INJECT_NTH);
}

/* What is not asked for cannot fail. (KMPROF_IOC_ADVANCE makes buckets: see above.) */
TEST_F(fault_any_source, other_ioctls_allocate_nothing)
{
	static const struct operation ops[] = {
		{ .name = "KMPROF_IOC_INFO", .run = run_info },
		{ .name = "KMPROF_IOC_PROFILE", .run = run_profile },
		{ .name = "KMPROF_IOC_GET_CONFIG", .run = run_get_config },
		{ .name = "KMPROF_IOC_SET_CONFIG of another rate", .run = run_attach },
		{ .name = "KMPROF_IOC_SELECT", .run = run_select },
		{ .name = "KMPROF_IOC_RESET", .run = run_reset },
		{ .name = "KMPROF_IOC_SETTLE", .run = run_settle },
	};
	unsigned int i;

	load(_metadata, &self->rig, " heap_rate=1");
	for (i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		ASSERT_EQ(0, inject_begin(INJECT_NTH, 1));
		EXPECT_EQ(0, ops[i].run(&self->rig));
		EXPECT_EQ(0, inject_end()) {
			TH_LOG("%s", ops[i].name);
			print_failure(inject_failures());
		}
	}
}

TEST_HARNESS_MAIN
