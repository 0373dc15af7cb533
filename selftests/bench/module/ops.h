/* SPDX-License-Identifier: GPL-2.0 */
/* The operations that are measured. */
#ifndef KMPROF_BENCH_OPS_H
#define KMPROF_BENCH_OPS_H

#include <linux/types.h>

/**
 * struct bench_op - an operation
 * @name: of its file
 * @run: does it once; @i counts the calls
 * @sleeps: not with interrupts off
 */
struct bench_op {
	const char *name;
	void (*run)(unsigned int i);
	bool sleeps;
};

/* Ends with a nameless one. */
extern const struct bench_op bench_ops[];

int bench_ops_init(void);
void bench_ops_exit(void);

#endif
