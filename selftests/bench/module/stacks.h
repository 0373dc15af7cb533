/* SPDX-License-Identifier: GPL-2.0 */
/* Allocations by any number of call stacks. */
#ifndef KMPROF_BENCH_STACKS_H
#define KMPROF_BENCH_STACKS_H

int bench_stacks_run(unsigned long first, unsigned long count);

#endif
