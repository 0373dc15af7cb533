/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The list of the allocators' entry points. Include it with ENTRY_POINT(symbol, rule)
 * defined: in assembly for the thunks, in C for the kprobes, in the same order. The rule is
 * the kprobe's handler in mem/slab/redirect.c.
 *
 * No include guard: it is a list.
 */
#include "compat/compat.h"

#ifdef KMPROF_ALLOC_NOPROF	/* since v6.10; these are the names of v6.12 */

ENTRY_POINT(__kmalloc_noprof, size_arg0)
ENTRY_POINT(__kmalloc_node_noprof, size_arg0)
ENTRY_POINT(__kmalloc_node_track_caller_noprof, KMPROF_TRACK_CALLER_RULE)
ENTRY_POINT(__kmalloc_cache_noprof, size_arg2)
ENTRY_POINT(__kmalloc_cache_node_noprof, size_arg3)
ENTRY_POINT(__kmalloc_large_noprof, size_arg0)
ENTRY_POINT(__kmalloc_large_node_noprof, size_arg0_outermost)
ENTRY_POINT(kmem_cache_alloc_noprof, cache_arg0)
ENTRY_POINT(kmem_cache_alloc_lru_noprof, cache_arg0)
ENTRY_POINT(kmem_cache_alloc_node_noprof, cache_arg0)

#else	/* the names of v6.1 */

ENTRY_POINT(__kmalloc, size_arg0)
ENTRY_POINT(__kmalloc_node, size_arg0)
ENTRY_POINT(__kmalloc_node_track_caller, KMPROF_TRACK_CALLER_RULE)
ENTRY_POINT(kmalloc_trace, size_arg2)
ENTRY_POINT(kmalloc_node_trace, size_arg3)
ENTRY_POINT(kmalloc_large, size_arg0)
ENTRY_POINT(kmalloc_large_node, size_arg0)
ENTRY_POINT(kmem_cache_alloc, cache_arg0)
ENTRY_POINT(kmem_cache_alloc_lru, cache_arg0)
ENTRY_POINT(kmem_cache_alloc_node, cache_arg0)

#endif
