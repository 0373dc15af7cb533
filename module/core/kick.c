// SPDX-License-Identifier: GPL-2.0
/*
 * Work that probes ask for: the drain, the learner, the tables that grow. A probe may run with
 * the lock of a run queue or of a worker pool held, so it cannot queue work itself. To queue an
 * irq_work takes no lock; the irq_work queues the work.
 */
#include <linux/cpu.h>
#include <linux/irq_work.h>
#include <linux/smp.h>
#include <linux/workqueue.h>

#include "core/kick.h"

/**
 * kmprof_kick_irq_fn() - queue the work, for KMPROF_KICK_INIT()
 * @irq: of a struct kmprof_kick
 *
 * Context: Hardirq.
 */
void kmprof_kick_irq_fn(struct irq_work *irq)
{
	queue_work(system_unbound_wq, &container_of(irq, struct kmprof_kick, irq)->work);
}

/**
 * kmprof_kick_init() - prepare work; KMPROF_KICK_INIT() does it for a static one
 * @kick: the work
 * @fn: its function
 *
 * Context: Any.
 */
void kmprof_kick_init(struct kmprof_kick *kick, work_func_t fn)
{
	kick->irq = IRQ_WORK_INIT_HARD(kmprof_kick_irq_fn);
	INIT_WORK(&kick->work, fn);
}

/**
 * kmprof_kick() - ask for work
 * @kick: the work; it sees all that the caller has written before
 *
 * Does nothing on a CPU that is going offline. That CPU takes no interrupts any more: an
 * irq_work queued there would stay pending until the CPU goes offline once more, and while
 * it is pending no other CPU could ask for the work, nor could the module be unloaded.
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 * Return: true if the work will run.
 */
bool kmprof_kick(struct kmprof_kick *kick)
{
	/*
	 * Pairs with the barrier between clearing the pending bit and calling the work's
	 * function, in set_work_pool_and_clear_pending(): work that is pending here will see
	 * what the caller has written.
	 */
	smp_mb();
	if (work_pending(&kick->work))
		return true;
	if (cpu_is_offline(smp_processor_id()))
		return false;
	irq_work_queue(&kick->irq);
	return true;
}

/**
 * kmprof_kick_cancel() - have no work pending or running
 * @kick: the work; nobody asks for it any more
 *
 * Context: Process context. Sleeps.
 */
void kmprof_kick_cancel(struct kmprof_kick *kick)
{
	irq_work_sync(&kick->irq);
	cancel_work_sync(&kick->work);
}
