/* SPDX-License-Identifier: GPL-2.0 */
/* kmprof's walks up the stack against the kernel's. */
#ifndef KMPROF_TEST_WALKS_H
#define KMPROF_TEST_WALKS_H

#include "kmprof_test.h"

int walks_run(struct kmprof_test_walks *walks);
int walks_rule(struct kmprof_test_rule *request);
void walks_exit(void);

#endif
