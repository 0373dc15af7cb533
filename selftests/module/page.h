/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TEST_PAGE_H
#define TEST_PAGE_H

#include "kmprof_test.h"

int page_run(struct kmprof_test_page *order);
void page_exit(void);

#endif /* TEST_PAGE_H */
