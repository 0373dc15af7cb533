// SPDX-License-Identifier: GPL-2.0
/* Allocations seen by kprobes on the allocators' entry points. */
#include "mem/slab/redirect.h"
#include "core/source.h"
#include <uapi/linux/kmprof.h>

const struct kmprof_source kmprof_source_kprobe = {
	.name	= "kprobe",
	.id	= KMPROF_SOURCE_KPROBE,
	.attach	= kmprof_redirect_attach_all,
	.detach	= kmprof_redirect_detach,
	.lacks	= kmprof_redirect_lacks,
	.missed	= kmprof_redirect_missed,
};
