// SPDX-License-Identifier: GPL-2.0
/* The trace events of memory, away from the code that does without them. */
#include <linux/slab.h>

#include "mem/tell.h"

/* kmprof_tell_alloc(), with listeners. */
void kmprof_tell_listeners_alloc(unsigned long site, const void *ptr, u64 bytes, u32 kind)
{
	trace_alloc(kind, site, ptr, bytes);
}

/* kmprof_tell_free(), with listeners. */
void kmprof_tell_listeners_free(unsigned long site, const void *ptr, u64 objects, u32 kind)
{
	if (!ZERO_OR_NULL_PTR(ptr))
		trace_free(kind, site, ptr, objects);
}
