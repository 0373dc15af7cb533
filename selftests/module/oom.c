// SPDX-License-Identifier: GPL-2.0
/*
 * Tells all who want to know that the kernel has run out of memory, though it has not: what the
 * kernel does before it looks for a task to kill.
 */
#include <linux/notifier.h>

#include "oom.h"

int oom_run(const struct kmprof_test_oom *oom)
{
	unsigned long freed = 0;

	if (!oom->notifiers)
		return -EINVAL;
	blocking_notifier_call_chain((struct blocking_notifier_head *)oom->notifiers, 0, &freed);
	return 0;
}
