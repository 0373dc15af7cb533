// SPDX-License-Identifier: GPL-2.0
/* How many grace periods of RCU have begun, without expedited ones. */
#include <linux/rcupdate.h>

#include "grace_period.h"

/*
 * The state that RCU hands out is that at the end of the next grace period to begin; the two lowest
 * bits tell whether there is one.
 */
u64 grace_period_count(void)
{
	struct rcu_gp_oldstate state;

	get_state_synchronize_rcu_full(&state);
	return state.rgos_norm >> 2;
}
