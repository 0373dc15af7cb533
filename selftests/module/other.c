// SPDX-License-Identifier: GPL-2.0
/* kmprof_other: the same as kmprof_brief. */
#include "brief.c"
