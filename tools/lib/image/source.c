// SPDX-License-Identifier: GPL-2.0
#include <linux/kmprof.h>

#include "image/source.h"

const char *kmprof_wait_source_name(__u32 source)
{
	return kmprof_source_name(source ? source : KMPROF_SOURCE_TRACEPOINT);
}

const char *kmprof_source_name(__u32 source)
{
	switch (source) {
	case KMPROF_SOURCE_KPROBE:
		return "kprobe";
	case KMPROF_SOURCE_TRACEPOINT:
		return "tracepoint";
	default:
		return "unknown";
	}
}
