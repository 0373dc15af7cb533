// SPDX-License-Identifier: GPL-2.0
#include <limits.h>

#include "timeline/names.h"
#include "timeline/perfetto_event.h"
#include "trace/power.h"

enum {
	/* Not known. It is the one of a task that has not been made nicer. */
	PRIORITY	= 120,
	FLAG_HARDIRQ	= 0x08,
	FLAG_SOFTIRQ	= 0x10,
	CLONE_FLAG_THREAD = 0x10000,
	/* No state of 4.14: to Perfetto, it is not known. */
	STATE_NOT_KNOWN	= 0x200,
	/* No kernel gives such an id to a task. */
	TID_NOT_KNOWN	= INT_MAX,
};

/* prev_state, of 4.14 and later. */
static int64_t prev_state(__u64 state)
{
	static const int64_t bits[] = {
		[KMPROF_TRACE_RUNNABLE] = 0,
		[KMPROF_TRACE_PREEMPTED] = 0x100,
		[KMPROF_TRACE_SLEEPING] = 0x01,
		[KMPROF_TRACE_BLOCKED] = 0x02,
		[KMPROF_TRACE_IDLE] = 0x80,
		[KMPROF_TRACE_STOPPED] = 0x04,
		[KMPROF_TRACE_PARKED] = 0x40,
		[KMPROF_TRACE_DEAD] = 0x10,
		[KMPROF_TRACE_FROZEN] = 0x02,
	};

	/* A later one is some kind of sleep. */
	return state < ARRAY_SIZE(bits) ? bits[state] : 0x02;
}

static void set_switch(struct kmprof_perfetto_slot *s, const struct kmprof_event *event)
{
	Kmprof__Perfetto__SchedSwitchFtraceEvent *to = &s->of.sched_switch;

	kmprof__perfetto__sched_switch_ftrace_event__init(to);
	to->prev_comm = kmprof_kernel_name_of_task(s->text, event->task, event->cpu);
	to->prev_pid = (int32_t)event->task->tid;
	to->prev_prio = PRIORITY;
	to->prev_state = prev_state(event->args[1]);
	to->next_comm = kmprof_kernel_name_of_task(s->comm, event->other, event->cpu);
	to->next_pid = (int32_t)event->other->tid;
	to->next_prio = PRIORITY;
	s->event.event_case = KMPROF__PERFETTO__FTRACE_EVENT__EVENT_SCHED_SWITCH;
	s->event.sched_switch = to;
}

static void set_waking(struct kmprof_perfetto_slot *s, const struct kmprof_event *event)
{
	Kmprof__Perfetto__SchedWakingFtraceEvent *to = &s->of.waking;

	kmprof__perfetto__sched_waking_ftrace_event__init(to);
	to->comm = kmprof_kernel_name_of_task(s->comm, event->other, event->cpu);
	to->pid = (int32_t)event->other->tid;
	to->prio = PRIORITY;
	to->success = 1;
	/* The last one; -1: not known. */
	to->target_cpu = (int32_t)event->other->cpu;
	s->event.event_case = KMPROF__PERFETTO__FTRACE_EVENT__EVENT_SCHED_WAKING;
	s->event.sched_waking = to;
}

static void set_migrate(struct kmprof_perfetto_slot *s, const struct kmprof_event *event)
{
	Kmprof__Perfetto__SchedMigrateTaskFtraceEvent *to = &s->of.migrate;

	kmprof__perfetto__sched_migrate_task_ftrace_event__init(to);
	to->comm = kmprof_kernel_name_of_task(s->comm, event->other, event->cpu);
	to->pid = (int32_t)event->other->tid;
	to->prio = PRIORITY;
	/* -1: not known. */
	to->orig_cpu = (int32_t)event->other->cpu;
	to->dest_cpu = (int32_t)event->args[1];
	s->event.event_case = KMPROF__PERFETTO__FTRACE_EVENT__EVENT_SCHED_MIGRATE_TASK;
	s->event.sched_migrate_task = to;
}

static void set_newtask(struct kmprof_perfetto_slot *s, const struct kmprof_event *event)
{
	Kmprof__Perfetto__TaskNewtaskFtraceEvent *to = &s->of.newtask;

	kmprof__perfetto__task_newtask_ftrace_event__init(to);
	kmprof_event_text(event, s->text);
	to->pid = (int32_t)event->args[0];
	to->comm = s->text;
	to->clone_flags = event->args[0] == event->args[1] ? 0 : CLONE_FLAG_THREAD;
	s->event.event_case = KMPROF__PERFETTO__FTRACE_EVENT__EVENT_TASK_NEWTASK;
	s->event.task_newtask = to;
}

static void set_rename(struct kmprof_perfetto_slot *s, const struct kmprof_event *event)
{
	Kmprof__Perfetto__TaskRenameFtraceEvent *to = &s->of.rename;

	kmprof__perfetto__task_rename_ftrace_event__init(to);
	kmprof_event_text(event, s->text);
	to->pid = (int32_t)event->args[0];
	to->oldcomm = kmprof_kernel_name_of_task(s->comm, event->other, event->cpu);
	to->newcomm = s->text;
	s->event.event_case = KMPROF__PERFETTO__FTRACE_EVENT__EVENT_TASK_RENAME;
	s->event.task_rename = to;
}

static void set_exec(struct kmprof_perfetto_slot *s, const struct kmprof_event *event)
{
	Kmprof__Perfetto__SchedProcessExecFtraceEvent *to = &s->of.exec;

	kmprof__perfetto__sched_process_exec_ftrace_event__init(to);
	kmprof_event_text(event, s->text);
	to->filename = s->text;
	to->pid = (int32_t)event->task->tid;
	to->old_pid = (int32_t)event->args[0];
	s->event.event_case = KMPROF__PERFETTO__FTRACE_EVENT__EVENT_SCHED_PROCESS_EXEC;
	s->event.sched_process_exec = to;
}

static void set_exit(struct kmprof_perfetto_slot *s, const struct kmprof_event *event)
{
	Kmprof__Perfetto__SchedProcessExitFtraceEvent *to = &s->of.exit;

	kmprof__perfetto__sched_process_exit_ftrace_event__init(to);
	kmprof_event_text(event, s->text);
	to->comm = s->text;
	to->pid = (int32_t)event->task->tid;
	to->tgid = (int32_t)event->args[0];
	to->prio = PRIORITY;
	s->event.event_case = KMPROF__PERFETTO__FTRACE_EVENT__EVENT_SCHED_PROCESS_EXIT;
	s->event.sched_process_exit = to;
}

static void set_irq_entry(struct kmprof_perfetto_slot *s, const struct kmprof_event *event)
{
	Kmprof__Perfetto__IrqHandlerEntryFtraceEvent *to = &s->of.irq_entry;

	kmprof__perfetto__irq_handler_entry_ftrace_event__init(to);
	kmprof_event_text(event, s->text);
	to->with_irq_case = KMPROF__PERFETTO__IRQ_HANDLER_ENTRY_FTRACE_EVENT__WITH_IRQ_IRQ;
	to->irq = (int32_t)event->args[0];
	to->name = s->text;
	s->event.event_case = KMPROF__PERFETTO__FTRACE_EVENT__EVENT_IRQ_HANDLER_ENTRY;
	s->event.irq_handler_entry = to;
}

static void set_irq_exit(struct kmprof_perfetto_slot *s, const struct kmprof_event *event)
{
	Kmprof__Perfetto__IrqHandlerExitFtraceEvent *to = &s->of.irq_exit;

	kmprof__perfetto__irq_handler_exit_ftrace_event__init(to);
	to->with_irq_case = KMPROF__PERFETTO__IRQ_HANDLER_EXIT_FTRACE_EVENT__WITH_IRQ_IRQ;
	to->irq = (int32_t)event->args[0];
	to->with_ret_case = KMPROF__PERFETTO__IRQ_HANDLER_EXIT_FTRACE_EVENT__WITH_RET_RET;
	to->ret = (int32_t)event->args[1];
	s->event.event_case = KMPROF__PERFETTO__FTRACE_EVENT__EVENT_IRQ_HANDLER_EXIT;
	s->event.irq_handler_exit = to;
}

static void set_softirq_entry(struct kmprof_perfetto_slot *s, const struct kmprof_event *event)
{
	Kmprof__Perfetto__SoftirqEntryFtraceEvent *to = &s->of.softirq_entry;

	kmprof__perfetto__softirq_entry_ftrace_event__init(to);
	to->with_vec_case = KMPROF__PERFETTO__SOFTIRQ_ENTRY_FTRACE_EVENT__WITH_VEC_VEC;
	to->vec = (uint32_t)event->args[0];
	s->event.event_case = KMPROF__PERFETTO__FTRACE_EVENT__EVENT_SOFTIRQ_ENTRY;
	s->event.softirq_entry = to;
}

static void set_softirq_exit(struct kmprof_perfetto_slot *s, const struct kmprof_event *event)
{
	Kmprof__Perfetto__SoftirqExitFtraceEvent *to = &s->of.softirq_exit;

	kmprof__perfetto__softirq_exit_ftrace_event__init(to);
	to->with_vec_case = KMPROF__PERFETTO__SOFTIRQ_EXIT_FTRACE_EVENT__WITH_VEC_VEC;
	to->vec = (uint32_t)event->args[0];
	s->event.event_case = KMPROF__PERFETTO__FTRACE_EVENT__EVENT_SOFTIRQ_EXIT;
	s->event.softirq_exit = to;
}

static void set_reclaim_begin(struct kmprof_perfetto_slot *s, const struct kmprof_event *event)
{
	Kmprof__Perfetto__MmVmscanDirectReclaimBeginFtraceEvent *to = &s->of.reclaim_begin;

	kmprof__perfetto__mm_vmscan_direct_reclaim_begin_ftrace_event__init(to);
	to->order = (int32_t)event->args[0];
	s->event.event_case = KMPROF__PERFETTO__FTRACE_EVENT__EVENT_MM_VMSCAN_DIRECT_RECLAIM_BEGIN;
	s->event.mm_vmscan_direct_reclaim_begin = to;
}

static void set_reclaim_end(struct kmprof_perfetto_slot *s, const struct kmprof_event *event)
{
	Kmprof__Perfetto__MmVmscanDirectReclaimEndFtraceEvent *to = &s->of.reclaim_end;

	kmprof__perfetto__mm_vmscan_direct_reclaim_end_ftrace_event__init(to);
	to->nr_reclaimed = event->args[0];
	s->event.event_case = KMPROF__PERFETTO__FTRACE_EVENT__EVENT_MM_VMSCAN_DIRECT_RECLAIM_END;
	s->event.mm_vmscan_direct_reclaim_end = to;
}

static void set_compaction_begin(struct kmprof_perfetto_slot *s, const struct kmprof_event *event)
{
	Kmprof__Perfetto__MmCompactionBeginFtraceEvent *to = &s->of.compaction_begin;

	kmprof__perfetto__mm_compaction_begin_ftrace_event__init(to);
	to->sync = (uint32_t)event->args[0];
	s->event.event_case = KMPROF__PERFETTO__FTRACE_EVENT__EVENT_MM_COMPACTION_BEGIN;
	s->event.mm_compaction_begin = to;
}

static void set_compaction_end(struct kmprof_perfetto_slot *s, const struct kmprof_event *event)
{
	Kmprof__Perfetto__MmCompactionEndFtraceEvent *to = &s->of.compaction_end;

	kmprof__perfetto__mm_compaction_end_ftrace_event__init(to);
	to->status = (int32_t)event->args[0];
	s->event.event_case = KMPROF__PERFETTO__FTRACE_EVENT__EVENT_MM_COMPACTION_END;
	s->event.mm_compaction_end = to;
}

static void set_idle(struct kmprof_perfetto_slot *s, const struct kmprof_event *event)
{
	Kmprof__Perfetto__CpuIdleFtraceEvent *to = &s->of.cpu_idle;

	kmprof__perfetto__cpu_idle_ftrace_event__init(to);
	to->with_state_case = KMPROF__PERFETTO__CPU_IDLE_FTRACE_EVENT__WITH_STATE_STATE;
	to->state = kmprof_idle_state(event);
	to->with_cpu_id_case = KMPROF__PERFETTO__CPU_IDLE_FTRACE_EVENT__WITH_CPU_ID_CPU_ID;
	to->cpu_id = event->cpu;
	s->event.event_case = KMPROF__PERFETTO__FTRACE_EVENT__EVENT_CPU_IDLE;
	s->event.cpu_idle = to;
}

static void set_frequency(struct kmprof_perfetto_slot *s, const struct kmprof_event *event)
{
	Kmprof__Perfetto__CpuFrequencyFtraceEvent *to = &s->of.cpu_frequency;

	kmprof__perfetto__cpu_frequency_ftrace_event__init(to);
	to->with_state_case = KMPROF__PERFETTO__CPU_FREQUENCY_FTRACE_EVENT__WITH_STATE_STATE;
	to->state = (uint32_t)event->args[1];
	to->with_cpu_id_case = KMPROF__PERFETTO__CPU_FREQUENCY_FTRACE_EVENT__WITH_CPU_ID_CPU_ID;
	to->cpu_id = (uint32_t)event->args[0];
	s->event.event_case = KMPROF__PERFETTO__FTRACE_EVENT__EVENT_CPU_FREQUENCY;
	s->event.cpu_frequency = to;
}

static void (*const set[])(struct kmprof_perfetto_slot *s, const struct kmprof_event *event) = {
	[KMPROF_TRACE_SWITCH] = set_switch,
	[KMPROF_TRACE_WAKING] = set_waking,
	[KMPROF_TRACE_MIGRATE] = set_migrate,
	[KMPROF_TRACE_FORK] = set_newtask,
	[KMPROF_TRACE_EXEC] = set_exec,
	[KMPROF_TRACE_EXIT] = set_exit,
	[KMPROF_TRACE_RENAME] = set_rename,
	[KMPROF_TRACE_IRQ_ENTRY] = set_irq_entry,
	[KMPROF_TRACE_IRQ_EXIT] = set_irq_exit,
	[KMPROF_TRACE_SOFTIRQ_ENTRY] = set_softirq_entry,
	[KMPROF_TRACE_SOFTIRQ_EXIT] = set_softirq_exit,
	/* Perfetto has no event for the reclaim of a cgroup. */
	[KMPROF_TRACE_RECLAIM_BEGIN] = set_reclaim_begin,
	[KMPROF_TRACE_RECLAIM_END] = set_reclaim_end,
	[KMPROF_TRACE_COMPACTION_BEGIN] = set_compaction_begin,
	[KMPROF_TRACE_COMPACTION_END] = set_compaction_end,
	[KMPROF_TRACE_CPU_IDLE] = set_idle,
	[KMPROF_TRACE_CPU_FREQUENCY] = set_frequency,
};

bool kmprof_perfetto_has(const struct kmprof_event *event)
{
	return event->type < ARRAY_SIZE(set) && set[event->type];
}

static void begin(struct kmprof_perfetto_slot *slot, __u64 ns, __u32 tid)
{
	Kmprof__Perfetto__FtraceEvent *ftrace = &slot->event;

	kmprof__perfetto__ftrace_event__init(ftrace);
	ftrace->with_timestamp_case = KMPROF__PERFETTO__FTRACE_EVENT__WITH_TIMESTAMP_TIMESTAMP;
	ftrace->timestamp = ns;
	ftrace->with_pid_case = KMPROF__PERFETTO__FTRACE_EVENT__WITH_PID_PID;
	ftrace->pid = tid;
}

void kmprof_perfetto_set_runs(struct kmprof_perfetto_slot *slot, __u32 cpu,
			      const struct kmprof_task *from, const struct kmprof_task *to,
			      __u64 ns)
{
	static const struct kmprof_task not_known = {
		.number = ~0U, .tid = TID_NOT_KNOWN, .comm = "[not known]",
	};
	const struct kmprof_event event = {
		.type = KMPROF_TRACE_SWITCH, .cpu = cpu, .task = from ? from : &not_known,
		.other = to ? to : &not_known, .args = (__u64[]){ 0, KMPROF_TRACE_RUNNABLE },
	};

	begin(slot, ns, event.task->tid);
	set_switch(slot, &event);
	if (event.task->number)
		slot->of.sched_switch.prev_state = STATE_NOT_KNOWN;
}

void kmprof_perfetto_set(struct kmprof_perfetto_slot *slot, const struct kmprof_event *event,
			 __u64 ns)
{
	begin(slot, ns, event->task->tid);
	if (event->context == KMPROF_TRACE_IN_HARDIRQ)
		slot->event.common_flags = FLAG_HARDIRQ;
	else if (event->context == KMPROF_TRACE_IN_SOFTIRQ)
		slot->event.common_flags = FLAG_SOFTIRQ;
	set[event->type](slot, event);
}

void kmprof_perfetto_set_enter(struct kmprof_perfetto_slot *slot, __u32 tid, __u64 number,
			       __u64 ns)
{
	Kmprof__Perfetto__SysEnterFtraceEvent *to = &slot->of.sys_enter;

	begin(slot, ns, tid);
	kmprof__perfetto__sys_enter_ftrace_event__init(to);
	to->with_id_case = KMPROF__PERFETTO__SYS_ENTER_FTRACE_EVENT__WITH_ID_ID;
	to->id = (int32_t)number;
	slot->event.event_case = KMPROF__PERFETTO__FTRACE_EVENT__EVENT_SYS_ENTER;
	slot->event.sys_enter = to;
}

void kmprof_perfetto_set_exit(struct kmprof_perfetto_slot *slot, __u32 tid, __u64 number,
			      const __s64 *result, __u64 ns)
{
	Kmprof__Perfetto__SysExitFtraceEvent *to = &slot->of.sys_exit;

	begin(slot, ns, tid);
	kmprof__perfetto__sys_exit_ftrace_event__init(to);
	to->with_id_case = KMPROF__PERFETTO__SYS_EXIT_FTRACE_EVENT__WITH_ID_ID;
	to->id = (int32_t)number;
	if (result) {
		to->with_ret_case = KMPROF__PERFETTO__SYS_EXIT_FTRACE_EVENT__WITH_RET_RET;
		to->ret = *result;
	}
	slot->event.event_case = KMPROF__PERFETTO__FTRACE_EVENT__EVENT_SYS_EXIT;
	slot->event.sys_exit = to;
}
