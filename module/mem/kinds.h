/* SPDX-License-Identifier: GPL-2.0 */
/* Arming the probes of the kinds of memory that are switched on. */
#ifndef KMPROF_KINDS_H
#define KMPROF_KINDS_H

#include <linux/types.h>
#include <uapi/linux/kmprof.h>

/* The kinds that are on after loading. */
#define KMPROF_KINDS_DEFAULT	KMPROF_HEAP_SLAB

int kmprof_kinds_set(u64 kinds);
int kmprof_kinds_attach(void);
void kmprof_kinds_detach(void);
int kmprof_kinds_tell_frees(bool tells);
void kmprof_kinds_exit(void);
u64 kmprof_kinds_lacks(void);
u64 kmprof_kinds_missed(void);

#endif
