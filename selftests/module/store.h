/* SPDX-License-Identifier: GPL-2.0 */
#ifndef STORE_H
#define STORE_H

#include "kmprof_test.h"

struct store;

struct store *store_create(void);
void store_destroy(struct store *store);
int store_run(struct store *store, struct kmprof_test_op *op);

#endif /* STORE_H */
