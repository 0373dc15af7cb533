// SPDX-License-Identifier: GPL-2.0
#include "event/heap_samples.h"

DEFINE_TRACE(kmprof_heap_sampled,
	     TP_PROTO(const void *memory, u32 kind, u64 bytes, u64 weight,
		      const struct kmprof_stack *stack),
	     TP_ARGS(memory, kind, bytes, weight, stack));

DEFINE_TRACE(kmprof_heap_unsampled,
	     TP_PROTO(const void *memory, u32 kind, u64 bytes, u64 weight),
	     TP_ARGS(memory, kind, bytes, weight));
