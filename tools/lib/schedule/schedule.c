// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "schedule/schedule.h"
#include "trace/power.h"

/**
 * struct reading - a schedule in the making
 * @schedule: the schedule
 * @tasks: of the trace
 * @same: by number of a stack: the number that is kept
 * @room: entries of @life of the schedule that there is room for
 * @lost_ns: when the last events are lost, which can be later than now
 */
struct reading {
	struct kmprof_schedule *schedule;
	const struct kmprof_tasks *tasks;
	const __u32 *same;
	__u32 room;
	__u64 lost_ns;
};

static int out_of_memory(struct kmprof_error *err)
{
	return kmprof_error_set(err, -ENOMEM, "A shorter trace takes less.",
				"out of memory for what the tasks did");
}

/* Makes the table of lives as long as that of the tasks. */
static int add_lives(struct reading *r)
{
	struct kmprof_schedule *schedule = r->schedule;
	__u32 nr = kmprof_tasks_count(r->tasks);
	struct kmprof_life *more;
	__u32 room = r->room;

	while (room < nr)
		room = room ? 2 * room : 64;
	if (room > r->room) {
		more = realloc(schedule->life, room * sizeof(*more));
		if (!more)
			return -ENOMEM;
		schedule->life = more;
		r->room = room;
	}
	memset(schedule->life + schedule->nr_lives, 0,
	       (nr - schedule->nr_lives) * sizeof(*schedule->life));
	schedule->nr_lives = nr;
	return 0;
}

/* Return: the life of a task; NULL: no memory. */
static struct kmprof_life *life_of(struct reading *r, const struct kmprof_task *task)
{
	if (task->number >= r->schedule->nr_lives && add_lives(r))
		return NULL;
	return &r->schedule->life[task->number];
}

static int add_stretch(struct reading *r, const struct kmprof_task *task,
		       const struct kmprof_stretch *stretch)
{
	struct kmprof_life *life = life_of(r, task);

	return life ? kmprof_growing_add(&life->stretches, stretch, sizeof(*stretch)) : -ENOMEM;
}

static int add_move(struct reading *r, const struct kmprof_event *event)
{
	const struct kmprof_task *task = event->other;
	const struct kmprof_move move = { .from_ns = event->ns, .cpu = (__u32)event->args[1] };
	struct kmprof_life *life;

	if (task->state != KMPROF_TASK_RUNNABLE)
		return 0;
	life = life_of(r, task);
	return life ? kmprof_growing_add(&life->moves, &move, sizeof(move)) : -ENOMEM;
}

/* A turn of no time is none. */
static int add_turn(struct reading *r, __u32 cpu, __u64 ns, __u32 task)
{
	struct kmprof_turn turn = { .from_ns = ns, .task = task }, *last;
	struct kmprof_growing *turns = &r->schedule->turns[cpu];

	last = kmprof_growing_last(turns, sizeof(*last));
	if (last && last->task == task)
		return 0;
	if (last && last->from_ns == ns) {
		last->task = task;
		return 0;
	}
	return kmprof_growing_add(turns, &turn, sizeof(turn));
}

static int begin(void *to, const struct kmprof_trace *trace, const struct kmprof_tasks *tasks,
		 struct kmprof_error *err)
{
	struct reading *r = to;
	const struct kmprof_task *task;
	struct kmprof_stretch stretch;
	__u32 i;

	r->tasks = tasks;
	if (add_lives(r))
		return out_of_memory(err);
	for (i = 1; i < r->schedule->nr_lives; i++) {
		task = kmprof_tasks_at(tasks, i);
		if (task->state == KMPROF_TASK_ABSENT)
			continue;
		stretch = (struct kmprof_stretch){
			.from_ns	= trace->first_ns,
			.cpu		= task->cpu,
			.waker		= KMPROF_NO_TASK,
			.reason		= task->reason,
			.state		= (__u8)task->state,
		};
		if (add_stretch(r, task, &stretch))
			return out_of_memory(err);
	}
	for (i = 0; i < r->schedule->nr_cpus; i++) {
		task = kmprof_tasks_on_cpu(tasks, i);
		if (task && add_turn(r, i, trace->first_ns, task->number))
			return out_of_memory(err);
	}
	return 0;
}

static int add_wait(struct reading *r, const struct kmprof_event *event)
{
	struct kmprof_life *life;

	if (!event->task->number)
		return 0;
	life = life_of(r, event->task);
	if (!life)
		return -ENOMEM;
	if (event->type == KMPROF_TRACE_CONTENTION_BEGIN)
		return kmprof_legs_begin(&life->legs, event, r->lost_ns);
	kmprof_legs_end(&life->legs, event);
	return 0;
}

/* Nothing on top of an idle task goes with it. */
static int leave_softirq(struct reading *r, const struct kmprof_event *event)
{
	struct kmprof_growing *interruptions = &r->schedule->interruptions[event->cpu];
	struct kmprof_life *life;

	if (!event->task->number)
		return kmprof_interruptions_end(interruptions, event->ns);
	life = life_of(r, event->task);
	return life ? kmprof_interruptions_leave(interruptions, &r->schedule->handlers, event->ns,
						 &life->softirq) : -ENOMEM;
}

static int resume_softirq(struct reading *r, const struct kmprof_event *event)
{
	struct kmprof_life *life;

	if (!event->other->number)
		return 0;
	life = life_of(r, event->other);
	return life ? kmprof_interruptions_resume(&r->schedule->interruptions[event->cpu],
						  event->ns, &life->softirq, r->lost_ns) : -ENOMEM;
}

static int add_switch(struct reading *r, const struct kmprof_event *event)
{
	int ret = leave_softirq(r, event);

	if (!ret)
		ret = resume_softirq(r, event);
	kmprof_cpu_states_end(&r->schedule->idle_states[event->cpu], event->ns);
	return ret ? ret : add_turn(r, event->cpu, event->ns, event->other->number);
}

static int add_interruption(struct reading *r, const struct kmprof_event *event)
{
	return kmprof_interruptions_note(&r->schedule->interruptions[event->cpu],
					 &r->schedule->handlers, event);
}

static int add_stall(struct reading *r, const struct kmprof_event *event)
{
	struct kmprof_life *life;

	if (!event->task->number)
		return 0;
	life = life_of(r, event->task);
	return life ? kmprof_stalls_note(&life->stalls, event, r->lost_ns) : -ENOMEM;
}

static int add_call(struct reading *r, const struct kmprof_event *event)
{
	struct kmprof_life *life;

	if (!event->task->number)
		return 0;
	life = life_of(r, event->task);
	return life ? kmprof_calls_note(&life->calls, event, r->lost_ns) : -ENOMEM;
}

static int add_memory(struct reading *r, const struct kmprof_event *event)
{
	bool is_of_task = event->context == KMPROF_TRACE_IN_TASK && event->task->number;
	struct kmprof_life *life;

	if (!is_of_task) {
		kmprof_flow_note(&r->schedule->flow[event->context], event);
		return 0;
	}
	life = life_of(r, event->task);
	if (!life)
		return -ENOMEM;
	kmprof_flow_note(&life->flow, event);
	return 0;
}

static int add_idle_state(struct reading *r, const struct kmprof_event *event)
{
	struct kmprof_growing *states = &r->schedule->idle_states[event->cpu];

	if (kmprof_idle_enters(event))
		return kmprof_cpu_states_begin(states, kmprof_idle_state(event), event->ns);
	kmprof_cpu_states_end(states, event->ns);
	return 0;
}

static int add_frequency(struct reading *r, const struct kmprof_event *event)
{
	return kmprof_cpu_states_begin(&r->schedule->frequencies[event->args[0]],
				       (__u32)event->args[1], event->ns);
}

/* From now on, a task is in no span, whatever was seen. */
static void close_spans(const struct reading *r, struct kmprof_life *life, __u64 ns)
{
	kmprof_stalls_close(&life->stalls, ns, r->lost_ns);
	kmprof_calls_close(&life->calls, ns, r->lost_ns);
}

static int on_loses(void *to, const struct kmprof_gap *gap, struct kmprof_error *err)
{
	struct reading *r = to;

	(void)err;
	if (r->lost_ns < gap->to_ns)
		r->lost_ns = gap->to_ns;
	return 0;
}

static int on_lost(void *to, const struct kmprof_gap *gap, struct kmprof_error *err)
{
	struct reading *r = to;
	__u32 i;

	/* Those of a CPU that has had no event so far. */
	on_loses(to, gap, err);
	/* A CPU tells of its own idle states; any one, of frequencies and grace periods. */
	kmprof_grace_periods_end(&r->schedule->grace_periods, gap->from_ns);
	kmprof_cpu_states_end(&r->schedule->idle_states[gap->cpu], gap->from_ns);
	for (i = 0; i < r->schedule->nr_cpus; i++)
		kmprof_cpu_states_end(&r->schedule->frequencies[i], gap->from_ns);
	return 0;
}

static int on_event(void *to, const struct kmprof_event *event, struct kmprof_error *err)
{
	struct reading *r = to;
	int ret = 0;

	switch (event->type) {
	case KMPROF_TRACE_SWITCH:
		ret = add_switch(to, event);
		break;
	case KMPROF_TRACE_MIGRATE:
		ret = add_move(to, event);
		break;
	case KMPROF_TRACE_CONTENTION_BEGIN:
	case KMPROF_TRACE_CONTENTION_END:
		ret = add_wait(to, event);
		break;
	case KMPROF_TRACE_IRQ_ENTRY:
	case KMPROF_TRACE_IRQ_EXIT:
	case KMPROF_TRACE_SOFTIRQ_ENTRY:
	case KMPROF_TRACE_SOFTIRQ_EXIT:
		ret = add_interruption(to, event);
		break;
	case KMPROF_TRACE_ALLOC:
	case KMPROF_TRACE_FREE:
		ret = add_memory(to, event);
		break;
	case KMPROF_TRACE_SYSCALL_ENTER:
	case KMPROF_TRACE_SYSCALL_EXIT:
		ret = add_call(to, event);
		break;
	case KMPROF_TRACE_CPU_IDLE:
		ret = add_idle_state(to, event);
		break;
	case KMPROF_TRACE_CPU_FREQUENCY:
		ret = add_frequency(to, event);
		break;
	case KMPROF_TRACE_GRACE_PERIOD_BEGIN:
	case KMPROF_TRACE_GRACE_PERIOD_END:
		kmprof_grace_periods_note(&r->schedule->grace_periods, event);
		break;
	default:
		if (kmprof_stall_begun(event) || kmprof_stall_ended(event))
			ret = add_stall(to, event);
	}
	return ret ? out_of_memory(err) : 0;
}

/* Where a task that is preempted stops is no reason for anything. */
static __u32 stack_of(const struct reading *r, const struct kmprof_change *change)
{
	bool is_told = change->task->state == KMPROF_TASK_ASLEEP ||
		       change->from == KMPROF_TASK_ASLEEP;

	return is_told ? r->same[change->stack] : 0;
}

static int on_change(void *to, const struct kmprof_change *change, struct kmprof_error *err)
{
	struct reading *r = to;
	struct kmprof_life *life;
	struct kmprof_stretch stretch = {
		.from_ns	= change->ns,
		.cpu		= change->task->cpu,
		.waker		= change->waker ? change->waker->number : KMPROF_NO_TASK,
		.reason		= change->task->reason,
		.stack		= stack_of(to, change),
		.state		= (__u8)change->task->state,
		.waker_context	= (__u8)change->waker_context,
		.is_inferred	= !change->event,
	};

	if (stretch.cpu == KMPROF_CPU_UNKNOWN)
		stretch.cpu = change->cpu;
	if (add_stretch(to, change->task, &stretch))
		return out_of_memory(err);
	life = life_of(r, change->task);
	kmprof_legs_change(&life->legs, change, r->lost_ns);
	/* Then the end was lost; or, of a call, there is none. */
	if (stretch.state == KMPROF_TASK_DEAD || stretch.state == KMPROF_TASK_UNKNOWN)
		close_spans(r, life, change->ns);
	return 0;
}

/* What a CPU runs, where no switch tells. If it is not known, nor is what else it does. */
static int on_run(void *to, __u32 cpu, __u64 ns, const struct kmprof_task *task,
		  struct kmprof_error *err)
{
	struct reading *r = to;
	int ret = 0;

	if (!task) {
		kmprof_cpu_states_end(&r->schedule->idle_states[cpu], ns);
		kmprof_cpu_states_end(&r->schedule->frequencies[cpu], ns);
		ret = kmprof_interruptions_end(&r->schedule->interruptions[cpu], ns);
	}
	if (!ret)
		ret = add_turn(r, cpu, ns, task ? task->number : KMPROF_NO_TASK);
	return ret ? out_of_memory(err) : 0;
}

static int by_name(const void *a, const void *b, void *lives)
{
	const struct kmprof_life *life = lives;
	const __u32 *x = a, *y = b;
	int order = strcmp(life[*x].comm, life[*y].comm);

	return order ? order : (*x > *y) - (*x < *y);
}

/* Finds the tasks with the same name. A task may be called like the idle one. */
static int set_names(struct kmprof_schedule *schedule)
{
	struct kmprof_life *life, *before = NULL;
	bool is_first;
	__u32 *number, i;

	number = malloc((schedule->nr_lives + 1) * sizeof(*number));
	if (!number)
		return -ENOMEM;
	for (i = 0; i + 1 < schedule->nr_lives; i++)
		number[i] = i + 1;
	qsort_r(number, i, sizeof(*number), by_name, schedule->life);
	for (i = 0; i + 1 < schedule->nr_lives; i++) {
		life = &schedule->life[number[i]];
		is_first = !before || strcmp(life->comm, before->comm) != 0;
		life->name = is_first ? number[i] : before->name;
		before = life;
	}
	free(number);
	return 0;
}

static int end(void *to, const struct kmprof_trace *trace, struct kmprof_error *err)
{
	struct reading *r = to;
	const struct kmprof_task *task;
	__u32 i;

	if (add_lives(r))
		return out_of_memory(err);
	for (i = 0; i < r->schedule->nr_lives; i++) {
		task = kmprof_tasks_at(r->tasks, i);
		r->schedule->life[i].tid = task->tid;
		r->schedule->life[i].parent = task->parent;
		/* One that sleeps all the time since waits all the time. */
		kmprof_legs_close(&r->schedule->life[i].legs, trace->last_ns,
				  task->state == KMPROF_TASK_ASLEEP ? 0 : r->lost_ns);
		close_spans(r, &r->schedule->life[i], trace->last_ns);
		memcpy(r->schedule->life[i].comm, task->comm, sizeof(task->comm));
	}
	kmprof_grace_periods_end(&r->schedule->grace_periods, trace->last_ns);
	for (i = 0; i < r->schedule->nr_cpus; i++) {
		kmprof_cpu_states_end(&r->schedule->idle_states[i], trace->last_ns);
		kmprof_cpu_states_end(&r->schedule->frequencies[i], trace->last_ns);
	}
	return set_names(r->schedule) ? out_of_memory(err) : 0;
}

/* Return: an array of empty tables; NULL: no memory. */
static struct kmprof_growing *make_tables(__u32 nr)
{
	return calloc(nr + 1, sizeof(struct kmprof_growing));
}

int kmprof_schedule_read(struct kmprof_schedule *schedule, const struct kmprof_trace *trace,
			 const __u32 *same, struct kmprof_error *err)
{
	static const struct kmprof_visitor visitor = {
		.begin	= begin,
		.event	= on_event,
		.change	= on_change,
		.runs	= on_run,
		.loses	= on_loses,
		.lost	= on_lost,
		.end	= end,
	};
	struct reading r = { .schedule = schedule, .same = same };

	*schedule = (struct kmprof_schedule){
		.from_ns	= trace->first_ns,
		.to_ns		= trace->last_ns,
		.nr_cpus	= trace->header.nr_cpus,
		.turns		= make_tables(trace->header.nr_cpus),
		.interruptions	= make_tables(trace->header.nr_cpus),
		.idle_states	= make_tables(trace->header.nr_cpus),
		.frequencies	= make_tables(trace->header.nr_cpus),
	};
	if (!schedule->turns || !schedule->interruptions || !schedule->idle_states ||
	    !schedule->frequencies)
		return out_of_memory(err);
	return kmprof_trace_walk(trace, &visitor, &r, err);
}

/* @tables: array, or NULL */
static void free_tables(struct kmprof_growing *tables, __u32 nr)
{
	__u32 i;

	for (i = 0; tables && i < nr; i++)
		free(tables[i].bytes);
	free(tables);
}

void kmprof_schedule_release(struct kmprof_schedule *schedule)
{
	__u32 i;

	for (i = 0; i < schedule->nr_lives; i++) {
		free(schedule->life[i].stretches.bytes);
		free(schedule->life[i].moves.bytes);
		free(schedule->life[i].legs.bytes);
		free(schedule->life[i].stalls.bytes);
		free(schedule->life[i].calls.bytes);
	}
	free(schedule->life);
	free_tables(schedule->turns, schedule->nr_cpus);
	free_tables(schedule->interruptions, schedule->nr_cpus);
	free_tables(schedule->idle_states, schedule->nr_cpus);
	free_tables(schedule->frequencies, schedule->nr_cpus);
	kmprof_handlers_release(&schedule->handlers);
	*schedule = (struct kmprof_schedule){ 0 };
}

const struct kmprof_stretch *kmprof_life_stretches(const struct kmprof_life *life, size_t *nr)
{
	*nr = life->stretches.used / sizeof(struct kmprof_stretch);
	return (const struct kmprof_stretch *)life->stretches.bytes;
}

const struct kmprof_move *kmprof_life_moves(const struct kmprof_life *life, size_t *nr)
{
	*nr = life->moves.used / sizeof(struct kmprof_move);
	return (const struct kmprof_move *)life->moves.bytes;
}

const struct kmprof_leg *kmprof_life_legs(const struct kmprof_life *life, size_t *nr)
{
	*nr = life->legs.used / sizeof(struct kmprof_leg);
	return (const struct kmprof_leg *)life->legs.bytes;
}

const struct kmprof_stall *kmprof_life_stalls(const struct kmprof_life *life, size_t *nr)
{
	*nr = life->stalls.used / sizeof(struct kmprof_stall);
	return (const struct kmprof_stall *)life->stalls.bytes;
}

const struct kmprof_call *kmprof_life_calls(const struct kmprof_life *life, size_t *nr)
{
	*nr = life->calls.used / sizeof(struct kmprof_call);
	return (const struct kmprof_call *)life->calls.bytes;
}

const struct kmprof_leg *kmprof_life_sleeps_for(const struct kmprof_life *life, __u64 ns)
{
	const struct kmprof_leg *leg;
	size_t nr;

	leg = kmprof_life_legs(life, &nr);
	if (!nr)
		return NULL;
	leg += kmprof_first_at(leg, nr, sizeof(*leg), ns);
	if (leg->span.from_ns > ns || ns >= leg->span.to_ns || leg->flags & KMPROF_WAIT_SPUN)
		return NULL;
	return leg;
}

__u64 kmprof_stretch_end(const struct kmprof_schedule *schedule, const struct kmprof_life *life,
			 size_t i)
{
	const struct kmprof_stretch *stretch;
	size_t nr;

	stretch = kmprof_life_stretches(life, &nr);
	return i + 1 < nr ? stretch[i + 1].from_ns : schedule->to_ns;
}

const struct kmprof_turn *kmprof_schedule_turns(const struct kmprof_schedule *schedule, __u32 cpu,
						size_t *nr)
{
	*nr = 0;
	if (cpu >= schedule->nr_cpus)
		return NULL;
	*nr = schedule->turns[cpu].used / sizeof(struct kmprof_turn);
	return (const struct kmprof_turn *)schedule->turns[cpu].bytes;
}

const struct kmprof_interruption *kmprof_schedule_interruptions(const struct kmprof_schedule *s,
								__u32 cpu, size_t *nr)
{
	*nr = 0;
	if (cpu >= s->nr_cpus)
		return NULL;
	*nr = s->interruptions[cpu].used / sizeof(struct kmprof_interruption);
	return (const struct kmprof_interruption *)s->interruptions[cpu].bytes;
}

size_t kmprof_first_at(const void *entries, size_t nr, size_t size, __u64 ns)
{
	size_t from = 0, to = nr, middle;
	const char *first = entries;

	/* Those before @from do not begin after @ns; those from @to on do. */
	while (from < to) {
		middle = from + (to - from) / 2;
		if (*(const __u64 *)(first + middle * size) <= ns)
			from = middle + 1;
		else
			to = middle;
	}
	return from ? from - 1 : 0;
}

/* Without moves, it is the CPU that the task gets: there may be no records of moves. */
__u32 kmprof_life_cpu_at(const struct kmprof_schedule *schedule, const struct kmprof_life *life,
			 size_t i, __u64 ns, size_t *next)
{
	const struct kmprof_stretch *stretch;
	const struct kmprof_move *move;
	size_t nr, nr_moves;

	stretch = kmprof_life_stretches(life, &nr);
	move = kmprof_life_moves(life, &nr_moves);
	*next = nr_moves ? kmprof_first_at(move, nr_moves, sizeof(*move), ns) : 0;
	if (*next < nr_moves && move[*next].from_ns < stretch[i].from_ns)
		++*next;
	if (*next < nr_moves && move[*next].from_ns <= ns)
		return move[(*next)++].cpu;
	if (*next < nr_moves && move[*next].from_ns < kmprof_stretch_end(schedule, life, i))
		return stretch[i].cpu;
	return i + 1 < nr && stretch[i + 1].state == KMPROF_TASK_RUNNING ? stretch[i + 1].cpu :
									    stretch[i].cpu;
}
