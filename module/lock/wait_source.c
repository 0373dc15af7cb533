// SPDX-License-Identifier: GPL-2.0
/* The source of waits, which the block and the mutex profile share. */
#include "lock/inflight.h"
#include "lock/source.h"

static struct kmprof_source_choice waits = {
	.name	= "wait_source",
	.all	= { &kmprof_contention_kprobe, &kmprof_contention_tracepoint },
	.chosen	= &kmprof_contention_tracepoint,
};

module_param_cb(wait_source, &kmprof_source_param_ops, &waits, 0444);
MODULE_PARM_DESC(wait_source, "how waits for locks are seen: tracepoint (default) or kprobe, which sees more of them");

/* Profiles that are on. Under the control lock. */
static unsigned int nr_users;

/**
 * kmprof_wait_source() - the source of waits that was chosen at load time
 *
 * Context: Any.
 */
const struct kmprof_source *kmprof_wait_source(void)
{
	return waits.chosen;
}

/**
 * kmprof_wait_source_get() - see waits
 *
 * The first user arms the probes. The ends of waits that were in flight when the probes
 * were disarmed went unseen: these waits are forgotten.
 *
 * Context: Process context, under the control lock. Sleeps.
 * Return: 0 or a negative errno.
 */
int kmprof_wait_source_get(void)
{
	int err = 0;

	if (!nr_users) {
		kmprof_inflight_forget();
		err = waits.chosen->attach();
	}
	if (!err)
		nr_users++;
	return err;
}

/**
 * kmprof_wait_source_put() - the reverse; the last user disarms the probes
 *
 * Context: Process context, under the control lock. Sleeps.
 */
void kmprof_wait_source_put(void)
{
	if (!--nr_users)
		waits.chosen->detach();
}
