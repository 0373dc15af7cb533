/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who has called an allocator, also where a tracer has put an address of its own in the place
 * of the return address.
 */
#ifndef KMPROF_ALLOCATORS_H
#define KMPROF_ALLOCATORS_H

#include "compat/allocator_id.h"
#include "compat/compat.h"

bool kmprof_allocators_bpf_call(unsigned long addr);
enum kmprof_allocator kmprof_allocators_find(unsigned long addr);
bool kmprof_allocators_have(enum kmprof_allocator allocator, unsigned long addr);
bool kmprof_allocators_is_tracer(unsigned long addr);
bool kmprof_allocators_vmalloc_maps(unsigned long addr);
unsigned int kmprof_allocators_skip(const unsigned long *frames, unsigned int i,
				    unsigned int nr);

/**
 * kmprof_allocators_is_replaced() - has a tracer put a return address there?
 * @addr: return address of an allocator
 *
 * function_graph and return probes replace it by the address of a trampoline of the kernel.
 * If a BPF program runs when the function returns, generated code has called the function.
 *
 * Context: Any. Takes no locks.
 * Return: true if the allocator's caller is another one.
 */
static inline bool kmprof_allocators_is_replaced(unsigned long addr)
{
	/* Generated code is where modules are. */
	return addr >= MODULES_VADDR ? kmprof_allocators_bpf_call(addr) :
				       kmprof_compat_is_trampoline(addr);
}

#ifdef KMPROF_ALLOC_NOPROF
enum {
	KMPROF_ALLOCATORS_NR_KMALLOC = 3,
};

extern struct kmprof_extent kmprof_allocators_kmalloc[KMPROF_ALLOCATORS_NR_KMALLOC];

bool kmprof_allocators_below_kmalloc(void);
#endif

/**
 * kmprof_allocators_is_inner() - does one of the kmalloc functions call the large kmalloc?
 * @site: return address of the call of the large kmalloc
 *
 * The kmalloc functions of v6.12 pass sizes above KMALLOC_MAX_CACHE_SIZE to
 * __kmalloc_large_node(), which is an entry point and has a tracepoint as well. Such an
 * allocation is counted in the outer function: its kprobe hits before, its tracepoint after
 * the inner one.
 *
 * Context: Any but NMI. In a probe on the large kmalloc, or in its tracepoint.
 * Return: true when the call must not be counted.
 */
static inline bool kmprof_allocators_is_inner(unsigned long site)
{
#ifdef KMPROF_ALLOC_NOPROF
	if (kmprof_extents_have(kmprof_allocators_kmalloc, KMPROF_ALLOCATORS_NR_KMALLOC, site))
		return true;
	return unlikely(kmprof_allocators_is_replaced(site)) &&
	       kmprof_allocators_below_kmalloc();
#else
	return false;
#endif
}

void kmprof_allocators_init(void);
void kmprof_allocators_look_up(enum kmprof_allocator allocator);

#endif
