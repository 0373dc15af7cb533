// SPDX-License-Identifier: GPL-2.0
/*
 * Orders to the test module, and what may be ordered.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/order.h"

/**
 * order_open() - get a fresh store of objects
 *
 * Return: a descriptor or a negative errno.
 */
int order_open(void)
{
	int fd = open(KMPROF_TEST_DEVICE_PATH, O_RDWR | O_CLOEXEC);

	if (fd >= 0)
		return fd;
	fprintf(stderr, "# open %s: %s\n", KMPROF_TEST_DEVICE_PATH, strerror(errno));
	return -errno;
}

/**
 * order_run() - carry out an operation
 * @fd: the store
 * @op: the operation; @op->done tells how far it came
 */
int order_run(int fd, struct kmprof_test_op *op)
{
	int error;

	if (!ioctl(fd, KMPROF_TEST_IOC_RUN, op))
		return 0;
	error = errno;
	fprintf(stderr,
		"# op %u chain %u method %u free %u context %u cpu %d size %u first %u count %u: done %u: %s\n",
		op->op, op->chain, op->method, op->free, op->context, op->cpu,
		op->size, op->first, op->count, op->done, strerror(error));
	return -error;
}

/**
 * order_truth() - what really happened
 * @fd: any store
 * @chain: call chain
 * @size: bytes per object
 * @truth: out: the counters
 */
int order_truth(int fd, unsigned int chain, unsigned int size, struct kmprof_test_truth *truth)
{
	*truth = (struct kmprof_test_truth){ .chain = chain, .size = size };
	return ioctl(fd, KMPROF_TEST_IOC_TRUTH, truth) ? -errno : 0;
}

static int is_const_size(unsigned int size)
{
	switch (size) {
#define CASE(bytes) case bytes:
	KMPROF_TEST_CONST_SIZES(CASE)
#undef CASE
		return 1;
	}
	return 0;
}

static int is_cache_size(unsigned int size)
{
	switch (size) {
#define CASE(bytes) case bytes:
	KMPROF_TEST_CACHE_SIZES(CASE)
#undef CASE
		return 1;
	}
	return 0;
}

static int is_cache_method(unsigned int method)
{
	return method == KMPROF_TEST_CACHE || method == KMPROF_TEST_CACHE_NODE ||
	       method == KMPROF_TEST_CACHE_BULK;
}

/**
 * order_can_alloc() - whether the test module can do that
 * @method: enum kmprof_test_method
 * @size: bytes per object
 * @context: enum kmprof_test_context
 */
int order_can_alloc(unsigned int method, unsigned int size, unsigned int context)
{
	switch (method) {
	case KMPROF_TEST_KMALLOC:
	case KMPROF_TEST_KMALLOC_NODE:
		return is_const_size(size);
	case KMPROF_TEST_KCALLOC:
		return size % 2 == 0;
	case KMPROF_TEST_KMEMDUP:
	case KMPROF_TEST_KSTRDUP:
		return size <= 65536;
	case KMPROF_TEST_CACHE_BULK:
		return is_cache_size(size) && context < KMPROF_TEST_HARDIRQ;
	case KMPROF_TEST_CACHE:
	case KMPROF_TEST_CACHE_NODE:
		return is_cache_size(size);
	default:
		return method < KMPROF_TEST_NR_METHODS;
	}
}

/**
 * order_contexts() - in how many contexts an online CPU of this kernel allocates and
 *	frees
 *
 * The first ones of enum kmprof_test_context; with PREEMPT_RT without hard interrupts.
 */
unsigned int order_contexts(void)
{
	return access("/sys/kernel/realtime", F_OK) ? KMPROF_TEST_DYING :
						      KMPROF_TEST_HARDIRQ;
}

/**
 * order_can_free() - whether the test module can do that
 * @free: enum kmprof_test_free_method
 * @method: the enum kmprof_test_method that made the objects
 * @size: bytes per object
 * @context: enum kmprof_test_context
 */
int order_can_free(unsigned int free, unsigned int method, unsigned int size,
		   unsigned int context)
{
	int cache = is_cache_method(method);

	switch (free) {
	case KMPROF_TEST_CACHE_FREE:
		return cache;
	case KMPROF_TEST_CACHE_FREE_BULK:
		return cache && context < KMPROF_TEST_HARDIRQ;
	case KMPROF_TEST_KFREE_BULK:
		return !cache && context < KMPROF_TEST_HARDIRQ;
	case KMPROF_TEST_KFREE_RCU:
		return !cache && size >= 16;
	case KMPROF_TEST_CALL_RCU:
		return !cache && size >= 40;
	case KMPROF_TEST_KFREE_RCU_MIGHTSLEEP:
		return !cache && context == KMPROF_TEST_TASK;
	default:
		return !cache && free < KMPROF_TEST_NR_FREE_METHODS;
	}
}
