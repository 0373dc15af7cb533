// SPDX-License-Identifier: GPL-2.0
/* Arms a table of slow paths. Those that cannot be probed are named in one warning. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bits.h>
#include <linux/bug.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/printk.h>
#include <linux/string.h>

#include "probe/probe.h"
#include "probe/slow_path.h"

static const struct kmprof_slow_path *path_at(const struct kmprof_slow_paths *paths,
					      unsigned int i)
{
	return (const void *)paths->first + i * paths->size;
}

static bool is_same(const struct kmprof_slow_paths *paths, unsigned int a, unsigned int b)
{
	return !strcmp(path_at(paths, a)->what, path_at(paths, b)->what);
}

/* Path @i is not extra, and no path with the same @what is armed. */
static bool is_unseen(const struct kmprof_slow_paths *paths, u64 armed, unsigned int i)
{
	unsigned int k;

	if (path_at(paths, i)->is_extra)
		return false;
	for (k = 0; k < paths->nr; k++)
		if (armed & BIT_ULL(k) && is_same(paths, i, k))
			return false;
	return true;
}

/* Print one line with each @what that is unseen. Returns true if there is any. */
static bool tell_what_lacks(const struct kmprof_slow_paths *paths, u64 armed)
{
	char names[256] = "";
	int length = 0;
	unsigned int i;

	for (i = 0; i < paths->nr; i++)
		if (is_unseen(paths, armed, i) && (!i || !is_same(paths, i, i - 1)))
			length += scnprintf(names + length, sizeof(names) - length, "%s%s",
					    length ? ", " : "", path_at(paths, i)->what);
	if (length)
		pr_warn("%s: this kernel does not show %s: %s\n", paths->wanted, paths->unseen,
			names);
	return length;
}

/**
 * kmprof_slow_paths_arm() - probe every path of a table that this kernel lets us probe
 * @paths: the table
 * @lacks: set to true if a @what of the table cannot be seen, else to false; not changed
 *	on an error other than -ENOENT
 *
 * Context: Process context, under the control lock. Sleeps.
 * Return: 0; -ENOENT when no path can be probed, or another negative errno, with a message
 * in the log. On error the caller disarms the paths that @paths->arm has armed.
 */
int kmprof_slow_paths_arm(const struct kmprof_slow_paths *paths, bool *lacks)
{
	const struct kmprof_slow_path *path;
	u64 armed = 0;
	unsigned int i;
	int err;

	if (WARN_ON_ONCE(paths->nr > BITS_PER_LONG_LONG))
		return -EINVAL;
	for (i = 0; i < paths->nr; i++) {
		path = path_at(paths, i);
		err = path->symbol ? paths->arm(path) : -ENOENT;
		if (!err) {
			armed |= BIT_ULL(i);
		} else if (!kmprof_probe_refused(err)) {
			pr_err("%s: no kprobe on %s: %pe\n", paths->wanted, path->symbol,
			       ERR_PTR(err));
			return err;
		}
	}
	if (armed) {
		WRITE_ONCE(*lacks, tell_what_lacks(paths, armed));
		return 0;
	}
	pr_err("%s: no kprobe shows %s in this kernel (see kprobes/enabled in debugfs)\n",
	       paths->wanted, paths->unseen);
	WRITE_ONCE(*lacks, true);
	return -ENOENT;
}
