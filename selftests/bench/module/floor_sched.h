/* SPDX-License-Identifier: GPL-2.0 */
/* The floor of the scheduler's events. */
#ifndef KMPROF_BENCH_FLOOR_SCHED_H
#define KMPROF_BENCH_FLOOR_SCHED_H

int bench_floor_sched_on(void);
void bench_floor_sched_off(void);

#endif
