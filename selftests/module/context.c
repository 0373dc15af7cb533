// SPDX-License-Identifier: GPL-2.0
/*
 * Runs a function in a context and on a CPU of the caller's choice and waits
 * for it: in a task, in a softirq (a tasklet), in a hard interrupt (an irq_work,
 * which is an interrupt that the CPU sends to itself, with PREEMPT_RT too), while the
 * CPU goes offline, when it takes no interrupt any more, or in an NMI (the breakpoint of
 * a kprobe, which counts as one).
 */
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/smp.h>
#include <linux/workqueue.h>

#include "context.h"

/**
 * struct call - a function on its way into another context
 * @context: where it has to run
 * @fn: the function
 * @arg: its argument
 * @cpu: where, if that CPU has to go offline for it
 * @ran: it was called, in that context
 * @done: the tasklet has finished
 * @tasklet: carries it into softirq context
 * @irq: carries it into hardirq context
 */
struct call {
	enum kmprof_test_context context;
	void (*fn)(void *arg);
	void *arg;
	int cpu;
	bool ran;
	struct completion done;
	struct tasklet_struct tasklet;
	struct irq_work irq;
};

static void call_if(struct call *call, bool is_there)
{
	if (is_there)
		call->fn(call->arg);
	call->ran = is_there;
}

static void call_tasklet(struct tasklet_struct *tasklet)
{
	struct call *call = container_of(tasklet, struct call, tasklet);

	call_if(call, in_serving_softirq() && !in_hardirq());
	complete(&call->done);
}

static void call_irq(struct irq_work *work)
{
	struct call *call = container_of(work, struct call, irq);

	call_if(call, in_hardirq() && !in_nmi());
}

/* A kprobe that is neither optimised nor in ftrace's place is a breakpoint. */
static noinline notrace void breakpoint_here(void)
{
	barrier();
}

static DEFINE_MUTEX(nmi_lock);
static struct call *nmi_call;

static int on_breakpoint(struct kprobe *p, struct pt_regs *regs)
{
	call_if(nmi_call, in_nmi());
	return 0;
}

/* A kprobe with a post-handler is not optimised. */
static void after_breakpoint(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
}

static struct kprobe breakpoint = {
	.addr		= (kprobe_opcode_t *)breakpoint_here,
	.pre_handler	= on_breakpoint,
	.post_handler	= after_breakpoint,
};

static void call_nmi(struct call *call)
{
	mutex_lock(&nmi_lock);
	nmi_call = call;
	breakpoint_here();
	mutex_unlock(&nmi_lock);
}

static long call_here(void *data)
{
	struct call *call = data;

	switch (call->context) {
	case KMPROF_TEST_TASK:
		call_if(call, in_task());
		break;
	case KMPROF_TEST_SOFTIRQ:
		init_completion(&call->done);
		tasklet_setup(&call->tasklet, call_tasklet);
		/*
		 * Scheduled with softirqs off, the tasklet runs when they are
		 * turned on again: below this function, and never on top of
		 * an interrupted probe, which would make the kernel skip the
		 * kprobes that the tests rely on.
		 */
		local_bh_disable();
		tasklet_schedule(&call->tasklet);
		local_bh_enable();
		wait_for_completion(&call->done);
		/* The tasklet's own state is touched after complete(). */
		tasklet_kill(&call->tasklet);
		break;
	case KMPROF_TEST_HARDIRQ:
		call->irq = IRQ_WORK_INIT_HARD(call_irq);
		irq_work_queue(&call->irq);
		irq_work_sync(&call->irq);
		break;
	case KMPROF_TEST_NMI:
		call_nmi(call);
		break;
	default:
		return -EINVAL;
	}
	return call->ran ? 0 : -EIO;
}

/* Late enough on the way down; other architectures than x86 use it themselves. */
#define DYING CPUHP_AP_CPU_PM_STARTING

static DEFINE_MUTEX(dying_lock);
static struct call *dying;

static int call_dying(unsigned int cpu)
{
	if (cpu == dying->cpu)
		call_if(dying, irqs_disabled() && cpu_is_offline(smp_processor_id()));
	return 0;
}

static int run_dying(struct call *call)
{
	int ret;

	/* Who is offline already, is not sent there: 1. */
	mutex_lock(&dying_lock);
	dying = call;
	ret = cpuhp_setup_state_nocalls(DYING, "kmprof_test:dying", NULL, call_dying);
	if (!ret) {
		ret = remove_cpu(call->cpu) ?: add_cpu(call->cpu);
		cpuhp_remove_state_nocalls(DYING);
	}
	mutex_unlock(&dying_lock);
	if (ret)
		return ret < 0 ? ret : -ENXIO;
	return call->ran ? 0 : -EIO;
}

/**
 * context_run() - run a function in a context, on a CPU
 * @context: which context
 * @cpu: which CPU, or, unless it is to go offline, KMPROF_TEST_CPU_ANY
 * @fn: the function
 * @arg: its argument
 *
 * Context: Task. Sleeps until @fn has returned.
 * Return: 0, -ENXIO for a CPU that is not there, -EIO when @fn was not called
 * because the context was another one.
 */
int context_run(enum kmprof_test_context context, int cpu,
		void (*fn)(void *arg), void *arg)
{
	struct call call = { .context = context, .fn = fn, .arg = arg, .cpu = cpu };
	int ret;

	if (cpu == KMPROF_TEST_CPU_ANY)
		return call_here(&call);
	if (cpu < 0 || cpu >= nr_cpu_ids)
		return -ENXIO;
	if (context == KMPROF_TEST_DYING)
		return run_dying(&call);

	cpus_read_lock();
	ret = cpu_online(cpu) ? work_on_cpu(cpu, call_here, &call) : -ENXIO;
	cpus_read_unlock();
	return ret;
}

/* For KMPROF_TEST_NMI. Returns 0 or a negative errno. */
int context_init(void)
{
	return register_kprobe(&breakpoint);
}

void context_exit(void)
{
	unregister_kprobe(&breakpoint);
}
