/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The contract between kmprof_client.ko, a module that has custom profiles, and the test
 * programs. Every operation calls one function of include/linux/kmprof.h, @count times, and
 * returns what that function returned: the first error, or 0.
 */
#ifndef KMPROF_CLIENT_H
#define KMPROF_CLIENT_H

#include <linux/ioctl.h>
#include <linux/types.h>

#include "kmprof_test.h"

#define KMPROF_CLIENT_DEVICE_PATH	"/dev/kmprof_client"
#define KMPROF_CLIENT_PROFILES		40
#define KMPROF_CLIENT_CHAINS		3	/* kmprof_client_c0() .. _c2() */
#define KMPROF_CLIENT_TEXT		40

enum kmprof_client_code {
	KMPROF_CLIENT_CREATE = 0,
	KMPROF_CLIENT_DESTROY,
	KMPROF_CLIENT_ADD,
	KMPROF_CLIENT_REMOVE,
	KMPROF_CLIENT_COUNT,
	KMPROF_CLIENT_NR_CODES
};

/**
 * struct kmprof_client_op - KMPROF_CLIENT_IOC_RUN
 * @code: enum kmprof_client_code
 * @profile: number of the profile, chosen by the caller
 * @context: ADD, REMOVE: enum kmprof_test_context
 * @cpu: ADD, REMOVE: on this CPU, or KMPROF_TEST_CPU_ANY
 * @chain: ADD, REMOVE: through this function
 * @skip: ADD: callers to leave out
 * @key: ADD, REMOVE: first key; the next one is 1 more
 * @weight: ADD: weight of each object
 * @count: ADD, REMOVE: number of objects; CREATE: 0: an empty name or unit stands for NULL
 * @done: out: calls that returned 0
 * @objects: COUNT: out: what kmprof_custom_count() returns
 * @name: CREATE: name
 * @unit: CREATE: unit
 *
 * Errors besides those of the functions: ENXIO: no such CPU, EIO: it did not run in the
 * context asked for, EBADSLT: out of range, or the profile is not there (or is, CREATE).
 */
struct kmprof_client_op {
	__u32 code;
	__u32 profile;
	__u32 context;
	__u32 cpu;
	__u32 chain;
	__u32 skip;
	__u64 key;
	__u64 weight;
	__u32 count;
	__u32 done;
	__u64 objects;
	char name[KMPROF_CLIENT_TEXT];
	char unit[KMPROF_CLIENT_TEXT];
};

#define KMPROF_CLIENT_IOC_RUN	_IOWR(0xBD, 32, struct kmprof_client_op)

#endif /* KMPROF_CLIENT_H */
