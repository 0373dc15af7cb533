/* SPDX-License-Identifier: GPL-2.0 */
/* Sees the pages that alloc_pages_bulk() hands out without an event. */
#ifndef KMPROF_BULK_H
#define KMPROF_BULK_H

#include <linux/types.h>

int kmprof_bulk_pages_attach(void);
void kmprof_bulk_pages_detach(void);
u64 kmprof_bulk_pages_lacks(void);
u64 kmprof_bulk_pages_missed(void);

#endif
