/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Orders to the test module. Functions return 0 or a negative errno; a failure
 * is explained on stderr.
 */
#ifndef ORDER_H
#define ORDER_H

#include "module/kmprof_test.h"

int order_open(void);
int order_run(int fd, struct kmprof_test_op *op);
int order_truth(int fd, unsigned int chain, unsigned int size, struct kmprof_test_truth *truth);

int order_can_alloc(unsigned int method, unsigned int size, unsigned int context);
unsigned int order_contexts(void);
int order_can_free(unsigned int free, unsigned int method, unsigned int size,
		   unsigned int context);

#endif /* ORDER_H */
