// SPDX-License-Identifier: GPL-2.0
/*
 * The source of waits that uses the tracepoints lock:contention_begin and
 * lock:contention_end (v5.19), which fire in the slow paths of all kinds of locks. They miss
 * some spinning, see contention_kprobe.c. They are not exported, so they are looked up by
 * name.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/printk.h>
#include <linux/tracepoint.h>
#include <uapi/linux/kmprof.h>

#include "compat/contention.h"
#include "lock/contention.h"
#include "lock/source.h"
#include "probe/tracepoint.h"

static bool lacking;

/* Tracepoint handlers run with preemption off. */
static void on_begin(void *data, void *lock, unsigned int flags)
{
	kmprof_contention_begin(lock, kmprof_compat_lock_kind(flags),
				kmprof_compat_wait_flags(flags));
}

static void on_end(void *data, void *lock, int ret)
{
	kmprof_contention_end(lock, ret ? KMPROF_WAIT_FAILED : 0, NULL);
}

/* While begins are seen, ends are seen, too. */
static struct kmprof_tracepoint points[] = {
	{ "contention_end", on_end },
	{ "contention_begin", on_begin },
};

/* Sleeps. Returns -ENOENT if this kernel does not have the tracepoints. */
static int attach(void)
{
	int err = kmprof_tracepoints_arm(points, ARRAY_SIZE(points));

	WRITE_ONCE(lacking, err);
	if (err)
		pr_err("waits cannot be seen: %pe\n", ERR_PTR(err));
	return err;
}

static void detach(void)
{
	kmprof_tracepoints_disarm(points, ARRAY_SIZE(points));
}

static u64 lacks(void)
{
	return READ_ONCE(lacking) ? KMPROF_LACKS_CONTENTION : 0;
}

/* A tracepoint calls its handler each time. */
static u64 missed(void)
{
	return 0;
}

const struct kmprof_source kmprof_contention_tracepoint = {
	.name	= "tracepoint",
	.id	= KMPROF_SOURCE_TRACEPOINT,
	.attach	= attach,
	.detach	= detach,
	.lacks	= lacks,
	.missed	= missed,
};
