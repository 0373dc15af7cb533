// SPDX-License-Identifier: GPL-2.0
/*
 * The state of the whole: which source, which rates, attached or not. One lock
 * serialises all changes; it is taken outside the cycle lock.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <uapi/linux/kmprof.h>

#include "control/access.h"
#include "control/control.h"
#include "core/cycle.h"
#include "core/drain.h"
#include "core/sampler.h"
#include "core/source.h"
#include "lock/blame.h"
#include "lock/contention.h"
#include "lock/inflight.h"
#include "lock/release_kprobe.h"
#include "mem/slab/free_doors.h"
#include "probe/ftrace_keeper.h"
#include "stack/labels.h"

/* Parameters can be written before init and after exit has begun. */
enum control_state {
	CONTROL_LOADING,
	CONTROL_READY,
	CONTROL_GONE,
};

/**
 * struct knob - a rate, and the probes that it turns on and off; or what else can be set
 * @name: module parameter
 * @max: largest rate
 * @wanted: what a user may give, for the message
 * @parse: reads it, as a parameter has it
 * @print: the reverse, into a buffer of sysfs
 * @attach: arm the probes, at a rate other than 0; or leave all as it was. NULL: none
 * @detach: disarm them: on return none runs
 * @set_rate: change the rate while they are armed; or at any time, without probes
 * @rate: the rate; 0 is off
 * @attached: the probes are armed
 */
struct knob {
	const char *name;
	u64 max;
	const char *wanted;
	int (*parse)(const char *arg, u64 *rate);
	int (*print)(char *buffer, u64 rate);
	int (*attach)(u64 rate);
	void (*detach)(void);
	void (*set_rate)(u64 rate);
	u64 rate;
	bool attached;
};

/* Protects everything below, and all attaching and detaching. */
static DEFINE_MUTEX(control_lock);
static enum control_state state;
static bool was_attached;
static bool heap_was_attached;
/* Knobs that need to see waits, and are on. */
static unsigned int waits_users;
/* What had been missed at the last reset. */
static struct kmprof_missed missed_base;

enum {
	NR_SOURCES = 2,
};

/**
 * struct choice - of how events are seen; made at load time
 * @name: module parameter
 * @all: that there are
 * @source: the one that was chosen
 */
struct choice {
	const char *name;
	const struct kmprof_source *all[NR_SOURCES];
	const struct kmprof_source *source;
};

static struct choice allocations = {
	.name	= "source",
	.all	= { &kmprof_source_kprobe, &kmprof_source_tracepoint },
	.source	= &kmprof_source_kprobe,
};

static struct choice waits = {
	.name	= "wait_source",
	.all	= { &kmprof_contention_kprobe, &kmprof_contention_tracepoint },
	.source	= &kmprof_contention_tracepoint,
};

static void heap_detach(void)
{
	allocations.source->detach();
	kmprof_free_doors_detach();
	kmprof_sampler_set_rate(0);
}

/* Frees first on, last off: no sampled object's free goes by unseen. */
static int heap_attach(u64 rate)
{
	int err;

	if (heap_was_attached)
		kmprof_cycle_forget_live();
	heap_was_attached = true;
	err = kmprof_free_doors_attach();
	if (err)
		return err;
	kmprof_sampler_set_rate(rate);
	err = allocations.source->attach();
	if (err) {
		kmprof_sampler_set_rate(0);
		kmprof_free_doors_detach();
	}
	return err;
}

/* What was in flight when the probes went will not be seen to end. */
static int waits_get(void)
{
	int err = 0;

	if (!waits_users) {
		kmprof_inflight_forget();
		err = waits.source->attach();
	}
	if (!err)
		waits_users++;
	return err;
}

static void waits_put(void)
{
	if (!--waits_users)
		waits.source->detach();
}

static void block_detach(void)
{
	waits_put();
	kmprof_contention_set_rate(0);
}

static int block_attach(u64 rate)
{
	int err;

	kmprof_contention_set_rate(rate);
	err = waits_get();
	if (err)
		kmprof_contention_set_rate(0);
	return err;
}

/* Waits that have joined may end unseen from here on: no release is blamed for them. */
static void mutex_detach(void)
{
	kmprof_blame_set_fraction(0);
	kmprof_release_kprobe_detach();
	waits_put();
}

static int mutex_attach(u64 fraction)
{
	int err;

	kmprof_blame_forget();
	err = waits_get();
	if (err)
		return err;
	err = kmprof_release_kprobe_attach();
	if (err)
		waits_put();
	else
		kmprof_blame_set_fraction(fraction);
	return err;
}

static int parse_number(const char *arg, u64 *rate)
{
	return kstrtou64(arg, 0, rate);
}

static int print_number(char *buffer, u64 rate)
{
	return sysfs_emit(buffer, "%llu\n", rate);
}

static struct knob knobs[KMPROF_NR_KNOBS] = {
	[KMPROF_KNOB_HEAP] = {
		.name		= "heap_rate",
		.max		= KMPROF_HEAP_RATE_MAX,
		.wanted		= "bytes per sample up to 2^30, 1 for all allocations, 0 for off",
		.parse		= parse_number,
		.print		= print_number,
		.attach		= heap_attach,
		.detach		= heap_detach,
		.set_rate	= kmprof_sampler_set_rate,
		.rate		= 512 * 1024,
	},
	[KMPROF_KNOB_BLOCK] = {
		.name		= "block_rate",
		.max		= KMPROF_BLOCK_RATE_MAX,
		.wanted		= "ns up to 2^36 for a sure sample, 1 for all waits, 0 for off",
		.parse		= parse_number,
		.print		= print_number,
		.attach		= block_attach,
		.detach		= block_detach,
		.set_rate	= kmprof_contention_set_rate,
	},
	[KMPROF_KNOB_MUTEX] = {
		.name		= "mutex_fraction",
		.max		= KMPROF_MUTEX_FRACTION_MAX,
		.wanted		= "releases per sample up to 2^16, 1 for all releases, 0 for off",
		.parse		= parse_number,
		.print		= print_number,
		.attach		= mutex_attach,
		.detach		= mutex_detach,
		.set_rate	= kmprof_blame_set_fraction,
	},
	[KMPROF_KNOB_LABELS] = {
		.name		= "labels",
		.max		= KMPROF_LABELS,
		.wanted		= "some of comm,pid,cgroup, or none",
		.parse		= kmprof_labels_parse,
		.print		= kmprof_labels_print,
		.set_rate	= kmprof_labels_set,
	},
};

static_assert(BIT(KMPROF_KNOB_HEAP) == KMPROF_CONFIG_HEAP_RATE);
static_assert(BIT(KMPROF_KNOB_BLOCK) == KMPROF_CONFIG_BLOCK_RATE);
static_assert(BIT(KMPROF_KNOB_MUTEX) == KMPROF_CONFIG_MUTEX_FRACTION);
static_assert(BIT(KMPROF_KNOB_LABELS) == KMPROF_CONFIG_LABELS);

static int knob_attach(struct knob *k, u64 rate)
{
	int err;

	/* The clock starts with the first one. */
	if (!was_attached)
		kmprof_cycle_start();
	was_attached = true;
	err = k->attach(rate);
	if (!err)
		WRITE_ONCE(k->attached, true);
	return err;
}

static void knob_detach(struct knob *k)
{
	k->detach();
	WRITE_ONCE(k->attached, false);
}

static int knob_set(struct knob *k, u64 rate)
{
	int err = 0;

	lockdep_assert_held(&control_lock);

	if (!k->attach) {
		k->set_rate(rate);
	} else if (state == CONTROL_READY) {
		if (!rate && k->attached)
			knob_detach(k);
		else if (rate && !k->attached)
			err = knob_attach(k, rate);
		else if (rate != k->rate)
			k->set_rate(rate);
	}
	if (!err)
		WRITE_ONCE(k->rate, rate);
	return err;
}

/*
 * The order in which knobs are turned: the allocators' probes are what most needs
 * memory, and most often cannot be armed.
 */
static const enum kmprof_knob order[KMPROF_NR_KNOBS] = {
	KMPROF_KNOB_LABELS, KMPROF_KNOB_BLOCK, KMPROF_KNOB_MUTEX, KMPROF_KNOB_HEAP,
};

/* All or nothing; if not even what was armed can be armed again, off is what it is. */
static int set_locked(u64 fields, const u64 rates[KMPROF_NR_KNOBS])
{
	u64 was[KMPROF_NR_KNOBS];
	unsigned int i;
	int err = 0;

	for (i = 0; i < KMPROF_NR_KNOBS; i++) {
		was[i] = knobs[i].rate;
		if (fields & BIT(i) && rates[i] > knobs[i].max)
			return -EINVAL;
	}
	if (state == CONTROL_GONE)
		return -ENODEV;
	for (i = 0; i < KMPROF_NR_KNOBS && !err; i++)
		if (fields & BIT(order[i]))
			err = knob_set(&knobs[order[i]], rates[order[i]]);
	if (!err)
		return 0;
	while (i--)
		if (knob_set(&knobs[order[i]], was[order[i]]))
			knob_set(&knobs[order[i]], 0);
	return err;
}

/**
 * kmprof_control_set() - change rates, attaching or detaching; all or none
 * @fields: KMPROF_CONFIG_* of the rates to change
 * @rates: of these, by knob, as in struct kmprof_config; 0 detaches
 *
 * Context: Process context. Sleeps; detaching waits for tasks that sleep in an
 * allocation.
 * Return: 0; -EINVAL above the knob's largest rate; -EINTR; or why a probe could not be
 * armed, with a message in the log. On error all rates are as before.
 */
int kmprof_control_set(u64 fields, const u64 rates[KMPROF_NR_KNOBS])
{
	int err;

	err = mutex_lock_interruptible(&control_lock);
	if (err)
		return err;
	err = set_locked(fields, rates);
	mutex_unlock(&control_lock);
	return err;
}

/**
 * kmprof_control_rate() - the rate in force, as in struct kmprof_config
 * @knob: which
 *
 * Context: Any.
 */
u64 kmprof_control_rate(enum kmprof_knob knob)
{
	return READ_ONCE(knobs[knob].rate);
}

/**
 * kmprof_control_attached() - are the probes armed?
 * @knob: of which knob
 *
 * Context: Any.
 */
bool kmprof_control_attached(enum kmprof_knob knob)
{
	return READ_ONCE(knobs[knob].attached);
}

/**
 * kmprof_control_lacks() - KMPROF_LACKS_* of the last time that probes were armed
 *
 * Context: Any.
 */
u64 kmprof_control_lacks(void)
{
	return allocations.source->lacks() | waits.source->lacks() |
	       (kmprof_release_kprobe_lacks() ? KMPROF_LACKS_RELEASE : 0);
}

/**
 * kmprof_control_source() - the source of allocations chosen at load time
 *
 * Context: Any.
 */
const struct kmprof_source *kmprof_control_source(void)
{
	return allocations.source;
}

/**
 * kmprof_control_wait_source() - that of waits for locks
 *
 * Context: Any.
 */
const struct kmprof_source *kmprof_control_wait_source(void)
{
	return waits.source;
}

static struct kmprof_missed missed_now(void)
{
	return (struct kmprof_missed) {
		.allocations	= allocations.source->missed(),
		.releases	= kmprof_release_kprobe_missed(),
		.waits		= waits.source->missed(),
	};
}

/* What was on its way at the reset counted, and has arrived since. */
static u64 since(u64 base, u64 now)
{
	return now > base ? now - base : 0;
}

/**
 * kmprof_control_missed() - what was not seen since the last reset
 * @missed: returns it
 *
 * Context: Process context. Takes the control lock.
 * Return: 0 or -EINTR: a detach can hold the lock for long.
 */
int kmprof_control_missed(struct kmprof_missed *missed)
{
	struct kmprof_missed now;
	int err;

	err = mutex_lock_interruptible(&control_lock);
	if (err)
		return err;
	now = missed_now();
	missed->allocations = since(missed_base.allocations, now.allocations);
	missed->releases = since(missed_base.releases, now.releases);
	missed->waits = since(missed_base.waits, now.waits);
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
	missed_base = missed_now();
	mutex_unlock(&control_lock);
	return 0;
}

static int knob_param_set(const char *arg, const struct kernel_param *kp)
{
	const struct knob *k = kp->arg;
	u64 rates[KMPROF_NR_KNOBS] = {};
	u64 *rate = &rates[k - knobs];
	int err;

	/* sysfs asks for uid 0 only. While loading, insmod was asked already. */
	if (READ_ONCE(state) == CONTROL_READY && !kmprof_access_change())
		return -EPERM;
	err = k->parse(arg, rate);
	if (!err)
		err = kmprof_control_set(BIT(k - knobs), rates);
	if (err == -EINVAL || err == -ERANGE) {
		pr_err("%s=%.*s is not valid: give %s\n", k->name, (int)strcspn(arg, "\n"), arg,
		       k->wanted);
		return -EINVAL;
	}
	return err;
}

static int knob_param_get(char *buffer, const struct kernel_param *kp)
{
	const struct knob *k = kp->arg;

	return k->print(buffer, READ_ONCE(k->rate));
}

static const struct kernel_param_ops knob_param_ops = {
	.set = knob_param_set,
	.get = knob_param_get,
};

module_param_cb(heap_rate, &knob_param_ops, &knobs[KMPROF_KNOB_HEAP], 0600);
MODULE_PARM_DESC(heap_rate, "bytes allocated per sample on average; 1: every allocation, 0: off (default 524288)");
module_param_cb(block_rate, &knob_param_ops, &knobs[KMPROF_KNOB_BLOCK], 0600);
MODULE_PARM_DESC(block_rate, "ns from which on waits for locks are all sampled, shorter ones in proportion; 1: every wait, 0: off (default)");

module_param_cb(mutex_fraction, &knob_param_ops, &knobs[KMPROF_KNOB_MUTEX], 0600);
MODULE_PARM_DESC(mutex_fraction, "one of so many releases of locks for which others have waited is sampled; 1: every one, 0: off (default)");
module_param_cb(labels, &knob_param_ops, &knobs[KMPROF_KNOB_LABELS], 0600);
MODULE_PARM_DESC(labels, "what tells waits and releases apart beside stack and lock: some of comm,pid,cgroup (default none)");

static int choice_set(const char *arg, const struct kernel_param *kp)
{
	struct choice *choice = kp->arg;
	unsigned int i;

	for (i = 0; i < NR_SOURCES; i++) {
		if (sysfs_streq(arg, choice->all[i]->name)) {
			choice->source = choice->all[i];
			return 0;
		}
	}
	pr_err("%s=%s is not known: give kprobe or tracepoint\n", choice->name, arg);
	return -EINVAL;
}

static int choice_get(char *buffer, const struct kernel_param *kp)
{
	const struct choice *choice = kp->arg;

	return sysfs_emit(buffer, "%s\n", choice->source->name);
}

static const struct kernel_param_ops choice_ops = {
	.set = choice_set,
	.get = choice_get,
};

module_param_cb(source, &choice_ops, &allocations, 0444);
MODULE_PARM_DESC(source, "how allocations are seen: kprobe (default) or tracepoint");
module_param_cb(wait_source, &choice_ops, &waits, 0444);
MODULE_PARM_DESC(wait_source, "how waits for locks are seen: tracepoint (default) or kprobe, which sees more of them");

/**
 * kmprof_control_start() - attach what the rates say
 *
 * Context: Process context, when all that probes need is there.
 * Return: 0 or why a probe could not be armed; kmprof_control_exit() is due then, too.
 */
int kmprof_control_start(void)
{
	struct knob *k;
	unsigned int i;
	int err = 0;

	mutex_lock(&control_lock);
	for (i = 0; i < KMPROF_NR_KNOBS && !err; i++) {
		k = &knobs[order[i]];
		if (k->rate && k->attach)
			err = knob_attach(k, k->rate);
	}
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
	unsigned int i;

	mutex_lock(&control_lock);
	for (i = KMPROF_NR_KNOBS; i--;)
		if (knobs[order[i]].attached)
			knob_detach(&knobs[order[i]]);
	kmprof_free_doors_exit();
	kmprof_ftrace_keeper_exit();
	state = CONTROL_GONE;
	mutex_unlock(&control_lock);
}
