// SPDX-License-Identifier: GPL-2.0
/*
 * kmprof_witness: tells the kernel log when an oops comes of a breakpoint that was no longer in
 * memory, which is the emulator's fault: Documentation/testing.rst, "Emulated guests".
 *
 * The kernel has hit such a breakpoint in a function with a kprobe that goes through ftrace. Such
 * a kprobe has no single-step slot, and the kernel goes on at address 0. So these are the signs:
 * the CPU is in the single step of a kprobe without a slot, and the function has no breakpoint. A
 * handler that calls address 0 is not in a single step; and a function that is redirected to
 * address 0 has left its kprobe.
 */
#include <linux/kdebug.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/ptrace.h>
#include <asm/text-patching.h>

/* The kernel does not export them. */
static unsigned long running;
module_param(running, ulong, 0444);
MODULE_PARM_DESC(running, "address of current_kprobe, a per-CPU variable, from /proc/kallsyms");

static unsigned long control;
module_param(control, ulong, 0444);
MODULE_PARM_DESC(control, "address of kprobe_ctlblk, likewise");

/* In the oops: preemption is off. */
static int on_die(struct notifier_block *nb, unsigned long event, void *data)
{
	const struct die_args *args = data;
	const struct kprobe_ctlblk *state;
	const struct kprobe *p;

	if (event != DIE_OOPS || instruction_pointer(args->regs))
		return NOTIFY_DONE;
	p = *raw_cpu_ptr((struct kprobe * __percpu *)running);
	state = raw_cpu_ptr((struct kprobe_ctlblk __percpu *)control);
	if (p && state->kprobe_status == KPROBE_HIT_SS && !p->ainsn.insn)
		pr_emerg("kmprof_witness: the breakpoint at %pS %s in memory\n", p->addr,
			 *(u8 *)p->addr == INT3_INSN_OPCODE ? "is" : "is not");
	return NOTIFY_DONE;
}

static struct notifier_block notifier = {
	.notifier_call	= on_die,
};

static int __init witness_init(void)
{
	if (!running || !control)
		return -EINVAL;
	return register_die_notifier(&notifier);
}

static void __exit witness_exit(void)
{
	unregister_die_notifier(&notifier);
}

module_init(witness_init);
module_exit(witness_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("kmprof tests: tells an oops of a stale breakpoint from others");
