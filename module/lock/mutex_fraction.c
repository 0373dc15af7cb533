// SPDX-License-Identifier: GPL-2.0
/* The setting of the mutex profile. Source: SetMutexProfileFraction() of mprof.go. */
#include <linux/bits.h>
#include <uapi/linux/kmprof.h>

#include "event/event.h"
#include "lock/blame.h"
#include "lock/mutex_fraction.h"
#include "lock/source.h"

static int hear(void)
{
	kmprof_blame_for_listeners(kmprof_event_is_heard(KMPROF_EVENT_RELEASE));
	return 0;
}

static int attach(u64 fraction)
{
	int err;

	kmprof_blame_forget();
	err = kmprof_wait_source_get();
	if (err)
		return err;
	err = kmprof_release_kprobe.attach();
	if (err) {
		kmprof_wait_source_put();
		return err;
	}
	kmprof_blame_set_fraction(fraction);
	return hear();
}

/* The ends of waits in flight may go unseen from here on; attach() forgets these waits. */
static void detach(void)
{
	kmprof_blame_for_listeners(false);
	kmprof_blame_set_fraction(0);
	kmprof_release_kprobe.detach();
	kmprof_wait_source_put();
}

static u64 missed(void)
{
	return kmprof_release_kprobe.missed();
}

static u64 lacks(void)
{
	return kmprof_release_kprobe.lacks();
}

static const struct kmprof_setting_ops ops = {
	.attach		= attach,
	.hear		= hear,
	.detach		= detach,
	.change		= kmprof_blame_set_fraction,
	.missed		= missed,
	.lacks		= lacks,
	.events		= BIT(KMPROF_EVENT_RELEASE),
};

struct kmprof_setting kmprof_mutex_fraction = {
	.name		= "mutex_fraction",
	.id		= KMPROF_SETTING_MUTEX_FRACTION,
	.max		= KMPROF_MUTEX_FRACTION_MAX,
	.wanted		= "releases per sample up to 2^16, 1 for all releases, 0 for off",
	.ops		= &ops,
	.missed_counter	= KMPROF_LOSS_MISSED_RELEASE,
};

module_param_cb(mutex_fraction, &kmprof_setting_param_ops, &kmprof_mutex_fraction, 0600);
MODULE_PARM_DESC(mutex_fraction, "one of so many releases of locks for which others have waited is sampled; 1: every one, 0: off (default)");
