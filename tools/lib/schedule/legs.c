// SPDX-License-Identifier: GPL-2.0
/*
 * A leg is open from its begin to its end. Ends can be lost: a leg is closed as soon as the task
 * does what it cannot do while it waits.
 */
#include "schedule/legs.h"
#include "trace/waits.h"

/* Return: the leg that the task is in; NULL: none. */
static struct kmprof_leg *open_leg(struct kmprof_growing *legs)
{
	return kmprof_spans_open(legs, sizeof(struct kmprof_leg));
}

/* On its own CPU, the task would not be known any more. */
static bool may_have_ended(const struct kmprof_leg *open, __u64 lost_ns)
{
	return open->stopped_ns < lost_ns;
}

int kmprof_legs_begin(struct kmprof_growing *legs, const struct kmprof_event *event, __u64 lost_ns)
{
	const struct kmprof_leg *open = open_leg(legs);
	struct kmprof_leg leg = {
		.span		= { .from_ns = event->ns, .to_ns = KMPROF_SPAN_OPEN },
		.stopped_ns	= KMPROF_SPAN_OPEN,
		.lock		= event->args[0],
		.kind		= (__u32)event->args[1],
		.flags		= (__u32)event->args[2],
		.owner		= event->other ? event->other->number : KMPROF_NO_TASK,
	};
	bool goes_on = open && !may_have_ended(open, lost_ns);

	if (!kmprof_wait_is_of_task(event, event->args[1]))
		return 0;
	if (goes_on && open->lock != leg.lock &&
	    kmprof_wait_is_inner(open->kind, open->flags, leg.kind))
		return 0;
	/* If it is another lock, the end was lost. */
	leg.goes_on = goes_on && open->lock == leg.lock;
	kmprof_legs_close(legs, event->ns, lost_ns);
	return kmprof_growing_add(legs, &leg, sizeof(leg));
}

void kmprof_legs_end(struct kmprof_growing *legs, const struct kmprof_event *event)
{
	struct kmprof_leg *open = open_leg(legs);

	if (!open || open->lock != event->args[0] || !kmprof_wait_is_of_task(event, open->kind))
		return;
	open->span.to_ns = event->ns;
	open->flags |= event->args[1] & KMPROF_WAIT_FAILED;
}

/* Return: whether a task cannot be in a wait any more once it has changed its state. */
static bool is_over(const struct kmprof_leg *open, const struct kmprof_change *change,
		    __u64 lost_ns)
{
	enum kmprof_task_state state = change->task->state;

	if (state == KMPROF_TASK_ASLEEP)
		return kmprof_wait_spins(open->kind) || may_have_ended(open, lost_ns);
	return state == KMPROF_TASK_DEAD || state == KMPROF_TASK_UNKNOWN;
}

void kmprof_legs_change(struct kmprof_growing *legs, const struct kmprof_change *change,
			__u64 lost_ns)
{
	struct kmprof_leg *open = open_leg(legs);

	if (!open)
		return;
	if (is_over(open, change, lost_ns))
		kmprof_legs_close(legs, change->ns, lost_ns);
	else if (change->from == KMPROF_TASK_RUNNING && open->stopped_ns == KMPROF_SPAN_OPEN)
		open->stopped_ns = change->ns;
}

/* The wait that the task is in, with the legs before. */
static void forget_wait(struct kmprof_growing *legs)
{
	const struct kmprof_leg *last;
	bool goes_on;

	do {
		last = kmprof_growing_last(legs, sizeof(*last));
		goes_on = last->goes_on;
		legs->used -= sizeof(*last);
	} while (goes_on);
}

void kmprof_legs_close(struct kmprof_growing *legs, __u64 ns, __u64 lost_ns)
{
	struct kmprof_leg *open = open_leg(legs);

	if (open && may_have_ended(open, lost_ns))
		forget_wait(legs);
	else if (open)
		open->span.to_ns = ns;
}
