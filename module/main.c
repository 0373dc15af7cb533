// SPDX-License-Identifier: GPL-2.0
/*
 * Loading and unloading. Initialises the wings bottom up and tears them down in reverse.
 * Probes are armed after everything that they use is there. Files appear last and go first;
 * an open file keeps the module from being removed.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/init.h>
#include <linux/module.h>

#include "compat/allocators.h"
#include "compat/compat.h"
#include "control/control.h"
#include "core/cache_name.h"
#include "core/drain.h"
#include "core/limits.h"
#include "core/sampler.h"
#include "event/event.h"
#include "mem/filter_module.h"
#include "mem/marks.h"
#include "out/debugfs.h"
#include "out/device.h"
#include "probe/claim.h"
#include "probe/ftrace_keeper.h"
#include "stack/gone.h"
#include "stack/module_watch.h"
#include "stack/stack.h"
#include "tables.h"
#include "trace/events.h"

static int __init kmprof_init(void)
{
	int err;

	if (!kmprof_compat_has_orc()) {
		pr_err("not loaded: this kernel unwinds stacks by frame pointers; CONFIG_UNWINDER_ORC is needed\n");
		return -EOPNOTSUPP;
	}
	err = kmprof_limits_init();
	if (err)
		return err;
	kmprof_compat_init();
	kmprof_allocators_init();
	kmprof_sampler_init();
	err = kmprof_compat_init_cache_size();
	if (err)
		goto fail;
	err = kmprof_cache_name_init();
	if (err)
		goto fail;
	err = kmprof_stack_init();
	if (err)
		goto fail;
	err = kmprof_tables_init();
	if (err)
		goto undo_stack;
	err = kmprof_module_watch_init();
	if (err)
		goto undo_tables;
	err = kmprof_filter_module_init();
	if (err)
		goto undo_watch;
	err = kmprof_marks_init();
	if (err)
		goto undo_filter;
	err = kmprof_control_start();
	if (err)
		goto undo_control;
	kmprof_event_start(kmprof_control_listen);
	err = kmprof_device_init();
	if (err)
		goto undo_control;
	/* Last, since it cannot fail: on every error path, none of its files can be open. */
	kmprof_debugfs_init();
	return 0;

undo_control:
	kmprof_event_stop();
	kmprof_trace_events_exit();
	kmprof_control_exit();
	kmprof_claims_exit();
	kmprof_ftrace_keeper_exit();
	kmprof_marks_exit();
	kmprof_drain_stop();
undo_filter:
	kmprof_filter_module_exit();
undo_watch:
	kmprof_module_watch_exit();
	kmprof_gone_exit();
undo_tables:
	kmprof_tables_exit();
undo_stack:
	kmprof_stack_exit();
fail:
	pr_err("not loaded: %pe\n", ERR_PTR(err));
	/* insmod reports ENOENT as an unknown symbol. */
	return err == -ENOENT ? -EOPNOTSUPP : err;
}

static void __exit kmprof_exit(void)
{
	/* Stop: no new users, no new events. */
	kmprof_debugfs_exit();
	kmprof_device_exit();
	kmprof_event_stop();
	kmprof_trace_events_exit();
	kmprof_control_exit();
	kmprof_claims_exit();
	kmprof_ftrace_keeper_exit();
	kmprof_marks_exit();
	/* Drain: no record is in a ring. */
	kmprof_drain_stop();
	/* Free: a grace period has passed since the last probe ran. */
	kmprof_filter_module_exit();
	kmprof_module_watch_exit();
	kmprof_gone_exit();
	kmprof_tables_exit();
	kmprof_stack_exit();
}

module_init(kmprof_init);
module_exit(kmprof_exit);

MODULE_DESCRIPTION("System-wide sampled profiler of allocations and lock contention");
MODULE_AUTHOR("The kmprof developers");
MODULE_LICENSE("GPL");
MODULE_VERSION(KMPROF_VERSION);
