/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TEST_VMALLOC_H
#define TEST_VMALLOC_H

#include "kmprof_test.h"

int vmalloc_run(struct kmprof_test_vmalloc *order);
void vmalloc_exit(void);

#endif /* TEST_VMALLOC_H */
