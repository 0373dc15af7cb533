// SPDX-License-Identifier: GPL-2.0
/*
 * Calls a case in its context, and waits for it. Interrupt contexts come up below the caller's
 * own stack, when no probe is interrupted: the kernel would skip the kprobes in there.
 */
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

#include "catalogue.h"

/* Calls at a time that are not in a task that may sleep. */
enum { BATCH = 64 };

/**
 * struct batch - calls on their way into another context
 * @c: the case
 * @calls: how many
 * @done: they are over
 * @tasklet: carries them into a softirq
 * @irq: carries them into a hard interrupt
 * @work: carries them into a worker
 */
struct batch {
	struct catalogue_case *c;
	unsigned int calls;
	struct completion done;
	struct tasklet_struct tasklet;
	struct irq_work irq;
	struct work_struct work;
};

static void batch_call(struct batch *batch)
{
	unsigned int i;

	for (i = 0; i < batch->calls; i++)
		batch->c->call(batch->c, batch->c->calls++);
}

static void batch_atomic(struct batch *batch)
{
	static DEFINE_SPINLOCK(lock);
	unsigned long flags;

	spin_lock_irqsave(&lock, flags);
	batch_call(batch);
	spin_unlock_irqrestore(&lock, flags);
}

static void tasklet_call(struct tasklet_struct *tasklet)
{
	struct batch *batch = container_of(tasklet, struct batch, tasklet);

	batch_call(batch);
	complete(&batch->done);
}

static void batch_softirq(struct batch *batch)
{
	init_completion(&batch->done);
	tasklet_setup(&batch->tasklet, tasklet_call);
	local_bh_disable();
	tasklet_schedule(&batch->tasklet);
	local_bh_enable();
	wait_for_completion(&batch->done);
	/* The tasklet's own state is touched after complete(). */
	tasklet_kill(&batch->tasklet);
}

static void irq_call(struct irq_work *work)
{
	batch_call(container_of(work, struct batch, irq));
}

static void batch_hardirq(struct batch *batch)
{
	init_irq_work(&batch->irq, irq_call);
	irq_work_queue(&batch->irq);
	irq_work_sync(&batch->irq);
}

static void work_call(struct work_struct *work)
{
	batch_call(container_of(work, struct batch, work));
}

static void batch_work(struct batch *batch)
{
	INIT_WORK_ONSTACK(&batch->work, work_call);
	queue_work(catalogue_works, &batch->work);
	flush_work(&batch->work);
	destroy_work_on_stack(&batch->work);
}

static int thread_call(void *data)
{
	struct batch *batch = data;

	batch_call(batch);
	kthread_complete_and_exit(&batch->done, 0);
}

static int batch_thread(struct batch *batch)
{
	struct task_struct *task;

	init_completion(&batch->done);
	task = kthread_run(thread_call, batch, "kmprof_catalogue");
	if (IS_ERR(task))
		return PTR_ERR(task);
	wait_for_completion(&batch->done);
	return 0;
}

static int batch_run(struct batch *batch)
{
	switch (batch->c->context) {
	case CATALOGUE_TASK:
		batch_call(batch);
		return 0;
	case CATALOGUE_ATOMIC:
		batch_atomic(batch);
		return 0;
	case CATALOGUE_SOFTIRQ:
		batch_softirq(batch);
		return 0;
	case CATALOGUE_HARDIRQ:
		batch_hardirq(batch);
		return 0;
	case CATALOGUE_WORK:
		batch_work(batch);
		return 0;
	case CATALOGUE_THREAD:
		return batch_thread(batch);
	}
	return -EINVAL;
}

/**
 * catalogue_run() - call a case in its context
 * @c: the case
 * @calls: how many times
 *
 * Context: Task. Sleeps. One at a time.
 * Return: 0 or what kthread_run() says.
 */
int catalogue_run(struct catalogue_case *c, unsigned int calls)
{
	struct batch batch = { .c = c };
	int ret = 0;

	for (; !ret && calls; calls -= batch.calls) {
		batch.calls = min_t(unsigned int, calls, BATCH);
		ret = batch_run(&batch);
		cond_resched();
	}
	return ret;
}
