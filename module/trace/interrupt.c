// SPDX-License-Identifier: GPL-2.0
/*
 * The events of interrupts: handlers of devices, and softirqs, from their begin to their end. A
 * handler of a device runs with interrupts off; a softirq can be interrupted, and with PREEMPT_RT
 * be preempted, too.
 *
 * Source: traceGoSysCall() and traceGoSysExit() of Go's trace.go: what a task is taken away for.
 */
#include <linux/build_bug.h>
#include <linux/interrupt.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <trace/events/irq.h>

#include "trace/buffer.h"
#include "trace/filter.h"
#include "trace/interrupt.h"
#include "trace/point.h"

/* The UAPI has the order of the softirqs. The number of one is written as one byte. */
static_assert(HI_SOFTIRQ == 0 && NET_RX_SOFTIRQ == 3 && RCU_SOFTIRQ == 9);
static_assert(NR_SOFTIRQS < 0x80);

/* Of an interrupt that has begun with @type. It is of no task, whichever the filter wants. */
static __always_inline bool wants_end(u8 type)
{
	return !kmprof_trace_has_filter() || (kmprof_trace_cpu_is_wanted(smp_processor_id()) &&
					      !kmprof_trace_brief_take_back(type, 0));
}

/*
 * Tracepoint handlers run with preemption off. An interrupt of a device can be an NMI, on some
 * architectures. Its name is there as long as its handler is.
 */
static void on_irq_entry(void *data, int irq, struct irqaction *action)
{
	const char *name = action->name ?: "";
	struct kmprof_trace_record r;

	if (in_nmi() || !kmprof_trace_wants_this_cpu() ||
	    !kmprof_trace_begin(&r, kmprof_trace_here(KMPROF_TRACE_IRQ_ENTRY),
				KMPROF_TRACE_RECORD_MAX + KMPROF_TRACE_IRQ_NAME_MAX))
		return;
	kmprof_trace_begun(&r, 0);
	r.to = kmprof_trace_put(r.to, (unsigned int)irq);
	r.to = kmprof_trace_put_text(r.to, name, strnlen(name, KMPROF_TRACE_IRQ_NAME_MAX));
	kmprof_trace_end(&r);
}

static void on_irq_exit(void *data, int irq, struct irqaction *action, int ret)
{
	struct kmprof_trace_record r;

	if (in_nmi() || !wants_end(KMPROF_TRACE_IRQ_ENTRY) ||
	    !kmprof_trace_begin_here(&r, KMPROF_TRACE_IRQ_EXIT))
		return;
	r.to = kmprof_trace_put(r.to, (unsigned int)irq);
	/* IRQ_NONE, IRQ_HANDLED, IRQ_WAKE_THREAD; a handler may return anything. */
	r.to = kmprof_trace_put(r.to, (unsigned int)ret);
	kmprof_trace_end(&r);
}

static void record_softirq(u8 type, unsigned int number)
{
	struct kmprof_trace_record r;

	if (!kmprof_trace_begin_here(&r, type))
		return;
	if (type == KMPROF_TRACE_SOFTIRQ_ENTRY)
		kmprof_trace_begun(&r, 0);
	*r.to++ = number;
	kmprof_trace_end(&r);
}

static void on_softirq_entry(void *data, unsigned int number)
{
	if (kmprof_trace_wants_this_cpu())
		record_softirq(KMPROF_TRACE_SOFTIRQ_ENTRY, number);
}

static void on_softirq_exit(void *data, unsigned int number)
{
	if (wants_end(KMPROF_TRACE_SOFTIRQ_ENTRY))
		record_softirq(KMPROF_TRACE_SOFTIRQ_EXIT, number);
}

#define TYPE(id, name, args, text)	KMPROF_TRACE_TYPE(KMPROF_TRACE_##id, name, args, text)

const struct kmprof_trace_point kmprof_trace_interrupt_points[KMPROF_TRACE_NR_INTERRUPT] = {
	{ TYPE(IRQ_ENTRY, "irq_entry", 1, 1), "irq_handler_entry", on_irq_entry },
	{ TYPE(IRQ_EXIT, "irq_exit", 2, 0), "irq_handler_exit", on_irq_exit },
	{ TYPE(SOFTIRQ_ENTRY, "softirq_entry", 1, 0), "softirq_entry", on_softirq_entry },
	{ TYPE(SOFTIRQ_EXIT, "softirq_exit", 1, 0), "softirq_exit", on_softirq_exit },
};

/* Has the compiler hold the handlers against the kernel's prototypes. */
static void __maybe_unused check_prototypes(void)
{
	check_trace_callback_type_irq_handler_entry(on_irq_entry);
	check_trace_callback_type_irq_handler_exit(on_irq_exit);
	check_trace_callback_type_softirq_entry(on_softirq_entry);
	check_trace_callback_type_softirq_exit(on_softirq_exit);
}
