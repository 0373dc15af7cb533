/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The allocators' entry points, to be included with DOOR(symbol, rule) defined:
 * in assembly for the thunks, in C for the kprobes, in the same order. The rule
 * is the kprobe's handler in redirect.c. These are the names of v6.1.
 *
 * No include guard: it is a list.
 */
DOOR(__kmalloc, size_arg0)
DOOR(__kmalloc_node, size_arg0)
DOOR(__kmalloc_node_track_caller, size_arg0_site_arg3)
DOOR(kmalloc_trace, size_arg2)
DOOR(kmalloc_node_trace, size_arg3)
DOOR(kmalloc_large, size_arg0)
DOOR(kmalloc_large_node, size_arg0)
DOOR(kmem_cache_alloc, cache_arg0)
DOOR(kmem_cache_alloc_lru, cache_arg0)
DOOR(kmem_cache_alloc_node, cache_arg0)
