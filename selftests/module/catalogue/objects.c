// SPDX-License-Identifier: GPL-2.0
/*
 * What the cases have in use, counted, and the lost objects: nothing in the cases refers to them
 * any more, but the cleanup has to find them.
 */
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/moduleparam.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "catalogue.h"

static unsigned int room = 65536;
module_param(room, uint, 0444);
MODULE_PARM_DESC(room, "how many lost objects there is room for (default 65536)");

/* kmemleak looks for addresses in this module's memory, too. */
static bool hide;
module_param(hide, bool, 0444);
MODULE_PARM_DESC(hide, "make kmemleak report what is lost (default: it finds it here)");

/**
 * struct lost - something that a case has lost
 * @owner: the case
 * @object: its address; all bits are inverted if hide is set
 * @nr: number of objects that it counts as
 * @release: frees it
 */
struct lost {
	struct catalogue_case *owner;
	unsigned long object;
	unsigned int nr;
	void (*release)(void *object);
};

/* In vmalloc memory: it is no slab object, and kmemleak reads it. */
static struct lost *lost;
static atomic_t nr_lost;	/* can be more than room */

static unsigned long hidden(unsigned long address)
{
	return hide ? ~address : address;
}

/**
 * catalogue_count() - count objects of a case
 * @c: the case
 * @objects: how many came into use, or, negative, were freed
 *
 * Context: Any.
 */
void catalogue_count(struct catalogue_case *c, long objects)
{
	atomic_long_add(objects, &c->objects);
}

/**
 * catalogue_made() - count an object that a case has allocated
 * @c: the case
 * @object: the object, or NULL
 *
 * Context: Any.
 * Return: @object.
 */
void *catalogue_made(struct catalogue_case *c, void *object)
{
	if (object)
		catalogue_count(c, 1);
	return object;
}

/**
 * catalogue_kfree() - free an object that was counted
 * @c: the case
 * @object: the object, or NULL
 *
 * Context: Any.
 */
void catalogue_kfree(struct catalogue_case *c, void *object)
{
	if (!object)
		return;
	kfree(object);
	catalogue_count(c, -1);
}

/**
 * catalogue_wait() - wait until a case has no more than so many objects
 * @c: the case
 * @objects: how many
 *
 * Context: Task. Sleeps.
 * Return: 0, or -ETIMEDOUT after half a minute.
 */
int catalogue_wait(struct catalogue_case *c, long objects)
{
	unsigned long end = jiffies + 30 * HZ;

	while (atomic_long_read(&c->objects) > objects) {
		if (time_after(jiffies, end))
			return -ETIMEDOUT;
		rcu_barrier();
		usleep_range(1000, 2000);
	}
	return 0;
}

/**
 * catalogue_lose() - remember what a case loses, for its cleanup
 * @c: the case
 * @object: what was lost
 * @nr: number of objects that it was counted as
 * @release: frees it. Task context, or, without room, the caller's
 *
 * Context: Any.
 */
void catalogue_lose(struct catalogue_case *c, void *object, unsigned int nr,
		    void (*release)(void *object))
{
	unsigned int at = atomic_fetch_inc(&nr_lost);

	if (at >= room) {
		release(object);
		catalogue_count(c, -(long)nr);
		return;
	}
	lost[at] = (struct lost){ c, hidden((unsigned long)object), nr, release };
}

static void release_kmalloc(void *object)
{
	kfree(object);
}

/**
 * catalogue_forget() - count an object of kmalloc(), and lose it
 * @c: the case
 * @object: the object, or NULL
 *
 * Context: Any.
 */
void catalogue_forget(struct catalogue_case *c, void *object)
{
	if (catalogue_made(c, object))
		catalogue_lose(c, object, 1, release_kmalloc);
}

/**
 * catalogue_is_full() - has something been freed since there was no room to remember it?
 *
 * Context: Task.
 */
bool catalogue_is_full(void)
{
	return atomic_read(&nr_lost) > room;
}

/**
 * catalogue_release() - free what a case has lost
 * @c: the case; it has settled
 *
 * Context: Task. Nothing is lost meanwhile.
 */
void catalogue_release(struct catalogue_case *c)
{
	unsigned int i, kept = 0, nr = min_t(unsigned int, atomic_read(&nr_lost), room);

	for (i = 0; i < nr; i++) {
		if (lost[i].owner == c) {
			lost[i].release((void *)hidden(lost[i].object));
			catalogue_count(c, -(long)lost[i].nr);
		} else {
			lost[kept++] = lost[i];
		}
	}
	memset(lost + kept, 0, (nr - kept) * sizeof(*lost));
	atomic_set(&nr_lost, kept);
}

void catalogue_objects_exit(void)
{
	vfree(lost);
}

/* Returns 0 or -ENOMEM. */
int catalogue_objects_init(void)
{
	lost = vcalloc(room, sizeof(*lost));
	return lost ? 0 : -ENOMEM;
}
