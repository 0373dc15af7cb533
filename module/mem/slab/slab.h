/* SPDX-License-Identifier: GPL-2.0 */
/* Objects of slabs, as a kind of memory. */
#ifndef KMPROF_SLAB_H
#define KMPROF_SLAB_H

#include "mem/kind.h"

extern const struct kmprof_kind kmprof_slab_kind;

#endif
