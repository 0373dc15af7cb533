// SPDX-License-Identifier: GPL-2.0
/*
 * Areas of vmalloc().
 */
#include <linux/interrupt.h>
#include <linux/llist.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "catalogue.h"

enum { PAGES = 3, RING = 8, BEYOND_KMALLOC = 5 << 20 };

static void release_area(void *object)
{
	vfree(object);
}

CATALOGUE_CALL(vmalloc)
{
	void *area = catalogue_made(c, vmalloc(PAGES * PAGE_SIZE));

	if (area)
		catalogue_lose(c, area, 1, release_area);
}

CATALOGUE_CALL(vfree)
{
	vfree(vzalloc(PAGES * PAGE_SIZE));
}

/* So large that kvmalloc() does not get it from kmalloc(). */
CATALOGUE_CALL(kvmalloc)
{
	if (n % 10 == 0)
		kvfree(kvmalloc(BEYOND_KMALLOC, GFP_KERNEL));
}

static void *ring[RING];

static void ring_put(struct catalogue_case *c, unsigned int slot, void *area)
{
	if (ring[slot]) {
		vfree(ring[slot]);
		catalogue_count(c, -1);
	}
	ring[slot] = catalogue_made(c, area);
}

CATALOGUE_CALL(vmalloc_ring)
{
	ring_put(c, n % RING, vmalloc(PAGES * PAGE_SIZE));
}

static void vmalloc_ring_cleanup(struct catalogue_case *c)
{
	unsigned int i;

	for (i = 0; i < RING; i++)
		ring_put(c, i, NULL);
}

static LLIST_HEAD(to_free);	/* linked through their first bytes */

/* Nothing can be unmapped in a softirq: a worker of the kernel does it later. */
static void free_all(struct tasklet_struct *tasklet)
{
	struct llist_node *area, *next;

	llist_for_each_safe(area, next, llist_del_all(&to_free))
		vfree(area);
}

static DECLARE_TASKLET(freer, free_all);

CATALOGUE_CALL(vfree_in_softirq)
{
	struct llist_node *area = vmalloc(PAGES * PAGE_SIZE);

	if (!area)
		return;
	llist_add(area, &to_free);
	tasklet_schedule(&freer);
}

static int vfree_in_softirq_settle(struct catalogue_case *c)
{
	tasklet_kill(&freer);
	return 0;
}

#define VMALLOC .memory = KMPROF_CATALOGUE_VMALLOC

static struct catalogue_case cases[] = {
	CATALOGUE_LEAK(vmalloc, 100, "an area is forgotten", VMALLOC),
	CATALOGUE_LOOKALIKE(vfree, 0, "areas come and go", VMALLOC),
	CATALOGUE_LOOKALIKE(vfree_in_softirq, 0, "areas are freed in a softirq", VMALLOC,
			    .settle = vfree_in_softirq_settle),
	CATALOGUE_LOOKALIKE(kvmalloc, 0, "what is too large for kmalloc() comes and goes", VMALLOC),
	CATALOGUE_LOOKALIKE(vmalloc_ring, RING, "the last areas are kept", VMALLOC,
			    .cleanup = vmalloc_ring_cleanup),
};

const struct catalogue_family catalogue_vmalloc = {
	.cases	= cases,
	.count	= ARRAY_SIZE(cases),
};
