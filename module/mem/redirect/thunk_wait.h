/* SPDX-License-Identifier: GPL-2.0 */
/* Waiting until the redirected calls have returned from their thunks. */
#ifndef KMPROF_THUNK_WAIT_H
#define KMPROF_THUNK_WAIT_H

#include <linux/types.h>

/**
 * struct kmprof_thunk_scan - tasks that seem to be inside a thunk
 * @tasks: their number
 * @names: names and numbers of the first ones
 */
struct kmprof_thunk_scan {
	unsigned int tasks;
	char names[160];
};

long kmprof_thunk_wait(long (*nr_out)(const void *data), const void *data,
		       bool (*is_thunk)(unsigned long addr));
void kmprof_thunk_scan(struct kmprof_thunk_scan *found, bool (*is_thunk)(unsigned long addr));

#endif
