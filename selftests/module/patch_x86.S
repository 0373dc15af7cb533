/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The new function of the live patch. It goes on behind the ftrace call of the old one: at its
 * entry the live patch would send it here again.
 */
#include <linux/linkage.h>
#include <asm/percpu.h>

#include "compat/compat.h"

#ifdef KMPROF_ALLOC_NOPROF
#define OLD	kmem_cache_alloc_noprof
#else
#define OLD	kmem_cache_alloc
#endif

	.text

SYM_FUNC_START(kmprof_patch_alloc)
	incq	PER_CPU_VAR(kmprof_patch_calls)
	jmp	OLD + KMPROF_ENTRY_SKIP
SYM_FUNC_END(kmprof_patch_alloc)
