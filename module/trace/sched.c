// SPDX-License-Identifier: GPL-2.0
/*
 * The events of the scheduler: switches, wake-ups, and the lives of tasks. A handler may run with
 * the lock of a run queue held.
 *
 * Source: traceGoStart(), traceGoUnpark(), traceGoCreate(), ... of Go's trace.go.
 */
#include <linux/sched.h>
#include <linux/string.h>
#include <trace/events/sched.h>
#include <trace/events/task.h>
#include <uapi/linux/kmprof.h>

#include "trace/buffer.h"
#include "trace/filter.h"
#include "trace/point.h"
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

/* The scheduler runs in a task. Without a stack. */
static __always_inline bool begin_switch(struct kmprof_trace_record *r, bool preempt,
					 const struct task_struct *prev, struct task_struct *next,
					 unsigned int prev_state)
{
	if (kmprof_trace_has_filter())
		kmprof_trace_process_look(next, next->comm);
	if (!kmprof_trace_begin(r, KMPROF_TRACE_SWITCH, KMPROF_TRACE_RECORD_MAX))
		return false;
	r->to = kmprof_trace_put(r->to, next->pid);
	*r->to++ = state_of(preempt, prev, prev_state);
	return true;
}

static void on_switch(void *data, bool preempt, struct task_struct *prev,
		      struct task_struct *next, unsigned int prev_state)
{
	struct kmprof_trace_record r;

	if (begin_switch(&r, preempt, prev, next, prev_state))
		kmprof_trace_end(&r);
}

/* An idle task does not stop anywhere, and the filter may not want it: that is no lack of room. */
static noinline void switch_without_stack(bool preempt, const struct task_struct *prev,
					  struct task_struct *next, unsigned int prev_state)
{
	struct kmprof_trace_record r;

	if (!begin_switch(&r, preempt, prev, next, prev_state))
		return;
	*r.to++ = 0;
	kmprof_trace_end(&r);
}

static void on_switch_with_stack(void *data, bool preempt, struct task_struct *prev,
				 struct task_struct *next, unsigned int prev_state)
{
	struct kmprof_trace_record r;
	u32 stack;

	if (!prev->pid || !kmprof_trace_wants_here(prev)) {
		switch_without_stack(preempt, prev, next, prev_state);
		return;
	}
	stack = kmprof_trace_stacks_number(__builtin_frame_address(0));
	if (!begin_switch(&r, preempt, prev, next, prev_state))
		return;
	kmprof_trace_put_stack(&r, stack);
	kmprof_trace_end(&r);
}

/* Without a stack. */
static __always_inline bool begin_waking(struct kmprof_trace_record *r,
					 const struct task_struct *p)
{
	if (!kmprof_trace_begin_here(r, KMPROF_TRACE_WAKING))
		return false;
	r->to = kmprof_trace_put(r->to, p->pid);
	return true;
}

static void on_waking(void *data, struct task_struct *p)
{
	struct kmprof_trace_record r;

	if (begin_waking(&r, p))
		kmprof_trace_end(&r);
}

/* The filter does not want the CPU, or neither who wakes nor who is woken: no lack of room. */
static noinline void waking_without_stack(const struct task_struct *p)
{
	struct kmprof_trace_record r;

	if (!begin_waking(&r, p))
		return;
	*r.to++ = 0;
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
	u32 stack;

	if (!kmprof_trace_wants_here(current) && !kmprof_trace_wants_here(p)) {
		waking_without_stack(p);
		return;
	}
	local_irq_save(flags);
	stack = kmprof_trace_stacks_number(__builtin_frame_address(0));
	if (begin_waking(&r, p)) {
		kmprof_trace_put_stack(&r, stack);
		kmprof_trace_end(&r);
	}
	local_irq_restore(flags);
}

static void on_migrate(void *data, struct task_struct *p, int dest_cpu)
{
	struct kmprof_trace_record r;

	if (!kmprof_trace_begin_here(&r, KMPROF_TRACE_MIGRATE))
		return;
	r.to = kmprof_trace_put(r.to, p->pid);
	r.to = kmprof_trace_put(r.to, dest_cpu);
	kmprof_trace_end(&r);
}

static void put_name(struct kmprof_trace_record *r, const char *comm)
{
	/* Another task may change the name meanwhile: the last byte is always a NUL. */
	size_t len = data_race(strnlen(comm, KMPROF_COMM_LEN - 1));

	/* see above */
	r->to = data_race(kmprof_trace_put_text(r->to, comm, len));
}

/* Also of tasks that the kernel creates for io_uring and vhost, but not of idle tasks. */
static void on_fork(void *data, struct task_struct *child, unsigned long clone_flags)
{
	struct kmprof_trace_record r;

	if (!child->pid)
		return;
	if (kmprof_trace_has_filter())
		kmprof_trace_process_inherit(child);
	if (!kmprof_trace_begin_here(&r, KMPROF_TRACE_FORK))
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

	if (!kmprof_trace_begin_here(&r, type))
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
	if (kmprof_trace_has_filter())
		kmprof_trace_process_look(p, comm);
	name_task(KMPROF_TRACE_RENAME, p->pid, comm);
}

#define TYPE(id, name, args, text)	KMPROF_TRACE_TYPE(KMPROF_TRACE_##id, name, args, text)

const struct kmprof_trace_point kmprof_trace_sched_points[KMPROF_TRACE_NR_SCHED] = {
	{ TYPE(SWITCH, "switch", 2, 0), "sched_switch", on_switch, on_switch_with_stack },
	{ TYPE(WAKING, "waking", 1, 0), "sched_waking", on_waking, on_waking_with_stack },
	{ TYPE(MIGRATE, "migrate", 2, 0), "sched_migrate_task", on_migrate },
	{ TYPE(FORK, "fork", 2, 1), "task_newtask", on_fork },
	{ TYPE(EXEC, "exec", 1, 1), "sched_process_exec", on_exec },
	{ TYPE(EXIT, "exit", 1, 1), "sched_process_exit", on_exit },
	{ TYPE(RENAME, "rename", 1, 1), "task_rename", on_rename },
};

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
