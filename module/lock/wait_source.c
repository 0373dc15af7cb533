// SPDX-License-Identifier: GPL-2.0
/* The source of waits, which the block and the mutex profile share; chosen at load time. */
#include "lock/inflight.h"
#include "lock/source.h"
#include "lock/waiter_exit.h"

struct kmprof_source_choice kmprof_wait_source = {
	.name	= "wait_source",
	.all	= { &kmprof_contention_kprobe, &kmprof_contention_tracepoint },
	.chosen	= &kmprof_contention_tracepoint,
};

module_param_cb(wait_source, &kmprof_source_param_ops, &kmprof_wait_source, 0444);
MODULE_PARM_DESC(wait_source, "how waits for locks are seen: tracepoint (default) or kprobe, which sees more of them");

/* Profiles that are on. Protected by the control lock. */
static unsigned int nr_users;

/* Waits in flight end unseen from here on. */
static void forget(void)
{
	kmprof_waiter_exit_detach();
	kmprof_inflight_forget();
}

static int attach(void)
{
	int err = kmprof_waiter_exit_attach();

	if (err)
		return err;
	err = kmprof_wait_source.chosen->attach();
	if (err)
		forget();
	return err;
}

/**
 * kmprof_wait_source_get() - use the source of waits
 *
 * The first user arms the probes.
 *
 * Context: Process context, under the control lock. Sleeps.
 * Return: 0 or a negative errno.
 */
int kmprof_wait_source_get(void)
{
	int err = 0;

	if (!nr_users)
		err = attach();
	if (!err)
		nr_users++;
	return err;
}

/**
 * kmprof_wait_source_put() - release the source of waits; the last user disarms the probes
 *
 * Waits that are in flight then are forgotten.
 *
 * Context: Process context, under the control lock. Sleeps.
 */
void kmprof_wait_source_put(void)
{
	if (--nr_users)
		return;
	kmprof_wait_source.chosen->detach();
	forget();
}
