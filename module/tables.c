// SPDX-License-Identifier: GPL-2.0
/*
 * Allocates all tables that probes write to, in one order, and frees them in reverse; the
 * list of profiles, which has their quotas, comes first. Used by main.c and by the rig of the
 * KUnit suites.
 */
#include <linux/kernel.h>

#include "core/bucket.h"
#include "core/guard.h"
#include "core/limits.h"
#include "core/profile.h"
#include "core/ring.h"
#include "lock/contended.h"
#include "lock/inflight.h"
#include "mem/live.h"
#include "mem/owners.h"
#include "mem/queued.h"
#include "object/object.h"
#include "tables.h"

static int contended_init(void)
{
	return kmprof_contended_init(kmprof_limits.max_waits);
}

/* The table of objects is allocated when the first profile needs it. */
static int nothing_init(void)
{
	return 0;
}

static const struct {
	int (*init)(void);
	void (*exit)(void);
} tables[] = {
	{ kmprof_profiles_init,	kmprof_profiles_exit },
	{ kmprof_guard_init,	kmprof_guard_exit },
	{ kmprof_ring_init,	kmprof_ring_exit },
	{ kmprof_bucket_init,	kmprof_bucket_exit },
	{ kmprof_live_init,	kmprof_live_exit },
	{ kmprof_queued_init,	kmprof_queued_exit },
	{ kmprof_owners_init,	kmprof_owners_exit },
	{ kmprof_inflight_init,	kmprof_inflight_exit },
	{ contended_init,	kmprof_contended_exit },
	{ nothing_init,		kmprof_object_exit },
};

static void exit_from(unsigned int nr)
{
	while (nr--)
		tables[nr].exit();
}

/**
 * kmprof_tables_init() - allocate all tables, with sizes from kmprof_limits
 *
 * Context: Process context, before any probe is armed. Sleeps.
 * Return: 0, or a negative errno with nothing allocated.
 */
int kmprof_tables_init(void)
{
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(tables); i++) {
		err = tables[i].init();
		if (err) {
			exit_from(i);
			return err;
		}
	}
	return 0;
}

/**
 * kmprof_tables_exit() - free all tables
 *
 * Context: Process context, a grace period after the last probe has run.
 */
void kmprof_tables_exit(void)
{
	exit_from(ARRAY_SIZE(tables));
}
