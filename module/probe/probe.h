/* SPDX-License-Identifier: GPL-2.0 */
/* Arming and disarming of kprobes, for all their users. */
#ifndef KMPROF_PROBE_H
#define KMPROF_PROBE_H

#include <linux/types.h>

struct kprobe;
struct kretprobe;

int kmprof_probe_enable(struct kprobe *p);
bool kmprof_probe_refused(int err);
void kmprof_probes_unregister(struct kprobe **probes, int n);
void kmprof_retprobes_unregister(struct kretprobe **probes, int n);

#endif
