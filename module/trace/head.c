// SPDX-License-Identifier: GPL-2.0
/*
 * Makes the header of a trace, with the types of records and the tasks that are there. Their names
 * need not be read from /proc, and those that exit soon are there, too.
 *
 * Source: StartTrace() of Go's trace.go, which creates all goroutines at the start.
 */
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <uapi/linux/kmprof.h>

#include "trace/events.h"
#include "trace/filter.h"
#include "trace/head.h"

/* Room for tasks that are created while the table is made. */
enum {
	SPARE_TASKS	= 256,
};

static u32 count_tasks(void)
{
	struct task_struct *process, *thread;
	u32 nr = 0;

	rcu_read_lock();
	for_each_process_thread(process, thread)
		nr++;
	rcu_read_unlock();
	return nr;
}

/* Returns the number of tasks, or @room if there are more than that. */
static u32 fill_tasks(struct kmprof_trace_task *tasks, u32 room)
{
	struct task_struct *process, *thread;
	u32 nr = 0;

	rcu_read_lock();
	for_each_process_thread(process, thread) {
		if (nr == room)
			goto out;
		tasks[nr].tid = thread->pid;
		tasks[nr].tgid = thread->tgid;
		/* It may change the name meanwhile: the last byte is always a NUL. */
		data_race(strscpy_pad(tasks[nr].comm, thread->comm, sizeof(tasks[nr].comm)));
		nr++;
	}
out:
	rcu_read_unlock();
	return nr;
}

static struct kmprof_trace_task *tasks_of(struct kmprof_trace_header *head)
{
	struct kmprof_trace_type *types = (void *)(head + 1);

	return (void *)(types + KMPROF_TRACE_NR_TYPES);
}

/**
 * kmprof_trace_head_create() - make the start of a trace
 * @events: bit mask of 1 << enum kmprof_trace_event
 * @has_stacks: records have stacks
 * @ticks_per_s: ticks in a second
 * @start: when the trace was started: events are recorded since
 *
 * Context: Process context. Sleeps.
 * Return: the header, with the tables behind it, for kmprof_trace_head_destroy(); NULL: no memory.
 */
struct kmprof_trace_header *kmprof_trace_head_create(u64 events, bool has_stacks, u64 ticks_per_s,
						     const struct kmprof_trace_clock *start)
{
	struct kmprof_trace_header *head;
	u32 room, nr;

	for (room = count_tasks(); ; room *= 2) {
		room += SPARE_TASKS;
		head = kvzalloc(sizeof(*head) +
				KMPROF_TRACE_NR_TYPES * sizeof(struct kmprof_trace_type) +
				room * sizeof(struct kmprof_trace_task),
				GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
		if (!head)
			return NULL;
		nr = fill_tasks(tasks_of(head), room);
		if (nr < room)
			break;
		kvfree(head);
	}
	*head = (struct kmprof_trace_header) {
		.magic		= KMPROF_TRACE_MAGIC,
		.abi_version	= KMPROF_ABI_VERSION,
		.header_size	= sizeof(*head),
		.type_size	= sizeof(struct kmprof_trace_type),
		.nr_types	= KMPROF_TRACE_NR_TYPES,
		.task_size	= sizeof(struct kmprof_trace_task),
		.nr_tasks	= nr,
		.nr_cpus	= nr_cpu_ids,
		.events		= events,
		.ticks_per_s	= ticks_per_s,
		.start		= *start,
	};
	strscpy_pad(head->filter, kmprof_trace_filter_text(), sizeof(head->filter));
	kmprof_trace_types((void *)(head + 1), has_stacks);
	return head;
}

/**
 * kmprof_trace_head_destroy() - free the start of a trace
 * @head: the header, or NULL
 *
 * Context: Process context. May sleep.
 */
void kmprof_trace_head_destroy(struct kmprof_trace_header *head)
{
	kvfree(head);
}

/**
 * kmprof_trace_head_bytes() - get the size of the start of a trace
 * @head: the header
 *
 * Context: Any.
 * Return: bytes of the header and its tables.
 */
size_t kmprof_trace_head_bytes(const struct kmprof_trace_header *head)
{
	return head->header_size + head->nr_types * head->type_size +
	       (size_t)head->nr_tasks * head->task_size;
}
