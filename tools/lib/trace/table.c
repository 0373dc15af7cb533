// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/table.h"
#include "util/printable.h"

enum {
	FIRST_BITS	= 8,
	MOST_BITS	= 31,
};

__u32 kmprof_tasks_count(const struct kmprof_tasks *tasks)
{
	return tasks->nr;
}

const struct kmprof_task *kmprof_tasks_at(const struct kmprof_tasks *tasks, __u32 number)
{
	return &tasks->by_number[number]->task;
}

const struct kmprof_task *kmprof_tasks_on_cpu(const struct kmprof_tasks *tasks, __u32 cpu)
{
	const struct kmprof_task_entry *entry = cpu < tasks->nr_cpus ? tasks->on_cpu[cpu] : NULL;

	return entry ? &entry->task : NULL;
}

static struct kmprof_task_entry **bucket_of(const struct kmprof_tasks *tasks, __u32 tid)
{
	return &tasks->by_tid[tid * tasks->multiplier >> (32 - tasks->bits)];
}

static void link_entry(struct kmprof_tasks *tasks, struct kmprof_task_entry *entry)
{
	struct kmprof_task_entry **bucket = bucket_of(tasks, entry->task.tid);

	entry->next = *bucket;
	*bucket = entry;
}

/* What has no id any more is found by its number only. */
static void unlink_tid(struct kmprof_tasks *tasks, __u32 tid)
{
	struct kmprof_task_entry **link = bucket_of(tasks, tid);

	while (*link && (*link)->task.tid != tid)
		link = &(*link)->next;
	if (*link)
		*link = (*link)->next;
}

/* Return: 0 or -ENOMEM. */
static int grow_hash(struct kmprof_tasks *tasks)
{
	unsigned int bits = tasks->bits + 1;
	struct kmprof_task_entry **old = tasks->by_tid, *entry;
	size_t i, size = (size_t)1 << tasks->bits;

	tasks->by_tid = calloc((size_t)1 << bits, sizeof(*tasks->by_tid));
	if (!tasks->by_tid) {
		tasks->by_tid = old;
		return -ENOMEM;
	}
	tasks->bits = bits;
	for (i = 0; i < size; i++) {
		while ((entry = old[i])) {
			old[i] = entry->next;
			link_entry(tasks, entry);
		}
	}
	free(old);
	return 0;
}

/* Makes room for one more. Return: 0 or -ENOMEM. */
static int make_room(struct kmprof_tasks *tasks)
{
	__u32 room = tasks->room ? 2 * tasks->room : 1U << FIRST_BITS;
	struct kmprof_task_entry **more;

	if (tasks->nr >> tasks->bits && tasks->bits < MOST_BITS && grow_hash(tasks))
		return -ENOMEM;
	if (tasks->nr < tasks->room)
		return 0;
	if (tasks->room > INT_MAX)
		return -ENOMEM;
	more = reallocarray(tasks->by_number, room, sizeof(struct kmprof_task_entry *));
	if (!more)
		return -ENOMEM;
	tasks->by_number = more;
	tasks->room = room;
	return 0;
}

int kmprof_tasks_init(struct kmprof_tasks *tasks, __u32 nr_cpus)
{
	struct kmprof_task_entry *idle;

	memset(tasks, 0, sizeof(*tasks));
	tasks->bits = FIRST_BITS;
	/* Without entropy, as early in the boot, it is 1: a bad hash, but one. */
	if (getentropy(&tasks->multiplier, sizeof(tasks->multiplier)))
		tasks->multiplier = 0;
	tasks->multiplier |= 1;
	tasks->nr_cpus = nr_cpus;
	tasks->by_tid = calloc((size_t)1 << FIRST_BITS, sizeof(*tasks->by_tid));
	tasks->on_cpu = calloc(nr_cpus, sizeof(*tasks->on_cpu));
	if (!tasks->by_tid || !tasks->on_cpu)
		return -ENOMEM;
	idle = kmprof_tasks_add(tasks, 0);
	if (!idle)
		return -ENOMEM;
	strcpy(idle->task.comm, "idle");
	idle->task.state = KMPROF_TASK_RUNNING;
	idle->is_known = true;
	return 0;
}

void kmprof_tasks_release(struct kmprof_tasks *tasks)
{
	__u32 i;

	for (i = 0; i < tasks->nr; i++)
		free(tasks->by_number[i]);
	free(tasks->by_number);
	free(tasks->by_tid);
	free(tasks->on_cpu);
	memset(tasks, 0, sizeof(*tasks));
}

struct kmprof_task_entry *kmprof_tasks_find(const struct kmprof_tasks *tasks, __u32 tid)
{
	struct kmprof_task_entry *entry = *bucket_of(tasks, tid);

	while (entry && entry->task.tid != tid)
		entry = entry->next;
	return entry;
}

struct kmprof_task_entry *kmprof_tasks_add(struct kmprof_tasks *tasks, __u32 tid)
{
	struct kmprof_task_entry *entry;

	if (make_room(tasks))
		return NULL;
	entry = calloc(1, sizeof(*entry));
	if (!entry)
		return NULL;
	unlink_tid(tasks, tid);
	entry->task.number = tasks->nr;
	entry->task.tid = tid;
	entry->task.reason = KMPROF_REASON_UNKNOWN;
	entry->task.cpu = KMPROF_CPU_UNKNOWN;
	tasks->by_number[tasks->nr++] = entry;
	link_entry(tasks, entry);
	return entry;
}

void kmprof_tasks_rename(struct kmprof_tasks *tasks, struct kmprof_task_entry *entry, __u32 tid)
{
	/* Another one may have its id already. */
	if (kmprof_tasks_find(tasks, entry->task.tid) == entry)
		unlink_tid(tasks, entry->task.tid);
	unlink_tid(tasks, tid);
	entry->task.tid = tid;
	link_entry(tasks, entry);
}

void kmprof_task_name(struct kmprof_task *task, const char *comm, size_t length)
{
	length = strnlen(comm, length);
	if (length >= sizeof(task->comm))
		length = sizeof(task->comm) - 1;
	memset(task->comm, 0, sizeof(task->comm));
	memcpy(task->comm, comm, length);
	kmprof_make_printable(task->comm);
}
