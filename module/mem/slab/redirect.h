/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Redirected allocations: how a kprobe on an allocator's entry learns the
 * pointer that the allocator will return, at no cost for calls not sampled.
 *
 * For a sampled call the kprobe's handler points the instruction pointer at a
 * thunk. The thunk calls the allocator's body, behind the entry's ftrace call,
 * so that no probe or tracer sees the call twice; then it passes the result to
 * kmprof and returns to the caller. What the handler decided travels in
 * registers that the allocators' arguments leave free.
 *
 * The allocators are listed in entry_points.h: the thunks are assembled from it, and
 * the kprobes are armed from it.
 */
#ifndef KMPROF_REDIRECT_H
#define KMPROF_REDIRECT_H

#include <linux/types.h>

int kmprof_redirect_attach_bulk(void);
void kmprof_redirect_detach(void);
u64 kmprof_redirect_missed(void);
u64 kmprof_redirect_lacks(void);

#endif
