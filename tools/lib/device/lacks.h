/* SPDX-License-Identifier: GPL-2.0 */
/* What the module could not probe in the running kernel, in words. */
#ifndef KMPROF_DEVICE_LACKS_H
#define KMPROF_DEVICE_LACKS_H

#include <linux/types.h>

/**
 * struct kmprof_lack - something that cannot be probed
 * @bit: KMPROF_LACKS_*
 * @name: for programs
 * @meaning: for people, in one line
 */
struct kmprof_lack {
	__u64 bit;
	const char *name;
	const char *meaning;
};

extern const struct kmprof_lack kmprof_lacks[];
extern const unsigned int kmprof_nr_lacks;

#endif
