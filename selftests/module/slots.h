/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TEST_SLOTS_H
#define TEST_SLOTS_H

#include <linux/types.h>

int slots_check(void *const *slots, u32 nr, u32 op, u32 first, u32 count);

#endif /* TEST_SLOTS_H */
