// SPDX-License-Identifier: GPL-2.0
/*
 * Learns unwind rules. A probe that meets addresses without a rule leaves them here as
 * wishes. A worker finds their rules, in process context and with preemption on; until then
 * the kernel's unwinder serves the walks. A wish that finds no room is dropped: the address
 * will be met again.
 *
 * Rules are learned about code that lasts: of the kernel, and of modules until they go.
 * Generated code (BPF, trampolines of ftrace and kprobes) can change without notice.
 */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/cpumask.h>
#include <linux/hash.h>
#include <linux/kobject.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/pgtable.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "compat/compat.h"
#include "core/kick.h"
#include "stack/learn.h"
#include "stack/rules.h"
#include "stack/unwind.h"

enum {
	WISH_BITS	= 9,	/* log2 of the number of wishes; a stack has some dozen frames */
};

/* Addresses without a rule, each at its hash; 0: empty. Filled by cmpxchg, emptied by xchg. */
static unsigned long wishes[BIT(WISH_BITS)];

/* The callback of kmprof_learn_init(). */
static unsigned int (*learn_flags)(unsigned long ip);

/*
 * Held while a rule is found and kept, and while the rules of a module that comes or goes are
 * forgotten. A module is marked as going before its notification, so no rule of it is kept
 * after the notification, however old the wish is. Innermost but for the list of modules.
 */
static DEFINE_MUTEX(module_lock);

/*
 * Does this address lie in a module that is not going? Not in init text, which goes without
 * a notification of its own. kallsyms could say it, too, but looks at each symbol of the
 * module, with preemption off.
 */
static bool is_module_text(unsigned long ip)
{
	struct kset *modules = THIS_MODULE->mkobj.kobj.kset;
	const struct module *module;
	struct kobject *kobj;
	bool lasts = false;

	lockdep_assert_held(&module_lock);
	if (!modules)
		return false;
	/* A module leaves the list before its memory is freed. */
	spin_lock(&modules->list_lock);
	list_for_each_entry(kobj, &modules->list, entry) {
		module = container_of(kobj, struct module_kobject, kobj)->mod;
		/* What is built in has an entry without a module. */
		if (module && within_module_core(ip, module)) {
			lasts = READ_ONCE(module->state) != MODULE_STATE_GOING;
			break;
		}
	}
	spin_unlock(&modules->list_lock);
	return lasts;
}

/* Does this code stay the same until a module is noted as going? */
static bool is_lasting(unsigned long ip)
{
	/* No module is loaded while the kernel's own init text runs. */
	if (ip >= __START_KERNEL_map && ip < MODULES_VADDR)
		return !kmprof_compat_is_trampoline(ip);
	return is_module_text(ip);
}

static void learn_one(unsigned long ip)
{
	u32 rule;

	mutex_lock(&module_lock);
	if (!kmprof_rules_find(kmprof_rules, ip)) {
		rule = is_lasting(ip) ? kmprof_unwind_find_rule(ip) : KMPROF_UNWIND_OTHER;
		rule |= learn_flags(ip) << KMPROF_UNWIND_FLAGS_SHIFT;
		kmprof_rules_keep(ip, rule);
	}
	mutex_unlock(&module_lock);
}

static void learn_work_fn(struct work_struct *work)
{
	unsigned long ip;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(wishes); i++) {
		if (!READ_ONCE(wishes[i]))
			continue;
		ip = xchg(&wishes[i], 0);
		learn_one(ip);
		cond_resched();
	}
}

static struct kmprof_kick worker = KMPROF_KICK_INIT(worker, learn_work_fn);

/**
 * kmprof_learn() - have the rules of some return addresses learned
 * @ips: return addresses. None that is arbitrary: what an interrupt has interrupted is not
 *	worth a rule
 * @nr: number of addresses
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 */
void kmprof_learn(const unsigned long *ips, unsigned int nr)
{
	unsigned long *wish;
	bool missing = false;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (kmprof_rules_find(kmprof_rules, ips[i]))
			continue;
		wish = &wishes[hash_32((u32)ips[i], WISH_BITS)];
		if (!READ_ONCE(*wish))
			cmpxchg(wish, 0, ips[i]);
		missing = true;
	}
	/* On a CPU that is going offline, they wait for the next walk without rules elsewhere. */
	if (missing)
		kmprof_kick(&worker);
}

static bool is_of_module(unsigned long ip, const void *module)
{
	return within_module(ip, module);
}

/*
 * A module goes: other code can be at its addresses from now on. A module has come: what
 * was known about its addresses is known about other code, which had no module.
 */
static int on_module(struct notifier_block *nb, unsigned long state, void *module)
{
	if (state != MODULE_STATE_COMING && state != MODULE_STATE_GOING)
		return NOTIFY_DONE;
	mutex_lock(&module_lock);
	kmprof_rules_forget(is_of_module, module);
	mutex_unlock(&module_lock);
	return NOTIFY_DONE;
}

static struct notifier_block module_notifier = {
	.notifier_call = on_module,
};

/**
 * kmprof_learn_init() - prepare for learning
 * @flags_of: callback: four bits to store with the rule of an address. Called in process
 *	context
 *
 * Context: Process context, before any probe is armed.
 * Return: 0 or a negative errno.
 */
int kmprof_learn_init(unsigned int (*flags_of)(unsigned long ip))
{
	int err;

	learn_flags = flags_of;
	memset(wishes, 0, sizeof(wishes));
	err = kmprof_rules_init();
	if (err)
		return err;
	err = kmprof_unwind_init();
	if (err)
		goto undo_rules;
	err = register_module_notifier(&module_notifier);
	if (err)
		goto undo_unwind;
	return 0;

undo_unwind:
	kmprof_unwind_exit();
undo_rules:
	kmprof_rules_exit();
	return err;
}

/**
 * kmprof_learn_exit() - stop learning, and free the rules
 *
 * Context: Process context, a grace period after the last probe ran. May sleep.
 */
void kmprof_learn_exit(void)
{
	kmprof_kick_cancel(&worker);
	unregister_module_notifier(&module_notifier);
	kmprof_unwind_exit();
	kmprof_rules_exit();
}
