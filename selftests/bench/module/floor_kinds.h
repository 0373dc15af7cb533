/* SPDX-License-Identifier: GPL-2.0 */
/* The floor of other kinds of memory than slabs. */
#ifndef KMPROF_BENCH_FLOOR_KINDS_H
#define KMPROF_BENCH_FLOOR_KINDS_H

int bench_floor_page_on(void);
void bench_floor_page_off(void);
int bench_floor_percpu_on(void);
void bench_floor_percpu_off(void);
int bench_floor_vmalloc_on(void);
void bench_floor_vmalloc_off(void);
void bench_floor_kinds_exit(void);

#endif
