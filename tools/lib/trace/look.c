// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>

#include "trace/clock.h"
#include "trace/look.h"

static int begin_cpus(struct kmprof_story *story, const struct kmprof_order *order,
		      struct kmprof_error *err)
{
	const struct kmprof_cursor *c;
	size_t i;
	int ret;

	for (i = 0; i < order->nr_cursors; i++) {
		c = &order->cursor[i];
		ret = kmprof_story_runs(story, c->cpu, c->tid, err);
		if (ret)
			return ret;
	}
	return 0;
}

static bool is_in(const struct kmprof_trace *trace, const struct kmprof_item *item)
{
	return !trace->has_end || item->ticks <= trace->end.end.ticks;
}

static int tell_all(struct kmprof_story *story, struct kmprof_order *order, __u64 *last_ticks,
		    struct kmprof_error *err)
{
	const struct kmprof_visitor *visitor = story->visitor;
	struct kmprof_item item = { 0 };
	int ret = 0;

	if (visitor->begin)
		ret = visitor->begin(story->to, story->trace, &story->tasks, err);
	if (ret)
		return ret;
	/* After the end, events are missing. */
	while ((ret = kmprof_order_next(order, &item, err)) > 0 && is_in(story->trace, &item)) {
		ret = kmprof_story_go_on(story, &item, err);
		if (ret)
			return ret;
	}
	*last_ticks = item.ticks;
	if (ret >= 0)
		ret = visitor->end ? visitor->end(story->to, story->trace, err) : 0;
	return ret;
}

int kmprof_trace_tell(struct kmprof_story *story, __u64 *last_ticks, struct kmprof_error *err)
{
	struct kmprof_order order = { .is_ready = kmprof_story_is_ready, .of = story };
	__u64 ticks = 0;
	int ret;

	ret = kmprof_order_begin(&order, story->trace, err);
	if (!ret)
		ret = begin_cpus(story, &order, err);
	if (!ret)
		ret = tell_all(story, &order, &ticks, err);
	kmprof_order_release(&order);
	if (last_ticks)
		*last_ticks = ticks;
	return ret;
}

static void take_first(struct kmprof_task *task, const struct kmprof_task_entry *entry,
		       const struct kmprof_story *story)
{
	*task = entry->first;
	task->since_ns = story->trace->first_ns;
	if (!entry->is_known)
		task->state = kmprof_story_unseen(story);
}

static int take_known(struct kmprof_known *known, const struct kmprof_story *story,
		      struct kmprof_error *err)
{
	const struct kmprof_tasks *tasks = &story->tasks;
	__u32 i;

	known->task = calloc(tasks->nr, sizeof(*known->task));
	if (!known->task)
		return kmprof_error_set(err, -ENOMEM, NULL, "%s: out of memory",
					story->trace->name);
	for (i = 1; i < tasks->nr; i++)
		if (tasks->by_number[i]->was_there)
			take_first(&known->task[known->nr++], tasks->by_number[i], story);
	kmprof_early_sort(&known->early);
	return 0;
}

/* What the last batch would have told, as far as it can be known. */
static void make_up_end(struct kmprof_trace *trace, __u64 last_ticks)
{
	const struct kmprof_trace_clock *start = &trace->header.start;
	__u64 passed = trace->last_ns - trace->first_ns;

	trace->end = (struct kmprof_trace_end){
		.end = {
			.ticks = last_ticks > start->ticks ? last_ticks : start->ticks,
			.mono_ns = trace->last_ns,
			.boot_ns = start->boot_ns + passed,
			.real_ns = start->real_ns + passed,
		},
		.events = trace->events,
		.lost = trace->lost,
	};
}

static int count_event(void *to, const struct kmprof_event *event, struct kmprof_error *err)
{
	struct kmprof_trace *trace = to;

	(void)event;
	(void)err;
	trace->events++;
	return 0;
}

static int count_loss(void *to, const struct kmprof_gap *gap, struct kmprof_error *err)
{
	struct kmprof_trace *trace = to;

	(void)err;
	trace->lost += gap->count;
	return 0;
}

int kmprof_trace_look(struct kmprof_trace *trace, struct kmprof_error *err)
{
	static const struct kmprof_visitor counter = { .event = count_event, .lost = count_loss };
	struct kmprof_story story;
	__u64 last_ticks;
	int ret;

	trace->known = calloc(1, sizeof(*trace->known));
	if (!trace->known)
		return kmprof_error_set(err, -ENOMEM, NULL, "%s: out of memory", trace->name);
	trace->events = 0;
	trace->lost = 0;
	ret = kmprof_story_begin(&story, trace, &counter, trace, &trace->known->early, err);
	if (!ret)
		ret = kmprof_trace_tell(&story, &last_ticks, err);
	if (!ret)
		ret = take_known(trace->known, &story, err);
	kmprof_story_release(&story);
	if (ret)
		return ret;
	if (trace->has_end) {
		trace->last_ns = trace->end.end.mono_ns;
		return 0;
	}
	trace->last_ns = kmprof_trace_ns(trace, last_ticks);
	make_up_end(trace, last_ticks);
	return 0;
}

void kmprof_trace_forget(struct kmprof_trace *trace)
{
	if (trace->known) {
		free(trace->known->task);
		kmprof_early_release(&trace->known->early);
	}
	free(trace->known);
	trace->known = NULL;
}

int kmprof_trace_walk(const struct kmprof_trace *trace, const struct kmprof_visitor *visitor,
		      void *to, struct kmprof_error *err)
{
	struct kmprof_story story;
	int ret;

	ret = kmprof_story_begin(&story, trace, visitor, to, NULL, err);
	if (!ret)
		ret = kmprof_trace_tell(&story, NULL, err);
	kmprof_story_release(&story);
	return ret;
}
