/* SPDX-License-Identifier: GPL-2.0 */
/* The kind page: memory of the page allocator. */
#ifndef KMPROF_PAGE_H
#define KMPROF_PAGE_H

#include <linux/types.h>

#include "mem/kind.h"

extern const struct kmprof_kind kmprof_page_kind;

void kmprof_page_see_movable(bool sees);

#endif
