// SPDX-License-Identifier: GPL-2.0
/*
 * The state of the whole: which source, which rate, attached or not. One lock
 * serialises all changes; it is taken outside the cycle lock.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/string.h>

#include "access.h"
#include "control.h"
#include "cycle.h"
#include "drain.h"
#include "free_doors.h"
#include "sampler.h"
#include "source.h"
#include "uapi.h"

/* Parameters can be written before init and after exit has begun. */
enum control_state {
	CONTROL_LOADING,
	CONTROL_READY,
	CONTROL_GONE,
};

/* Protects everything below, and all attaching and detaching. */
static DEFINE_MUTEX(control_lock);
static enum control_state state;
static bool attached;
static bool was_attached;
static u64 heap_rate = 512 * 1024;
/* What the source had missed at the last reset. */
static u64 missed_base;

static const struct kmprof_source * const sources[] = {
	&kmprof_source_kprobe,
	&kmprof_source_tracepoint,
};

static const struct kmprof_source *source = &kmprof_source_kprobe;

static void detach(void)
{
	source->detach();
	kmprof_free_doors_detach();
	kmprof_sampler_set_rate(0);
	WRITE_ONCE(attached, false);
}

/* Frees first on, last off: no sampled object's free goes by unseen. */
static int attach(u64 rate)
{
	int err;

	if (was_attached)
		kmprof_cycle_forget_live();
	else
		kmprof_cycle_start();
	was_attached = true;
	err = kmprof_free_doors_attach();
	if (err)
		return err;
	kmprof_sampler_set_rate(rate);
	err = source->attach();
	if (err) {
		kmprof_sampler_set_rate(0);
		kmprof_free_doors_detach();
		return err;
	}
	WRITE_ONCE(attached, true);
	return 0;
}

static int set_rate_locked(u64 rate)
{
	int err = 0;

	lockdep_assert_held(&control_lock);

	if (rate > KMPROF_HEAP_RATE_MAX)
		return -EINVAL;
	if (state == CONTROL_GONE)
		return -ENODEV;
	if (state == CONTROL_READY) {
		if (!rate && attached)
			detach();
		else if (rate && !attached)
			err = attach(rate);
		else if (rate != heap_rate)
			kmprof_sampler_set_rate(rate);
	}
	if (!err)
		WRITE_ONCE(heap_rate, rate);
	return err;
}

/**
 * kmprof_control_set_rate() - change heap_rate, attaching or detaching
 * @rate: bytes per sample; 1 samples everything, 0 detaches
 *
 * Context: Process context. Sleeps; detaching waits for tasks that sleep in an
 * allocation.
 * Return: 0; -EINVAL above KMPROF_HEAP_RATE_MAX; -EINTR; or why a probe could
 * not be armed, with a message in the log. On error the rate is as before.
 */
int kmprof_control_set_rate(u64 rate)
{
	int err;

	err = mutex_lock_interruptible(&control_lock);
	if (err)
		return err;
	err = set_rate_locked(rate);
	mutex_unlock(&control_lock);
	return err;
}

/**
 * kmprof_control_rate() - heap_rate, in bytes per sample
 *
 * Context: Any.
 */
u64 kmprof_control_rate(void)
{
	return READ_ONCE(heap_rate);
}

/**
 * kmprof_control_attached() - are probes armed?
 *
 * Context: Any.
 */
bool kmprof_control_attached(void)
{
	return READ_ONCE(attached);
}

/**
 * kmprof_control_source() - the source chosen at load time
 *
 * Context: Any.
 */
const struct kmprof_source *kmprof_control_source(void)
{
	return source;
}

/**
 * kmprof_control_missed() - allocations not seen since the last reset
 * @missed: returns their number
 *
 * Context: Process context. Takes the control lock.
 * Return: 0 or -EINTR: a detach can hold the lock for long.
 */
int kmprof_control_missed(u64 *missed)
{
	u64 now;
	int err;

	err = mutex_lock_interruptible(&control_lock);
	if (err)
		return err;
	now = source->missed();
	/* A call that was on its way at the reset counted, and has arrived since. */
	*missed = now > missed_base ? now - missed_base : 0;
	mutex_unlock(&control_lock);
	return 0;
}

/**
 * kmprof_control_reset() - forget everything that was counted
 *
 * Context: Process context. Waits for grace periods.
 * Return: 0 or -EINTR.
 */
int kmprof_control_reset(void)
{
	int err;

	err = mutex_lock_interruptible(&control_lock);
	if (err)
		return err;
	mutex_lock(&kmprof_cycle_lock);
	kmprof_cycle_reset();
	mutex_unlock(&kmprof_cycle_lock);
	missed_base = source->missed();
	mutex_unlock(&control_lock);
	return 0;
}

static int heap_rate_set(const char *arg, const struct kernel_param *kp)
{
	u64 rate;
	int err;

	/* sysfs asks for uid 0 only. While loading, insmod was asked already. */
	if (READ_ONCE(state) == CONTROL_READY && !kmprof_access_change())
		return -EPERM;
	err = kstrtou64(arg, 0, &rate);
	if (!err)
		err = kmprof_control_set_rate(rate);
	if (err == -EINVAL || err == -ERANGE) {
		pr_err("heap_rate=%.*s is not valid: give bytes per sample, 1 for every allocation, 0 for off, at most %llu\n",
		       (int)strcspn(arg, "\n"), arg, KMPROF_HEAP_RATE_MAX);
		return -EINVAL;
	}
	return err;
}

static int heap_rate_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%llu\n", kmprof_control_rate());
}

static const struct kernel_param_ops heap_rate_ops = {
	.set = heap_rate_set,
	.get = heap_rate_get,
};

module_param_cb(heap_rate, &heap_rate_ops, NULL, 0600);
MODULE_PARM_DESC(heap_rate, "bytes allocated per sample on average; 1: every allocation, 0: off (default 524288)");

static int source_set(const char *arg, const struct kernel_param *kp)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sources); i++) {
		if (sysfs_streq(arg, sources[i]->name)) {
			source = sources[i];
			return 0;
		}
	}
	pr_err("source=%s is not known: give kprobe or tracepoint\n", arg);
	return -EINVAL;
}

static int source_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%s\n", source->name);
}

static const struct kernel_param_ops source_ops = {
	.set = source_set,
	.get = source_get,
};

module_param_cb(source, &source_ops, NULL, 0444);
MODULE_PARM_DESC(source, "how allocations are seen: kprobe (default) or tracepoint");

/**
 * kmprof_control_start() - attach, if heap_rate says so
 *
 * Context: Process context, when all that probes need is there.
 * Return: 0 or why a probe could not be armed; then none is.
 */
int kmprof_control_start(void)
{
	int err = 0;

	mutex_lock(&control_lock);
	if (heap_rate)
		err = attach(heap_rate);
	if (!err)
		state = CONTROL_READY;
	mutex_unlock(&control_lock);
	return err;
}

/**
 * kmprof_control_exit() - detach for good
 *
 * Context: Process context. On return no probe runs, and none ever will.
 */
void kmprof_control_exit(void)
{
	mutex_lock(&control_lock);
	if (attached)
		detach();
	kmprof_free_doors_exit();
	state = CONTROL_GONE;
	mutex_unlock(&control_lock);
}
