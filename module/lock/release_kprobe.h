/* SPDX-License-Identifier: GPL-2.0 */
/* Releases of locks, seen by kprobes on the slow paths that wake who waits. */
#ifndef KMPROF_RELEASE_KPROBE_H
#define KMPROF_RELEASE_KPROBE_H

#include <linux/types.h>

int kmprof_release_kprobe_attach(void);
void kmprof_release_kprobe_detach(void);
bool kmprof_release_kprobe_lacks(void);
u64 kmprof_release_kprobe_missed(void);

#endif
