// SPDX-License-Identifier: GPL-2.0
/*
 * Stops the timer of user mode Linux before it halts. Up to v6.12 main() takes the interrupts
 * that came meanwhile, on a stack that has no task: a tick among them ended the process by a
 * segmentation fault, now and then, on a busy host, after all tests had passed.
 */
#include <linux/init.h>
#include <linux/limits.h>
#include <linux/notifier.h>
#include <linux/reboot.h>

#include <os.h>

/* Interrupts are on: a tick that is due is taken here. What follows needs no time to pass. */
static int stop_timer(struct notifier_block *nb, unsigned long action, void *data)
{
	os_timer_disable();
	return NOTIFY_DONE;
}

static struct notifier_block halt_notifier = {
	.notifier_call	= stop_timer,
	.priority	= INT_MIN,
};

static int __init halt_init(void)
{
	return register_reboot_notifier(&halt_notifier);
}
device_initcall(halt_init);
