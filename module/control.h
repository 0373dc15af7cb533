/* SPDX-License-Identifier: GPL-2.0 */
/* Turning the profiler on, off and to another rate. */
#ifndef KMPROF_CONTROL_H
#define KMPROF_CONTROL_H

#include <linux/types.h>

struct kmprof_source;

int kmprof_control_start(void);
void kmprof_control_exit(void);
int kmprof_control_set(u64 fields, u64 heap_rate, u64 block_rate);
u64 kmprof_control_rate(void);
u64 kmprof_control_block_rate(void);
bool kmprof_control_attached(void);
bool kmprof_control_block_attached(void);
u64 kmprof_control_lacks(void);
const struct kmprof_source *kmprof_control_source(void);
int kmprof_control_missed(u64 *missed);
int kmprof_control_reset(void);

#endif
