// SPDX-License-Identifier: GPL-2.0
#include <errno.h>

#include "schedule/interruptions.h"

/* The last one but @skip. Return: NULL: there is none. */
static const struct kmprof_interruption *last(const struct kmprof_growing *interruptions,
					      size_t skip)
{
	const struct kmprof_interruption *first = (const void *)interruptions->bytes;
	size_t nr = interruptions->used / sizeof(*first);

	return nr > skip ? &first[nr - 1 - skip] : NULL;
}

static bool is_of(const struct kmprof_handlers *handlers, const struct kmprof_interruption *one,
		  __u32 context, __u64 number)
{
	const struct kmprof_handler *handler;

	if (!one || one->handler == KMPROF_NO_HANDLER)
		return false;
	handler = kmprof_handlers_at(handlers, one->handler);
	return handler->context == context && handler->number == number;
}

static bool is_softirq(const struct kmprof_handlers *handlers,
		       const struct kmprof_interruption *one)
{
	return one && one->handler != KMPROF_NO_HANDLER &&
	       kmprof_handlers_is_softirq(handlers, one->handler);
}

static int add(struct kmprof_growing *interruptions, __u64 ns, __u32 handler, bool is_begin)
{
	const struct kmprof_interruption one = {
		.from_ns = ns, .handler = handler, .is_begin = is_begin,
	};

	return kmprof_growing_add(interruptions, &one, sizeof(one));
}

/* Of a handler that has not ended, the end was lost. */
static int begin(struct kmprof_growing *interruptions, struct kmprof_handlers *handlers,
		 const struct kmprof_event *event)
{
	__s64 handler = kmprof_handlers_find(handlers, event);

	return handler < 0 ? -ENOMEM : add(interruptions, event->ns, (__u32)handler, true);
}

/* The softirq that a device has interrupted goes on; or the task does. */
static int end_irq(struct kmprof_growing *interruptions, const struct kmprof_handlers *handlers,
		   const struct kmprof_event *event)
{
	const struct kmprof_interruption *before = last(interruptions, 1);
	__u32 goes_on = KMPROF_NO_HANDLER;

	if (!is_of(handlers, last(interruptions, 0), KMPROF_TRACE_IN_HARDIRQ, event->args[0]))
		return 0;
	if (is_softirq(handlers, before))
		goes_on = before->handler;
	return add(interruptions, event->ns, goes_on, false);
}

static int end_softirq(struct kmprof_growing *interruptions, const struct kmprof_handlers *handlers,
		       const struct kmprof_event *event)
{
	if (!is_of(handlers, last(interruptions, 0), KMPROF_TRACE_IN_SOFTIRQ, event->args[0]))
		return 0;
	return add(interruptions, event->ns, KMPROF_NO_HANDLER, false);
}

int kmprof_interruptions_note(struct kmprof_growing *interruptions,
			      struct kmprof_handlers *handlers, const struct kmprof_event *event)
{
	switch (event->type) {
	case KMPROF_TRACE_IRQ_ENTRY:
	case KMPROF_TRACE_SOFTIRQ_ENTRY:
		return begin(interruptions, handlers, event);
	case KMPROF_TRACE_IRQ_EXIT:
		return end_irq(interruptions, handlers, event);
	case KMPROF_TRACE_SOFTIRQ_EXIT:
		return end_softirq(interruptions, handlers, event);
	}
	return 0;
}

int kmprof_interruptions_end(struct kmprof_growing *interruptions, __u64 ns)
{
	const struct kmprof_interruption *now = last(interruptions, 0);

	if (!now || now->handler == KMPROF_NO_HANDLER)
		return 0;
	return add(interruptions, ns, KMPROF_NO_HANDLER, false);
}

int kmprof_interruptions_leave(struct kmprof_growing *interruptions,
			       const struct kmprof_handlers *handlers, __u64 ns,
			       struct kmprof_softirq *softirq)
{
	const struct kmprof_interruption *now = last(interruptions, 0);

	*softirq = (struct kmprof_softirq){ 0 };
	if (is_softirq(handlers, now))
		*softirq = (struct kmprof_softirq){ .left_ns = ns, .handler = now->handler };
	return kmprof_interruptions_end(interruptions, ns);
}

int kmprof_interruptions_resume(struct kmprof_growing *interruptions, __u64 ns,
				const struct kmprof_softirq *softirq, __u64 lost_ns)
{
	if (!softirq->left_ns || softirq->left_ns < lost_ns)
		return 0;
	return add(interruptions, ns, softirq->handler, false);
}
