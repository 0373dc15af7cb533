// SPDX-License-Identifier: GPL-2.0
/* The names of the kinds of memory, and of what else the setting heap has a bit for. */
#include <linux/bits.h>
#include <linux/build_bug.h>

#include "mem/kind.h"

static_assert(BIT(KMPROF_NR_KINDS) - 1 == KMPROF_HEAP_KINDS);

static_assert(BIT(KMPROF_NR_KINDS) == KMPROF_HEAP_MOVABLE);

const char * const kmprof_kind_names[KMPROF_NR_HEAP_NAMES] = {
	[KMPROF_KIND_SLAB]	= "slab",
	[KMPROF_KIND_PERCPU]	= "percpu",
	[KMPROF_KIND_VMALLOC]	= "vmalloc",
	[KMPROF_KIND_PAGE]	= "page",
	[KMPROF_NR_KINDS]	= "movable",
};
