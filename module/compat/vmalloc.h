/* SPDX-License-Identifier: GPL-2.0 */
/* Through which functions all memory of vmalloc comes and goes. */
#ifndef KMPROF_COMPAT_VMALLOC_H
#define KMPROF_COMPAT_VMALLOC_H

#include "compat/compat.h"

/* Every vmalloc function calls this one, once for each area that it tries to fill. */
#ifdef KMPROF_ALLOC_NOPROF
#define KMPROF_COMPAT_VMALLOC_RANGE	"__vmalloc_node_range_noprof"
#else
#define KMPROF_COMPAT_VMALLOC_RANGE	"__vmalloc_node_range"
#endif

/*
 * int KMPROF_COMPAT_VMALLOC_MAP(unsigned long addr, unsigned long end, ...)
 * Called by KMPROF_COMPAT_VMALLOC_RANGE when the pages are there. Also called for per-CPU chunks.
 */
#define KMPROF_COMPAT_VMALLOC_MAP	"__vmap_pages_range_noflush"

/*
 * struct vm_struct *KMPROF_COMPAT_VMALLOC_REMOVE(const void *addr)
 * Called for each area that is freed, also for those of vmap(), ioremap() and per-CPU chunks.
 */
#define KMPROF_COMPAT_VMALLOC_REMOVE	"remove_vm_area"

#endif
