// SPDX-License-Identifier: GPL-2.0
/*
 * Retires the addresses of modules.
 *
 * ==============  ==========================================================================
 * notification    what is retired
 * ==============  ==========================================================================
 * live            the init part: the module has started, and its init memory is freed next
 * going           all of it: the module's exit function has returned, or its init function
 *                 has failed
 * coming          what buckets have at the addresses of a new module, of what was there before
 *                 and has no name any more: generated code (BPF, trampolines), which goes
 *                 without a notification; code of a module that has run after it. These are
 *                 functions that async_schedule() was asked to run, which the kernel waits for
 *                 only then, and threads of a module that end in a function of the kernel
 *                 (kthread_complete_and_exit())
 * ==============  ==========================================================================
 */
#include <linux/build_bug.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/sort.h>

#include "compat/module_memory.h"
#include "stack/gone.h"
#include "stack/module_names.h"
#include "stack/module_watch.h"

static_assert((int)KMPROF_GONE_PIECES >= (int)KMPROF_COMPAT_MODULE_PARTS);
static_assert(sizeof_field(struct kmprof_gone, name) >= MODULE_NAME_LEN);

static int by_address(const void *a, const void *b)
{
	const struct kmprof_extent *i = a, *j = b;

	return i->begin < j->begin ? -1 : i->begin > j->begin;
}

static void add_pieces(struct kmprof_going *going, const struct module *mod, bool init_only)
{
	struct kmprof_extent piece;
	unsigned int i;

	for (i = 0; i < KMPROF_COMPAT_MODULE_PARTS; i++) {
		piece = kmprof_compat_module_part(mod, i);
		if (piece.end > piece.begin &&
		    (!init_only || kmprof_compat_module_part_is_init(i)))
			going->pieces[going->nr_pieces++] = piece;
	}
	sort(going->pieces, going->nr_pieces, sizeof(piece), by_address, NULL);
}

static void retire_unknown(const struct module *mod)
{
	struct kmprof_going going = {};

	add_pieces(&going, mod, false);
	kmprof_gone_retire(&going);
}

static void retire(const struct module *mod, bool init_only)
{
	struct kmprof_going going = {
		.name		= mod->name,
		.build_id	= kmprof_module_build_id,
		.symbols	= kmprof_module_symbols,
		.data		= mod,
	};

	add_pieces(&going, mod, init_only);
	if (going.nr_pieces)
		kmprof_gone_retire(&going);
}

static int on_module(struct notifier_block *nb, unsigned long state, void *mod)
{
	switch (state) {
	case MODULE_STATE_COMING:
		retire_unknown(mod);
		break;
	case MODULE_STATE_LIVE:
		retire(mod, true);
		break;
	case MODULE_STATE_GOING:
		retire(mod, false);
		break;
	}
	return NOTIFY_DONE;
}

static struct notifier_block module_notifier = {
	.notifier_call = on_module,
};

/**
 * kmprof_module_watch_init() - begin to watch modules
 *
 * Context: Process context, before any probe is armed; rings and buckets exist. May sleep.
 * Return: 0 or a negative errno.
 */
int kmprof_module_watch_init(void)
{
	return register_module_notifier(&module_notifier);
}

/**
 * kmprof_module_watch_exit() - stop watching modules
 *
 * Context: Process context; rings and buckets exist. Waits for notifications that are under
 * way.
 */
void kmprof_module_watch_exit(void)
{
	unregister_module_notifier(&module_notifier);
}
