// SPDX-License-Identifier: GPL-2.0
#include <errno.h>

#include "schedule/ends.h"

static int add_end(struct kmprof_cause *ends, const struct kmprof_cause *cause, __u32 of)
{
	const struct kmprof_cause kind = {
		.why = cause->why, .reason = cause->reason, .context = cause->context,
		.lock = cause->lock, .kind = cause->kind, .handler = cause->handler,
		.stall = cause->stall, .call = cause->call, .idle = cause->idle,
		.name = cause->name, .of = of,
	};
	struct kmprof_cause *end = kmprof_cause_add(ends, &kind, cause->ns, cause->count);
	const struct kmprof_place *place;
	size_t i, nr;
	int ret = 0;

	if (!end)
		return -ENOMEM;
	place = kmprof_cause_places(cause, &nr);
	for (i = 0; !ret && i < nr; i++)
		ret = kmprof_cause_add_place(end, &place[i]);
	return ret;
}

/* @of: name of the task that the causes below @cause are about; 0: one of those asked for */
static int add_ends(struct kmprof_cause *ends, const struct kmprof_cause *cause, __u32 of)
{
	const struct kmprof_cause *below;
	struct kmprof_cause run;
	int ret = 0;

	if (cause->why == KMPROF_WHY_ASLEEP || cause->why == KMPROF_WHY_ABSENT)
		of = cause->name;
	for (below = cause->causes; !ret && below; below = below->next) {
		if (below->causes) {
			ret = add_ends(ends, below, of);
			continue;
		}
		run = *below;
		/* That a task runs does not tell as much as what for. */
		if (run.why == KMPROF_WHY_RUNS && kmprof_why_is_span(cause->why)) {
			run.why = cause->why;
			run.stall = cause->stall;
			run.call = cause->call;
		}
		ret = add_end(ends, &run, of);
	}
	return ret;
}

int kmprof_why_ends(struct kmprof_cause *ends, const struct kmprof_cause *root,
		    struct kmprof_error *err)
{
	struct kmprof_cause *end;
	int ret = add_ends(ends, root, 0);

	kmprof_cause_finish(ends);
	for (end = ends->causes; end; end = end->next)
		kmprof_cause_finish(end);
	return ret ? kmprof_error_set(err, ret, NULL, "out of memory for the causes") : 0;
}
