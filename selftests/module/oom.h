/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMPROF_TEST_OOM_H
#define KMPROF_TEST_OOM_H

#include "kmprof_test.h"

int oom_run(const struct kmprof_test_oom *oom);

#endif
