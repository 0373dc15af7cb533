/* SPDX-License-Identifier: GPL-2.0 */
/* Events as those of ftrace, in Perfetto's protobuf. */
#ifndef KMPROF_TIMELINE_PERFETTO_EVENT_H
#define KMPROF_TIMELINE_PERFETTO_EVENT_H

#include "timeline/names.h"
#include "timeline/perfetto.pb-c.h"

/**
 * struct kmprof_perfetto_slot - an event that waits to be packed
 * @event: the event
 * @of: what belongs to its type
 * @text: the text of the event, or a name
 * @comm: another name
 */
struct kmprof_perfetto_slot {
	Kmprof__Perfetto__FtraceEvent event;
	union {
		Kmprof__Perfetto__SchedSwitchFtraceEvent sched_switch;
		Kmprof__Perfetto__SchedWakingFtraceEvent waking;
		Kmprof__Perfetto__SchedMigrateTaskFtraceEvent migrate;
		Kmprof__Perfetto__TaskNewtaskFtraceEvent newtask;
		Kmprof__Perfetto__TaskRenameFtraceEvent rename;
		Kmprof__Perfetto__SchedProcessExecFtraceEvent exec;
		Kmprof__Perfetto__SchedProcessExitFtraceEvent exit;
		Kmprof__Perfetto__IrqHandlerEntryFtraceEvent irq_entry;
		Kmprof__Perfetto__IrqHandlerExitFtraceEvent irq_exit;
		Kmprof__Perfetto__SoftirqEntryFtraceEvent softirq_entry;
		Kmprof__Perfetto__SoftirqExitFtraceEvent softirq_exit;
		Kmprof__Perfetto__MmVmscanDirectReclaimBeginFtraceEvent reclaim_begin;
		Kmprof__Perfetto__MmVmscanDirectReclaimEndFtraceEvent reclaim_end;
		Kmprof__Perfetto__MmCompactionBeginFtraceEvent compaction_begin;
		Kmprof__Perfetto__MmCompactionEndFtraceEvent compaction_end;
		Kmprof__Perfetto__SysEnterFtraceEvent sys_enter;
		Kmprof__Perfetto__SysExitFtraceEvent sys_exit;
		Kmprof__Perfetto__CpuIdleFtraceEvent cpu_idle;
		Kmprof__Perfetto__CpuFrequencyFtraceEvent cpu_frequency;
	} of;
	char text[KMPROF_SAYS_ROOM];
	char comm[KMPROF_COMM_LEN];
};

/* Is a type of events one of ftrace? Those of system calls have functions of their own. */
bool kmprof_perfetto_has(const struct kmprof_event *event);

/**
 * kmprof_perfetto_set() - make an event
 * @slot: filled in; it must stay where it is
 * @event: of such a type
 * @ns: its time, of CLOCK_BOOTTIME
 */
void kmprof_perfetto_set(struct kmprof_perfetto_slot *slot, const struct kmprof_event *event,
			 __u64 ns);

/**
 * kmprof_perfetto_set_runs() - make a switch that no event tells
 * @slot: filled in; it must stay where it is
 * @cpu: the CPU
 * @from: the task that it has run; NULL: not known
 * @to: the task that it runs from now on; NULL: not known
 * @ns: the time, of CLOCK_BOOTTIME
 *
 * Perfetto has no word for what is not known, but that a CPU runs another task. So it is a thread
 * of that name.
 */
void kmprof_perfetto_set_runs(struct kmprof_perfetto_slot *slot, __u32 cpu,
			      const struct kmprof_task *from, const struct kmprof_task *to,
			      __u64 ns);

/* Makes the begin of a system call, of the task @tid. @ns: its time, of CLOCK_BOOTTIME */
void kmprof_perfetto_set_enter(struct kmprof_perfetto_slot *slot, __u32 tid, __u64 number,
			       __u64 ns);

/* Makes the end of one, of the same @number. @result: NULL: the end was not seen */
void kmprof_perfetto_set_exit(struct kmprof_perfetto_slot *slot, __u32 tid, __u64 number,
			      const __s64 *result, __u64 ns);

#endif
