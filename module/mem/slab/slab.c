// SPDX-License-Identifier: GPL-2.0
/*
 * The kind slab: allocations are seen by the source that was chosen when the module was loaded,
 * frees by the free doors. The probes on frees are armed first and disarmed last, so that the
 * free of every sampled object is seen.
 */
#include "mem/heap_source.h"
#include "mem/slab/free_doors.h"
#include "mem/slab/slab.h"

static int attach(void)
{
	int err;

	err = kmprof_free_doors_attach();
	if (err)
		return err;
	err = kmprof_heap_source.chosen->attach();
	if (err)
		kmprof_free_doors_detach();
	return err;
}

static void detach(void)
{
	kmprof_heap_source.chosen->detach();
	kmprof_free_doors_detach();
}

static u64 lacks(void)
{
	return kmprof_heap_source.chosen->lacks();
}

static u64 missed(void)
{
	return kmprof_heap_source.chosen->missed();
}

const struct kmprof_kind kmprof_slab_kind = {
	.attach	= attach,
	.detach	= detach,
	.exit	= kmprof_free_doors_exit,
	.lacks	= lacks,
	.missed	= missed,
	.frees	= kmprof_free_doors_told,
	.nr_frees = KMPROF_NR_FREE_DOORS_TOLD,
};
