// SPDX-License-Identifier: GPL-2.0
/*
 * The names of the events and of their fields are those of LTTng, so that what is made for its
 * kernel traces finds them.
 */
#include <string.h>

#include "timeline/ctf_metadata.h"
#include "timeline/ctf_packet.h"
#include "trace/words.h"
#include "util/util.h"

#define NSEC_PER_SEC	1000000000LL

/* One more than the states that have a word. */
#define NR_STATES	(KMPROF_TRACE_FROZEN + 1)

/**
 * struct event - an event that CTF has a name for
 * @name: the name
 * @fields: in the order in which ctf.c puts them
 */
struct event {
	const char *name;
	const char *fields;
};

static const struct event known[] = {
	[KMPROF_TRACE_SWITCH] = { "sched_switch",
		"string prev_comm; s32 prev_tid; state_t prev_state; "
		"string next_comm; s32 next_tid;" },
	[KMPROF_TRACE_WAKING] = { "sched_waking", "string comm; s32 tid;" },
	[KMPROF_TRACE_MIGRATE] = { "sched_migrate_task", "string comm; s32 tid; s32 dest_cpu;" },
	[KMPROF_TRACE_FORK] = { "sched_process_fork",
		"string parent_comm; s32 parent_tid; "
		"string child_comm; s32 child_tid; s32 child_pid;" },
	[KMPROF_TRACE_EXEC] = { "sched_process_exec", "string comm; s32 old_tid;" },
	[KMPROF_TRACE_EXIT] = { "sched_process_exit", "string comm; s32 tid;" },
	[KMPROF_TRACE_RENAME] = { "task_rename", "s32 tid; string oldcomm; string newcomm;" },
	[KMPROF_TRACE_MARK] = { "mark", "string text;" },
	[KMPROF_TRACE_CONTENTION_BEGIN] = { "lock_contention_begin",
		"u64 lock_addr; string lock; u32 kind; u32 flags; s32 owner_tid;" },
	[KMPROF_TRACE_CONTENTION_END] = { "lock_contention_end",
		"u64 lock_addr; string lock; u32 flags;" },
	[KMPROF_TRACE_IRQ_ENTRY] = { "irq_handler_entry", "s32 irq; string name;" },
	[KMPROF_TRACE_IRQ_EXIT] = { "irq_handler_exit", "s32 irq; s32 ret;" },
	[KMPROF_TRACE_SOFTIRQ_ENTRY] = { "irq_softirq_entry", "u32 vec;" },
	[KMPROF_TRACE_SOFTIRQ_EXIT] = { "irq_softirq_exit", "u32 vec;" },
	[KMPROF_TRACE_RECLAIM_BEGIN] = { "mm_vmscan_direct_reclaim_begin", "s32 order;" },
	[KMPROF_TRACE_RECLAIM_END] = { "mm_vmscan_direct_reclaim_end", "u64 nr_reclaimed;" },
	[KMPROF_TRACE_MEMCG_RECLAIM_BEGIN] = { "mm_vmscan_memcg_reclaim_begin", "s32 order;" },
	[KMPROF_TRACE_MEMCG_RECLAIM_END] = { "mm_vmscan_memcg_reclaim_end",
		"u64 nr_reclaimed;" },
	[KMPROF_TRACE_COMPACTION_BEGIN] = { "mm_compaction_begin", "s32 sync;" },
	[KMPROF_TRACE_COMPACTION_END] = { "mm_compaction_end", "s32 status;" },
	[KMPROF_TRACE_ALLOC] = { "alloc", "u64 ptr; string kind; u64 bytes; u64 weight;" },
	[KMPROF_TRACE_FREE] = { "free", "u64 ptr; string kind; u64 bytes; u64 weight;" },
	/* LTTng has an event for each system call: one with that name would be another one. */
	[KMPROF_TRACE_SYSCALL_ENTER] = { "sys_enter", "s32 id; string name;" },
	[KMPROF_TRACE_SYSCALL_EXIT] = { "sys_exit", "s32 id; string name; s64 ret;" },
	[KMPROF_TRACE_CPU_IDLE] = { "power_cpu_idle", "u32 state; u32 cpu_id;" },
	[KMPROF_TRACE_CPU_FREQUENCY] = { "power_cpu_frequency", "u32 state; u32 cpu_id;" },
	/* LTTng's rcu_grace_period has a name and a number. */
	[KMPROF_TRACE_GRACE_PERIOD_BEGIN] = { "grace_period_begin", "" },
	[KMPROF_TRACE_GRACE_PERIOD_END] = { "grace_period_end", "" },
};

/* TASK_RUNNING and so on; what was preempted has a bit that only trace events have. */
static const __u32 state_bits[NR_STATES] = {
	[KMPROF_TRACE_RUNNABLE] = 0,
	[KMPROF_TRACE_PREEMPTED] = 0x100,
	[KMPROF_TRACE_SLEEPING] = 0x01,
	[KMPROF_TRACE_BLOCKED] = 0x02,
	[KMPROF_TRACE_IDLE] = 0x402,
	[KMPROF_TRACE_STOPPED] = 0x04,
	[KMPROF_TRACE_PARKED] = 0x40,
	[KMPROF_TRACE_DEAD] = 0x10,
	[KMPROF_TRACE_FROZEN] = 0x8000,
};

const char *kmprof_ctf_fields(__u32 type)
{
	return type < ARRAY_SIZE(known) ? known[type].fields : NULL;
}

__u32 kmprof_ctf_state(__u64 state)
{
	/* A later one is some kind of sleep, but which is not known. */
	return state < NR_STATES ? state_bits[state] : ~0U;
}

static void put_types(FILE *file)
{
	char word[KMPROF_STATE_TEXT];
	__u32 i;

	fputs("typealias integer { size = 8; align = 8; signed = false; } := u8;\n"
	      "typealias integer { size = 32; align = 8; signed = false; } := u32;\n"
	      "typealias integer { size = 32; align = 8; signed = true; } := s32;\n"
	      "typealias integer { size = 64; align = 8; signed = false; } := u64;\n"
	      "typealias integer { size = 64; align = 8; signed = true; } := s64;\n"
	      "typealias integer { size = 64; align = 8; signed = false; "
	      "map = clock.monotonic.value; } := time;\n"
	      "typealias enum : u8 { task = 0, softirq = 1, hardirq = 2 } := context_t;\n"
	      "typealias enum : u32 {", file);
	for (i = 0; i < NR_STATES; i++)
		fprintf(file, "%s %s = %u", i ? "," : "", kmprof_trace_state_word(word, i),
			state_bits[i]);
	fputs(" } := state_t;\n\n", file);
}

/* What its clock shows is CLOCK_MONOTONIC; the offset makes CLOCK_REALTIME of it. */
static void put_clock(FILE *file, const struct kmprof_trace *trace)
{
	__s64 offset = (__s64)(trace->header.start.real_ns - trace->first_ns);
	__s64 seconds = offset / NSEC_PER_SEC, rest = offset % NSEC_PER_SEC;

	if (rest < 0) {
		rest += NSEC_PER_SEC;
		seconds--;
	}
	fprintf(file,
		"clock {\n\tname = monotonic;\n\tdescription = \"CLOCK_MONOTONIC\";\n"
		"\tfreq = 1000000000;\n\toffset_s = %lld;\n\toffset = %lld;\n};\n\n",
		seconds, rest);
}

static void put_head(FILE *file, const struct kmprof_trace *trace)
{
	fputs("/* CTF 1.8 */\n\n", file);
	put_types(file);
	fputs("trace {\n\tmajor = 1;\n\tminor = 8;\n\tbyte_order = le;\n"
	      "\tpacket.header := struct { u32 magic; u32 stream_id; };\n};\n\n", file);
	/* As those of LTTng, whose readers ask for the domain. */
	fprintf(file,
		"env {\n\tdomain = \"kernel\";\n\tsysname = \"Linux\";\n\ttracer_name = \"kmprof\";\n"
		"\tcpus = %u;\n\twas_cut_short = %d;\n\twas_suspended = %d;\n\tstackless = %llu;\n};\n\n",
		trace->header.nr_cpus, !trace->has_end, trace->was_suspended,
		trace->end.stackless);
	put_clock(file, trace);
	fputs("stream {\n\tid = 0;\n"
	      "\tpacket.context := struct {\n"
	      "\t\ttime timestamp_begin; time timestamp_end; u64 content_size; u64 packet_size;\n"
	      "\t\tu64 events_discarded; u32 cpu_id;\n\t};\n"
	      "\tevent.header := struct { u8 id; time timestamp; };\n"
	      "\tevent.context := struct {\n"
	      "\t\ts32 tid; s32 pid; string procname; context_t context; string stack;\n"
	      "\t};\n};\n", file);
}

/* A string of the language. The trace may have any bytes in it. */
static void put_quoted(FILE *file, const char *text)
{
	putc('"', file);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			putc('\\', file);
		putc(*text < ' ' || *text > '~' ? '?' : *text, file);
	}
	putc('"', file);
}

static void put_event(FILE *file, __u32 type, const char *name)
{
	const char *fields = kmprof_ctf_fields(type);

	fputs("\nevent {\n\tname = ", file);
	put_quoted(file, fields ? known[type].name : name);
	fprintf(file, ";\n\tid = %u;\n\tstream_id = 0;\n\tfields := struct { %s };\n};\n", type,
		fields ? fields : "u32 nr; u64 args[nr]; string text;");
}

void kmprof_ctf_put_metadata(FILE *file, const struct kmprof_trace *trace)
{
	__u32 type;

	put_head(file, trace);
	for (type = 0; type < KMPROF_TRACE_TYPES; type++)
		if (*trace->type[type].name)
			put_event(file, type, trace->type[type].name);
}
