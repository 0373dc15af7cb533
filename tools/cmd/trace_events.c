// SPDX-License-Identifier: GPL-2.0
/* The events of a trace by the names that -e takes. */
#include <string.h>

#include "cmd/trace.h"

#define EVENT(name)	(1ULL << KMPROF_TRACE_##name)
#define SCHED		(EVENT(SWITCH) | EVENT(WAKING) | EVENT(MIGRATE) | EVENT(FORK) |	\
			 EVENT(EXEC) | EVENT(EXIT) | EVENT(RENAME))

static const struct {
	const char *name;
	__u64 events;
} names[] = {
	{ "sched", SCHED },
	{ "switch", EVENT(SWITCH) },
	{ "waking", EVENT(WAKING) },
	{ "migrate", EVENT(MIGRATE) },
	{ "fork", EVENT(FORK) },
	{ "exec", EVENT(EXEC) },
	{ "exit", EVENT(EXIT) },
	{ "rename", EVENT(RENAME) },
	{ "contention", EVENT(CONTENTION_BEGIN) | EVENT(CONTENTION_END) },
	{ "irq", EVENT(IRQ_ENTRY) | EVENT(IRQ_EXIT) },
	{ "softirq", EVENT(SOFTIRQ_ENTRY) | EVENT(SOFTIRQ_EXIT) },
	{ "reclaim", EVENT(RECLAIM_BEGIN) | EVENT(RECLAIM_END) |
		     EVENT(MEMCG_RECLAIM_BEGIN) | EVENT(MEMCG_RECLAIM_END) },
	{ "compaction", EVENT(COMPACTION_BEGIN) | EVENT(COMPACTION_END) },
	{ "heap", EVENT(ALLOC) | EVENT(FREE) },
	{ "syscall", EVENT(SYSCALL_ENTER) | EVENT(SYSCALL_EXIT) },
	{ "idle", EVENT(CPU_IDLE) },
	{ "frequency", EVENT(CPU_FREQUENCY) },
	{ "rcu", EVENT(GRACE_PERIOD_BEGIN) | EVENT(GRACE_PERIOD_END) },
};

static __u64 events_of(const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i].name) == length && !strncmp(names[i].name, name, length))
			return names[i].events;
	return 0;
}

int trace_parse_events(const char *list, __u64 *events)
{
	const char *name = list;
	size_t length;
	__u64 more;

	for (;; name += length + 1) {
		length = strcspn(name, ",");
		more = events_of(name, length);
		if (!more)
			return usage_error(&cmd_trace,
					   "-e: '%.*s' is not sched, switch, waking, migrate, fork, exec, exit, rename, contention, irq, softirq, reclaim, compaction, heap, syscall, idle, frequency or rcu",
					   (int)length, name);
		/* Without the switches, nobody knows which task the others are of. */
		*events |= more | EVENT(SWITCH);
		if (!name[length])
			return EXIT_OK;
	}
}
