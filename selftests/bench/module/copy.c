// SPDX-License-Identifier: GPL-2.0
#include <linux/compiler.h>
#include <linux/gfp.h>
#include <linux/sched.h>
#include <linux/vmalloc.h>

#include "copy.h"

enum { FROM_WORDS = 512 };

static unsigned long from[FROM_WORDS];

/**
 * bench_copy_run() - allocate cleared pages and copy words there, once
 * @bytes: how much
 *
 * Return: 0 or -ENOMEM.
 */
int bench_copy_run(unsigned long bytes)
{
	unsigned long *to = __vmalloc(bytes, GFP_KERNEL_ACCOUNT | __GFP_ZERO), i;

	if (!to)
		return -ENOMEM;
	for (i = 0; i < bytes / sizeof(*to); i++) {
		WRITE_ONCE(to[i], from[i % FROM_WORDS]);
		if (i % FROM_WORDS == 0)
			cond_resched();
	}
	vfree(to);
	return 0;
}
