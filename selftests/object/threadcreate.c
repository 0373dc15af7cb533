// SPDX-License-Identifier: GPL-2.0
/*
 * The profile threadcreate: it has the tasks that live, and counts each new one as the kernel
 * does; also while tasks come and go on all CPUs and it is turned on and off.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/io_uring.h>
#include <linux/sched.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/objects.h"
#include "lib/settings.h"
#include "lib/snapshot.h"
#include "lib/symbols.h"

#define NAME "threadcreate"
#define KPROBES "/sys/kernel/debug/kprobes/list"
#define PROBED "wake_up_new_task"

enum {
	FORKS = 30,
	SLEEPERS = 7,
	FEW_OBJECTS = 16,
};

static uint64_t processes(void)
{
	uint64_t number;

	guest_read_number("/proc/stat", "\nprocesses ", &number);
	return number;
}

/* Is this /proc/PID/task/TID a task that has not exited? */
static int lives(int task)
{
	char text[512], *state;
	int stat = openat(task, "stat", O_RDONLY | O_CLOEXEC);
	ssize_t length;

	if (stat < 0)
		return 0;
	length = read(stat, text, sizeof(text) - 1);
	close(stat);
	if (length <= 0)
		return 0;
	text[length] = '\0';
	/* The name before it may have anything in it, but is no longer than this. */
	state = strrchr(text, ')');
	return state && state[1] && !strchr("ZXx", state[2]);
}

/* Tasks that live below a directory: that of a process's tasks, or /proc itself. */
static unsigned int count_below(int dir, int is_of_process)
{
	DIR *list = dir < 0 ? NULL : fdopendir(dir);
	unsigned int sum = 0;
	struct dirent *entry;
	int fd;

	if (!list)
		return 0;
	while ((entry = readdir(list))) {
		if (entry->d_name[0] < '0' || entry->d_name[0] > '9')
			continue;
		fd = openat(dir, entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd < 0)
			continue;
		sum += is_of_process ? (unsigned int)lives(fd) :
		       count_below(openat(fd, "task", O_RDONLY | O_DIRECTORY | O_CLOEXEC), 1);
		close(fd);
	}
	closedir(list);
	return sum;
}

/* Tasks that live, by /proc. */
static unsigned int living(void)
{
	return count_below(open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC), 0);
}

/**
 * struct look - what the kernel and the profile have, at the same time
 * @processes: tasks created since boot
 * @living: tasks that live
 * @tasks: tasks of the profile
 * @known: those of them that have a stack
 * @created: tasks that the profile has counted
 * @lost: ledger.threadcreate.lost
 * @missed: ledger.threadcreate.missed
 */
struct look {
	uint64_t processes;
	uint64_t living;
	uint64_t tasks;
	uint64_t known;
	uint64_t created;
	uint64_t lost;
	uint64_t missed;
};

static void read_rows(struct __test_metadata *_metadata, const struct snapshot *snapshot,
		      struct look *look)
{
	unsigned int without = 0;
	uint32_t i;

	EXPECT_IMAGE(snapshot);
	for (i = 0; i < snapshot_rows(snapshot, NAME); i++) {
		uint64_t tasks = objects_value(snapshot, NAME, i, "tasks");
		uint64_t created = objects_value(snapshot, NAME, i, "created");

		/* Less than none is very many. */
		EXPECT_LE(tasks, created);
		look->tasks += tasks;
		look->created += created;
		if (objects_row(snapshot, NAME, i)->nr_frames)
			look->known += tasks;
		else
			without++;
	}
	EXPECT_GE(1, without);
	look->lost = snapshot_loss(snapshot, NAME ".lost");
	look->missed = snapshot_loss(snapshot, NAME ".missed");
}

/* Returns whether no task came or went meanwhile. */
static int look_once(struct __test_metadata *_metadata, int dev, struct look *look)
{
	struct snapshot snapshot;

	*look = (struct look){ .processes = processes(), .living = living() };
	ASSERT_EQ(0, snapshot_take(dev, &snapshot));
	read_rows(_metadata, &snapshot, look);
	snapshot_free(&snapshot);
	ASSERT_NE(0, look->processes);
	return look->living == living() && look->processes == processes();
}

/* The kernel has tasks of its own that come and go. */
static struct look look_anyway(struct __test_metadata *_metadata, int dev)
{
	enum { LOOKS = 200 };
	struct look look;
	unsigned int i;

	for (i = 0; i < LOOKS; i++) {
		if (look_once(_metadata, dev, &look))
			return look;
		usleep(10000);
	}
	EXPECT_GT(LOOKS, i)
		TH_LOG("tasks come and go all the time");
	return look;
}

/*
 * The profile has to have the tasks that live. A task that exits has left the profile a moment
 * before /proc has it as a zombie, so it may take some looks.
 */
static struct look look(struct __test_metadata *_metadata, int dev)
{
	enum { LOOKS = 20 };
	struct look look;
	unsigned int i;

	for (i = 0; i < LOOKS; i++) {
		look = look_anyway(_metadata, dev);
		if (look.tasks == look.living)
			break;
		usleep(50000);
	}
	EXPECT_EQ(look.living, look.tasks);
	EXPECT_EQ(0, look.lost);
	return look;
}

/* As many were created as the kernel counts, but for those that the probe has missed. */
static void expect_created(struct __test_metadata *_metadata, const struct look *before,
			   const struct look *after)
{
	EXPECT_EQ(after->processes - before->processes,
		  after->created - before->created + after->missed - before->missed);
	if (after->missed != before->missed)
		TH_LOG("the probe has missed %" PRIu64, after->missed - before->missed);
}

FIXTURE(threadcreate) {
	int dev;
};

FIXTURE_SETUP(threadcreate)
{
	ASSERT_EQ(0, guest_unload());
	ASSERT_EQ(0, guest_insmod("kmprof", ""));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
}

FIXTURE_TEARDOWN(threadcreate)
{
	close(self->dev);
	EXPECT_EQ(0, guest_unload());
}

static void turn(struct __test_metadata *_metadata, int dev, unsigned int on)
{
	ASSERT_EQ(0, guest_set(dev, KMPROF_SETTING_THREADCREATE, on));
}

/* The child has a system call of its own for each way to be created. */
static pid_t fork_by_clone(void)
{
	return syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

static pid_t fork_by_clone3(void)
{
	struct clone_args args = { .exit_signal = SIGCHLD };

	return syscall(SYS_clone3, &args, sizeof(args));
}

static int reap(pid_t pid)
{
	int status;

	return pid > 0 && waitpid(pid, &status, 0) == pid && !status ? 0 : -ECHILD;
}

static int fork_and_reap(pid_t (*by)(void))
{
	pid_t pid = by();

	if (!pid)
		_exit(0);
	return reap(pid);
}

static int vfork_and_reap(void)
{
	static const char *const argv[] = { "/bin/true", NULL };
	pid_t pid = vfork();

	if (!pid) {
		execv(argv[0], (char *const *)argv);
		_exit(1);
	}
	return reap(pid);
}

static void *end_at_once(void *arg)
{
	return arg;
}

static int thread_and_join(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, end_at_once, NULL))
		return -EAGAIN;
	return -pthread_join(thread, NULL);
}

static void *exec_true(void *arg)
{
	static const char *const argv[] = { "/bin/true", NULL };

	execv(argv[0], (char *const *)argv);
	_exit(1);
	return arg;
}

/* A thread that calls exec takes the place of the process; the process's own task ends. */
static int exec_in_thread(void)
{
	pid_t pid = fork();
	pthread_t thread;

	if (!pid) {
		if (pthread_create(&thread, NULL, exec_true, NULL))
			_exit(1);
		for (;;)
			pause();
	}
	return reap(pid);
}

static pid_t spawn_sleeper(void)
{
	pid_t pid = fork_by_clone();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		pause();
}

static void spawn_sleepers(struct __test_metadata *_metadata, pid_t *pids, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		pids[i] = spawn_sleeper();
		ASSERT_LT(0, pids[i]);
	}
}

static void end_sleepers(struct __test_metadata *_metadata, const pid_t *pids, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		ASSERT_EQ(0, kill(pids[i], SIGKILL));
		ASSERT_EQ(pids[i], waitpid(pids[i], NULL, 0));
	}
}

TEST_F(threadcreate, agrees)
{
	struct look first, storm, now;
	pid_t pids[SLEEPERS];
	unsigned int i;

	turn(_metadata, self->dev, 1);
	first = look(_metadata, self->dev);
	/* Those from before have no stack, and are counted once. */
	EXPECT_GE(first.created, first.living);
	EXPECT_LT(0, first.tasks - first.known);
	TH_LOG("%" PRIu64 " tasks live", first.living);

	for (i = 0; i < FORKS; i++) {
		ASSERT_EQ(0, fork_and_reap(fork_by_clone));
		ASSERT_EQ(0, thread_and_join());
	}
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, vfork_and_reap());
		ASSERT_EQ(0, exec_in_thread());
	}
	storm = look(_metadata, self->dev);
	EXPECT_LE(first.processes + 2 * FORKS + 9, storm.processes);
	expect_created(_metadata, &first, &storm);

	spawn_sleepers(_metadata, pids, SLEEPERS);
	now = look(_metadata, self->dev);
	EXPECT_LE(SLEEPERS, now.known);
	expect_created(_metadata, &first, &now);
	end_sleepers(_metadata, pids, SLEEPERS);
	now = look(_metadata, self->dev);
	expect_created(_metadata, &first, &now);
	TH_LOG("%" PRIu64 " tasks were created, %" PRIu64 " live", now.processes - first.processes,
	       now.living);
}

/* Loaded with it, it follows tasks from the start. */
TEST_F(threadcreate, parameter)
{
	struct look first, now;
	unsigned int i;

	expect_rate(_metadata, self->dev, KMPROF_SETTING_THREADCREATE, NAME, 0);
	EXPECT_EQ(-EINVAL, guest_set(self->dev, KMPROF_SETTING_THREADCREATE, 2));
	EXPECT_EQ(-EINVAL, guest_write_file("/sys/module/kmprof/parameters/" NAME, "2"));
	EXPECT_EQ(-EINVAL, guest_write_file("/sys/module/kmprof/parameters/" NAME, "x"));
	expect_rate(_metadata, self->dev, KMPROF_SETTING_THREADCREATE, NAME, 0);
	close(self->dev);
	ASSERT_EQ(0, guest_rmmod("kmprof"));
	EXPECT_EQ(-EINVAL, guest_insmod("kmprof", NAME "=2"));

	ASSERT_EQ(0, guest_insmod("kmprof", NAME "=1"));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	expect_rate(_metadata, self->dev, KMPROF_SETTING_THREADCREATE, NAME, 1);
	EXPECT_EQ(-EINVAL, guest_set(self->dev, KMPROF_SETTING_THREADCREATE, 2));
	expect_rate(_metadata, self->dev, KMPROF_SETTING_THREADCREATE, NAME, 1);
	first = look(_metadata, self->dev);
	for (i = 0; i < FORKS; i++)
		ASSERT_EQ(0, fork_and_reap(fork_by_clone));
	now = look(_metadata, self->dev);
	expect_created(_metadata, &first, &now);
	ASSERT_EQ(0, guest_write_file("/sys/module/kmprof/parameters/" NAME, "0"));
	expect_rate(_metadata, self->dev, KMPROF_SETTING_THREADCREATE, NAME, 0);
}

/* Name of the function that a frame returns to, or "". */
static const char *function(const struct symbols *symbols, uint64_t address)
{
	const struct symbol *symbol = symbols_caller(symbols, address);

	return symbol ? symbol->name : "";
}

/* The function that calls wake_up_new_task(), if that is known, and another one above it. */
struct origin {
	const char *leaf;
	const char *above;
};

/* "sys_clone" is not in "sys_clone3": a name is one up to its end, or to a dot. */
static int is_called(const char *name, const char *part)
{
	const char *found = strstr(name, part);

	return found && (!found[strlen(part)] || found[strlen(part)] == '.');
}

static int is_from(const struct symbols *symbols, const struct snapshot *snapshot,
		   const struct kmprof_image_row *row, const struct origin *origin)
{
	const uint64_t *frames = snapshot_frames(snapshot, row);
	uint32_t i;

	if (!row->nr_frames ||
	    (origin->leaf && !is_called(function(symbols, frames[0]), origin->leaf)))
		return 0;
	for (i = 1; i < row->nr_frames; i++)
		if (is_called(function(symbols, frames[i]), origin->above))
			return 1;
	return 0;
}

/* For a message. */
static void print_stacks(const struct symbols *symbols, int dev)
{
	struct snapshot snapshot;
	uint32_t i, k;

	if (snapshot_take(dev, &snapshot))
		return;
	for (i = 0; i < snapshot_rows(&snapshot, NAME); i++) {
		const struct kmprof_image_row *row = objects_row(&snapshot, NAME, i);

		fprintf(stderr, "# %" PRIu64 ":", objects_value(&snapshot, NAME, i, "tasks"));
		for (k = 0; k < row->nr_frames; k++)
			fprintf(stderr, " %s", function(symbols,
							snapshot_frames(&snapshot, row)[k]));
		fprintf(stderr, "\n");
	}
	snapshot_free(&snapshot);
}

/* Numbers of tasks of one origin. */
struct from {
	uint64_t tasks;
	uint64_t created;
};

static struct from take_from(struct __test_metadata *_metadata, int dev,
			     const struct symbols *symbols, const struct origin *origin)
{
	struct snapshot snapshot;
	struct from from = { 0 };
	uint32_t i;

	ASSERT_EQ(0, snapshot_take(dev, &snapshot));
	for (i = 0; i < snapshot_rows(&snapshot, NAME); i++) {
		if (!is_from(symbols, &snapshot, objects_row(&snapshot, NAME, i), origin))
			continue;
		from.tasks += objects_value(&snapshot, NAME, i, "tasks");
		from.created += objects_value(&snapshot, NAME, i, "created");
	}
	snapshot_free(&snapshot);
	return from;
}

static int fork_clone(void)
{
	return fork_and_reap(fork_by_clone);
}

static int fork_clone3(void)
{
	return fork_and_reap(fork_by_clone3);
}

TEST_F(threadcreate, stacks)
{
	static const struct {
		int (*create)(void);
		struct origin origin;
	} ways[] = {
		{ fork_clone, { "kernel_clone", "sys_clone" } },
		{ fork_clone3, { "kernel_clone", "sys_clone3" } },
		{ vfork_and_reap, { "kernel_clone", "sys_vfork" } },
	};
	struct from from[ARRAY_SIZE(ways)], now;
	struct symbols symbols;
	unsigned int i, k;
	pid_t pids[SLEEPERS];

	ASSERT_EQ(0, symbols_load(&symbols));
	turn(_metadata, self->dev, 1);
	for (i = 0; i < ARRAY_SIZE(ways); i++)
		from[i] = take_from(_metadata, self->dev, &symbols, &ways[i].origin);
	for (i = 0; i < ARRAY_SIZE(ways); i++)
		for (k = 0; k <= i; k++)
			ASSERT_EQ(0, ways[i].create());
	/* Nobody else in the guest creates processes, but the kernel. */
	for (i = 0; i < ARRAY_SIZE(ways); i++) {
		now = take_from(_metadata, self->dev, &symbols, &ways[i].origin);
		EXPECT_EQ(i + 1, now.created - from[i].created)
			TH_LOG("%s", ways[i].origin.above);
		EXPECT_EQ(from[i].tasks, now.tasks);
	}
	spawn_sleepers(_metadata, pids, SLEEPERS);
	now = take_from(_metadata, self->dev, &symbols, &ways[0].origin);
	EXPECT_EQ(SLEEPERS, now.tasks - from[0].tasks);
	end_sleepers(_metadata, pids, SLEEPERS);
	now = take_from(_metadata, self->dev, &symbols, &ways[0].origin);
	EXPECT_EQ(from[0].tasks, now.tasks);
	symbols_free(&symbols);
}

/* A ring of io_uring, with what it needs to take one order. */
struct ring {
	int fd;
	struct io_uring_params params;
	char *queue;
	struct io_uring_sqe *entries;
};

static int ring_open(struct ring *ring)
{
	*ring = (struct ring){ 0 };
	ring->fd = syscall(SYS_io_uring_setup, 4, &ring->params);
	if (ring->fd < 0)
		return guest_complain("io_uring_setup", "4", errno);
	ring->queue = mmap(NULL, ring->params.sq_off.array + 4 * sizeof(uint32_t),
			   PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, IORING_OFF_SQ_RING);
	ring->entries = mmap(NULL, 4 * sizeof(*ring->entries), PROT_READ | PROT_WRITE, MAP_SHARED,
			     ring->fd, IORING_OFF_SQES);
	if (ring->queue == MAP_FAILED || ring->entries == MAP_FAILED)
		return guest_complain("mmap", "io_uring", errno);
	return 0;
}

/* Reads from a pipe: a worker of the kernel waits for it, and so exists. */
static int ring_read(struct ring *ring, int pipe, char *byte)
{
	uint32_t *tail = (uint32_t *)(ring->queue + ring->params.sq_off.tail);
	uint32_t *array = (uint32_t *)(ring->queue + ring->params.sq_off.array);

	ring->entries[0] = (struct io_uring_sqe){
		.opcode = IORING_OP_READ, .flags = IOSQE_ASYNC, .fd = pipe,
		.addr = (uintptr_t)byte, .len = 1,
	};
	array[*tail % ring->params.sq_entries] = 0;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
	return syscall(SYS_io_uring_enter, ring->fd, 1, 0, 0, NULL, 0) == 1 ? 0 : -errno;
}

/* No tracepoint shows the workers of io_uring. */
TEST_F(threadcreate, io_workers)
{
	static const struct origin origin = { NULL, "sys_io_uring_enter" };
	struct look first, now;
	struct symbols symbols;
	struct ring ring;
	int pipes[2];
	char byte;

	ASSERT_EQ(0, symbols_load(&symbols));
	ASSERT_EQ(0, pipe2(pipes, O_CLOEXEC));
	ASSERT_EQ(0, ring_open(&ring));
	turn(_metadata, self->dev, 1);
	first = look(_metadata, self->dev);
	ASSERT_EQ(0, ring_read(&ring, pipes[0], &byte));
	now = look(_metadata, self->dev);
	EXPECT_LT(first.processes, now.processes);
	expect_created(_metadata, &first, &now);
	EXPECT_LE(1, take_from(_metadata, self->dev, &symbols, &origin).tasks)
		print_stacks(&symbols, self->dev);

	ASSERT_EQ(1, write(pipes[1], "x", 1));
	munmap(ring.queue, ring.params.sq_off.array + 4 * sizeof(uint32_t));
	munmap(ring.entries, 4 * sizeof(*ring.entries));
	close(ring.fd);
	close(pipes[0]);
	close(pipes[1]);
	now = look(_metadata, self->dev);
	expect_created(_metadata, &first, &now);
	symbols_free(&symbols);
}

static int is_probed(void)
{
	char *text;
	int found;

	if (guest_read_file(KPROBES, &text, NULL))
		return -1;
	found = !!strstr(text, PROBED);
	free(text);
	return found;
}

TEST_F(threadcreate, off_and_on)
{
	struct look on, off, still, again, now;
	pid_t pids[SLEEPERS];
	unsigned int i;

	EXPECT_EQ(0, is_probed());
	off = look_anyway(_metadata, self->dev);
	EXPECT_EQ(0, off.tasks);
	EXPECT_EQ(0, off.created);
	turn(_metadata, self->dev, 1);
	EXPECT_EQ(1, is_probed());
	spawn_sleepers(_metadata, pids, SLEEPERS);
	on = look(_metadata, self->dev);
	EXPECT_LE(SLEEPERS, on.known);

	/* Off, it keeps what it had. */
	turn(_metadata, self->dev, 0);
	EXPECT_EQ(0, is_probed());
	off = look_anyway(_metadata, self->dev);
	for (i = 0; i < FORKS; i++)
		ASSERT_EQ(0, fork_and_reap(fork_by_clone));
	end_sleepers(_metadata, pids, SLEEPERS - 1);
	still = look_anyway(_metadata, self->dev);
	EXPECT_EQ(off.tasks, still.tasks);
	EXPECT_EQ(off.created, still.created);
	EXPECT_EQ(off.known, still.known);
	EXPECT_LE(off.processes + FORKS, still.processes);

	/* On, it starts anew: all tasks are from before. */
	turn(_metadata, self->dev, 1);
	again = look(_metadata, self->dev);
	EXPECT_LE(again.known, again.processes - still.processes);
	for (i = 0; i < FORKS; i++)
		ASSERT_EQ(0, fork_and_reap(fork_by_clone));
	end_sleepers(_metadata, pids + SLEEPERS - 1, 1);
	now = look(_metadata, self->dev);
	expect_created(_metadata, &again, &now);
}

/* Tasks from before a reset are not counted any more, nor is their end. */
TEST_F(threadcreate, reset)
{
	pid_t before[SLEEPERS], after[SLEEPERS];
	struct look reset, now;

	turn(_metadata, self->dev, 1);
	spawn_sleepers(_metadata, before, SLEEPERS);
	ASSERT_EQ(0, guest_reset(self->dev));
	reset = look_anyway(_metadata, self->dev);
	spawn_sleepers(_metadata, after, SLEEPERS);
	now = look_anyway(_metadata, self->dev);
	expect_created(_metadata, &reset, &now);
	EXPECT_LE(SLEEPERS, now.tasks);
	EXPECT_EQ(now.known, now.tasks);
	end_sleepers(_metadata, before, SLEEPERS);
	EXPECT_LE(SLEEPERS, look_anyway(_metadata, self->dev).tasks);
	end_sleepers(_metadata, after, SLEEPERS);
	now = look_anyway(_metadata, self->dev);
	/* What the kernel has created itself since. */
	EXPECT_GE(now.created - 2 * SLEEPERS + SLEEPERS, now.tasks);
	EXPECT_GE(now.processes - reset.processes - SLEEPERS + reset.created, now.tasks);

	turn(_metadata, self->dev, 0);
	turn(_metadata, self->dev, 1);
	look(_metadata, self->dev);
}

enum { STORMS = 4, ENOUGH = 10 * STORMS, ROUNDS = 40, ROUNDS_FEW = 4 };

/* Each thing happens more than once, also in a quick run. */
static unsigned int rounds(void)
{
	return guest_effort(ROUNDS) < ROUNDS_FEW ? ROUNDS_FEW : guest_effort(ROUNDS);
}

/**
 * struct storm - processes that create tasks on all CPUs
 * @stop: they have to end
 * @pids: the processes
 */
struct storm {
	int *stop;
	pid_t pids[STORMS];
};

static void blow(const int *stop)
{
	unsigned int round;
	int ret = 0;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (round = 0; !ret && !__atomic_load_n(stop, __ATOMIC_RELAXED); round++)
		ret = fork_and_reap(fork_by_clone) ?: thread_and_join() ?:
		      round % 32 != 31 ? 0 : vfork_and_reap() ?: exec_in_thread();
	_exit(!!ret);
}

static int *shared_flag(void)
{
	return mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static void storm_begin(struct __test_metadata *_metadata, struct storm *storm)
{
	unsigned int i;

	storm->stop = shared_flag();
	ASSERT_NE(MAP_FAILED, storm->stop);
	for (i = 0; i < STORMS; i++) {
		storm->pids[i] = fork();
		ASSERT_LE(0, storm->pids[i]);
		if (!storm->pids[i])
			blow(storm->stop);
	}
}

static void storm_end(struct __test_metadata *_metadata, struct storm *storm)
{
	unsigned int i;

	__atomic_store_n(storm->stop, 1, __ATOMIC_RELAXED);
	for (i = 0; i < STORMS; i++)
		EXPECT_EQ(0, reap(storm->pids[i]));
	munmap(storm->stop, sizeof(*storm->stop));
}

static void check_snapshot(struct __test_metadata *_metadata, int dev)
{
	struct snapshot snapshot;
	struct look look = { 0 };

	ASSERT_EQ(0, snapshot_take(dev, &snapshot));
	read_rows(_metadata, &snapshot, &look);
	EXPECT_EQ(0, look.lost);
	snapshot_free(&snapshot);
}

TEST_F(threadcreate, storm)
{
	unsigned int i, nr = rounds();
	struct look first, now;
	struct storm storm;

	turn(_metadata, self->dev, 1);
	first = look(_metadata, self->dev);
	storm_begin(_metadata, &storm);
	/* On a busy machine, it takes some time until there are enough of them. */
	for (i = 0; i < 4 * nr || processes() <= first.processes + ENOUGH; i++) {
		check_snapshot(_metadata, self->dev);
		usleep(20000);
	}
	storm_end(_metadata, &storm);
	now = look(_metadata, self->dev);
	expect_created(_metadata, &first, &now);
	TH_LOG("%" PRIu64 " tasks, %u cycles", now.processes - first.processes, i);
}

/**
 * struct nursery - a process that creates threads which stay
 * @stop: it has to create no more; shared with the process
 * @pid: the process
 */
struct nursery {
	int *stop;
	pid_t pid;
};

static void *stay(void *arg)
{
	for (;;)
		pause();
	return arg;
}

/* Threads, and small ones: they are created faster than processes. */
static void breed(const int *stop)
{
	enum { MOST = 4000 };
	pthread_attr_t attr;
	unsigned int count;
	pthread_t thread;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (pthread_attr_init(&attr) || pthread_attr_setstacksize(&attr, PTHREAD_STACK_MIN))
		_exit(1);
	for (count = 0; count < MOST && !__atomic_load_n(stop, __ATOMIC_RELAXED); count++)
		if (pthread_create(&thread, &attr, stay, NULL))
			_exit(1);
	stay(NULL);
}

static void nursery_begin(struct __test_metadata *_metadata, struct nursery *nursery)
{
	nursery->stop = shared_flag();
	ASSERT_NE(MAP_FAILED, nursery->stop);
	nursery->pid = fork();
	ASSERT_LE(0, nursery->pid);
	if (!nursery->pid)
		breed(nursery->stop);
}

static void nursery_stop(struct nursery *nursery)
{
	__atomic_store_n(nursery->stop, 1, __ATOMIC_RELAXED);
}

static void nursery_end(struct __test_metadata *_metadata, struct nursery *nursery)
{
	int status;

	ASSERT_EQ(0, kill(nursery->pid, SIGKILL));
	ASSERT_EQ(nursery->pid, waitpid(nursery->pid, &status, 0));
	/* It was there to the end. */
	EXPECT_TRUE(WIFSIGNALED(status));
	munmap(nursery->stop, sizeof(*nursery->stop));
}

/*
 * Turned on while tasks are created and exit, it has all that live at last: those that were
 * there before, those that came later, and those that came meanwhile.
 */
TEST_F(threadcreate, turned_on_in_a_storm)
{
	unsigned int i, nr = rounds(), stayed = 0;
	struct nursery nursery;
	struct look with, without;
	struct storm storm;

	for (i = 0; i < nr; i++) {
		turn(_metadata, self->dev, 0);
		/* By turns: the storm leaves the nursery not much of the CPUs. */
		if (i % 2)
			storm_begin(_metadata, &storm);
		nursery_begin(_metadata, &nursery);
		usleep(10000 * (i % 4));
		turn(_metadata, self->dev, 1);
		nursery_stop(&nursery);
		check_snapshot(_metadata, self->dev);
		if (i % 2)
			storm_end(_metadata, &storm);
		with = look(_metadata, self->dev);
		nursery_end(_metadata, &nursery);
		without = look(_metadata, self->dev);
		EXPECT_GT(with.tasks, without.tasks);
		stayed += with.tasks - without.tasks;
	}
	TH_LOG("%u tasks came meanwhile and stayed, in %u rounds", stayed, nr);
}

TEST_F(threadcreate, all_at_once)
{
	unsigned int i, nr = rounds();
	struct look first, now;
	struct storm storm;

	storm_begin(_metadata, &storm);
	for (i = 0; i < nr; i++) {
		turn(_metadata, self->dev, 1);
		check_snapshot(_metadata, self->dev);
		ASSERT_EQ(0, guest_reset(self->dev));
		check_snapshot(_metadata, self->dev);
		if (i % 2)
			turn(_metadata, self->dev, 0);
		ASSERT_EQ(0, guest_reset(self->dev));
		check_snapshot(_metadata, self->dev);
	}
	storm_end(_metadata, &storm);

	turn(_metadata, self->dev, 0);
	turn(_metadata, self->dev, 1);
	first = look(_metadata, self->dev);
	for (i = 0; i < FORKS; i++)
		ASSERT_EQ(0, fork_and_reap(fork_by_clone));
	now = look(_metadata, self->dev);
	expect_created(_metadata, &first, &now);
}

/* More tasks than the table has room for. */
TEST_F(threadcreate, limits)
{
	unsigned int i, nr = rounds();
	struct storm storm;
	struct look was, now;

	close(self->dev);
	ASSERT_EQ(0, guest_rmmod("kmprof"));
	ASSERT_EQ(0, guest_insmod("kmprof", NAME "=1 max_objects=16"));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	was = look_anyway(_metadata, self->dev);
	EXPECT_GE(FEW_OBJECTS, was.tasks);
	EXPECT_LT(0, was.tasks);
	EXPECT_LE(was.living - was.tasks, was.lost);
	EXPECT_LT(0, was.lost);

	storm_begin(_metadata, &storm);
	for (i = 0; i < nr; i++) {
		look_once(_metadata, self->dev, &now);
		EXPECT_GE(FEW_OBJECTS, now.tasks);
		EXPECT_LE(was.lost, now.lost);
		was = now;
	}
	storm_end(_metadata, &storm);
	now = look_anyway(_metadata, self->dev);
	EXPECT_GE(FEW_OBJECTS, now.tasks);

	/* Each new one is counted, or lost. */
	was = now;
	for (i = 0; i < FORKS; i++)
		ASSERT_EQ(0, fork_and_reap(fork_by_clone));
	now = look_anyway(_metadata, self->dev);
	EXPECT_EQ(now.processes - was.processes,
		  now.created - was.created + now.lost - was.lost + now.missed - was.missed);
	TH_LOG("%" PRIu64 " of %" PRIu64 " are not in it", now.lost - was.lost,
	       now.processes - was.processes);

	turn(_metadata, self->dev, 0);
	turn(_metadata, self->dev, 1);
	now = look_anyway(_metadata, self->dev);
	EXPECT_GE(FEW_OBJECTS, now.tasks);
	EXPECT_LT(0, now.tasks);
}

TEST_HARNESS_MAIN
