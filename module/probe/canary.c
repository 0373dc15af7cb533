// SPDX-License-Identifier: GPL-2.0
/*
 * Notices that the kernel's kprobes have been switched off behind our back: 0 written to
 * kprobes/enabled in debugfs disarms all of them, without an error for those who have
 * registered them. The kernel does not say so, and an allocation that no probe hits looks
 * like none. So kmprof has a function of its own with a kprobe on it, and calls it.
 *
 * When they are switched on again, the kernel arms the same kprobes again.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/err.h>
#include <linux/kprobes.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/printk.h>

#include "probe/canary.h"
#include "probe/probe.h"

/* Calls of kmprof_canary_song() that its kprobe has seen. */
static atomic_long_t heard = ATOMIC_LONG_INIT(0);

/* Protects the variables below. Innermost; not held while the kprobe comes or goes. */
static DEFINE_MUTEX(canary_lock);

/* The kprobe is registered, and not about to be unregistered. */
static bool is_attached;

/* Checks that found kprobes switched off, and whether the last one did. */
static u64 dead_checks;
static bool was_dead;

static int on_canary(struct kprobe *p, struct pt_regs *regs)
{
	atomic_long_inc(&heard);
	return 0;
}

NOKPROBE_SYMBOL(on_canary);

/* Protected by the control lock. */
static struct kprobe probe;

static void set_attached(bool attached)
{
	mutex_lock(&canary_lock);
	is_attached = attached;
	mutex_unlock(&canary_lock);
}

static bool look(void)
{
	long before = atomic_long_read(&heard);

	lockdep_assert_held(&canary_lock);
	if (!is_attached)
		return false;
	kmprof_canary_song();
	return atomic_long_read(&heard) == before;
}

/**
 * kmprof_canary_attach() - begin to watch
 *
 * Where the kernel does not let kprobes be armed, they are taken to be on; the log says so.
 *
 * Context: Process context, control lock held. Sleeps.
 * Return: 0; or a negative errno, with a message in the log, when trying again may help.
 */
int kmprof_canary_attach(void)
{
	int err;

	/* A registered kprobe holds state of the core: start from a clean one. */
	probe = (struct kprobe) {
		.addr		= (kprobe_opcode_t *)kmprof_canary_song,
		.pre_handler	= on_canary,
	};
	err = register_kprobe(&probe);
	if (err)
		pr_warn("cannot notice when kprobes are switched off: %pe\n", ERR_PTR(err));
	set_attached(!err);
	return kmprof_probe_refused(err) ? 0 : err;
}

/**
 * kmprof_canary_detach() - end to watch
 *
 * Context: Process context, control lock held. Waits for a grace period.
 */
void kmprof_canary_detach(void)
{
	struct kprobe *probes[] = { &probe };

	if (!READ_ONCE(is_attached))
		return;
	set_attached(false);
	kmprof_probes_unregister(probes, 1);
}

/**
 * kmprof_canary_is_dead() - are kprobes switched off?
 *
 * Context: Process context. Sleeps.
 * Return: true if so; false if no setting has probes.
 */
bool kmprof_canary_is_dead(void)
{
	bool is_dead;

	mutex_lock(&canary_lock);
	is_dead = look();
	mutex_unlock(&canary_lock);
	return is_dead;
}

/**
 * kmprof_canary_check() - look whether kprobes are switched off, for the ledger
 *
 * A change since the last check is told in the log.
 *
 * Context: Process context. Sleeps.
 */
void kmprof_canary_check(void)
{
	bool is_dead;

	mutex_lock(&canary_lock);
	is_dead = look();
	if (is_dead && !was_dead)
		pr_warn("kprobes are switched off (debugfs kprobes/enabled): what only they see is missing until they are on again\n");
	if (!is_dead && was_dead)
		pr_info("kprobes are on again\n");
	was_dead = is_dead;
	dead_checks += is_dead;
	mutex_unlock(&canary_lock);
}

/**
 * kmprof_canary_dead_checks() - how often were kprobes switched off?
 *
 * Context: Process context. Sleeps.
 * Return: number of checks that have found them switched off since the module was loaded.
 */
u64 kmprof_canary_dead_checks(void)
{
	u64 checks;

	mutex_lock(&canary_lock);
	checks = dead_checks;
	mutex_unlock(&canary_lock);
	return checks;
}
