/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMPROF_TEST_CROWD_H
#define KMPROF_TEST_CROWD_H

#include "kmprof_test.h"

int crowd_run(const struct kmprof_test_crowd *order);

#endif
