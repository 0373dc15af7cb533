// SPDX-License-Identifier: GPL-2.0
#include <linux/kmprof.h>

#include "device/lacks.h"
#include "util/util.h"

const struct kmprof_lack kmprof_lacks[] = {
	{ KMPROF_LACKS_ALLOC, "alloc",
	  "some allocators' entry points; the kernel log has their names" },
	{ KMPROF_LACKS_BULK_ALLOC, "bulk_alloc",
	  "bulk allocations (kmem_cache_alloc_bulk)" },
	{ KMPROF_LACKS_CONTENTION, "contention",
	  "waits for some kind of lock, or all; the kernel log says which" },
	{ KMPROF_LACKS_RELEASE, "release",
	  "the release of some kind of lock; the kernel log has the names" },
	{ KMPROF_LACKS_KPROBES, "kprobes",
	  "what only kprobes see: they are off (debugfs kprobes/enabled)" },
	{ KMPROF_LACKS_BULK_PAGES, "bulk_pages",
	  "pages allocated in bulk (alloc_pages_bulk)" },
};

const unsigned int kmprof_nr_lacks = ARRAY_SIZE(kmprof_lacks);
