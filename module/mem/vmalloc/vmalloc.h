/* SPDX-License-Identifier: GPL-2.0 */
/* The kind vmalloc: memory of vmalloc() and its like. */
#ifndef KMPROF_VMALLOC_H
#define KMPROF_VMALLOC_H

#include "mem/kind.h"

extern const struct kmprof_kind kmprof_vmalloc_kind;

#endif
