// SPDX-License-Identifier: GPL-2.0
/* Arming and disarming kprobes where their core leaves something to wish for. */
#include <linux/errno.h>
#include <linux/kprobes.h>
#include <linux/rcupdate.h>

#include "probe/probe.h"

/**
 * kmprof_probe_enable() - arm a kprobe
 * @p: registered with KPROBE_FLAG_DISABLED
 *
 * Context: Process context.
 * Return: 0; -EBUSY when debugfs has turned all kprobes off; or another negative errno.
 */
int kmprof_probe_enable(struct kprobe *p)
{
	int err = enable_kprobe(p);

	/* If all are off, it says so by the flag only. */
	return !err && kprobe_disabled(p) ? -EBUSY : err;
}

/**
 * kmprof_probe_refused() - is it the kernel that does not let a function be probed?
 * @err: why a kprobe could not be registered or armed
 *
 * No such symbol, not traceable, not at its ftrace entry, or taken by a live patch.
 *
 * Context: Any.
 * Return: true then; false when trying again may help.
 */
bool kmprof_probe_refused(int err)
{
	return err == -ENOENT || err == -EINVAL || err == -EOPNOTSUPP || err == -EBUSY;
}

/*
 * The core needs memory to disarm a probe that goes through ftrace. Without it, the
 * probe stays armed, and unregistering it would fail as well, with no sign of that but
 * an address that is gone. Marked as disabled, it calls no handler, and is unregistered
 * all the same: ftrace then goes on calling the core, which finds no probe.
 */
static void disable(struct kprobe *p)
{
	if (disable_kprobe(p))
		p->flags |= KPROBE_FLAG_DISABLED;
}

/**
 * kmprof_probes_unregister() - disarm kprobes and forget them
 * @probes: registered
 * @n: how many
 *
 * Context: Process context. Waits for a grace period: no handler runs any more.
 */
void kmprof_probes_unregister(struct kprobe **probes, int n)
{
	int i;

	for (i = 0; i < n; i++)
		disable(probes[i]);
	unregister_kprobes(probes, n);
}

/**
 * kmprof_retprobes_unregister() - the same of kretprobes
 * @probes: registered
 * @n: how many
 *
 * What is in flight returns as ever, and then gives its memory back by call_rcu(), in
 * the context of the return. Who has waited for a spinlock has it then, and call_rcu()
 * may want just that one: none of these is in flight any more. They do not let
 * themselves be preempted, so that a grace period is enough.
 *
 * Context: Process context. Waits for grace periods: no handler runs any more.
 */
void kmprof_retprobes_unregister(struct kretprobe **probes, int n)
{
	int i;

	for (i = 0; i < n; i++)
		disable(&probes[i]->kp);
	synchronize_rcu();
	unregister_kretprobes(probes, n);
}
