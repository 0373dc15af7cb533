/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The thunks of redirected allocations, and the bounds of their text.
 *
 * On entry:
 *
 *	%rdi %rsi %rdx %rcx %r8	the allocator's arguments; no slab allocator has more than five
 *	(%rsp)			the allocator's return address
 *	%r9			slab: sampling period in bytes, sealed; page: an argument
 *	%rax			bulk slab only: gap in bytes
 *
 * A BPF trampoline on the same function destroys %rax and %r9. So a thunk takes what it can
 * from the arguments and the return address, and its caller can do without the rest.
 *
 * The call past the allocator's entry is direct: it needs no landing pad and no retpoline.
 */
#include <linux/linkage.h>
#include <asm/percpu.h>
#include <asm/unwind_hints.h>

#include "compat/compat.h"
#include "mem/redirect/thunks.h"

/* By the rule of an entry point: the argument that has the size, or the cache. */
#define ARG_size_arg0			%rdi
#define ARG_size_arg0_outermost		%rdi
#define ARG_size_arg0_site_arg3		%rdi
#define ARG_size_arg0_site_arg4		%rdi
#define ARG_size_arg2			%rdx
#define ARG_size_arg3			%rcx
#define ARG_cache_arg0			%rdi

/* Where the call site is. */
#define SITE_size_arg0			(%rsp)
#define SITE_size_arg0_outermost	(%rsp)
#define SITE_size_arg0_site_arg3	%rcx
#define SITE_size_arg0_site_arg4	%r8
#define SITE_size_arg2			(%rsp)
#define SITE_size_arg3			(%rsp)
#define SITE_cache_arg0			(%rsp)

/* Whom to tell the result. */
#define DONE_size_arg0			kmprof_redirect_done
#define DONE_size_arg0_outermost	kmprof_redirect_done
#define DONE_size_arg0_site_arg3	kmprof_redirect_done
#define DONE_size_arg0_site_arg4	kmprof_redirect_done
#define DONE_size_arg2			kmprof_redirect_done
#define DONE_size_arg3			kmprof_redirect_done
#define DONE_cache_arg0			kmprof_redirect_cache_done

/*
 * A BPF trampoline that calls a thunk has the thunk's own address as its return address. The
 * unwinder takes it for the address behind a call, and looks up the byte before: there it has to
 * find what holds at the thunk's entry.
 */
.macro PAD
	.balign	16
	UNWIND_HINT_FUNC
	.fill	16, 1, 0x90
.endm

/* Weak: 0 if the kernel has no such function; its thunk is never used then. */
.macro THUNK function arg:req site:req done:req
	.weak	\function
	PAD
SYM_FUNC_START(kmprof_thunk_\function)
	incq	PER_CPU_VAR(kmprof_slab_calls)
	pushq	\site
	pushq	\arg
	pushq	%r9
	call	\function + KMPROF_ENTRY_SKIP
	popq	%rdx			/* period */
	popq	%rsi			/* size, or cache */
	popq	%rcx			/* site */
	movq	%rax, %rdi		/* pointer */
	pushq	%rax
	call	\done
	popq	%rax
	RET
SYM_FUNC_END(kmprof_thunk_\function)
.endm

	.text

SYM_CODE_START(kmprof_thunks_begin)
	int3
SYM_CODE_END(kmprof_thunks_begin)

#define ENTRY_POINT(function, rule) ENTRY_POINT_BY(function, rule)
#define ENTRY_POINT_BY(function, rule) THUNK function, ARG_##rule, SITE_##rule, DONE_##rule
#include "compat/entry_points.h"
#undef ENTRY_POINT

	.weak	KMPROF_ALLOC_BULK
	PAD
/* int kmem_cache_alloc_bulk(cache, gfp, count, void **objects) */
SYM_FUNC_START(kmprof_thunk_bulk)
	incq	PER_CPU_VAR(kmprof_slab_calls)
	leaq	-1(%rdx), %r10
	addq	%r10, PER_CPU_VAR(kmprof_thunk_more)
	pushq	(%rsp)
	pushq	%rcx
	pushq	%rdx
	pushq	%rdi
	pushq	%r9
	pushq	%rax
	call	KMPROF_ALLOC_BULK + KMPROF_ENTRY_SKIP
	movl	%eax, %edi
	movq	%rsp, %rsi		/* struct kmprof_bulk_call */
	pushq	%rax
	call	kmprof_redirect_bulk_done
	popq	%rax
	addq	$48, %rsp
	RET
SYM_FUNC_END(kmprof_thunk_bulk)

	.weak	KMPROF_ALLOC_PAGES_BULK
	PAD
/* unsigned long alloc_pages_bulk(gfp, node, nodes, nr, list, array): nothing is carried */
SYM_FUNC_START(kmprof_thunk_bulk_pages)
	incq	PER_CPU_VAR(kmprof_page_calls)
	pushq	%r9
	pushq	%r8
	pushq	%rcx
	pushq	%rdx
	pushq	%rsi
	pushq	%rdi
	subq	$KMPROF_BULK_PAGES_NOTES, %rsp
	movq	%rsp, %rdi		/* struct kmprof_bulk_pages_call */
	call	kmprof_bulk_pages_begin
	movq	(KMPROF_BULK_PAGES_NOTES + 0)(%rsp), %rdi
	movq	(KMPROF_BULK_PAGES_NOTES + 8)(%rsp), %rsi
	movq	(KMPROF_BULK_PAGES_NOTES + 16)(%rsp), %rdx
	movq	(KMPROF_BULK_PAGES_NOTES + 24)(%rsp), %rcx
	movq	(KMPROF_BULK_PAGES_NOTES + 32)(%rsp), %r8
	movq	(KMPROF_BULK_PAGES_NOTES + 40)(%rsp), %r9
	call	KMPROF_ALLOC_PAGES_BULK + KMPROF_ENTRY_SKIP
	movq	%rax, %rdi
	movq	%rsp, %rsi
	call	kmprof_bulk_pages_done
	addq	$(KMPROF_BULK_PAGES_NOTES + 48), %rsp
	RET
SYM_FUNC_END(kmprof_thunk_bulk_pages)

SYM_CODE_START(kmprof_thunks_end)
	int3
SYM_CODE_END(kmprof_thunks_end)

/* struct kmprof_thunk kmprof_slab_thunks[]: of each entry point, the bulk allocator last */
.macro ENTRY function thunk
	.quad	\function
	.quad	\thunk
.endm

	.section .rodata
	.balign 8
SYM_DATA_START(kmprof_slab_thunks)
#define ENTRY_POINT(function, rule) ENTRY function, kmprof_thunk_##function
#include "compat/entry_points.h"
#undef ENTRY_POINT
	ENTRY	KMPROF_ALLOC_BULK, kmprof_thunk_bulk
SYM_DATA_END(kmprof_slab_thunks)

SYM_DATA_START(kmprof_page_thunk)
	ENTRY	KMPROF_ALLOC_PAGES_BULK, kmprof_thunk_bulk_pages
SYM_DATA_END(kmprof_page_thunk)
