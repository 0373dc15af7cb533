// SPDX-License-Identifier: GPL-2.0
/*
 * Runs a function in a context, on a CPU, and waits for it. Unlike the test module's contexts,
 * a hard interrupt is one with PREEMPT_RT, too.
 */
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/smp.h>
#include <linux/workqueue.h>

#include "client_context.h"

/**
 * struct call - a function on its way into another context
 * @context: where it has to run
 * @fn: the function
 * @arg: its argument
 * @ran: it was called, in that context
 * @done: the tasklet has finished
 * @tasklet: carries it into softirq context
 * @irq: carries it into hardirq context
 */
struct call {
	enum kmprof_client_context context;
	void (*fn)(void *arg);
	void *arg;
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

/* The breakpoint of a kprobe that is neither optimised nor in ftrace's place is an NMI. */
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
	case KMPROF_CLIENT_TASK:
		call_if(call, in_task());
		break;
	case KMPROF_CLIENT_SOFTIRQ:
		init_completion(&call->done);
		tasklet_setup(&call->tasklet, call_tasklet);
		tasklet_schedule(&call->tasklet);
		wait_for_completion(&call->done);
		/* The tasklet's own state is touched after complete(). */
		tasklet_kill(&call->tasklet);
		break;
	case KMPROF_CLIENT_HARDIRQ:
		call->irq = IRQ_WORK_INIT_HARD(call_irq);
		irq_work_queue(&call->irq);
		irq_work_sync(&call->irq);
		break;
	default:
		call_nmi(call);
		break;
	}
	return call->ran ? 0 : -EIO;
}

/**
 * client_context_run() - run a function in a context, on a CPU
 * @context: which context
 * @cpu: which CPU
 * @fn: the function
 * @arg: its argument
 *
 * Context: Task. Sleeps until @fn has returned.
 * Return: 0, -ENXIO for a CPU that is not there, -EIO when @fn was not called because the
 * context was another one.
 */
int client_context_run(enum kmprof_client_context context, unsigned int cpu, void (*fn)(void *arg),
		       void *arg)
{
	struct call call = { .context = context, .fn = fn, .arg = arg };
	int ret;

	if (cpu >= nr_cpu_ids)
		return -ENXIO;
	cpus_read_lock();
	ret = cpu_online(cpu) ? work_on_cpu(cpu, call_here, &call) : -ENXIO;
	cpus_read_unlock();
	return ret;
}

int client_context_init(void)
{
	return register_kprobe(&breakpoint);
}

void client_context_exit(void)
{
	unregister_kprobe(&breakpoint);
}
