// SPDX-License-Identifier: GPL-2.0
/* What the kernel does not let us probe is left out, and told in one line. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bits.h>
#include <linux/bug.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/printk.h>
#include <linux/string.h>

#include "probe/lock_doors.h"
#include "probe/probe.h"

static const struct kmprof_lock_door *door_at(const struct kmprof_lock_doors *doors,
					      unsigned int i)
{
	return (const void *)doors->first + i * doors->size;
}

static bool is_same(const struct kmprof_lock_doors *doors, unsigned int a, unsigned int b)
{
	return !strcmp(door_at(doors, a)->what, door_at(doors, b)->what);
}

/* Is none of those open that are for the same, where one has to be? */
static bool is_shut(const struct kmprof_lock_doors *doors, u64 opened, unsigned int i)
{
	unsigned int k;

	if (door_at(doors, i)->is_extra)
		return false;
	for (k = 0; k < doors->nr; k++)
		if (opened & BIT_ULL(k) && is_same(doors, i, k))
			return false;
	return true;
}

/* One line with the names of which no door is open. */
static bool tell_what_lacks(const struct kmprof_lock_doors *doors, u64 opened)
{
	char names[256] = "";
	int length = 0;
	unsigned int i;

	for (i = 0; i < doors->nr; i++)
		if (is_shut(doors, opened, i) && (!i || !is_same(doors, i, i - 1)))
			length += scnprintf(names + length, sizeof(names) - length, "%s%s",
					    length ? ", " : "", door_at(doors, i)->what);
	if (length)
		pr_warn("%s: this kernel does not show %s: %s\n", doors->wanted, doors->unseen,
			names);
	return length;
}

/**
 * kmprof_lock_doors_open() - arm all that can be armed
 * @doors: which
 * @lacks: returns whether something cannot be seen
 *
 * Context: Process context, under the control lock. Sleeps.
 * Return: 0; -ENOENT when nothing can be seen, or another negative errno, with a
 * message in the log; then some may be armed.
 */
int kmprof_lock_doors_open(const struct kmprof_lock_doors *doors, bool *lacks)
{
	const struct kmprof_lock_door *door;
	u64 opened = 0;
	unsigned int i;
	int err;

	if (WARN_ON_ONCE(doors->nr > BITS_PER_LONG_LONG))
		return -EINVAL;
	for (i = 0; i < doors->nr; i++) {
		door = door_at(doors, i);
		err = door->symbol ? doors->arm(door) : -ENOENT;
		if (!err) {
			opened |= BIT_ULL(i);
		} else if (!kmprof_probe_refused(err)) {
			pr_err("%s: no kprobe on %s: %pe\n", doors->wanted, door->symbol,
			       ERR_PTR(err));
			return err;
		}
	}
	if (opened) {
		WRITE_ONCE(*lacks, tell_what_lacks(doors, opened));
		return 0;
	}
	pr_err("%s: no kprobe shows %s in this kernel (see kprobes/enabled in debugfs)\n",
	       doors->wanted, doors->unseen);
	WRITE_ONCE(*lacks, true);
	return -ENOENT;
}
