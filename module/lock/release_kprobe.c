// SPDX-License-Identifier: GPL-2.0
/*
 * The source of releases: kprobes on the functions that an unlock function calls when it has
 * a waiter to wake. A release without waiters takes the fast path, which is not probed and
 * costs nothing; only percpu_up_write() has no fast path. Each handler finds the lock in the
 * probed function's arguments.
 */
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/percpu-rwsem.h>
#include <linux/ptrace.h>
#include <linux/rcu_sync.h>
#include <linux/rcuwait.h>
#include <linux/semaphore.h>
#include <linux/uaccess.h>
#include <uapi/linux/kmprof.h>

#include "compat/compat.h"
#include "lock/blame.h"
#include "lock/inflight.h"
#include "lock/source.h"
#include "probe/ftrace_keeper.h"
#include "probe/probe.h"
#include "probe/slow_path.h"
#include "stack/unwind.h"

static const void *argument(const struct pt_regs *regs, unsigned int n)
{
	return (const void *)regs_get_kernel_argument((struct pt_regs *)regs, n);
}

static void on_up(const struct pt_regs *regs)
{
	kmprof_blame_release(argument(regs, 0), KMPROF_LOCK_SEMAPHORE, 0, regs);
}

/*
 * GCC's isra passes the first waiter in place of the semaphore. Its list node leads back to
 * the semaphore: up() holds sem->lock, so the list is stable.
 */
static void on_up_isra(const struct pt_regs *regs)
{
	const struct list_head *first = argument(regs, 0), *list;

	/* Another compiler may pass something else. */
	if (!copy_from_kernel_nofault(&list, &first->prev, sizeof(list)))
		kmprof_blame_release(container_of(list, struct semaphore, wait_list),
				     KMPROF_LOCK_SEMAPHORE, 0, regs);
}

static void on_percpu_up_write(const struct pt_regs *regs)
{
	kmprof_blame_release(argument(regs, 0), KMPROF_LOCK_PERCPU_RWSEM, KMPROF_WAIT_WRITE,
			     regs);
}

/*
 * percpu_up_read() calls rcuwait_wake_up() from a writer's rcu_sync_enter() until a grace
 * period after its rcu_sync_exit(), whether or not a writer sleeps for readers. A release that
 * wakes nobody is none. A writer that sets @task after it was read here looks at the number of
 * readers after that, and so does not sleep for this one, which has left.
 *
 * A reader that fails to get the lock calls the function, too: that is no release. For the other
 * users of rcuwait the table has no waiters.
 */
static void on_rcuwait_wake_up(const struct pt_regs *regs)
{
	struct percpu_rw_semaphore *lock =
		container_of(argument(regs, 0), struct percpu_rw_semaphore, writer);

	/* The reader's count before the task: pairs with the barrier of rcuwait_wait_event(). */
	smp_mb();
	if (!rcuwait_active(&lock->writer))
		return;
	if (!kmprof_compat_is_percpu_try(kmprof_unwind_caller(regs)))
		kmprof_blame_release(lock, KMPROF_LOCK_PERCPU_RWSEM, KMPROF_WAIT_READ, regs);
}

/*
 * rcu_sync_enter() of the first writer calls it at the end of the grace period, for which no
 * holder is to blame. Where contention_begin comes before that (v6.1), the wait has begun.
 */
static void on_rcu_sync_func(const struct pt_regs *regs)
{
	const struct rcu_sync *rss = container_of(argument(regs, 0), struct rcu_sync, cb_head);
	struct kmprof_wait *wait;

	BUILD_BUG_ON(offsetof(struct percpu_rw_semaphore, rss));
	if (!kmprof_compat_is_entering(rss))
		return;
	wait = kmprof_inflight_find(rss);
	if (wait)
		kmprof_blame_excuse(wait);
}

#ifdef KMPROF_COMPAT_RT

/*
 * The rtmutex is a lock of its own, or inside a rwsem or rwlock_t, whose writer holds it. A
 * reader that had to wait releases the inner rtmutex too, but before its wait for the whole
 * lock ends; that is no release of the whole lock. Other readers do not come here.
 */
static void on_rt_mutex_slowunlock(const struct pt_regs *regs)
{
	const void *lock = argument(regs, 0), *whole = kmprof_compat_whole_lock(lock);

	kmprof_blame_release(lock, KMPROF_LOCK_RTMUTEX, 0, regs);
	if (!kmprof_inflight_has(whole))
		kmprof_blame_release(whole, KMPROF_LOCK_RWSEM, KMPROF_WAIT_WRITE, regs);
}

#else

static void on_mutex_unlock_slowpath(const struct pt_regs *regs)
{
	kmprof_blame_release(argument(regs, 0), KMPROF_LOCK_MUTEX, 0, regs);
}

static void on_rwsem_wake(const struct pt_regs *regs)
{
	bool read = kmprof_compat_is_up_read(kmprof_unwind_caller(regs));

	kmprof_blame_release(argument(regs, 0), KMPROF_LOCK_RWSEM,
			     read ? KMPROF_WAIT_READ : KMPROF_WAIT_WRITE, regs);
}

/* Other callers: rwsem_wake(), which is probed itself, and waiters, which release nothing. */
static void on_rwsem_mark_wake(const struct pt_regs *regs)
{
	if (kmprof_compat_is_downgrade(kmprof_unwind_caller(regs)))
		kmprof_blame_release(argument(regs, 0), KMPROF_LOCK_RWSEM, KMPROF_WAIT_WRITE, regs);
}

static void on_mark_wakeup_next_waiter(const struct pt_regs *regs)
{
	kmprof_blame_release(argument(regs, 1), KMPROF_LOCK_RTMUTEX, 0, regs);
}

#endif

/**
 * struct release_path - a function that a release goes through
 * @path: name of the function
 * @seen: called at the function's entry
 */
struct release_path {
	struct kmprof_slow_path path;
	void (*seen)(const struct pt_regs *regs);
};

#define RELEASE_PATH(what, symbol, seen)	{ { what, symbol }, seen },

static const struct release_path release_paths[] = {
#include "compat/release_paths.h"
};

enum {
	/* Functions of the same name that are probed at most, see kmprof_compat_copies(). */
	COPIES = 8,
	HOOKS = 32,
};

/**
 * struct hook - an armed kprobe
 * @probe: the kprobe
 * @path: the function that it is on
 */
struct hook {
	struct kprobe probe;
	const struct release_path *path;
};

/*
 * Protected by the control lock; lacks() reads @lacking without. @nr_hooks and @missed_before are
 * written under kmprof_missed_lock as well, which missed() takes.
 */
static struct hook hooks[HOOKS];
static unsigned int nr_hooks;
static u64 missed_before;
static bool lacking;

static int on_hit(struct kprobe *p, struct pt_regs *regs)
{
	container_of(p, struct hook, probe)->path->seen(regs);
	return 0;
}

NOKPROBE_SYMBOL(on_hit);

/* @addr: address of the function; 0: the kprobe core looks its name up. */
static int arm_one(const struct release_path *path, unsigned long addr)
{
	struct hook *hook = &hooks[nr_hooks];
	int err;

	if (nr_hooks == HOOKS)
		return -EOPNOTSUPP;
	/* Unregistering leaves the core's state in a kprobe: start from a clean one. */
	*hook = (struct hook) {
		.probe	= {
			.addr		= (kprobe_opcode_t *)addr,
			.symbol_name	= addr ? NULL : path->path.symbol,
			.pre_handler	= on_hit,
			.flags		= KPROBE_FLAG_DISABLED,
		},
		.path	= path,
	};
	err = register_kprobe(&hook->probe);
	if (err)
		return err;
	/* Without ftrace, handlers run in a breakpoint's NMI context, where nothing is blamed. */
	err = hook->probe.flags & KPROBE_FLAG_FTRACE ? kmprof_probe_enable(&hook->probe) :
						       -EOPNOTSUPP;
	if (err) {
		unregister_kprobe(&hook->probe);
		return err;
	}
	mutex_lock(&kmprof_missed_lock);
	nr_hooks++;
	mutex_unlock(&kmprof_missed_lock);
	return 0;
}

/* Arm every copy of the function. */
static int arm(const struct kmprof_slow_path *slow_path)
{
	const struct release_path *path = container_of(slow_path, struct release_path, path);
	unsigned long addrs[COPIES];
	unsigned int n = kmprof_compat_copies(slow_path->symbol, addrs, COPIES);
	int err;

	if (!n)
		return arm_one(path, 0);
	do {
		err = arm_one(path, addrs[--n]);
	} while (!err && n);
	return err;
}

static const struct kmprof_slow_paths table = {
	.wanted	= "mutex_fraction",
	.unseen	= "who releases",
	.first	= &release_paths->path,
	.nr	= ARRAY_SIZE(release_paths),
	.size	= sizeof(*release_paths),
	.arm	= arm,
};

static void disarm(void)
{
	struct kprobe *armed[HOOKS];
	unsigned int i;

	for (i = 0; i < nr_hooks; i++)
		armed[i] = &hooks[i].probe;
	kmprof_probes_unregister(armed, nr_hooks);
	mutex_lock(&kmprof_missed_lock);
	for (i = 0; i < nr_hooks; i++)
		missed_before += armed[i]->nmissed;
	nr_hooks = 0;
	mutex_unlock(&kmprof_missed_lock);
}

static void detach(void)
{
	disarm();
	kmprof_ftrace_let_go();
}

/* Functions that the kernel refuses to probe are left out; lacks() reports that. */
static int attach(void)
{
	int err;

	err = kmprof_ftrace_keep(table.wanted);
	if (err)
		return err;
	kmprof_compat_init_releases();
	err = kmprof_slow_paths_arm(&table, &lacking);
	if (err)
		detach();
	return err;
}

static u64 lacks(void)
{
	return READ_ONCE(lacking) ? KMPROF_LACKS_RELEASE : 0;
}

/* Hits while another kprobe's handler ran: the kprobe core skips these. */
static u64 missed(void)
{
	unsigned int i;
	u64 sum;

	mutex_lock(&kmprof_missed_lock);
	sum = missed_before;
	for (i = 0; i < nr_hooks; i++)
		/* The kprobe core increments it meanwhile; it is one word, which cannot tear. */
		sum += READ_ONCE(hooks[i].probe.nmissed);
	mutex_unlock(&kmprof_missed_lock);
	return sum;
}

const struct kmprof_source kmprof_release_kprobe = {
	.name	= "kprobe",
	.id	= KMPROF_SOURCE_KPROBE,
	.attach	= attach,
	.detach	= detach,
	.lacks	= lacks,
	.missed	= missed,
};
