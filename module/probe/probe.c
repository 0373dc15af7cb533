// SPDX-License-Identifier: GPL-2.0
/* Arms and disarms kprobes, working around errors that the kprobe core does not report. */
#include <linux/errno.h>
#include <linux/kprobes.h>
#include <linux/rcupdate.h>

#include "probe/probe.h"

/* probe.h says what it protects. */
DEFINE_MUTEX(kmprof_missed_lock);

/**
 * kmprof_probe_enable() - arm a kprobe
 * @p: a kprobe that was registered with KPROBE_FLAG_DISABLED
 *
 * Context: Process context. Sleeps.
 * Return: 0; -EPERM when kprobes/enabled in debugfs is 0; or another negative errno.
 */
int kmprof_probe_enable(struct kprobe *p)
{
	int err = enable_kprobe(p);

	/* With kprobes/enabled 0, enable_kprobe() returns 0 and leaves the kprobe disabled. */
	return !err && kprobe_disabled(p) ? -EPERM : err;
}

/**
 * kmprof_probe_refused() - does an error mean that this kernel does not let a function be
 *	probed?
 * @err: errno with which registering or arming the kprobe failed
 *
 * The symbol does not exist, is not traceable, is not probed through ftrace, or is taken by
 * a live patch; or all kprobes are off in debugfs.
 *
 * Context: Any.
 * Return: true if so; false when trying again may help.
 */
bool kmprof_probe_refused(int err)
{
	return err == -ENOENT || err == -EINVAL || err == -EOPNOTSUPP || err == -EBUSY ||
	       err == -EPERM;
}

/**
 * kmprof_probe_reason() - why does the kernel not let a function be probed?
 * @err: errno for which kmprof_probe_refused() is true
 *
 * Context: Any.
 * Return: the reason, for messages.
 */
const char *kmprof_probe_reason(int err)
{
	switch (err) {
	case -ENOENT:
		return "this kernel does not have it";
	case -EBUSY:
		return "a live patch, or the like, sends its calls elsewhere";
	case -EPERM:
		return "kprobes are switched off in debugfs";
	}
	return "this kernel does not let it be probed as it has to be";
}

/*
 * The kprobe core needs memory to disarm a kprobe that uses ftrace. Without memory, the
 * kprobe stays armed. unregister_kprobe() would then fail too, and only clear the kprobe's
 * address. With the flag set, the core calls no handler and unregisters the kprobe. ftrace
 * goes on calling the core, which finds no kprobe.
 */
static void disable(struct kprobe *p)
{
	if (disable_kprobe(p))
		p->flags |= KPROBE_FLAG_DISABLED;
}

/**
 * kmprof_probes_unregister() - disarm and unregister kprobes
 * @probes: registered kprobes
 * @n: number of kprobes
 *
 * Context: Process context. Waits for a grace period: on return no handler runs.
 */
void kmprof_probes_unregister(struct kprobe **probes, int n)
{
	int i;

	for (i = 0; i < n; i++)
		disable(probes[i]);
	unregister_kprobes(probes, n);
}

/**
 * kmprof_retprobe_register() - register and arm a kretprobe whose handlers use ftrace
 * @probe: a clean one: unregistering leaves the core's state in it
 *
 * Without ftrace, handlers would run in a breakpoint's NMI context, where nothing is counted.
 *
 * Context: Process context. Sleeps.
 * Return: 0; or a negative errno and it is not registered: see kmprof_probe_refused().
 */
int kmprof_retprobe_register(struct kretprobe *probe)
{
	int err;

	probe->kp.flags = KPROBE_FLAG_DISABLED;
	err = register_kretprobe(probe);
	if (err)
		return err;
	err = probe->kp.flags & KPROBE_FLAG_FTRACE ? kmprof_probe_enable(&probe->kp) :
						     -EOPNOTSUPP;
	if (err)
		unregister_kretprobe(probe);
	return err;
}

/**
 * kmprof_retprobe_missed() - count what a kretprobe has missed
 * @probe: a kretprobe that has been registered
 *
 * Context: Any.
 * Return: number of hits while another kprobe's handler ran, and of calls beyond @maxactive.
 */
u64 kmprof_retprobe_missed(const struct kretprobe *probe)
{
	/* The kprobe core increments both meanwhile; each is one word, which cannot tear. */
	return READ_ONCE(probe->kp.nmissed) + (unsigned int)READ_ONCE(probe->nmissed);
}

/**
 * kmprof_retprobes_unregister() - disarm and unregister kretprobes
 * @probes: registered kretprobes
 * @n: number of kretprobes
 *
 * Calls in flight return normally. After unregistering, each return frees its instance by
 * call_rcu(). The slow path of a spinlock returns with the spinlock held, and call_rcu()
 * could take the same one. So these calls must have returned before: they run with
 * preemption off, and a grace period after disarming waits for them. For others it does not matter
 * when they return.
 *
 * Context: Process context. Waits for grace periods: on return no handler runs.
 */
void kmprof_retprobes_unregister(struct kretprobe **probes, int n)
{
	int i;

	for (i = 0; i < n; i++)
		disable(&probes[i]->kp);
	synchronize_rcu();
	unregister_kretprobes(probes, n);
}
