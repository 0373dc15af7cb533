// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "trace/clock.h"
#include "trace/story.h"

/**
 * struct moment - a record, while its effects are followed
 * @story: the story
 * @item: the record
 * @ns: its time
 * @event: as it is told
 * @err: explanation of a failure
 */
struct moment {
	struct kmprof_story *story;
	const struct kmprof_item *item;
	__u64 ns;
	struct kmprof_event event;
	struct kmprof_error *err;
};

static int no_memory(const struct kmprof_story *story, struct kmprof_error *err)
{
	return kmprof_error_set(err, -ENOMEM, NULL, "%s: out of memory", story->trace->name);
}

static bool is_idle(const struct kmprof_task_entry *entry)
{
	return !entry->task.number;
}

#define EVENT(name)	(1ULL << KMPROF_TRACE_##name)

/* Without switches, what a task does is not known. */
static bool has_switches(const struct kmprof_story *story)
{
	return kmprof_trace_records(story->trace, EVENT(SWITCH));
}

/* Has all of these types been seen that has happened so far? @events: bit mask */
static bool has_seen_all(const struct kmprof_story *story, __u64 events)
{
	/* Of one that was cut short, a CPU's batches may be missing from the first one on. */
	return story->trace->has_end && !story->turns &&
	       kmprof_trace_records(story->trace, events);
}

/*
 * Changes the state of a task. @event: the cause; NULL: one that was lost. @wake: who has woken
 * it, or NULL.
 */
static int change(struct moment *m, struct kmprof_task_entry *entry, enum kmprof_task_state state,
		  __u32 cpu, const struct kmprof_event *event, const struct kmprof_wake *wake)
{
	const struct kmprof_visitor *visitor = m->story->visitor;
	struct kmprof_tasks *tasks = &m->story->tasks;
	struct kmprof_task *task = &entry->task;
	struct kmprof_change c = {
		.task = task, .ns = m->ns, .cpu = cpu, .from = task->state,
		.from_ns = task->since_ns, .event = event,
	};

	if (is_idle(entry))
		return 0;
	if (wake) {
		c.waker = kmprof_tasks_at(tasks, wake->by);
		c.waker_context = wake->context;
		c.stack = wake->stack;
	} else if (event && c.from == KMPROF_TASK_RUNNING) {
		c.stack = event->stack;
	}
	if (task->state == KMPROF_TASK_RUNNING && task->cpu != KMPROF_CPU_UNKNOWN &&
	    tasks->on_cpu[task->cpu] == entry)
		tasks->on_cpu[task->cpu] = NULL;
	task->state = state;
	task->since_ns = m->ns;
	if (state == KMPROF_TASK_RUNNING) {
		task->cpu = cpu;
		tasks->on_cpu[cpu] = entry;
	}
	entry->may_be_early = false;
	return visitor->change ? visitor->change(m->story->to, &c, m->err) : 0;
}

/* The first that is seen of a task tells what it did before. */
static void learn(struct kmprof_story *story, struct kmprof_task_entry *entry,
		  enum kmprof_task_state state, __u32 cpu)
{
	entry->is_known = true;
	entry->task.state = state;
	entry->task.since_ns = story->trace->first_ns;
	entry->task.cpu = cpu;
	entry->first.state = state;
	entry->first.cpu = cpu;
}

/* What has led to this state was lost or not recorded, unless nothing was known. */
static int put_right(struct moment *m, struct kmprof_task_entry *entry,
		     enum kmprof_task_state state)
{
	bool is_woken = entry->task.state == KMPROF_TASK_ASLEEP && state == KMPROF_TASK_RUNNABLE;

	if (is_idle(entry) || entry->task.state == state)
		return 0;
	/* If no wake-up was recorded, it can have been only that. */
	if (!is_woken || kmprof_trace_records(m->story->trace, EVENT(WAKING)))
		entry->task.reason = KMPROF_REASON_UNKNOWN;
	return change(m, entry, state, KMPROF_CPU_UNKNOWN, NULL, NULL);
}

/* Was a task in this state since the start, if this is the first that is seen of it? */
static bool was_so(const struct kmprof_story *story, enum kmprof_task_state state)
{
	/* It has become runnable by a wake-up, or by its creation; it sleeps after it has run. */
	return has_seen_all(story, state == KMPROF_TASK_RUNNABLE ?
				   EVENT(SWITCH) | EVENT(WAKING) | EVENT(FORK) : EVENT(SWITCH));
}

static int expect(struct moment *m, struct kmprof_task_entry *entry, enum kmprof_task_state state)
{
	if (!has_switches(m->story))
		state = KMPROF_TASK_UNKNOWN;
	if (!entry->is_known)
		learn(m->story, entry, was_so(m->story, state) ? state : KMPROF_TASK_UNKNOWN,
		      KMPROF_CPU_UNKNOWN);
	return put_right(m, entry, state);
}

enum kmprof_task_state kmprof_story_unseen(const struct kmprof_story *story)
{
	return was_so(story, KMPROF_TASK_RUNNABLE) ? KMPROF_TASK_ASLEEP : KMPROF_TASK_UNKNOWN;
}

static struct kmprof_task_entry *add_task(struct kmprof_story *story, __u32 tid,
					  struct kmprof_error *err)
{
	struct kmprof_task_entry *entry = kmprof_tasks_add(&story->tasks, tid);

	if (!entry) {
		no_memory(story, err);
		return NULL;
	}
	entry->is_known = !story->early;
	entry->first = entry->task;
	return entry;
}

/* Return: the thread that has the id of a main one, if that is seen once more; NULL: none. */
static struct kmprof_task_entry *heir_of(const struct kmprof_task_entry *main)
{
	struct kmprof_task_entry *heir = main->heir;

	return heir && heir->task.state != KMPROF_TASK_DEAD &&
	       heir->task.tgid == main->task.tid && heir->task.tid != main->task.tid ? heir : NULL;
}

/*
 * A thread that is about to execute a program has got the id of the main one, which has exited, and
 * has its id, in case it is still to be switched out for the last time. Return: @entry.
 */
static struct kmprof_task_entry *become_main(struct kmprof_story *story,
					     struct kmprof_task_entry *entry)
{
	struct kmprof_tasks *tasks = &story->tasks;
	struct kmprof_task_entry *gone = kmprof_tasks_find(tasks, entry->task.tgid);
	__u32 before = entry->task.tid;

	kmprof_tasks_rename(tasks, entry, entry->task.tgid);
	if (gone && gone->task.state != KMPROF_TASK_DEAD)
		kmprof_tasks_rename(tasks, gone, before);
	return entry;
}

/* Return: the task that has an id now, or had it last; NULL: none was seen with it. */
static struct kmprof_task_entry *seen_with(const struct kmprof_story *story, __u32 tid)
{
	struct kmprof_task_entry *entry = kmprof_tasks_find(&story->tasks, tid);
	struct kmprof_task_entry *heir = entry ? heir_of(entry) : NULL;

	return heir ? heir : entry;
}

/* Return: the task that has an id now, perhaps seen for the first time; NULL: no memory. */
static struct kmprof_task_entry *task_of(struct kmprof_story *story, __u32 tid,
					 struct kmprof_error *err)
{
	struct kmprof_task_entry *entry = seen_with(story, tid);
	bool is_first = !entry;

	if (entry && entry->task.tid != tid)
		return become_main(story, entry);
	if (entry && entry->task.state != KMPROF_TASK_DEAD)
		return entry;
	entry = add_task(story, tid, err);
	/* If nothing is missing, it was not created since. */
	if (entry)
		entry->was_there = is_first && has_seen_all(story, EVENT(FORK));
	return entry;
}

/* @entry: NULL: it is not known. */
static int tell_what_runs(const struct moment *m, __u32 cpu, const struct kmprof_task_entry *entry)
{
	const struct kmprof_story *story = m->story;

	if (!story->visitor->runs)
		return 0;
	return story->visitor->runs(story->to, cpu, m->ns, entry ? &entry->task : NULL, m->err);
}

/* The records of a CPU say that a task runs there. */
static int settle(struct moment *m, __u32 cpu, __u32 tid)
{
	struct kmprof_task_entry *entry, *before = m->story->ran[cpu];
	int ret = 0;

	if (before && before->task.tid == tid)
		return 0;
	entry = task_of(m->story, tid, m->err);
	if (!entry)
		return -ENOMEM;
	m->story->ran[cpu] = entry;
	if (!has_switches(m->story))
		return 0;
	before = m->story->tasks.on_cpu[cpu];
	if (before)
		ret = put_right(m, before, KMPROF_TASK_UNKNOWN);
	if (!ret)
		ret = expect(m, entry, KMPROF_TASK_RUNNABLE);
	m->story->tasks.on_cpu[cpu] = entry;
	if (!ret)
		ret = change(m, entry, KMPROF_TASK_RUNNING, cpu, NULL, NULL);
	return ret ? ret : tell_what_runs(m, cpu, entry);
}

static int tell(struct moment *m, const struct kmprof_task_entry *other)
{
	const struct kmprof_visitor *visitor = m->story->visitor;

	m->event.other = other ? &other->task : NULL;
	return visitor->event ? visitor->event(m->story->to, &m->event, m->err) : 0;
}

static enum kmprof_task_state state_of(__u64 reason)
{
	switch (reason) {
	case KMPROF_TRACE_RUNNABLE:
	case KMPROF_TRACE_PREEMPTED:
		return KMPROF_TASK_RUNNABLE;
	case KMPROF_TRACE_DEAD:
		return KMPROF_TASK_DEAD;
	default:
		return KMPROF_TASK_ASLEEP;
	}
}

/* A task stops to run. */
static int switch_out(struct moment *m, struct kmprof_task_entry *entry)
{
	__u64 reason = m->item->record->args[1];
	struct kmprof_story *story = m->story;
	bool is_woken = entry->is_woken;
	__u32 cpu = m->item->cpu;
	int ret;

	entry->is_woken = false;
	entry->task.reason = reason < KMPROF_REASON_UNKNOWN ? (__u32)reason :
							      KMPROF_REASON_UNKNOWN;
	ret = change(m, entry, state_of(reason), cpu, &m->event, NULL);
	if (ret || !is_woken || entry->task.state != KMPROF_TASK_ASLEEP)
		return ret;
	if (story->early) {
		entry->may_be_early = true;
		entry->early_number = m->item->number;
		entry->early_cpu = cpu;
		entry->early_turns = story->turns;
		return 0;
	}
	if (!kmprof_early_has(&story->trace->known->early, cpu, m->item->number))
		return 0;
	return change(m, entry, KMPROF_TASK_RUNNABLE, entry->wake.cpu, &m->event, &entry->wake);
}

/*
 * A task that runs without having been woken since it went to sleep had been woken before; if the
 * wake-up cannot be in a hole.
 */
static int note_early(struct moment *m, struct kmprof_task_entry *entry)
{
	if (!entry->may_be_early || entry->task.state != KMPROF_TASK_ASLEEP)
		return 0;
	if (m->story->holes || m->story->turns != entry->early_turns)
		return 0;
	if (kmprof_early_add(m->story->early, entry->early_cpu, entry->early_number))
		return no_memory(m->story, m->err);
	return 0;
}

/* Return: the task that a switch names; NULL: no memory. */
static struct kmprof_task_entry *comes_next(struct moment *m)
{
	const struct kmprof_task_entry *before = m->story->ran[m->item->cpu];
	const __u64 *args = m->item->record->args;

	/* One with the id of a task that dies by this very switch is another. */
	if (args[1] == KMPROF_TRACE_DEAD && !is_idle(before) && args[0] == before->task.tid)
		return add_task(m->story, before->task.tid, m->err);
	return task_of(m->story, (__u32)args[0], m->err);
}

static int on_switch(struct moment *m)
{
	struct kmprof_story *story = m->story;
	struct kmprof_task_entry *next, *before;
	__u32 cpu = m->item->cpu;
	int ret;

	next = comes_next(m);
	if (!next)
		return -ENOMEM;
	before = story->ran[cpu];
	if (!has_switches(story)) {
		ret = tell(m, next);
		story->ran[cpu] = next;
		return ret;
	}
	ret = note_early(m, next);
	/* The same task again would be a switch to itself, which the kernel does not make. */
	if (!ret && next != before)
		ret = expect(m, next, KMPROF_TASK_RUNNABLE);
	if (!ret)
		ret = tell(m, next);
	if (!ret && story->tasks.on_cpu[cpu] == before)
		ret = switch_out(m, before);
	if (!ret && next == before)
		ret = put_right(m, next, KMPROF_TASK_RUNNABLE);
	story->ran[cpu] = next;
	story->tasks.on_cpu[cpu] = next;
	return ret ? ret : change(m, next, KMPROF_TASK_RUNNING, cpu, &m->event, NULL);
}

/*
 * Tells an event of the task that its first argument names. @state: what the task does if it was
 * not seen before. @entry: out: the task. Return: 0 or a negative errno.
 */
static int tell_of(struct moment *m, enum kmprof_task_state state,
		   struct kmprof_task_entry **entry)
{
	int ret = 0;

	*entry = task_of(m->story, (__u32)m->item->record->args[0], m->err);
	if (!*entry)
		return -ENOMEM;
	if (!(*entry)->is_known || (*entry)->task.state == KMPROF_TASK_ABSENT ||
	    (*entry)->task.state == KMPROF_TASK_UNKNOWN)
		ret = expect(m, *entry, state);
	return ret ? ret : tell(m, *entry);
}

static int on_waking(struct moment *m)
{
	const struct kmprof_wake wake = {
		.by = m->event.task->number, .cpu = m->item->cpu, .context = m->event.context,
		.stack = m->event.stack,
	};
	struct kmprof_task_entry *entry;
	int ret = tell_of(m, KMPROF_TASK_ASLEEP, &entry);

	if (ret || is_idle(entry) || !has_switches(m->story))
		return ret;
	if (entry->task.state == KMPROF_TASK_RUNNING) {
		entry->is_woken = true;
		entry->wake = wake;
	}
	if (entry->task.state != KMPROF_TASK_ASLEEP)
		return 0;
	return change(m, entry, KMPROF_TASK_RUNNABLE, m->item->cpu, &m->event, &wake);
}

static int on_migrate(struct moment *m)
{
	struct kmprof_task_entry *entry;
	int ret = tell_of(m, KMPROF_TASK_RUNNABLE, &entry);

	if (!ret && !is_idle(entry) && entry->task.state != KMPROF_TASK_RUNNING)
		entry->task.cpu = (__u32)m->item->record->args[1];
	return ret;
}

static int on_fork(struct moment *m)
{
	const struct kmprof_record *record = m->item->record;
	struct kmprof_story *story = m->story;
	struct kmprof_task_entry *entry;
	int ret = 0;

	entry = kmprof_tasks_find(&story->tasks, (__u32)record->args[0]);
	/* The table of tasks can have one that has come since. */
	if (entry && !entry->is_known)
		entry->was_there = false;
	else if (entry)
		ret = put_right(m, entry, KMPROF_TASK_DEAD);
	if (ret)
		return ret;
	entry = add_task(story, (__u32)record->args[0], m->err);
	if (!entry)
		return -ENOMEM;
	entry->is_known = true;
	entry->was_named = true;
	entry->task.tgid = (__u32)record->args[1];
	entry->task.parent = m->event.task->number;
	entry->task.since_ns = m->ns;
	kmprof_task_name(&entry->task, record->text, record->length);
	ret = tell(m, entry);
	return ret ? ret : change(m, entry, has_switches(story) ? KMPROF_TASK_RUNNABLE :
								  KMPROF_TASK_UNKNOWN,
				  m->item->cpu, &m->event, NULL);
}

/* It has exited, but is still to be switched out for the last time. */
static bool is_exiting(const struct kmprof_task_entry *entry)
{
	return entry->has_exited && (entry->task.state == KMPROF_TASK_RUNNING ||
				     entry->task.state == KMPROF_TASK_RUNNABLE);
}

/*
 * The thread that has executed a program is the main one; that, and all others, are gone. If it was
 * switched to since it has become that, and nothing told of it before, it has been taken for
 * another task, which it stays. Its old id can already be that of a task of another process.
 */
static int take_over(struct moment *m, struct kmprof_task_entry *entry)
{
	__u32 before = (__u32)m->item->record->args[0], tgid = entry->task.tgid;
	struct kmprof_task_entry *gone;

	if (before == entry->task.tid) {
		if (!tgid || tgid == before)
			return 0;
		become_main(m->story, entry);
	}
	entry->task.tgid = entry->task.tid;
	gone = kmprof_tasks_find(&m->story->tasks, before);
	if (!gone || is_exiting(gone) || (gone->task.tgid && gone->task.tgid != entry->task.tgid))
		return 0;
	return put_right(m, gone, KMPROF_TASK_DEAD);
}

static void rename_task(struct kmprof_task_entry *entry, const struct kmprof_record *record)
{
	entry->was_named = true;
	if (!is_idle(entry))
		kmprof_task_name(&entry->task, record->text, record->length);
}

static int on_exec(struct moment *m)
{
	struct kmprof_task_entry *entry = m->story->ran[m->item->cpu];
	int ret = tell(m, NULL);

	if (ret || is_idle(entry))
		return ret;
	rename_task(entry, m->item->record);
	return take_over(m, entry);
}

static int on_exit_of_task(struct moment *m)
{
	const struct kmprof_record *record = m->item->record;
	struct kmprof_task_entry *entry = m->story->ran[m->item->cpu];
	int ret = tell(m, NULL);

	if (ret || is_idle(entry))
		return ret;
	entry->has_exited = true;
	entry->task.tgid = (__u32)record->args[0];
	if (!entry->first.tgid)
		entry->first.tgid = entry->task.tgid;
	if (!entry->was_named && has_seen_all(m->story, EVENT(RENAME)))
		kmprof_task_name(&entry->first, record->text, record->length);
	rename_task(entry, record);
	return 0;
}

/*
 * Before a thread tells that it has executed a program, it is renamed, with its new id. But it can
 * also be that it names the main one, which has exited, as a file of /proc lets it: so it does not
 * get the id before that is seen once more. Return: the main one; NULL: it is neither.
 */
static struct kmprof_task_entry *main_that_has_exited(const struct moment *m, __u32 tid)
{
	const struct kmprof_task_entry *runs = m->story->ran[m->item->cpu];
	struct kmprof_task_entry *main;

	if (is_idle(runs) || runs->task.tid == tid || runs->task.tgid != tid)
		return NULL;
	main = kmprof_tasks_find(&m->story->tasks, tid);
	return main && (main->has_exited || main->task.state == KMPROF_TASK_DEAD) ? main : NULL;
}

static int on_rename(struct moment *m)
{
	__u32 tid = (__u32)m->item->record->args[0];
	struct kmprof_task_entry *entry = main_that_has_exited(m, tid);
	int ret = 0;

	if (entry) {
		entry->heir = m->story->ran[m->item->cpu];
		return tell(m, entry->heir);
	}
	entry = task_of(m->story, tid, m->err);
	if (!entry)
		return -ENOMEM;
	/* What it does cannot be seen from that. */
	if (entry->is_known && entry->task.state == KMPROF_TASK_ABSENT)
		ret = put_right(m, entry, KMPROF_TASK_UNKNOWN);
	if (!ret)
		ret = tell(m, entry);
	rename_task(entry, m->item->record);
	return ret;
}

/* An owner that is not known, or whose id is that of a task that has exited, is not told. */
static int on_contention(struct moment *m)
{
	__u64 tid = m->item->record->args[3];
	const struct kmprof_task_entry *owner = NULL;

	if (tid && tid <= INT_MAX)
		owner = seen_with(m->story, (__u32)tid);
	if (owner && owner->task.state == KMPROF_TASK_DEAD)
		owner = NULL;
	return tell(m, owner);
}

static int on_record(struct moment *m)
{
	switch (m->item->record->type) {
	case KMPROF_TRACE_SWITCH:
		return on_switch(m);
	case KMPROF_TRACE_WAKING:
		return on_waking(m);
	case KMPROF_TRACE_MIGRATE:
		return on_migrate(m);
	case KMPROF_TRACE_FORK:
		return on_fork(m);
	case KMPROF_TRACE_EXEC:
		return on_exec(m);
	case KMPROF_TRACE_EXIT:
		return on_exit_of_task(m);
	case KMPROF_TRACE_RENAME:
		return on_rename(m);
	case KMPROF_TRACE_CONTENTION_BEGIN:
		return on_contention(m);
	default:
		return tell(m, NULL);
	}
}

/* @visit: of the visitor, or NULL */
static int tell_loss(struct moment *m, int (*visit)(void *to, const struct kmprof_gap *gap,
						    struct kmprof_error *err))
{
	const struct kmprof_gap loss = {
		.cpu = m->item->cpu, .count = m->item->lost,
		.from_ns = kmprof_trace_ns(m->story->trace, m->item->from_ticks),
		.to_ns = kmprof_trace_ns(m->story->trace, m->item->to_ticks),
	};

	return visit && loss.count ? visit(m->story->to, &loss, m->err) : 0;
}

static void begin_hole(struct kmprof_story *story)
{
	story->holes++;
	story->turns++;
}

static void end_hole(struct kmprof_story *story)
{
	story->holes--;
	story->turns++;
}

/*
 * Where all switches are seen, a batch can begin with another task in one case: a thread has become
 * the main one of its process since the last record.
 */
static bool begins_with_new_main(const struct moment *m)
{
	const struct kmprof_task_entry *entry = m->story->ran[m->item->cpu];

	return has_switches(m->story) && entry && !is_idle(entry) &&
	       entry->task.tid != m->item->tid && entry->task.tgid == m->item->tid;
}

static int on_batch(struct moment *m)
{
	int ret = tell_loss(m, m->story->visitor->lost);

	if (ret || m->item->tid == KMPROF_TID_UNKNOWN)
		return ret;
	if (begins_with_new_main(m))
		become_main(m->story, m->story->ran[m->item->cpu]);
	if (!m->story->ran[m->item->cpu])
		end_hole(m->story);
	return settle(m, m->item->cpu, m->item->tid);
}

/* What runs there may be switched out at any time from now on. */
static int on_hole(struct moment *m)
{
	struct kmprof_story *story = m->story;
	__u32 cpu = m->item->cpu;
	struct kmprof_task_entry *entry = story->tasks.on_cpu[cpu];
	int ret = 0;

	if (story->ran[cpu])
		begin_hole(story);
	story->ran[cpu] = NULL;
	story->tasks.on_cpu[cpu] = NULL;
	if (entry)
		ret = put_right(m, entry, KMPROF_TASK_UNKNOWN);
	if (!ret)
		ret = tell_what_runs(m, cpu, NULL);
	return ret ? ret : tell_loss(m, story->visitor->loses);
}

int kmprof_story_go_on(struct kmprof_story *story, const struct kmprof_item *item,
		       struct kmprof_error *err)
{
	const struct kmprof_record *record = item->record;
	struct moment m = {
		.story = story, .item = item, .err = err,
		.ns = kmprof_trace_ns(story->trace, item->ticks),
	};

	if (item->kind == KMPROF_ITEM_BATCH)
		return on_batch(&m);
	if (item->kind == KMPROF_ITEM_HOLE)
		return on_hole(&m);
	m.event = (struct kmprof_event){
		.ns = m.ns, .cpu = item->cpu, .type = record->type, .context = record->context,
		.name = story->trace->type[record->type].name,
		.task = &story->ran[item->cpu]->task,
		.nr_args = record->nr_args, .args = record->args, .stack = record->stack,
		.text = record->text, .length = record->length,
	};
	return on_record(&m);
}

bool kmprof_story_is_ready(const void *of, __u32 tid)
{
	const struct kmprof_story *story = of;
	const struct kmprof_task_entry *entry = seen_with(story, tid);

	/* Of one that has not been seen yet, another record may show that it slept. */
	return entry && (is_idle(entry) ||
			 (entry->is_known && entry->task.state == KMPROF_TASK_RUNNABLE));
}

int kmprof_story_runs(struct kmprof_story *story, __u32 cpu, __u32 tid, struct kmprof_error *err)
{
	struct kmprof_task_entry *entry;

	if (tid == KMPROF_TID_UNKNOWN) {
		begin_hole(story);
		return 0;
	}
	entry = task_of(story, tid, err);
	if (!entry)
		return -ENOMEM;
	entry->was_there = true;
	story->ran[cpu] = entry;
	if (!has_switches(story))
		return 0;
	/* Two CPUs can have the same one in a made-up trace only. */
	if (!is_idle(entry) && !entry->is_known)
		learn(story, entry, KMPROF_TASK_RUNNING, cpu);
	if (is_idle(entry) || entry->task.cpu == cpu)
		story->tasks.on_cpu[cpu] = entry;
	return 0;
}

/* As the table of the trace has them. */
static int add_listed(struct kmprof_story *story, struct kmprof_error *err)
{
	const struct kmprof_trace_task *from = story->trace->tasks;
	struct kmprof_task_entry *entry;
	__u32 i;

	for (i = 0; i < story->trace->header.nr_tasks; i++, from++) {
		if (kmprof_tasks_find(&story->tasks, from->tid))
			continue;
		entry = add_task(story, from->tid, err);
		if (!entry)
			return -ENOMEM;
		entry->was_there = true;
		entry->was_named = true;
		entry->task.tgid = from->tgid;
		entry->task.state = KMPROF_TASK_ASLEEP;
		kmprof_task_name(&entry->task, from->comm, sizeof(from->comm));
		entry->first = entry->task;
	}
	return 0;
}

static int add_known(struct kmprof_story *story, struct kmprof_error *err)
{
	const struct kmprof_known *known = story->trace->known;
	struct kmprof_task_entry *entry;
	__u32 number;
	size_t i;

	for (i = 0; i < known->nr; i++) {
		entry = add_task(story, known->task[i].tid, err);
		if (!entry)
			return -ENOMEM;
		number = entry->task.number;
		entry->task = known->task[i];
		entry->task.number = number;
	}
	return 0;
}

int kmprof_story_begin(struct kmprof_story *story, const struct kmprof_trace *trace,
		       const struct kmprof_visitor *visitor, void *to, struct kmprof_early *early,
		       struct kmprof_error *err)
{
	int ret;

	memset(story, 0, sizeof(*story));
	story->trace = trace;
	story->early = early;
	story->visitor = visitor;
	story->to = to;
	ret = kmprof_tasks_init(&story->tasks, trace->header.nr_cpus);
	story->ran = calloc(trace->header.nr_cpus, sizeof(struct kmprof_task_entry *));
	if (ret || !story->ran)
		return no_memory(story, err);
	return early ? add_listed(story, err) : add_known(story, err);
}

void kmprof_story_release(struct kmprof_story *story)
{
	kmprof_tasks_release(&story->tasks);
	free(story->ran);
	story->ran = NULL;
}
