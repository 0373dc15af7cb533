/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMPROF_TEST_DIE_H
#define KMPROF_TEST_DIE_H

#include "kmprof_test.h"

int die_run(struct kmprof_test_death *death);

#endif
