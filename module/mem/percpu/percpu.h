/* SPDX-License-Identifier: GPL-2.0 */
/* Per-CPU memory, as a kind of memory. */
#ifndef KMPROF_PERCPU_H
#define KMPROF_PERCPU_H

#include "mem/kind.h"

extern const struct kmprof_kind kmprof_percpu_kind;

#endif
