// SPDX-License-Identifier: GPL-2.0
/*
 * The events of the scheduler: switches, wake-ups, and the lives of tasks. A handler may run with
 * the lock of a run queue held.
 *
 * Source: traceGoStart(), traceGoUnpark(), traceGoCreate(), ... of Go's trace.go.
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <trace/events/sched.h>
#include <trace/events/task.h>
#include <uapi/linux/kmprof.h>

#include "trace/buffer.h"
#include "trace/sched.h"
#include "trace/stacks.h"

/*
 * A task that was about to sleep when a signal came goes on. The scheduler has set its state back,
 * but up to v6.12 the tracepoint still gets the state of a sleeper. Nobody else can set it to
 * TASK_RUNNING now: that takes the lock of the run queue, which is held.
 */
static __always_inline u8 state_of(bool preempt, const struct task_struct *prev, unsigned int state)
{
	if (preempt)
		return KMPROF_TRACE_PREEMPTED;
	if (!state || READ_ONCE(prev->__state) == TASK_RUNNING)
		return KMPROF_TRACE_RUNNABLE;
	if (state & TASK_INTERRUPTIBLE)
		return KMPROF_TRACE_SLEEPING;
	if (state & TASK_FROZEN)
		return KMPROF_TRACE_FROZEN;
	if (state & TASK_UNINTERRUPTIBLE)
		return state & TASK_NOLOAD ? KMPROF_TRACE_IDLE : KMPROF_TRACE_BLOCKED;
	if (state & (__TASK_STOPPED | __TASK_TRACED))
		return KMPROF_TRACE_STOPPED;
	if (state & TASK_PARKED)
		return KMPROF_TRACE_PARKED;
	/* The lock of an rtmutex that stands for a spinlock, with PREEMPT_RT. */
	return state & TASK_DEAD ? KMPROF_TRACE_DEAD : KMPROF_TRACE_BLOCKED;
}

/* The scheduler runs in a task. */
static void on_switch(void *data, bool preempt, struct task_struct *prev,
		      struct task_struct *next, unsigned int prev_state)
{
	struct kmprof_trace_record r;

	if (!kmprof_trace_begin(&r, KMPROF_TRACE_SWITCH, KMPROF_TRACE_RECORD_MAX))
		return;
	r.to = kmprof_trace_put(r.to, next->pid);
	*r.to++ = state_of(preempt, prev, prev_state);
	kmprof_trace_end(&r);
}

/*
 * What is done with the stack is written after the time of the record. An idle task does not stop
 * anywhere.
 */
static void on_switch_with_stack(void *data, bool preempt, struct task_struct *prev,
				 struct task_struct *next, unsigned int prev_state)
{
	struct kmprof_trace_record r;

	if (!kmprof_trace_begin(&r, KMPROF_TRACE_SWITCH, KMPROF_TRACE_RECORD_MAX))
		return;
	r.to = kmprof_trace_put(r.to, next->pid);
	*r.to++ = state_of(preempt, prev, prev_state);
	if (prev->pid)
		kmprof_trace_put_stack(&r, kmprof_trace_stacks_number(__builtin_frame_address(0)));
	else
		*r.to++ = 0;
	kmprof_trace_end(&r);
}

static __always_inline bool begin(struct kmprof_trace_record *r, u8 type)
{
	return kmprof_trace_begin(r, kmprof_trace_here(type), KMPROF_TRACE_RECORD_MAX);
}

static void on_waking(void *data, struct task_struct *p)
{
	struct kmprof_trace_record r;

	if (!begin(&r, KMPROF_TRACE_WAKING))
		return;
	r.to = kmprof_trace_put(r.to, p->pid);
	kmprof_trace_end(&r);
}

/*
 * Interrupts can be on: a softirq may wake the task that it runs on top of. The kernel's unwinder
 * asks lockdep, so that has to be told that they are off.
 */
static void on_waking_with_stack(void *data, struct task_struct *p)
{
	struct kmprof_trace_record r;
	unsigned long flags;

	local_irq_save(flags);
	if (begin(&r, KMPROF_TRACE_WAKING)) {
		r.to = kmprof_trace_put(r.to, p->pid);
		kmprof_trace_put_stack(&r, kmprof_trace_stacks_number(__builtin_frame_address(0)));
		kmprof_trace_end(&r);
	}
	local_irq_restore(flags);
}

static void on_migrate(void *data, struct task_struct *p, int dest_cpu)
{
	struct kmprof_trace_record r;

	if (!begin(&r, KMPROF_TRACE_MIGRATE))
		return;
	r.to = kmprof_trace_put(r.to, p->pid);
	r.to = kmprof_trace_put(r.to, dest_cpu);
	kmprof_trace_end(&r);
}

static void put_name(struct kmprof_trace_record *r, const char *comm)
{
	/* Another task may change the name meanwhile: the last byte is always a NUL. */
	size_t len = data_race(strnlen(comm, KMPROF_COMM_LEN - 1));

	r->to = kmprof_trace_put_text(r->to, comm, len);
}

/* Also of tasks that the kernel creates for io_uring and vhost, but not of idle tasks. */
static void on_fork(void *data, struct task_struct *child, unsigned long clone_flags)
{
	struct kmprof_trace_record r;

	if (!child->pid || !begin(&r, KMPROF_TRACE_FORK))
		return;
	r.to = kmprof_trace_put(r.to, child->pid);
	r.to = kmprof_trace_put(r.to, child->tgid);
	put_name(&r, child->comm);
	kmprof_trace_end(&r);
}

/* A record of a task with a number and a name. */
static void name_task(u8 type, u32 number, const char *comm)
{
	struct kmprof_trace_record r;

	if (!begin(&r, type))
		return;
	r.to = kmprof_trace_put(r.to, number);
	put_name(&r, comm);
	kmprof_trace_end(&r);
}

static void on_exec(void *data, struct task_struct *p, pid_t old_pid, struct linux_binprm *bprm)
{
	name_task(KMPROF_TRACE_EXEC, old_pid, p->comm);
}

static void on_exit(void *data, struct task_struct *p)
{
	name_task(KMPROF_TRACE_EXIT, p->tgid, p->comm);
}

static void on_rename(void *data, struct task_struct *p, const char *comm)
{
	name_task(KMPROF_TRACE_RENAME, p->pid, comm);
}

/* What is attached, by enum kmprof_trace_event. */
static const struct kmprof_tracepoint points[] = {
	[KMPROF_TRACE_SWITCH]	= { "sched_switch", on_switch },
	[KMPROF_TRACE_WAKING]	= { "sched_waking", on_waking },
	[KMPROF_TRACE_MIGRATE]	= { "sched_migrate_task", on_migrate },
	[KMPROF_TRACE_FORK]	= { "task_newtask", on_fork },
	[KMPROF_TRACE_EXEC]	= { "sched_process_exec", on_exec },
	[KMPROF_TRACE_EXIT]	= { "sched_process_exit", on_exit },
	[KMPROF_TRACE_RENAME]	= { "task_rename", on_rename },
};

/* What is hooked instead if there are stacks. */
static const struct kmprof_tracepoint points_with_stacks[ARRAY_SIZE(points)] = {
	[KMPROF_TRACE_SWITCH]	= { "sched_switch", on_switch_with_stack },
	[KMPROF_TRACE_WAKING]	= { "sched_waking", on_waking_with_stack },
};

#define TYPE(id, type_name, args, text)						\
	{ .type = (id), .name = (type_name), .nr_args = (args), .has_text = (text) }

/* All types of records, in the order of enum kmprof_trace_event. */
static const struct kmprof_trace_type record_types[KMPROF_TRACE_NR_TYPES] = {
	TYPE(KMPROF_TRACE_SWITCH, "switch", 2, 0),
	TYPE(KMPROF_TRACE_WAKING, "waking", 1, 0),
	TYPE(KMPROF_TRACE_MIGRATE, "migrate", 2, 0),
	TYPE(KMPROF_TRACE_FORK, "fork", 2, 1),
	TYPE(KMPROF_TRACE_EXEC, "exec", 1, 1),
	TYPE(KMPROF_TRACE_EXIT, "exit", 1, 1),
	TYPE(KMPROF_TRACE_RENAME, "rename", 1, 1),
	TYPE(KMPROF_TRACE_MARK, "mark", 0, 1),
};

static struct kmprof_tracepoint armed[ARRAY_SIZE(points)];
static unsigned int nr_armed;

/* Has the compiler hold the handlers against the kernel's prototypes. */
static void __maybe_unused check_prototypes(void)
{
	check_trace_callback_type_sched_switch(on_switch);
	check_trace_callback_type_sched_waking(on_waking);
	check_trace_callback_type_sched_switch(on_switch_with_stack);
	check_trace_callback_type_sched_waking(on_waking_with_stack);
	check_trace_callback_type_sched_migrate_task(on_migrate);
	check_trace_callback_type_task_newtask(on_fork);
	check_trace_callback_type_sched_process_exec(on_exec);
	check_trace_callback_type_sched_process_exit(on_exit);
	check_trace_callback_type_task_rename(on_rename);
}

/**
 * kmprof_trace_sched_events() - get the events that can be chosen
 *
 * Context: Any.
 * Return: bit mask of 1 << enum kmprof_trace_event.
 */
u64 kmprof_trace_sched_events(void)
{
	u64 events = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(points); i++)
		if (points[i].name)
			events |= BIT_ULL(i);
	return events;
}

static bool may_have_stack(unsigned int type)
{
	return type < ARRAY_SIZE(points) && points_with_stacks[type].name;
}

/**
 * kmprof_trace_sched_types() - get all types of records
 * @types: returns KMPROF_TRACE_NR_TYPES of them, in the order of enum kmprof_trace_event
 * @has_stacks: records have stacks
 *
 * Context: Any.
 */
void kmprof_trace_sched_types(struct kmprof_trace_type *types, bool has_stacks)
{
	unsigned int i;

	memcpy(types, record_types, sizeof(record_types));
	for (i = 0; i < KMPROF_TRACE_NR_TYPES; i++) {
		types[i].has_stack = has_stacks && may_have_stack(types[i].type);
		types[i].nr_args += types[i].has_stack;
	}
}

/**
 * kmprof_trace_sched_attach() - record events
 * @events: bit mask of 1 << enum kmprof_trace_event
 * @has_stacks: with stacks, for which there is a table
 *
 * Context: Process context, when there are buffers. Sleeps.
 * Return: 0; -ENOENT when this kernel does not have one of them; or another negative errno.
 */
int kmprof_trace_sched_attach(u64 events, bool has_stacks)
{
	unsigned int i;

	nr_armed = 0;
	for (i = 0; i < ARRAY_SIZE(points); i++)
		if (events & BIT_ULL(i))
			armed[nr_armed++] = has_stacks && may_have_stack(i) ?
					    points_with_stacks[i] : points[i];
	return kmprof_tracepoints_arm(armed, nr_armed);
}

/**
 * kmprof_trace_sched_detach() - record no more events
 *
 * Context: Process context. Waits for grace periods: on return no handler runs.
 */
void kmprof_trace_sched_detach(void)
{
	kmprof_tracepoints_disarm(armed, nr_armed);
}
