/* SPDX-License-Identifier: GPL-2.0 */
/* Handlers that do nothing, on the entry points of a kmalloc()/kfree() pair. */
#ifndef KMPROF_BENCH_FLOOR_H
#define KMPROF_BENCH_FLOOR_H

int bench_floor_set(const char *name);
void bench_floor_exit(void);

#endif
