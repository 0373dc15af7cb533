// SPDX-License-Identifier: GPL-2.0
/*
 * Follows the modules that filters name: they may be loaded when the filter is set or later, go,
 * and come to another place.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kernel.h>
#include <linux/kobject.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/printk.h>
#include <linux/seqlock.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "compat/module_memory.h"
#include "mem/filter_module.h"

/**
 * struct followed - a module that a filter names
 * @seq: for readers in any context
 * @name: its name; "": none
 * @parts: where its memory is; of size 0 what is not there
 */
struct followed {
	seqcount_raw_spinlock_t seq;
	char name[MODULE_NAME_LEN];
	struct kmprof_extent parts[KMPROF_COMPAT_MODULE_PARTS];
};

/* Readers in interrupts wait for a writer: it has interrupts off. */
static DEFINE_RAW_SPINLOCK(lock);

/* Notifications come, and this module has its place among the others. Written once. */
static bool is_started;

static struct followed followed[KMPROF_FILTER_MODULES] = {
	{ .seq = SEQCNT_RAW_SPINLOCK_ZERO(followed[0].seq, &lock) },
	{ .seq = SEQCNT_RAW_SPINLOCK_ZERO(followed[1].seq, &lock) },
	{ .seq = SEQCNT_RAW_SPINLOCK_ZERO(followed[2].seq, &lock) },
};

/* The init part is freed when the module has started. */
static bool has_part(enum module_state state, unsigned int i)
{
	return state == MODULE_STATE_COMING ||
	       (state == MODULE_STATE_LIVE && !kmprof_compat_module_part_is_init(i));
}

/* Context: @lock held. @mod: in @state */
static void place(struct followed *f, const struct module *mod, enum module_state state)
{
	const struct kmprof_extent none = {};
	unsigned int i;

	write_seqcount_begin(&f->seq);
	for (i = 0; i < ARRAY_SIZE(f->parts); i++)
		f->parts[i] = has_part(state, i) ? kmprof_compat_module_part(mod, i) : none;
	write_seqcount_end(&f->seq);
}

/*
 * Returns true if the module is loaded. If it is only just coming, a notification follows. Its
 * kobject keeps it meanwhile: who removes a module waits for that.
 */
static bool place_loaded(struct followed *f, const char *name)
{
	struct kset *modules = THIS_MODULE->mkobj.kobj.kset;
	const struct module *mod;
	struct kobject *kobj;
	unsigned long flags;

	kobj = kset_find_obj(modules, name);
	if (!kobj)
		return false;
	/* Parameters of what is built in make a directory there, too. */
	mod = container_of(kobj, struct module_kobject, kobj)->mod;
	if (mod) {
		raw_spin_lock_irqsave(&lock, flags);
		place(f, mod, READ_ONCE(mod->state));
		raw_spin_unlock_irqrestore(&lock, flags);
	}
	kobject_put(kobj);
	return mod;
}

static void find(struct followed *f)
{
	if (*f->name && !place_loaded(f, f->name))
		pr_info("heap_filter: module %s is not loaded now\n", f->name);
}

/**
 * kmprof_filter_module_follow() - follow the module of a filter
 * @index: number of the filter, which is not in force
 * @name: name of the module; "": none
 *
 * Context: Process context, control lock held. May sleep.
 */
void kmprof_filter_module_follow(unsigned int index, const char *name)
{
	struct followed *f = &followed[index];
	unsigned long flags;

	/* From here on, notifications are about it. */
	raw_spin_lock_irqsave(&lock, flags);
	strscpy(f->name, name, sizeof(f->name));
	place(f, NULL, MODULE_STATE_GOING);
	raw_spin_unlock_irqrestore(&lock, flags);
	/* While parameters are read, it is not known where modules are: see init. */
	if (is_started)
		find(f);
}

/**
 * kmprof_filter_module_has() - is an address in the module of a filter?
 * @index: number of the filter
 * @addr: the address
 *
 * Context: Any but NMI. Takes no locks.
 * Return: whether it is.
 */
bool kmprof_filter_module_has(unsigned int index, unsigned long addr)
{
	const struct followed *f = &followed[index];
	unsigned int i, seq;
	bool has;

	do {
		seq = raw_read_seqcount_begin(&f->seq);
		for (i = 0, has = false; i < ARRAY_SIZE(f->parts); i++)
			has |= addr >= f->parts[i].begin && addr < f->parts[i].end;
	} while (read_seqcount_retry(&f->seq, seq));
	return has;
}

static int on_module(struct notifier_block *nb, unsigned long state, void *data)
{
	const struct module *mod = data;
	unsigned long flags;
	unsigned int i;

	raw_spin_lock_irqsave(&lock, flags);
	for (i = 0; i < ARRAY_SIZE(followed); i++)
		if (!strcmp(followed[i].name, mod->name))
			place(&followed[i], mod, state);
	raw_spin_unlock_irqrestore(&lock, flags);
	return NOTIFY_DONE;
}

static struct notifier_block notifier = {
	.notifier_call = on_module,
};

/**
 * kmprof_filter_module_init() - begin to follow modules, also those of parameters
 *
 * Context: Process context, control lock not needed: parameters have been read, and nobody else
 * can set a filter yet. May sleep.
 * Return: 0 or a negative errno.
 */
int kmprof_filter_module_init(void)
{
	int err = register_module_notifier(&notifier);
	unsigned int i;

	if (err)
		return err;
	is_started = true;
	for (i = 0; i < ARRAY_SIZE(followed); i++)
		find(&followed[i]);
	return 0;
}

/**
 * kmprof_filter_module_exit() - stop
 *
 * Context: Process context. Waits for notifications that are under way.
 */
void kmprof_filter_module_exit(void)
{
	unregister_module_notifier(&notifier);
}
