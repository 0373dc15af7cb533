// SPDX-License-Identifier: GPL-2.0
/* Slots for objects that belong to the module. */
#include <linux/errno.h>

#include "kmprof_test.h"
#include "slots.h"

/**
 * slots_check() - can an order be carried out on these slots?
 * @slots: all slots; NULL: empty
 * @nr: number of @slots
 * @op: KMPROF_TEST_ALLOC finds all slots empty, KMPROF_TEST_FREE finds them all full
 * @first: first slot of the order
 * @count: number of slots of the order
 *
 * Context: Task. Nobody else uses the slots.
 * Return: 0; -EINVAL: there are no such slots; -EBUSY: one is full, or empty.
 */
int slots_check(void *const *slots, u32 nr, u32 op, u32 first, u32 count)
{
	bool is_full = op == KMPROF_TEST_FREE;
	u32 i;

	if (first >= nr || count > nr - first)
		return -EINVAL;
	for (i = 0; i < count; i++)
		if (!slots[first + i] == is_full)
			return -EBUSY;
	return 0;
}
