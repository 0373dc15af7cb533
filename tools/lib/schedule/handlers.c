// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "schedule/handlers.h"
#include "util/printable.h"

static struct kmprof_handler handler_of(const struct kmprof_event *event)
{
	bool is_softirq = event->type == KMPROF_TRACE_SOFTIRQ_ENTRY;
	struct kmprof_handler handler = {
		.context = is_softirq ? KMPROF_TRACE_IN_SOFTIRQ : KMPROF_TRACE_IN_HARDIRQ,
		.number = (__u32)event->args[0],
	};

	if (!is_softirq)
		snprintf(handler.name, sizeof(handler.name), "%s", event->text);
	kmprof_make_printable(handler.name);
	return handler;
}

__s64 kmprof_handlers_find(struct kmprof_handlers *handlers, const struct kmprof_event *event)
{
	struct kmprof_handler handler = handler_of(event);
	char key[KMPROF_HANDLER_NAME + 24];
	bool is_new;
	__s64 i;

	snprintf(key, sizeof(key), "%u %u %s", handler.context, handler.number, handler.name);
	i = kmprof_intern_number(&handlers->keys, key, &is_new);
	if (is_new && kmprof_growing_add(&handlers->table, &handler, sizeof(handler)))
		return -ENOMEM;
	return i;
}

size_t kmprof_handlers_count(const struct kmprof_handlers *handlers)
{
	return handlers->table.used / sizeof(struct kmprof_handler);
}

const struct kmprof_handler *kmprof_handlers_at(const struct kmprof_handlers *handlers, __u32 i)
{
	return (const struct kmprof_handler *)handlers->table.bytes + i;
}

bool kmprof_handlers_is_softirq(const struct kmprof_handlers *handlers, __u32 i)
{
	return kmprof_handlers_at(handlers, i)->context == KMPROF_TRACE_IN_SOFTIRQ;
}

void kmprof_handlers_release(struct kmprof_handlers *handlers)
{
	free(handlers->table.bytes);
	kmprof_intern_release(&handlers->keys);
}
