/* SPDX-License-Identifier: GPL-2.0 */
/* The slab cache of an object, by its name. */
#ifndef KMPROF_CACHE_NAME_H
#define KMPROF_CACHE_NAME_H

#include <linux/types.h>

u32 kmprof_cache_id(const void *addr);
const char *kmprof_cache_name(u32 id);
u16 kmprof_cache_slot(const void *addr);
const char *kmprof_cache_slot_name(u16 slot);
int kmprof_cache_name_init(void);

#endif
