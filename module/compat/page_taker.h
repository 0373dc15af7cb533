/* SPDX-License-Identifier: GPL-2.0 */
/* The allocators that take pages and cut their own objects from them. */
#ifndef KMPROF_COMPAT_PAGE_TAKER_H
#define KMPROF_COMPAT_PAGE_TAKER_H

#include <linux/types.h>

#include "compat/compat.h"

/* The function in which events of allocations fire. */
#ifdef KMPROF_ALLOC_NOPROF
#define KMPROF_COMPAT_ALLOC_PAGES	((unsigned long)__alloc_pages_noprof)
#else
#define KMPROF_COMPAT_ALLOC_PAGES	((unsigned long)__alloc_pages)
#endif

bool kmprof_page_taker_has(unsigned long addr);
void kmprof_page_taker_look_up(void);

#endif
