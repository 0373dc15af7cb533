// SPDX-License-Identifier: GPL-2.0
/*
 * The time limit of a kernel in user mode Linux: a panic that says where a test spins.
 * It also makes the console show the result of the last case that ended: KUnit's
 * lines have no newline, so printk() holds each back until the next one comes.
 *
 * Where a task sleeps it does not say: show_state() does not survive the stacks of other
 * tasks here.
 */
#include <linux/hrtimer.h>
#include <linux/init.h>
#include <linux/ktime.h>
#include <linux/moduleparam.h>
#include <linux/panic.h>
#include <linux/ptrace.h>
#include <linux/sched.h>

#include <asm/irq_regs.h>

static unsigned int deadline;
module_param(deadline, uint, 0);
MODULE_PARM_DESC(deadline, "seconds until the kernel panics (0: never)");

static struct hrtimer deadline_timer;

/* In hard interrupt context, so that a test that spins cannot keep it away. */
static enum hrtimer_restart deadline_passed(struct hrtimer *timer)
{
	const struct pt_regs *regs = get_irq_regs();

	/* The registers are zero if the interrupt had to wait until it was let in. */
	panic("kmprof: the tests have not ended after %u s; %s is at %pS", deadline,
	      current->comm, regs ? (void *)instruction_pointer(regs) : NULL);
	return HRTIMER_NORESTART;
}

static int __init deadline_init(void)
{
	hrtimer_init(&deadline_timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	deadline_timer.function = deadline_passed;
	if (deadline)
		hrtimer_start(&deadline_timer, ktime_set(deadline, 0), HRTIMER_MODE_REL_HARD);
	return 0;
}
device_initcall(deadline_init);
