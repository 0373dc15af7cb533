/* SPDX-License-Identifier: GPL-2.0 */
/* Live objects, any number of them. */
#ifndef KMPROF_BENCH_OBJECTS_H
#define KMPROF_BENCH_OBJECTS_H

int bench_objects_set(unsigned long count);

#endif
