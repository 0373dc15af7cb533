/* SPDX-License-Identifier: GPL-2.0 */
/* The slab cache of an object: its name, and whether it can shrink. */
#ifndef KMPROF_CACHE_NAME_H
#define KMPROF_CACHE_NAME_H

#include <linux/types.h>

u32 kmprof_cache_id(const void *addr);
const char *kmprof_cache_name(u32 id);
u16 kmprof_cache_slot(const void *addr);
const char *kmprof_cache_slot_name(u16 slot);
bool kmprof_cache_slot_is_reclaimable(u16 slot);
bool kmprof_cache_is_reclaimable(const void *addr);
bool kmprof_cache_is_called(const void *addr, const char *name);
int kmprof_cache_name_init(void);

#endif
