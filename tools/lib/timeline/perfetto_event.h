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
	} of;
	char text[KMPROF_SAYS_ROOM];
	char comm[KMPROF_COMM_LEN];
};

/**
 * kmprof_perfetto_set() - make an event
 * @slot: filled in; it must stay where it is
 * @event: of a known type, but not a mark
 * @ns: its time, of CLOCK_BOOTTIME
 */
void kmprof_perfetto_set(struct kmprof_perfetto_slot *slot, const struct kmprof_event *event,
			 __u64 ns);

#endif
