/* SPDX-License-Identifier: GPL-2.0 */
/* Wake-ups and switches. */
#ifndef KMPROF_BENCH_SWITCH_H
#define KMPROF_BENCH_SWITCH_H

void bench_switch_twice(unsigned int i);
int bench_switch_init(void);
void bench_switch_exit(void);

#endif
