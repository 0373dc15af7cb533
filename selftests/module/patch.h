/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PATCH_H
#define PATCH_H

#include <linux/percpu-defs.h>

DECLARE_PER_CPU(long, kmprof_patch_calls);

/* The new function, in patch_x86.S. */
void kmprof_patch_alloc(void);

#endif /* PATCH_H */
