/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Every door through which a slab object goes, for all sources.
 *
 * None of them is a kprobe: a kprobe is skipped when it is hit inside another
 * one's handler, and a free that is not seen turns into a leak that is not
 * there. Tracepoints and ftrace are called on every nesting level. (Where another
 * ftrace user traces the same function, ftrace guards against recursion itself,
 * once per context level: a free inside that user's handler is not seen.)
 */
#ifndef KMPROF_FREE_DOORS_H
#define KMPROF_FREE_DOORS_H

int kmprof_free_doors_attach(void);
void kmprof_free_doors_detach(void);
void kmprof_free_doors_exit(void);

#endif
