// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "image/memory.h"
#include "symbols/lock_name.h"
#include "timeline/names.h"
#include "trace/power.h"
#include "trace/syscalls.h"
#include "trace/words.h"
#include "util/printable.h"

const char *kmprof_name_of_task(const struct kmprof_task *task)
{
	if (!task->number)
		return "[idle]";
	return *task->comm ? task->comm : "[unknown]";
}

char *kmprof_kernel_name_of_task(char name[KMPROF_COMM_LEN], const struct kmprof_task *task,
				 __u32 cpu)
{
	if (task->number)
		snprintf(name, KMPROF_COMM_LEN, "%s", task->comm);
	else
		snprintf(name, KMPROF_COMM_LEN, "swapper/%u", cpu);
	return name;
}

bool kmprof_event_is_known(const struct kmprof_event *event)
{
	return event->type >= KMPROF_TRACE_SWITCH && event->type <= KMPROF_TRACE_MARK;
}

/* Where an interrupt is handled is told only if it is not the usual place. */
bool kmprof_event_says_context(const struct kmprof_event *event)
{
	switch (event->type) {
	case KMPROF_TRACE_CONTENTION_BEGIN:
	case KMPROF_TRACE_CONTENTION_END:
	case KMPROF_TRACE_ALLOC:
	case KMPROF_TRACE_FREE:
		return true;
	case KMPROF_TRACE_IRQ_ENTRY:
	case KMPROF_TRACE_IRQ_EXIT:
		return event->context == KMPROF_TRACE_IN_HARDIRQ;
	case KMPROF_TRACE_SOFTIRQ_ENTRY:
	case KMPROF_TRACE_SOFTIRQ_EXIT:
		return event->context == KMPROF_TRACE_IN_SOFTIRQ;
	}
	return false;
}

const char *kmprof_name_of_type(const struct kmprof_event *event)
{
	return *event->name ? event->name : "[unknown]";
}

size_t kmprof_event_text(const struct kmprof_event *event, char *words)
{
	size_t n = event->length < KMPROF_SAYS_ROOM ? event->length : KMPROF_SAYS_ROOM - 1, i;

	memcpy(words, event->text, n);
	/* A NUL inside would end it. */
	for (i = 0; i < n; i++)
		if (!words[i])
			words[i] = '?';
	words[n] = '\0';
	kmprof_make_printable(words);
	return strlen(words);
}

/* Behind what an interrupt does: " (softirq)". */
static void say_context(const struct kmprof_event *event, char *words)
{
	size_t n = strlen(words);

	if (event->context != KMPROF_TRACE_IN_TASK)
		snprintf(words + n, KMPROF_SAYS_ROOM - n, " (%s)",
			 kmprof_trace_context_word(event->context));
}

/* "rwsem mmap_lock, read, held by cat-31" */
static void say_begin(const struct kmprof_event *event, const struct kmprof_stack_names *names,
		      char *words)
{
	__u32 flags = (__u32)event->args[2];
	const char *access = kmprof_lock_access(flags);
	char lock[KMPROF_LOCK_TEXT], owner[KMPROF_TASK_TEXT] = "";

	if (event->other)
		kmprof_task_text(owner, event->other);
	snprintf(words, KMPROF_SAYS_ROOM, "%s %s%s%s%s%s%s",
		 kmprof_lock_kind((__u32)event->args[1]),
		 kmprof_lock_text(names, event->args[0], lock), access ? ", " : "",
		 access ? access : "", flags & KMPROF_WAIT_SPUN ? ", spins" : "",
		 *owner ? ", held by " : "", owner);
	say_context(event, words);
}

static void say_end(const struct kmprof_event *event, const struct kmprof_stack_names *names,
		    char *words)
{
	char lock[KMPROF_LOCK_TEXT];

	snprintf(words, KMPROF_SAYS_ROOM, "%s%s", kmprof_lock_text(names, event->args[0], lock),
		 event->args[1] & KMPROF_WAIT_FAILED ? ", in vain" : "");
	say_context(event, words);
}

/* "24 virtio0-input.0" */
static void say_irq_entry(const struct kmprof_event *event, char *words)
{
	char name[KMPROF_SAYS_ROOM];

	kmprof_event_text(event, name);
	snprintf(words, KMPROF_SAYS_ROOM, "%llu%s%.*s", event->args[0], *name ? " " : "",
		 KMPROF_TRACE_IRQ_NAME_MAX, name);
}

static void say_irq_exit(const struct kmprof_event *event, char *words)
{
	static const char *const endings[] = { ", not its own", "", ", its thread goes on" };
	__u64 irq = event->args[0], ret = event->args[1];

	if (ret < ARRAY_SIZE(endings))
		snprintf(words, KMPROF_SAYS_ROOM, "%llu%s", irq, endings[ret]);
	else
		snprintf(words, KMPROF_SAYS_ROOM, "%llu, returns %llu", irq, ret);
}

static void say_softirq(const struct kmprof_event *event, char *words)
{
	char text[KMPROF_SOFTIRQ_TEXT];

	snprintf(words, KMPROF_SAYS_ROOM, "%s", kmprof_trace_softirq_word(text, event->args[0]));
}

static void say_compaction_end(const struct kmprof_event *event, char *words)
{
	char text[KMPROF_COMPACT_TEXT];

	snprintf(words, KMPROF_SAYS_ROOM, "%s", kmprof_trace_compact_word(text, event->args[0]));
}

/* "slab 192 bytes, stand for 524384, at 0xffff888004a1b300" */
static void say_memory(const struct kmprof_event *event, char *words)
{
	char kind[KMPROF_MEMORY_NAME], weight[40] = "";

	if (event->args[3] != event->args[2])
		snprintf(weight, sizeof(weight), ", stand for %llu", event->args[3]);
	/* No address is as low; of per-CPU memory, it is an offset. */
	snprintf(words, KMPROF_SAYS_ROOM,
		 event->args[0] >> 56 ? "%s %llu bytes%s, at %#llx" : "%s %llu bytes%s, #%llx",
		 kmprof_memory_name((__u32)event->args[1], kind), event->args[2], weight,
		 event->args[0]);
	say_context(event, words);
}

/* "openat = -ENOENT" */
static void say_syscall_exit(const struct kmprof_event *event, char *words)
{
	char name[KMPROF_SYSCALL_NAME], result[KMPROF_SYSCALL_RESULT];

	if (kmprof_syscall_has_no_number(event->args[0])) {
		snprintf(words, KMPROF_SAYS_ROOM, "without a number");
		return;
	}
	snprintf(words, KMPROF_SAYS_ROOM, "%s = %s", kmprof_syscall_name(name, event->args[0]),
		 kmprof_syscall_result_text(result, kmprof_syscall_result(event->args[1])));
}

static void say_idle(const struct kmprof_event *event, char *words)
{
	if (kmprof_idle_enters(event))
		snprintf(words, KMPROF_SAYS_ROOM, "enters state %u", kmprof_idle_state(event));
	else
		snprintf(words, KMPROF_SAYS_ROOM, "leaves");
}

static void say_args(const struct kmprof_event *event, char *words)
{
	size_t n = 0, i;

	*words = '\0';
	for (i = 0; i < event->nr_args && n + 1 < KMPROF_SAYS_ROOM; i++)
		n += (size_t)snprintf(words + n, KMPROF_SAYS_ROOM - n, "%s%llu", i ? " " : "",
				      event->args[i]);
}

size_t kmprof_event_says(const struct kmprof_event *event,
			 const struct kmprof_stack_names *names, char *words)
{
	switch (event->type) {
	case KMPROF_TRACE_CONTENTION_BEGIN:
		say_begin(event, names, words);
		break;
	case KMPROF_TRACE_CONTENTION_END:
		say_end(event, names, words);
		break;
	case KMPROF_TRACE_IRQ_ENTRY:
		say_irq_entry(event, words);
		break;
	case KMPROF_TRACE_IRQ_EXIT:
		say_irq_exit(event, words);
		break;
	case KMPROF_TRACE_SOFTIRQ_ENTRY:
	case KMPROF_TRACE_SOFTIRQ_EXIT:
		say_softirq(event, words);
		break;
	case KMPROF_TRACE_RECLAIM_BEGIN:
	case KMPROF_TRACE_MEMCG_RECLAIM_BEGIN:
		snprintf(words, KMPROF_SAYS_ROOM, "order %llu", event->args[0]);
		break;
	case KMPROF_TRACE_RECLAIM_END:
	case KMPROF_TRACE_MEMCG_RECLAIM_END:
		snprintf(words, KMPROF_SAYS_ROOM, "%llu pages", event->args[0]);
		break;
	case KMPROF_TRACE_COMPACTION_BEGIN:
		snprintf(words, KMPROF_SAYS_ROOM, "%s", event->args[0] ? "sync" : "async");
		break;
	case KMPROF_TRACE_COMPACTION_END:
		say_compaction_end(event, words);
		break;
	case KMPROF_TRACE_ALLOC:
	case KMPROF_TRACE_FREE:
		say_memory(event, words);
		break;
	case KMPROF_TRACE_SYSCALL_ENTER:
		kmprof_syscall_name(words, event->args[0]);
		break;
	case KMPROF_TRACE_SYSCALL_EXIT:
		say_syscall_exit(event, words);
		break;
	case KMPROF_TRACE_CPU_IDLE:
		say_idle(event, words);
		break;
	case KMPROF_TRACE_CPU_FREQUENCY:
		snprintf(words, KMPROF_SAYS_ROOM, "CPU %llu at %llu kHz", event->args[0],
			 event->args[1]);
		break;
	default:
		if (event->length)
			return kmprof_event_text(event, words);
		say_args(event, words);
	}
	kmprof_make_printable(words);
	return strlen(words);
}
