// SPDX-License-Identifier: GPL-2.0
#include "profile/lock.h"

const struct kmprof_lock_outcome kmprof_lock_outcomes[KMPROF_NR_LOCK_OUTCOMES] = {
	{ KMPROF_WAIT_SPUN, "spun" },
	{ KMPROF_WAIT_FAILED, "failed" },
};

enum kmprof_nowhere kmprof_lock_nowhere(__u32 flags)
{
	return flags & KMPROF_WAIT_UNBLAMED ? KMPROF_NOT_ATTRIBUTABLE : KMPROF_NO_STACK;
}
