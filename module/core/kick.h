/* SPDX-License-Identifier: GPL-2.0 */
/* Work that a probe can ask for. */
#ifndef KMPROF_KICK_H
#define KMPROF_KICK_H

#include <linux/irq_work.h>
#include <linux/types.h>
#include <linux/workqueue.h>

/**
 * struct kmprof_kick - work, and how a probe asks for it
 * @irq: queues @work
 * @work: the work. It can queue itself again
 */
struct kmprof_kick {
	struct irq_work irq;
	struct work_struct work;
};

void kmprof_kick_irq_fn(struct irq_work *irq);

/*
 * HARD: with PREEMPT_RT other irq_work runs in a thread, and that thread is parked before its
 * CPU goes offline.
 */
#define KMPROF_KICK_INIT(kick, fn) {					\
	.irq	= IRQ_WORK_INIT_HARD(kmprof_kick_irq_fn),		\
	.work	= __WORK_INITIALIZER((kick).work, fn),			\
}

void kmprof_kick_init(struct kmprof_kick *kick, work_func_t fn);
bool kmprof_kick(struct kmprof_kick *kick);
void kmprof_kick_cancel(struct kmprof_kick *kick);

#endif
