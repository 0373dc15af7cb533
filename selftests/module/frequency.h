/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMPROF_TEST_FREQUENCY_H
#define KMPROF_TEST_FREQUENCY_H

#include "kmprof_test.h"

int frequency_run(const struct kmprof_test_frequency *order);

#endif
