/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Redirected allocations: how a kprobe on an allocator's entry gets the pointer that the
 * allocator will return, at no cost for calls that are not sampled.
 *
 * For a sampled call the kprobe's handler sets the instruction pointer to a thunk. The
 * thunk calls the allocator behind its ftrace call, so that no probe or tracer sees the
 * call twice. Then it passes the result to kmprof and returns to the caller. The handler
 * passes size, period and call site to the thunk in registers that the allocators'
 * arguments do not use.
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
