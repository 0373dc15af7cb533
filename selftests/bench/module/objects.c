// SPDX-License-Identifier: GPL-2.0
#include <linux/llist.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "objects.h"

static LLIST_HEAD(objects);

/**
 * bench_objects_set() - free the objects that there are, and allocate others
 * @count: how many, of 32 bytes
 *
 * Return: 0 or -ENOMEM; then there are none.
 */
int bench_objects_set(unsigned long count)
{
	struct llist_node *node, *next;

	llist_for_each_safe(node, next, llist_del_all(&objects)) {
		kfree(node);
		cond_resched();
	}
	while (count--) {
		node = kmalloc(32, GFP_KERNEL);
		if (!node) {
			bench_objects_set(0);
			return -ENOMEM;
		}
		llist_add(node, &objects);
		cond_resched();
	}
	return 0;
}
