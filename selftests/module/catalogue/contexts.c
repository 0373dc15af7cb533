// SPDX-License-Identifier: GPL-2.0
/*
 * Leaks in all contexts that allocate.
 */
#include <linux/slab.h>

#include "catalogue.h"

CATALOGUE_CALL(in_atomic)
{
	catalogue_forget(c, kmalloc(168, GFP_ATOMIC));
}

CATALOGUE_CALL(in_softirq)
{
	catalogue_forget(c, kmalloc(168, GFP_ATOMIC));
}

CATALOGUE_CALL(in_hardirq)
{
	catalogue_forget(c, kmalloc(168, GFP_ATOMIC));
}

CATALOGUE_CALL(in_work)
{
	catalogue_forget(c, kmalloc(168, GFP_KERNEL));
}

CATALOGUE_CALL(in_thread)
{
	catalogue_forget(c, kmalloc(2000, GFP_KERNEL));
}

static struct catalogue_case cases[] = {
	CATALOGUE_LEAK(in_atomic, 100, "an object is forgotten with a spinlock held",
		       .context = CATALOGUE_ATOMIC),
	CATALOGUE_LEAK(in_softirq, 100, "an object is forgotten in a softirq",
		       .context = CATALOGUE_SOFTIRQ),
	CATALOGUE_LEAK(in_hardirq, 100, "an object is forgotten in a hard interrupt",
		       .context = CATALOGUE_HARDIRQ),
	CATALOGUE_LEAK(in_work, 100, "an object is forgotten in a workqueue",
		       .context = CATALOGUE_WORK),
	CATALOGUE_LEAK(in_thread, 100, "an object is forgotten in a kernel thread",
		       .context = CATALOGUE_THREAD),
};

const struct catalogue_family catalogue_contexts = {
	.cases	= cases,
	.count	= ARRAY_SIZE(cases),
};
