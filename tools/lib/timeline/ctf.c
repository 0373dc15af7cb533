// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "image/memory.h"
#include "timeline/ctf.h"
#include "timeline/ctf_metadata.h"
#include "timeline/ctf_packet.h"
#include "timeline/names.h"
#include "trace/power.h"
#include "trace/syscalls.h"
#include "util/memory_file.h"

enum {
	/* A packet that has as many is written. */
	PACKET_BYTES	= 32 << 10,
};

/**
 * struct ctf - a trace in the making
 * @output: where to
 * @trace: what it is made of
 * @names: of the stacks
 * @packets: array: by the number of a CPU
 * @bytes: those of the packet that the event goes to
 */
struct ctf {
	const struct kmprof_output_directory *output;
	const struct kmprof_trace *trace;
	const struct kmprof_stack_names *names;
	struct kmprof_ctf_packet *packets;
	struct kmprof_growing *bytes;
};

static int no_memory(const struct ctf *ctf, struct kmprof_error *err)
{
	return kmprof_error_set(err, -ENOMEM, NULL, "%s: out of memory", ctf->output->path);
}

static int put(struct ctf *ctf, __u64 number, size_t size)
{
	return kmprof_ctf_put_number(ctf->bytes, number, size);
}

static int put_text(struct ctf *ctf, const char *text)
{
	return kmprof_ctf_put_text(ctf->bytes, text);
}

/* Its text, or, of an event without one, nothing. */
static int put_words(struct ctf *ctf, const struct kmprof_event *event)
{
	char words[KMPROF_SAYS_ROOM];

	kmprof_event_text(event, words);
	return put_text(ctf, words);
}

static int put_name(struct ctf *ctf, const struct kmprof_event *event,
		    const struct kmprof_task *task)
{
	char name[KMPROF_COMM_LEN];

	return put_text(ctf, kmprof_kernel_name_of_task(name, task, event->cpu));
}

/* string comm; s32 tid */
static int put_task(struct ctf *ctf, const struct kmprof_event *event,
		    const struct kmprof_task *task)
{
	int ret = put_name(ctf, event, task);

	return ret ? ret : put(ctf, task->tid, sizeof(__s32));
}

static int put_switch(struct ctf *ctf, const struct kmprof_event *event)
{
	int ret = put_task(ctf, event, event->task);
	__u32 state;

	/* The idle task has no other state. */
	state = event->task->number ? kmprof_ctf_state(event->args[1]) : 0;
	if (!ret)
		ret = put(ctf, state, sizeof(__u32));
	return ret ? ret : put_task(ctf, event, event->other);
}

static int put_fork(struct ctf *ctf, const struct kmprof_event *event)
{
	int ret = put_task(ctf, event, event->task);

	if (!ret)
		ret = put_task(ctf, event, event->other);
	return ret ? ret : put(ctf, event->args[1], sizeof(__s32));
}

static int put_rename(struct ctf *ctf, const struct kmprof_event *event)
{
	int ret = put(ctf, event->other->tid, sizeof(__s32));

	if (!ret)
		ret = put_name(ctf, event, event->other);
	return ret ? ret : put_words(ctf, event);
}

/* u64 lock_addr; string lock; then some of u32 kind; u32 flags; s32 owner_tid */
static int put_contention(struct ctf *ctf, const struct kmprof_event *event, __u32 nr_args)
{
	char lock[KMPROF_LOCK_TEXT];
	int ret = put(ctf, event->args[0], sizeof(__u64));
	__u32 i;

	if (!ret)
		ret = put_text(ctf, kmprof_lock_text(ctf->names, event->args[0], lock));
	for (i = 1; !ret && i < nr_args; i++)
		ret = put(ctf, event->args[i], sizeof(__u32));
	return ret;
}

/* u32 nr; u64 args[nr]; string text */
static int put_any(struct ctf *ctf, const struct kmprof_event *event)
{
	int ret = put(ctf, event->nr_args, sizeof(__u32));
	__u32 i;

	for (i = 0; !ret && i < event->nr_args; i++)
		ret = put(ctf, event->args[i], sizeof(__u64));
	return ret ? ret : put_words(ctf, event);
}

static int put_memory(struct ctf *ctf, const struct kmprof_event *event)
{
	char kind[KMPROF_MEMORY_NAME];
	int ret = put(ctf, event->args[0], sizeof(__u64));

	if (!ret)
		ret = put_text(ctf, kmprof_memory_name((__u32)event->args[1], kind));
	if (!ret)
		ret = put(ctf, event->args[2], sizeof(__u64));
	return ret ? ret : put(ctf, event->args[3], sizeof(__u64));
}

/* s32 id; string name; then, of an exit, s64 ret */
static int put_syscall(struct ctf *ctf, const struct kmprof_event *event)
{
	char name[KMPROF_SYSCALL_NAME];
	int ret = put(ctf, event->args[0], sizeof(__s32));

	if (!ret)
		ret = put_text(ctf, kmprof_syscall_name(name, event->args[0]));
	if (!ret && event->type == KMPROF_TRACE_SYSCALL_EXIT)
		ret = put(ctf, (__u64)kmprof_syscall_result(event->args[1]), sizeof(__s64));
	return ret;
}

/* u32 state; u32 cpu_id */
static int put_power(struct ctf *ctf, __u32 state, __u32 cpu)
{
	int ret = put(ctf, state, sizeof(__u32));

	return ret ? ret : put(ctf, cpu, sizeof(__u32));
}

static int put_fields(struct ctf *ctf, const struct kmprof_event *event)
{
	int ret;

	switch (event->type) {
	case KMPROF_TRACE_SWITCH:
		return put_switch(ctf, event);
	case KMPROF_TRACE_WAKING:
		return put_task(ctf, event, event->other);
	case KMPROF_TRACE_MIGRATE:
		ret = put_task(ctf, event, event->other);
		return ret ? ret : put(ctf, event->args[1], sizeof(__s32));
	case KMPROF_TRACE_FORK:
		return put_fork(ctf, event);
	case KMPROF_TRACE_EXEC:
		ret = put_words(ctf, event);
		return ret ? ret : put(ctf, event->args[0], sizeof(__s32));
	case KMPROF_TRACE_EXIT:
		return put_task(ctf, event, event->task);
	case KMPROF_TRACE_RENAME:
		return put_rename(ctf, event);
	case KMPROF_TRACE_MARK:
		return put_words(ctf, event);
	case KMPROF_TRACE_CONTENTION_BEGIN:
		return put_contention(ctf, event, 4);
	case KMPROF_TRACE_CONTENTION_END:
		return put_contention(ctf, event, 2);
	case KMPROF_TRACE_IRQ_ENTRY:
		ret = put(ctf, event->args[0], sizeof(__s32));
		return ret ? ret : put_words(ctf, event);
	case KMPROF_TRACE_IRQ_EXIT:
		ret = put(ctf, event->args[0], sizeof(__s32));
		return ret ? ret : put(ctf, event->args[1], sizeof(__s32));
	case KMPROF_TRACE_SOFTIRQ_ENTRY:
	case KMPROF_TRACE_SOFTIRQ_EXIT:
		return put(ctf, event->args[0], sizeof(__u32));
	case KMPROF_TRACE_RECLAIM_BEGIN:
	case KMPROF_TRACE_MEMCG_RECLAIM_BEGIN:
	case KMPROF_TRACE_COMPACTION_BEGIN:
	case KMPROF_TRACE_COMPACTION_END:
		return put(ctf, event->args[0], sizeof(__s32));
	case KMPROF_TRACE_RECLAIM_END:
	case KMPROF_TRACE_MEMCG_RECLAIM_END:
		return put(ctf, event->args[0], sizeof(__u64));
	case KMPROF_TRACE_ALLOC:
	case KMPROF_TRACE_FREE:
		return put_memory(ctf, event);
	case KMPROF_TRACE_SYSCALL_ENTER:
	case KMPROF_TRACE_SYSCALL_EXIT:
		return put_syscall(ctf, event);
	case KMPROF_TRACE_CPU_IDLE:
		return put_power(ctf, kmprof_idle_state(event), event->cpu);
	case KMPROF_TRACE_CPU_FREQUENCY:
		return put_power(ctf, (__u32)event->args[1], (__u32)event->args[0]);
	case KMPROF_TRACE_GRACE_PERIOD_BEGIN:
	case KMPROF_TRACE_GRACE_PERIOD_END:
		return 0;
	default:
		return put_any(ctf, event);
	}
}

/* s32 tid; s32 pid; string procname; context_t context; string stack */
static int put_context(struct ctf *ctf, const struct kmprof_event *event)
{
	const char *stack = event->stack ? kmprof_stack_text(ctf->names, event->stack) : "";
	int ret;

	if (!stack)
		return -ENOMEM;
	ret = put(ctf, event->task->tid, sizeof(__s32));
	if (!ret)
		ret = put(ctf, event->task->tgid, sizeof(__s32));
	if (!ret)
		ret = put_name(ctf, event, event->task);
	if (!ret)
		ret = put(ctf, event->context, sizeof(__u8));
	return ret ? ret : put_text(ctf, stack);
}

static int put_event(void *to, const struct kmprof_event *event, struct kmprof_error *err)
{
	struct ctf *ctf = to;
	struct kmprof_ctf_packet *packet = &ctf->packets[event->cpu];
	int ret;

	ctf->bytes = &packet->bytes;
	ret = put(ctf, event->type, sizeof(__u8));
	if (!ret)
		ret = put(ctf, event->ns, sizeof(__u64));
	if (!ret)
		ret = put_context(ctf, event);
	if (!ret)
		ret = put_fields(ctf, event);
	if (ret)
		return no_memory(ctf, err);
	packet->end_ns = event->ns;
	return packet->bytes.used < PACKET_BYTES ? 0 :
	       kmprof_ctf_packet_write(packet, ctf->output, err);
}

/* What was lost is between the end of a packet and that of the next one, which has no events. */
static int put_loss(void *to, const struct kmprof_gap *loss, struct kmprof_error *err)
{
	struct ctf *ctf = to;
	struct kmprof_ctf_packet *packet = &ctf->packets[loss->cpu];
	int ret;

	if (packet->end_ns < loss->from_ns)
		packet->end_ns = loss->from_ns;
	ret = kmprof_ctf_packet_write(packet, ctf->output, err);
	if (ret)
		return ret;
	packet->lost += loss->count;
	packet->end_ns = loss->to_ns;
	return kmprof_ctf_packet_write(packet, ctf->output, err);
}

static int put_rest(void *to, const struct kmprof_trace *trace, struct kmprof_error *err)
{
	struct ctf *ctf = to;
	int ret = 0;
	__u32 cpu;

	for (cpu = 0; !ret && cpu < trace->header.nr_cpus; cpu++)
		if (ctf->packets[cpu].bytes.used)
			ret = kmprof_ctf_packet_write(&ctf->packets[cpu], ctf->output, err);
	return ret;
}

static int put_metadata(const struct ctf *ctf, struct kmprof_error *err)
{
	char *text = NULL;
	size_t size;
	FILE *file;
	int ret;

	file = open_memstream(&text, &size);
	if (file)
		kmprof_ctf_put_metadata(file, ctf->trace);
	if (!file || kmprof_memory_file_close(file, &text))
		return no_memory(ctf, err);
	ret = kmprof_output_directory_append(ctf->output, "metadata", text, size, err);
	free(text);
	return ret;
}

static int make_packets(struct ctf *ctf, struct kmprof_error *err)
{
	__u32 cpu, nr = ctf->trace->header.nr_cpus;

	ctf->packets = calloc(nr, sizeof(*ctf->packets));
	if (!ctf->packets)
		return no_memory(ctf, err);
	for (cpu = 0; cpu < nr; cpu++) {
		ctf->packets[cpu].cpu = cpu;
		ctf->packets[cpu].begin_ns = ctf->trace->first_ns;
		ctf->packets[cpu].end_ns = ctf->trace->first_ns;
	}
	return 0;
}

static void free_packets(struct ctf *ctf)
{
	__u32 cpu;

	for (cpu = 0; ctf->packets && cpu < ctf->trace->header.nr_cpus; cpu++)
		free(ctf->packets[cpu].bytes.bytes);
	free(ctf->packets);
}

int kmprof_timeline_ctf(const struct kmprof_output_directory *output,
			const struct kmprof_trace *trace, const struct kmprof_stack_names *names,
			struct kmprof_error *err)
{
	static const struct kmprof_visitor visitor = {
		.event = put_event,
		.lost = put_loss,
		.end = put_rest,
	};
	struct ctf ctf = { .output = output, .trace = trace, .names = names };
	int ret;

	ret = make_packets(&ctf, err);
	if (!ret)
		ret = put_metadata(&ctf, err);
	if (!ret)
		ret = kmprof_trace_walk(trace, &visitor, &ctf, err);
	free_packets(&ctf);
	return ret;
}
