/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The thunks of redirected allocations, and the bounds of their text.
 *
 * On entry:
 *
 *	%rdi %rsi %rdx %rcx %r8	the allocator's arguments: no allocator has more than five
 *	%rax			size in bytes
 *	%r9			sampling period in bytes, sealed
 *	%r10			call site
 *
 * The call past the allocator's entry is direct: it needs no landing pad and no retpoline.
 */
#include <linux/linkage.h>
#include <asm/percpu.h>

#include "compat/compat.h"

/* Weak: 0 if the kernel has no such function; its thunk is never used then. */
.macro THUNK function
	.weak	\function
SYM_FUNC_START(kmprof_thunk_\function)
	incq	PER_CPU_VAR(kmprof_thunk_arrivals)
	pushq	%rax
	pushq	%r9
	pushq	%r10
	call	\function + KMPROF_ENTRY_SKIP
	popq	%rcx			/* site */
	popq	%rdx			/* period */
	popq	%rsi			/* size */
	movq	%rax, %rdi		/* pointer */
	pushq	%rax
	call	kmprof_redirect_done
	popq	%rax
	RET
SYM_FUNC_END(kmprof_thunk_\function)
.endm

	.text

SYM_CODE_START(kmprof_thunks_begin)
	int3
SYM_CODE_END(kmprof_thunks_begin)

#define ENTRY_POINT(function, rule) THUNK function
#include "compat/entry_points.h"
#undef ENTRY_POINT

	.weak	KMPROF_ALLOC_BULK
/* int kmem_cache_alloc_bulk(cache, gfp, count, void **objects) */
SYM_FUNC_START(kmprof_thunk_bulk)
	incq	PER_CPU_VAR(kmprof_thunk_arrivals)
	pushq	%rcx
	pushq	%rax
	pushq	%r9
	pushq	%r10
	subq	$8, %rsp		/* align */
	call	KMPROF_ALLOC_BULK + KMPROF_ENTRY_SKIP
	addq	$8, %rsp
	popq	%r8			/* site */
	popq	%rcx			/* period */
	popq	%rdx			/* gap and size, packed */
	popq	%rsi			/* objects */
	movl	%eax, %edi		/* count */
	pushq	%rax
	call	kmprof_redirect_bulk_done
	popq	%rax
	RET
SYM_FUNC_END(kmprof_thunk_bulk)

SYM_CODE_START(kmprof_thunks_end)
	int3
SYM_CODE_END(kmprof_thunks_end)

/* struct kmprof_thunk kmprof_thunks[]: of each entry point, the bulk allocator last */
.macro ENTRY function thunk
	.quad	\function
	.quad	\thunk
.endm

	.section .rodata
	.balign 8
SYM_DATA_START(kmprof_thunks)
#define ENTRY_POINT(function, rule) ENTRY function, kmprof_thunk_##function
#include "compat/entry_points.h"
#undef ENTRY_POINT
	ENTRY	KMPROF_ALLOC_BULK, kmprof_thunk_bulk
SYM_DATA_END(kmprof_thunks)
