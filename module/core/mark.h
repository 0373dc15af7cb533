/* SPDX-License-Identifier: GPL-2.0 */
/* Marks: moments that have passed, of which each bucket knows what was in use: see mem/marks.c. */
#ifndef KMPROF_MARK_H
#define KMPROF_MARK_H

#include <linux/types.h>

/**
 * enum kmprof_mark - the moments
 * @KMPROF_MARK_PEAK: when most was in use
 * @KMPROF_MARK_AT: when as much was in use as the setting heap_at says
 * @KMPROF_MARK_OOM: when the kernel had run out of memory for the last time
 */
enum kmprof_mark {
	KMPROF_MARK_PEAK,
	KMPROF_MARK_AT,
	KMPROF_MARK_OOM,

	KMPROF_NR_MARKS,
};

/**
 * struct kmprof_marked - what all buckets together had in use at such a moment
 * @bytes: an estimate
 * @time_ns: CLOCK_REALTIME; 0: there was no such moment
 */
struct kmprof_marked {
	u64 bytes;
	u64 time_ns;
};

#endif
