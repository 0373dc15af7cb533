// SPDX-License-Identifier: GPL-2.0
/* The names of the classes of GFP flags: those of /proc/pagetypeinfo, in small letters. */
#include "mem/gfp_class.h"

const char * const kmprof_gfp_class_names[KMPROF_NR_GFP_CLASSES] = {
	[KMPROF_GFP_UNMOVABLE]		= "unmovable",
	[KMPROF_GFP_MOVABLE]		= "movable",
	[KMPROF_GFP_RECLAIMABLE]	= "reclaimable",
};
