/* SPDX-License-Identifier: GPL-2.0 */
#ifndef CONTEXT_H
#define CONTEXT_H

#include "kmprof_test.h"

int context_run(enum kmprof_test_context context, int cpu, void (*fn)(void *arg), void *arg);
int context_init(void);
void context_exit(void);

#endif /* CONTEXT_H */
