// SPDX-License-Identifier: GPL-2.0
/*
 * A leg is open from its begin to its end. Ends can be lost: a leg is closed as soon as the task
 * does what it cannot do while it waits.
 */
#include "schedule/legs.h"
#include "trace/waits.h"

/* When a leg ends of which the end was not seen yet. */
#define NOT_YET	(~0ULL)

/* Return: the leg that the task is in; NULL: none. */
static struct kmprof_leg *open_leg(struct kmprof_growing *legs)
{
	struct kmprof_leg *last = kmprof_growing_last(legs, sizeof(*last));

	return last && last->to_ns == NOT_YET ? last : NULL;
}

int kmprof_legs_begin(struct kmprof_growing *legs, const struct kmprof_event *event, __u64 lost_ns)
{
	struct kmprof_leg *open = open_leg(legs), leg = {
		.from_ns	= event->ns,
		.to_ns		= NOT_YET,
		.lock		= event->args[0],
		.kind		= (__u32)event->args[1],
		.flags		= (__u32)event->args[2],
		.owner		= event->other ? event->other->number : KMPROF_NO_TASK,
	};

	if (!kmprof_wait_is_of_task(event, event->args[1]))
		return 0;
	if (open && open->lock != leg.lock && open->from_ns >= lost_ns &&
	    kmprof_wait_is_inner(open->kind, open->flags, leg.kind))
		return 0;
	/* If it is another lock, the end was lost. */
	if (open) {
		leg.goes_on = open->lock == leg.lock;
		open->to_ns = event->ns;
	}
	return kmprof_growing_add(legs, &leg, sizeof(leg));
}

void kmprof_legs_end(struct kmprof_growing *legs, const struct kmprof_event *event)
{
	struct kmprof_leg *open = open_leg(legs);

	if (!open || open->lock != event->args[0] || !kmprof_wait_is_of_task(event, open->kind))
		return;
	open->to_ns = event->ns;
	open->flags |= event->args[1] & KMPROF_WAIT_FAILED;
}

void kmprof_legs_change(struct kmprof_growing *legs, const struct kmprof_change *change)
{
	const struct kmprof_leg *open = open_leg(legs);

	if (!open)
		return;
	/* Then the end was lost. */
	if (change->task->state == KMPROF_TASK_DEAD || change->task->state == KMPROF_TASK_UNKNOWN ||
	    (change->task->state == KMPROF_TASK_ASLEEP && kmprof_wait_spins(open->kind)))
		kmprof_legs_close(legs, change->ns);
}

void kmprof_legs_close(struct kmprof_growing *legs, __u64 ns)
{
	struct kmprof_leg *open = open_leg(legs);

	if (open)
		open->to_ns = ns;
}
