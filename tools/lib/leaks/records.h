/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's records of other memory: vectors of slabs, kmemleak's objects, page tables of
 * vmalloc. They are allocated on the stack of whoever needs them first, and stay as long as what
 * they are about, often longer. So a stack that frees all that it allocates grows by records where
 * others leak. Such growth is no leak of that stack.
 */
#ifndef KMPROF_LEAKS_RECORDS_H
#define KMPROF_LEAKS_RECORDS_H

#include "leaks/findings.h"
#include "symbols/resolver.h"

/**
 * kmprof_records_set_aside() - take records out of the leaks and out of what grows
 * @findings: of which some become KMPROF_VERDICT_RECORD
 * @resolver: names of their frames
 */
void kmprof_records_set_aside(struct kmprof_findings *findings,
			      const struct kmprof_resolver *resolver);

#endif
