/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TEST_PERCPU_H
#define TEST_PERCPU_H

#include "kmprof_test.h"

int percpu_run(struct kmprof_test_percpu *order);
void percpu_exit(void);

#endif /* TEST_PERCPU_H */
