// SPDX-License-Identifier: GPL-2.0
/*
 * The function on which canary.c has its kprobe. It is the only one of kmprof that can be
 * traced: Kbuild compiles this file with the ftrace call at its entry.
 */
#include <linux/compiler.h>

#include "probe/canary.h"

/**
 * kmprof_canary_song() - do nothing, but be seen
 *
 * Context: Any.
 */
noinline void kmprof_canary_song(void)
{
	barrier();
}
