/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A kind of memory of the heap profile: an allocator, with probes of its own, that is switched
 * on and off without disturbing the other kinds.
 */
#ifndef KMPROF_KIND_H
#define KMPROF_KIND_H

#include <linux/build_bug.h>
#include <linux/types.h>
#include <uapi/linux/kmprof.h>

#include "core/stats.h"

struct kmprof_tracepoint;

enum {
	KMPROF_NR_KINDS		= 4,
	KMPROF_NR_HEAP_NAMES	= KMPROF_NR_KINDS + 1,
};

/**
 * struct kmprof_kind - operations of a kind; @attach, @detach and @exit in process context,
 *	control lock held
 * @attach: arm all probes, those on frees first; 0, or a negative errno and none is armed. A
 *	kind of which a free door is missing must fail
 * @detach: disarm all probes, those on frees last; on return none of them runs
 * @exit: free what @detach has left; called once, after the last @detach; may be NULL
 * @lacks: KMPROF_LACKS_* of the last attach, or while attached. Context: Any. NULL: nothing can
 *	lack
 * @missed: number of events that the probes missed since the module was loaded. Context:
 *	Process context. Waits for no attach or detach. NULL: none can be missed
 * @frees: tracepoints whose handlers fire kmprof:free. They are armed only while kmprof:free is
 *	listened to, so that without listeners a free costs nothing more
 * @nr_frees: number of @frees
 */
struct kmprof_kind {
	int (*attach)(void);
	void (*detach)(void);
	void (*exit)(void);
	u64 (*lacks)(void);
	u64 (*missed)(void);
	struct kmprof_tracepoint *frees;
	unsigned int nr_frees;
};

/* The exact totals of percpu and vmalloc. Those of slab are in core/hot.h; page has others. */
enum kmprof_kind_total {
	KMPROF_KIND_CALLS,
	KMPROF_KIND_BYTES,
	KMPROF_KIND_FREES,
	KMPROF_NR_KIND_TOTALS,
};

/**
 * kmprof_kind_counter() - get the counter of a total
 * @kind: KMPROF_KIND_PERCPU or _VMALLOC
 * @total: which total
 *
 * Context: Any.
 * Return: the counter.
 */
static __always_inline enum kmprof_counter kmprof_kind_counter(enum kmprof_kind_id kind,
							       enum kmprof_kind_total total)
{
	return KMPROF_PERCPU_CALLS + (kind - KMPROF_KIND_PERCPU) * KMPROF_NR_KIND_TOTALS + total;
}

static_assert(KMPROF_PERCPU_CALLS + KMPROF_KIND_FREES == KMPROF_PERCPU_FREES);
static_assert(KMPROF_PERCPU_CALLS + KMPROF_NR_KIND_TOTALS == KMPROF_VMALLOC_CALLS);
static_assert(KMPROF_VMALLOC_CALLS + KMPROF_KIND_FREES == KMPROF_VMALLOC_FREES);

/*
 * Names of the kinds, by enum kmprof_kind_id, in settings and texts; and, behind them, the name of
 * KMPROF_HEAP_MOVABLE.
 */
extern const char * const kmprof_kind_names[KMPROF_NR_HEAP_NAMES];

#endif
