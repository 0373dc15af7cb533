/* SPDX-License-Identifier: GPL-2.0 */
/* Names and texts of a trace, as the formats for other programs show them. */
#ifndef KMPROF_TIMELINE_NAMES_H
#define KMPROF_TIMELINE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "timeline/stack_names.h"
#include "trace/trace.h"

/* Room for words, with a NUL. */
#define KMPROF_SAYS_ROOM	(KMPROF_TRACE_TEXT_MAX + 1)

/* Return: the name of a task, in brackets if it is idle or not known. */
const char *kmprof_name_of_task(const struct kmprof_task *task);

/**
 * kmprof_kernel_name_of_task() - a copy of the name of a task, as the kernel has it
 * @name: filled in: "swapper/N" if it is idle; empty if it is not known
 * @task: the task
 * @cpu: N
 *
 * Return: @name.
 */
char *kmprof_kernel_name_of_task(char name[KMPROF_COMM_LEN], const struct kmprof_task *task,
				 __u32 cpu);

/* Is it an event of the scheduler, or a mark? */
bool kmprof_event_is_known(const struct kmprof_event *event);

/* Do the words of kmprof_event_says() tell already whether an interrupt has made it? */
bool kmprof_event_says_context(const struct kmprof_event *event);

/* The name of the type of an event that is not known. */
const char *kmprof_name_of_type(const struct kmprof_event *event);

/**
 * kmprof_event_text() - the text of an event
 * @event: the event
 * @words: KMPROF_SAYS_ROOM bytes, filled with printable ASCII
 *
 * Return: length of the words: 0 if it has no text.
 */
size_t kmprof_event_text(const struct kmprof_event *event, char *words);

/**
 * kmprof_event_says() - what an event says: its text; about which lock or interrupt it is; or its
 *	arguments
 * @event: the event
 * @names: of the stacks and locks of the trace
 * @words: KMPROF_SAYS_ROOM bytes, filled with printable ASCII
 *
 * Return: length of the words.
 */
size_t kmprof_event_says(const struct kmprof_event *event, const struct kmprof_stack_names *names,
			 char *words);

#endif
