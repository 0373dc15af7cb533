/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's own account of contention by lock class, /proc/lock_stat, and which of
 * these waits it has told its tracepoints of. Functions return 0 or a negative errno,
 * and explain failures on stderr.
 */
#ifndef CLASSES_H
#define CLASSES_H

#include <stdint.h>

/**
 * struct classes - the account
 * @was: /proc/sys/kernel/lock_stat, as found
 * @text: what /proc/lock_stat said at the end, or NULL
 * @trace: what a trace of these waits said, or NULL
 */
struct classes {
	char *was;
	char *text;
	char *trace;
};

/**
 * struct class_waits - waits for the locks of some classes
 * @count: how many, by the account
 * @ns: what they took, by the account
 * @traced: how many, by the trace
 * @untold: of these, those that contention_begin did not tell of
 * @untold_ns: what these took
 * @early_ns: of all others, by how much contention_begin told of them before the
 *	account's time began; negative if it was later
 */
struct class_waits {
	uint64_t count;
	uint64_t ns;
	uint64_t traced;
	uint64_t untold;
	int64_t untold_ns;
	int64_t early_ns;
};

int classes_open(struct classes *classes);
int classes_begin(struct classes *classes, const char *filter);
int classes_end(struct classes *classes);
void classes_close(struct classes *classes);

struct class_waits classes_sum(const struct classes *classes, const char *pattern,
			       uint64_t lock, uint64_t bytes);
void classes_print(const struct classes *classes, const char *pattern);

#endif /* CLASSES_H */
