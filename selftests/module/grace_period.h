/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KMPROF_TEST_GRACE_PERIOD_H
#define KMPROF_TEST_GRACE_PERIOD_H

#include <linux/types.h>

u64 grace_period_count(void);

#endif
