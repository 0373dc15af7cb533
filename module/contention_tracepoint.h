/* SPDX-License-Identifier: GPL-2.0 */
/* Waits seen by the lock:contention_* tracepoints. */
#ifndef KMPROF_CONTENTION_TRACEPOINT_H
#define KMPROF_CONTENTION_TRACEPOINT_H

#include <linux/types.h>

int kmprof_contention_tracepoint_attach(void);
void kmprof_contention_tracepoint_detach(void);
bool kmprof_contention_tracepoint_lacks(void);

#endif
