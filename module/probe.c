// SPDX-License-Identifier: GPL-2.0
/* Arming and disarming kprobes where their core leaves something to wish for. */
#include <linux/bug.h>
#include <linux/errno.h>
#include <linux/kprobes.h>

#include "probe.h"

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

/**
 * kmprof_probes_unregister() - disarm kprobes and forget them
 * @probes: registered; returns with their addresses still there
 * @n: how many, at most KMPROF_PROBES_MAX
 *
 * The core needs memory to disarm a probe that goes through ftrace. Without it, a
 * probe counts as disarmed and stays registered, with no sign of that but its
 * address, which is gone. Marked as disabled, it is unregistered all the same:
 * ftrace then goes on calling the core, which finds no probe.
 *
 * Context: Process context. Waits for a grace period: no handler runs any more.
 */
void kmprof_probes_unregister(struct kprobe **probes, int n)
{
	kprobe_opcode_t *addr[KMPROF_PROBES_MAX];
	int i;

	if (WARN_ON_ONCE(n > KMPROF_PROBES_MAX))
		n = KMPROF_PROBES_MAX;
	for (i = 0; i < n; i++)
		addr[i] = probes[i]->addr;
	unregister_kprobes(probes, n);
	for (i = 0; i < n; i++) {
		if (probes[i]->addr)
			continue;
		probes[i]->addr = addr[i];
		probes[i]->flags |= KPROBE_FLAG_DISABLED;
		unregister_kprobe(probes[i]);
	}
}
