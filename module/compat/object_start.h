/* SPDX-License-Identifier: GPL-2.0 */
/* The object of kmalloc() or a slab cache that an address is in. */
#ifndef KMPROF_OBJECT_START_H
#define KMPROF_OBJECT_START_H

int kmprof_compat_object_start_init(void);
const void *kmprof_compat_object_start(const void *addr);

#endif
