/* SPDX-License-Identifier: GPL-2.0 */
/* Arming and disarming of kprobes, for all their users. */
#ifndef KMPROF_PROBE_H
#define KMPROF_PROBE_H

#include <linux/mutex.h>
#include <linux/types.h>

struct kprobe;
struct kretprobe;

/*
 * Protects what the users of kprobes know of missed hits: which kprobes are to be asked, and
 * what those that are gone have missed. Never held while anything is waited for, so that
 * reading the numbers does not wait until probes are detached. Innermost.
 */
extern struct mutex kmprof_missed_lock;

int kmprof_probe_enable(struct kprobe *p);
bool kmprof_probe_refused(int err);
const char *kmprof_probe_reason(int err);
void kmprof_probes_unregister(struct kprobe **probes, int n);
int kmprof_retprobe_register(struct kretprobe *probe);
u64 kmprof_retprobe_missed(const struct kretprobe *probe);
void kmprof_retprobes_unregister(struct kretprobe **probes, int n);

#endif
