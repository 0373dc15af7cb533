/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Slab allocations by kprobes that redirect them: see mem/redirect/entry_point.h. The handler
 * passes size, period and call site to the thunk in registers that the allocators' arguments do
 * not use.
 *
 * compat/entry_points.h lists the allocators: the thunks are assembled and the kprobes
 * armed from that list.
 */
#ifndef KMPROF_REDIRECT_H
#define KMPROF_REDIRECT_H

#include <linux/types.h>

int kmprof_redirect_attach_bulk(void);
void kmprof_redirect_detach(void);
u64 kmprof_redirect_missed(void);
u64 kmprof_redirect_lacks(void);

#endif
