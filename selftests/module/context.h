/* SPDX-License-Identifier: GPL-2.0 */
#ifndef CONTEXT_H
#define CONTEXT_H

#include "kmprof_test.h"

int context_run(enum kmprof_test_context context, int cpu, void (*fn)(void *arg), void *arg);

#endif /* CONTEXT_H */
