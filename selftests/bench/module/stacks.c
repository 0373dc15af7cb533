// SPDX-License-Identifier: GPL-2.0
/*
 * A stack's number is spelled by its frames: of two functions, each of which
 * calls the next one, every level has one. This file is compiled without tail
 * calls.
 */
#include <linux/sched.h>
#include <linux/slab.h>

#include "stacks.h"

enum { LEVELS = 17 };

static int descend(unsigned long number, unsigned int levels);

static noinline int zero(unsigned long number, unsigned int levels)
{
	return descend(number, levels);
}

static noinline int one(unsigned long number, unsigned int levels)
{
	return descend(number, levels);
}

static noinline int descend(unsigned long number, unsigned int levels)
{
	void *object;

	if (levels)
		return (number & 1 ? one : zero)(number >> 1, levels - 1);
	object = kmalloc(32, GFP_KERNEL);
	kfree(object);
	return object ? 0 : -ENOMEM;
}

/**
 * bench_stacks_run() - allocate an object by each of some stacks, and free it
 * @first: number of the first stack
 * @count: stacks, which are all different below 2^17
 *
 * Return: 0 or -ENOMEM.
 */
int bench_stacks_run(unsigned long first, unsigned long count)
{
	int err = 0;

	for (; !err && count; first++, count--) {
		err = descend(first, LEVELS);
		cond_resched();
	}
	return err;
}
