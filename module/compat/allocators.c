// SPDX-License-Identifier: GPL-2.0
/*
 * Where the allocators lie, and what tracers put in the place of their return addresses. All
 * of it is looked up once; probes only compare.
 */
#include <linux/kernel.h>
#include <linux/stacktrace.h>
#include <linux/string.h>
#include <linux/stringify.h>
#include <linux/uaccess.h>

#include "compat/allocators.h"
#include "compat/compat.h"
#include "compat/vmalloc.h"

#define ENTRY_POINT(function, rule) NTH_##function,
enum {
#include "compat/entry_points.h"
	NTH_BULK,
	NR_ALLOCATORS,
};
#undef ENTRY_POINT

/* Weak: NULL if the kernel has no such function. */
#define ENTRY_POINT(function, rule)					\
	extern const char at_##function[] __asm__(#function) __weak;
#include "compat/entry_points.h"
#undef ENTRY_POINT

extern const char at_bulk[] __asm__(__stringify(KMPROF_ALLOC_BULK)) __weak;

static struct kmprof_extent allocators[NR_ALLOCATORS] __read_mostly;

/* Functions of the per-CPU allocator. Where there is one, the others call it. */
static const char * const percpu_names[] = {
#ifdef KMPROF_ALLOC_NOPROF
	"pcpu_alloc_noprof",
#else
	"pcpu_alloc", "__alloc_percpu", "__alloc_percpu_gfp", "__alloc_reserved_percpu",
#endif
};

/* Functions of vmalloc, and of kvmalloc(), which calls it. The first one is that of all areas. */
static const char * const vmalloc_names[] = {
	KMPROF_COMPAT_VMALLOC_RANGE,
#ifdef KMPROF_ALLOC_NOPROF
	"__vmalloc_node_noprof", "__vmalloc_noprof", "vmalloc_noprof", "vmalloc_huge_noprof",
	"vzalloc_noprof", "vmalloc_user_noprof", "vmalloc_node_noprof", "vzalloc_node_noprof",
	"vmalloc_32_noprof", "vmalloc_32_user_noprof", "vrealloc_noprof",
	"__vmalloc_array_noprof", "vmalloc_array_noprof", "__vcalloc_noprof", "vcalloc_noprof",
	"kvmalloc_node_noprof", "__kvmalloc_node_noprof", "kvrealloc_noprof",
#else
	"__vmalloc_node", "__vmalloc", "vmalloc", "vmalloc_huge", "vzalloc", "vmalloc_user",
	"vmalloc_node", "vzalloc_node", "vmalloc_32", "vmalloc_32_user", "kvmalloc_node",
	"kvrealloc", "__vmalloc_array", "vmalloc_array", "__vcalloc", "vcalloc",
#endif
};

/* Functions of the page allocator. The first one is that in which the event of all fires. */
static const char * const page_names[] = {
#ifdef KMPROF_ALLOC_NOPROF
	"__alloc_pages_noprof", "alloc_pages_noprof", "alloc_pages_mpol_noprof",
	"__folio_alloc_noprof", "folio_alloc_noprof", "folio_alloc_mpol_noprof",
	"vma_alloc_folio_noprof", "get_free_pages_noprof", "get_zeroed_page_noprof",
	"alloc_pages_exact_noprof", "alloc_pages_exact_nid_noprof", "alloc_pages_preferred_many",
	"alloc_pages_bulk_noprof", "alloc_pages_bulk_array_mempolicy_noprof",
	"alloc_pages_bulk_array_interleave", "alloc_pages_bulk_array_weighted_interleave",
	"alloc_pages_bulk_array_preferred_many",
#else
	"__alloc_pages", "alloc_pages", "alloc_page_interleave", "alloc_pages_preferred_many",
	"__folio_alloc", "folio_alloc", "vma_alloc_folio", "__get_free_pages", "get_zeroed_page",
	"alloc_pages_exact", "alloc_pages_exact_nid", "__alloc_pages_bulk",
	"alloc_pages_bulk_array_mempolicy", "alloc_pages_bulk_array_interleave",
	"alloc_pages_bulk_array_preferred_many",
#endif
};

static struct kmprof_extent percpu[ARRAY_SIZE(percpu_names)] __read_mostly;
static struct kmprof_extent vmalloc_functions[ARRAY_SIZE(vmalloc_names)] __read_mostly;
static struct kmprof_extent page_functions[ARRAY_SIZE(page_names)] __read_mostly;

/**
 * struct functions - the functions of an allocator whose kind has to be on for them to be known
 * @names: their names
 * @nr_names: number of @names
 * @extents: where they lie
 * @nr: functions that are known. Written once, when all are
 */
struct functions {
	const char * const *names;
	unsigned int nr_names;
	struct kmprof_extent *extents;
	unsigned int nr;
};

static struct functions late[] = {
	[KMPROF_ALLOCATOR_PERCPU]	= {
		.names		= percpu_names,
		.nr_names	= ARRAY_SIZE(percpu_names),
		.extents	= percpu,
	},
	[KMPROF_ALLOCATOR_VMALLOC]	= {
		.names		= vmalloc_names,
		.nr_names	= ARRAY_SIZE(vmalloc_names),
		.extents	= vmalloc_functions,
	},
	[KMPROF_ALLOCATOR_PAGE]		= {
		.names		= page_names,
		.nr_names	= ARRAY_SIZE(page_names),
		.extents	= page_functions,
	},
};

static unsigned int known(enum kmprof_allocator allocator)
{
	/* Pairs with the release in kmprof_allocators_look_up(). */
	return smp_load_acquire(&late[allocator].nr);
}

/**
 * kmprof_allocators_have() - does a frame belong to an allocator?
 * @allocator: the allocator, of those that kmprof_allocators_look_up() takes
 * @addr: return address
 *
 * Context: Any.
 * Return: true if so.
 */
bool kmprof_allocators_have(enum kmprof_allocator allocator, unsigned long addr)
{
	return kmprof_extents_have(late[allocator].extents, known(allocator), addr);
}

/**
 * kmprof_allocators_find() - find the allocator that a frame belongs to
 * @addr: return address
 *
 * Context: Any.
 * Return: the allocator.
 */
enum kmprof_allocator kmprof_allocators_find(unsigned long addr)
{
	enum kmprof_allocator allocator;

	if (kmprof_extents_have(allocators, NR_ALLOCATORS, addr))
		return KMPROF_ALLOCATOR_SLAB;
	for (allocator = KMPROF_ALLOCATOR_PERCPU; allocator < ARRAY_SIZE(late); allocator++)
		if (kmprof_allocators_have(allocator, addr))
			return allocator;
	return KMPROF_ALLOCATOR_NONE;
}

static bool is_entry_of(const struct kmprof_extent *functions, unsigned int nr, unsigned long addr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (addr == functions[i].begin + KMPROF_ENTRY_SKIP)
			return true;
	return false;
}

/* Is it where the ftrace call at an allocator's entry returns to? */
static bool is_entry(unsigned long addr)
{
	enum kmprof_allocator allocator;

	if (is_entry_of(allocators, NR_ALLOCATORS, addr))
		return true;
	for (allocator = KMPROF_ALLOCATOR_PERCPU; allocator < ARRAY_SIZE(late); allocator++)
		if (is_entry_of(late[allocator].extents, known(allocator), addr))
			return true;
	return false;
}

/* Is the call before @addr one of an allocator, past the ftrace call at its entry? */
static bool calls_past_entry(const u8 code[5], unsigned long addr)
{
	s32 distance;

	if (code[0] != 0xe8)	/* call */
		return false;
	memcpy(&distance, code + 1, sizeof(distance));
	return is_entry(addr + distance);
}

/**
 * kmprof_allocators_bpf_call() - has a BPF trampoline called an allocator?
 * @addr: return address
 *
 * The trampoline of a program that runs when a function returns calls the function past its
 * entry; or, if a kprobe can redirect the function, it calls its own return address. No
 * compiler makes such calls. See arch_prepare_bpf_trampoline().
 *
 * Context: Any. Takes no locks.
 * Return: true if so.
 */
bool kmprof_allocators_bpf_call(unsigned long addr)
{
	static const u8 own_return[][6] = {
		{ 0x48, 0x8b, 0x45, 0x08, 0xff, 0xd0 },	/* mov 8(%rbp),%rax; call *%rax */
		{ 0x48, 0x8b, 0x5d, 0x08, 0xff, 0xd3 },	/* mov 8(%rbp),%rbx; call *%rbx */
	};
	u8 code[sizeof(own_return[0])];

	if (copy_from_kernel_nofault(code, (void *)(addr - sizeof(code)), sizeof(code)))
		return false;
	return !memcmp(code, own_return[0], sizeof(code)) ||
	       !memcmp(code, own_return[1], sizeof(code)) ||
	       calls_past_entry(code + sizeof(code) - 5, addr);
}

/**
 * kmprof_allocators_is_tracer() - has a tracer put a frame between an allocator and its caller?
 * @addr: return address, behind that of the allocator
 *
 * A BPF trampoline is called by the ftrace call at the allocator's entry, and calls the
 * allocator: its frame, and that of the entry, lie in between.
 *
 * Context: Any. Takes no locks.
 * Return: true if so.
 */
bool kmprof_allocators_is_tracer(unsigned long addr)
{
	return kmprof_allocators_is_replaced(addr) || is_entry(addr);
}

/**
 * kmprof_allocators_skip() - skip what a tracer has put between an allocator and its caller
 * @frames: return addresses, leaf first
 * @i: index of the frame behind that of the allocator
 * @nr: number of frames
 *
 * Context: Any. Takes no locks.
 * Return: index of the caller's frame; @nr if it is not there.
 */
unsigned int kmprof_allocators_skip(const unsigned long *frames, unsigned int i,
				    unsigned int nr)
{
	while (i < nr && kmprof_allocators_is_tracer(frames[i]))
		i++;
	return i;
}

#ifdef KMPROF_ALLOC_NOPROF
struct kmprof_extent kmprof_allocators_kmalloc[KMPROF_ALLOCATORS_NR_KMALLOC] __read_mostly;

/**
 * kmprof_allocators_below_kmalloc() - has a kmalloc function called the large kmalloc?
 *
 * Looks at the frames of the stack. The kernel's unwinder knows the return addresses that
 * tracers have replaced.
 *
 * Context: Any but NMI. In a probe on the large kmalloc, or in its tracepoint.
 * Return: true if so.
 */
noinline bool kmprof_allocators_below_kmalloc(void)
{
	const struct kmprof_extent *large = &allocators[NTH___kmalloc_large_node_noprof];
	/* Frames of kmprof, of the probe, and of the tracer come first. */
	unsigned long frames[24];
	unsigned int i, nr;

	nr = stack_trace_save(frames, ARRAY_SIZE(frames), 0);
	for (i = 0; i < nr && !kmprof_extent_has(large, frames[i]); i++)
		;
	i = kmprof_allocators_skip(frames, i + 1, nr);
	return i < nr && kmprof_extents_have(kmprof_allocators_kmalloc,
					     KMPROF_ALLOCATORS_NR_KMALLOC, frames[i]);
}

static void find_kmalloc(void)
{
	kmprof_allocators_kmalloc[0] = allocators[NTH___kmalloc_noprof];
	kmprof_allocators_kmalloc[1] = allocators[NTH___kmalloc_node_noprof];
	kmprof_allocators_kmalloc[2] = allocators[NTH___kmalloc_node_track_caller_noprof];
}
#else
static void find_kmalloc(void)
{
}
#endif

/**
 * kmprof_allocators_init() - look up where the allocators lie
 *
 * Context: Process context, before any probe is armed. May sleep.
 */
void kmprof_allocators_init(void)
{
#define ENTRY_POINT(function, rule) (unsigned long)at_##function,
	const unsigned long entries[NR_ALLOCATORS] = {
#include "compat/entry_points.h"
		(unsigned long)at_bulk,
	};
#undef ENTRY_POINT
	unsigned int i;

	for (i = 0; i < NR_ALLOCATORS; i++) {
		if (!entries[i])
			continue;
		allocators[i].begin = entries[i];
		allocators[i].end = entries[i] + kmprof_compat_symbol_size(entries[i]);
	}
	find_kmalloc();
}

/**
 * kmprof_allocators_look_up() - look up where the functions of an allocator lie
 * @allocator: KMPROF_ALLOCATOR_PERCPU, _VMALLOC or _PAGE
 *
 * Not part of kmprof_allocators_init(), because each function takes a grace period and only the
 * kind of memory needs them. Does nothing when called again.
 *
 * Context: Process context, control lock held, before this kind of memory is probed. Other probes
 * may run. May sleep.
 */
void kmprof_allocators_look_up(enum kmprof_allocator allocator)
{
	struct functions *f = &late[allocator];
	unsigned int i;

	if (f->nr)
		return;
	for (i = 0; i < f->nr_names; i++)
		kmprof_compat_look_up(&f->extents[i], f->names[i]);
	/* Pairs with the acquire in known(): the functions are seen as they are now. */
	smp_store_release(&f->nr, f->nr_names);
}

/**
 * kmprof_allocators_vmalloc_maps() - does vmalloc map the pages of an object?
 * @addr: return address of a call of KMPROF_COMPAT_VMALLOC_MAP
 *
 * That function maps the pages of per-CPU chunks, too.
 *
 * Context: Any. After kmprof_allocators_look_up(KMPROF_ALLOCATOR_VMALLOC).
 * Return: true if so.
 */
bool kmprof_allocators_vmalloc_maps(unsigned long addr)
{
	return kmprof_extent_has(&vmalloc_functions[0], addr);
}
