// SPDX-License-Identifier: GPL-2.0
/*
 * The source of waits that uses kretprobes on the slow paths of locks. A wait runs from the
 * entry of the slow path to its return. That includes spinning that the tracepoints do not
 * show: a rwsem's optimistic spinning, a spinlock's pending bit, rwlocks in interrupts.
 *
 * Disarming does not wait for tasks blocked in a slow path; they return normally.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/percpu-rwsem.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <uapi/linux/kmprof.h>

#include "compat/compat.h"
#include "core/guard.h"
#include "core/limits.h"
#include "core/slot.h"
#include "core/stats.h"
#include "lock/contention.h"
#include "lock/inflight.h"
#include "lock/source.h"
#include "probe/ftrace_keeper.h"
#include "probe/probe.h"
#include "probe/slow_path.h"

/* What a slow path returns. */
enum result {
	ALWAYS_GOT,
	ERRNO_RETURNED,
	POINTER_RETURNED,
};

/**
 * struct flight - state of a call of a slow path, from entry to return
 * @lock: the lock waited for
 * @switches: the task's voluntary context switches at the entry
 * @is_free: no writer holds the rwsem: a reader that does not sleep has not waited
 * @has_queue: other tasks sleep for the rwsem: its releases are seen
 */
struct flight {
	const void *lock;
	unsigned long switches;
	bool is_free;
	bool has_queue;
};

/**
 * struct wait_path - a slow path; its first argument is the lock
 * @path: name of the function
 * @kind: enum kmprof_lock_kind
 * @flags: KMPROF_WAIT_* at the begin of the wait
 * @result: type of the function's result
 * @entered: called at the entry; returns true when @returned is to be called
 * @returned: called at the return
 */
struct wait_path {
	struct kmprof_slow_path path;
	u32 kind;
	u32 flags;
	enum result result;
	bool (*entered)(const struct wait_path *path, struct flight *flight,
			const struct pt_regs *regs);
	void (*returned)(const struct wait_path *path, const struct flight *flight,
			 const struct pt_regs *regs);
};

static unsigned long argument(const struct pt_regs *regs, unsigned int n)
{
	return regs_get_kernel_argument((struct pt_regs *)regs, n);
}

static bool begin(const struct wait_path *path, struct flight *flight, const struct pt_regs *regs)
{
	/*
	 * An outer slow path for the same lock has begun the wait. But a spinlock at the same
	 * address is another lock: a member of the outer one, as in a semaphore.
	 */
	if (!kmprof_inflight_spins(path->kind) && kmprof_inflight_has(flight->lock))
		return false;
	return kmprof_contention_begin(flight->lock, path->kind, path->flags);
}

/*
 * Readers enter the slow path also if no writer holds the lock but tasks queue for it. They
 * may then get the lock at once.
 */
static bool begin_rwsem_read(const struct wait_path *path, struct flight *flight,
			     const struct pt_regs *regs)
{
	flight->is_free = !kmprof_compat_is_written(argument(regs, 1));
	flight->has_queue = kmprof_compat_has_queue(flight->lock);
	return begin(path, flight, regs);
}

static bool begin_rwsem_write(const struct wait_path *path, struct flight *flight,
			      const struct pt_regs *regs)
{
	flight->has_queue = kmprof_compat_has_queue(flight->lock);
	return begin(path, flight, regs);
}

/*
 * percpu_rwsem_wait() serves readers and writers. A writer's wait is followed from
 * percpu_down_write() on, if at all.
 */
static bool begin_percpu_read(const struct wait_path *path, struct flight *flight,
			      const struct pt_regs *regs)
{
	return (u8)argument(regs, 1) && begin(path, flight, regs);
}

/*
 * percpu_down_write() first waits for a grace period that no holder is to blame for:
 *
 *	percpu_down_write() entered	the wait is expected
 *	rcu_sync_enter() entered	followed if it is that of an expected wait
 *	rcu_sync_enter() returns	the wait begins
 *	percpu_down_write() returns	the wait ends
 */
static bool begin_percpu_write(const struct wait_path *path, struct flight *flight,
			       const struct pt_regs *regs)
{
	kmprof_contention_expect(flight->lock, path->kind, path->flags);
	return true;
}

static bool begin_grace_period(const struct wait_path *path, struct flight *flight,
			       const struct pt_regs *regs)
{
	BUILD_BUG_ON(offsetof(struct percpu_rw_semaphore, rss));
	return kmprof_inflight_has(flight->lock);
}

/* From here on, percpu_up_read() takes its slow path, which wakes the writer and is seen. */
static void end_grace_period(const struct wait_path *path, const struct flight *flight,
			     const struct pt_regs *regs)
{
	kmprof_contention_expected(flight->lock);
}

static bool has_failed(enum result result, unsigned long value)
{
	if (result == POINTER_RETURNED)
		return IS_ERR((const void *)value);
	return result == ERRNO_RETURNED && (int)value;
}

static void end(const struct wait_path *path, const struct flight *flight,
		const struct pt_regs *regs)
{
	unsigned long value = regs_return_value((struct pt_regs *)regs);
	bool failed = has_failed(path->result, value);
	bool slept = current->nvcsw != flight->switches;
	/* The task holds the ww_mutex already, or the rwsem was free for a reader. */
	bool was_none = (failed && (int)value == -EALREADY) || (!slept && flight->is_free);

	if (was_none && kmprof_contention_cancel(flight->lock))
		return;
	/* If the queue came after the entry, releases before it may not have been seen. */
	if (flight->has_queue && !failed && !slept && kmprof_compat_has_queue(flight->lock))
		kmprof_contention_jumped_queue(flight->lock);
	kmprof_contention_end(flight->lock, (failed ? KMPROF_WAIT_FAILED : 0) |
			      (slept ? 0 : KMPROF_WAIT_SPUN), regs);
}

/* Without KMPROF_WAIT_SPUN: whether the task slept after the grace period is not known. */
static void end_percpu_write(const struct wait_path *path, const struct flight *flight,
			     const struct pt_regs *regs)
{
	kmprof_contention_end(flight->lock, 0, regs);
}

#define WAIT_PATH(what, symbol, kind, flags, result, entered, returned)			\
	{ { what, symbol }, kind, flags, result, entered, returned },
#define WAIT_PATH_EXTRA(what, symbol, kind, flags, result, entered, returned)		\
	{ { what, symbol, .is_extra = true }, kind, flags, result, entered, returned },

static const struct wait_path wait_paths[] = {
#include "compat/wait_paths.h"
};

/**
 * struct hook - an armed kretprobe
 * @probe: the kretprobe
 * @path: the slow path that it is on
 */
struct hook {
	struct kretprobe probe;
	const struct wait_path *path;
};

/*
 * Protected by the control lock; lacks() reads @lacking without. @nr_hooks and @missed_before are
 * written under kmprof_missed_lock as well, which missed() takes.
 */
static struct hook hooks[ARRAY_SIZE(wait_paths)];
static unsigned int nr_hooks;
static u64 missed_before;
static bool lacking;

static const struct wait_path *path_of(struct kretprobe_instance *ri)
{
	return container_of(get_kretprobe(ri), struct hook, probe)->path;
}

/* Returns 0 to have on_return() called. */
static int on_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct flight *flight = (struct flight *)ri->data;
	const struct wait_path *path = path_of(ri);

	if (in_nmi()) {
		kmprof_stats_count(kmprof_slot(), KMPROF_LOSS_MISSED_WAIT);
		return 1;
	}
	*flight = (struct flight) {
		.lock		= (const void *)argument(regs, 0),
		.switches	= current->nvcsw,
	};
	return !path->entered(path, flight, regs);
}

NOKPROBE_SYMBOL(on_entry);

static int on_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct wait_path *path = path_of(ri);

	path->returned(path, (const struct flight *)ri->data, regs);
	return 0;
}

NOKPROBE_SYMBOL(on_return);

/*
 * Calls of a slow path that can be followed at a time: a part of max_waits, since there are
 * many paths. MOST limits the memory: since "kprobes: kretprobe scalability improvement"
 * (v6.7), each CPU has an array of this length.
 */
static int most_at_a_time(const struct wait_path *path)
{
	enum { PARTS = 4, MOST = 2048 };

	if (kmprof_inflight_spins(path->kind))
		return KMPROF_NR_GUARDS * num_possible_cpus();
	return min_t(unsigned int, kmprof_limits.max_waits / PARTS, MOST);
}

static int arm(const struct kmprof_slow_path *slow_path)
{
	const struct wait_path *path = container_of(slow_path, struct wait_path, path);
	struct hook *hook = &hooks[nr_hooks];
	int err;

	/* Unregistering leaves the core's state in a kretprobe: start from a clean one. */
	*hook = (struct hook) {
		.probe	= {
			.kp.symbol_name	= slow_path->symbol,
			.entry_handler	= on_entry,
			.handler	= on_return,
			.data_size	= sizeof(struct flight),
			.maxactive	= most_at_a_time(path),
		},
		.path	= path,
	};
	err = kmprof_retprobe_register(&hook->probe);
	if (err)
		return err;
	mutex_lock(&kmprof_missed_lock);
	nr_hooks++;
	mutex_unlock(&kmprof_missed_lock);
	return 0;
}

static const struct kmprof_slow_paths table = {
	.wanted	= "wait_source=kprobe",
	.unseen	= "who waits",
	.first	= &wait_paths->path,
	.nr	= ARRAY_SIZE(wait_paths),
	.size	= sizeof(*wait_paths),
	.arm	= arm,
};

static void detach(void)
{
	struct kretprobe *armed[ARRAY_SIZE(hooks)];
	unsigned int i;

	for (i = 0; i < nr_hooks; i++)
		armed[i] = &hooks[i].probe;
	kmprof_retprobes_unregister(armed, nr_hooks);
	mutex_lock(&kmprof_missed_lock);
	for (i = 0; i < nr_hooks; i++)
		missed_before += kmprof_retprobe_missed(armed[i]);
	nr_hooks = 0;
	mutex_unlock(&kmprof_missed_lock);
	kmprof_ftrace_let_go();
}

static int attach_all(void)
{
	int err;

	if (!kmprof_compat_has_slow_paths()) {
		pr_err("wait_source=kprobe: with PREEMPT_RT locks have no slow paths that show who waits; give wait_source=tracepoint\n");
		return -ENOENT;
	}
	err = kmprof_ftrace_keep(table.wanted);
	if (err)
		return err;
	err = kmprof_slow_paths_arm(&table, &lacking);
	if (err)
		detach();
	return err;
}

static int attach(void)
{
	int err = attach_all();

	if (err)
		WRITE_ONCE(lacking, true);
	return err;
}

static u64 lacks(void)
{
	return READ_ONCE(lacking) ? KMPROF_LACKS_CONTENTION : 0;
}

static u64 missed(void)
{
	unsigned int i;
	u64 sum;

	mutex_lock(&kmprof_missed_lock);
	sum = missed_before;
	for (i = 0; i < nr_hooks; i++)
		sum += kmprof_retprobe_missed(&hooks[i].probe);
	mutex_unlock(&kmprof_missed_lock);
	return sum;
}

const struct kmprof_source kmprof_contention_kprobe = {
	.name	= "kprobe",
	.id	= KMPROF_SOURCE_KPROBE,
	.attach	= attach,
	.detach	= detach,
	.lacks	= lacks,
	.missed	= missed,
};
