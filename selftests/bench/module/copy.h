/* SPDX-License-Identifier: GPL-2.0 */
/* What it takes to have memory and to fill it from another place. */
#ifndef KMPROF_BENCH_COPY_H
#define KMPROF_BENCH_COPY_H

int bench_copy_run(unsigned long bytes);

#endif
