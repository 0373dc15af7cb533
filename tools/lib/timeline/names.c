// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "timeline/names.h"
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

const char *kmprof_name_of_type(const struct kmprof_event *event)
{
	return *event->name ? event->name : "[unknown]";
}

size_t kmprof_event_says(const struct kmprof_event *event, char *words)
{
	size_t n = 0, i;

	if (event->length) {
		n = event->length < KMPROF_SAYS_ROOM ? event->length : KMPROF_SAYS_ROOM - 1;
		memcpy(words, event->text, n);
		/* A NUL inside would end it. */
		for (i = 0; i < n; i++)
			if (!words[i])
				words[i] = '?';
	}
	words[n] = '\0';
	for (i = 0; !event->length && i < event->nr_args && n + 1 < KMPROF_SAYS_ROOM; i++)
		n += (size_t)snprintf(words + n, KMPROF_SAYS_ROOM - n, "%s%llu", i ? " " : "",
				      event->args[i]);
	kmprof_make_printable(words);
	return strlen(words);
}
