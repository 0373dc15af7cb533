// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "cmd/term.h"
#include "cmd/trace_report.h"
#include "trace/syscalls.h"
#include "trace/words.h"
#include "util/saturate.h"

enum {
	NUMBER	= 8,	/* columns of a number */
	DEEP	= 2,	/* columns of a level of the tree */
	PLACES	= 3,	/* most places of a cause */
	NUMBERS	= 8 + 2 * (NUMBER + 1) + 1,	/* columns in front of it */
	WHY_TEXT = 2 * KMPROF_COMM_LEN + KMPROF_STATE_TEXT + TRACE_REPORT_LOCK + 64,
};

/* Of all the time: causes with less than this are shown as one. */
static const double least_share = 0.005;

static double share(__u64 part, __u64 whole)
{
	return whole ? (double)part / (double)whole : 0;
}

static void put_ns(__u64 ns)
{
	char text[HUMAN_TEXT];

	printf(" %*s", NUMBER, human_ns(text, (double)ns));
}

/* The columns of a table of times. @what: what its rows are of */
static void put_times_head(const char *what)
{
	printf("\n%s %*s %*s %*s %s%s\n", term_bold(), NUMBER, "TIME", NUMBER, "TIMES", NUMBER,
	       "LONGEST", what, term_plain());
}

static void put_times(const struct kmprof_times *times)
{
	put_ns(times->ns);
	printf(" %*llu", NUMBER, times->count);
	put_ns(times->longest_ns);
}

static void put_head(struct trace_report *r)
{
	const struct kmprof_trace *trace = r->trace;
	char text[HUMAN_TEXT];

	printf("%s: %s on %u CPU%s, %llu events, ", trace->name,
	       human_ns(text, (double)(r->schedule.to_ns - r->schedule.from_ns)),
	       trace->header.nr_cpus, trace->header.nr_cpus == 1 ? "" : "s", trace->events);
	if (trace->lost)
		printf("%s%llu lost%s\n", term_alert(), trace->lost, term_plain());
	else
		printf("none lost\n");
	if (trace->header.filter[0])
		printf("Filter: %s; %s\n", trace->header.filter, KMPROF_FILTER_WORDS);
	putchar('\n');
}

static const char *name_of(struct trace_report *r, __u32 task)
{
	const char *comm;

	if (task == KMPROF_NO_TASK)
		return "?";
	if (!task)
		return "the idle task";
	comm = r->schedule.life[task].comm;
	return *comm ? comm : "?";
}

static size_t shown(struct trace_report *r, size_t nr)
{
	return r->request->limit && r->request->limit < nr ? r->request->limit : nr;
}

static void put_more(struct trace_report *r, size_t nr)
{
	if (shown(r, nr) < nr)
		printf("... and %zu more; -n 0 shows all\n", nr - shown(r, nr));
}

/* Below a line about it: a stack that is known. @of: what part of it has that stack; "" for all */
static void put_stack(struct trace_report *r, int indent, const char *of, __u32 stack)
{
	const char *text = trace_report_stack(r, stack);
	int used = indent + (int)strlen(of) + 3;

	if (text)
		printf("%*s%sin %.*s\n", indent, "", of, term_room(used), text);
}

/* --- sums ----------------------------------------------------------------------------- */

static void put_sums(struct trace_report *r, const struct kmprof_task_sums *sums)
{
	const struct kmprof_life *life = &r->schedule.life[sums->task];
	char text[KMPROF_TASK_TEXT];

	put_ns(sums->running_ns);
	put_ns(sums->runnable_ns);
	put_ns(sums->asleep_ns[KMPROF_SLEEP_BLOCKED]);
	put_ns(sums->asleep_ns[KMPROF_SLEEP_INTERRUPTIBLE] + sums->asleep_ns[KMPROF_SLEEP_IDLE] +
	       sums->asleep_ns[KMPROF_SLEEP_OTHER]);
	put_ns(sums->median_ns);
	put_ns(sums->p99_ns);
	put_ns(sums->longest_ns);
	snprintf(text, sizeof(text), "%s-%u", name_of(r, sums->task), life->tid);
	printf(" %.*s\n", term_room(7 * (NUMBER + 1) + 1), text);
}

/* What is in none of the columns. */
static void put_unknown(struct trace_report *r)
{
	char text[HUMAN_TEXT];
	__u64 ns = 0;
	size_t i;

	for (i = 0; i < r->nr_sums; i++)
		ns += r->sums[i].unknown_ns;
	if (ns)
		printf("%sNot known: %s of all tasks together%s\n", term_alert(),
		       human_ns(text, (double)ns), term_plain());
}

static void put_tasks(struct trace_report *r)
{
	size_t i;

	printf("%s%*s%*s\n", term_bold(), 4 * (NUMBER + 1), "", 3 * (NUMBER + 1),
	       "WAITS FOR A CPU");
	printf(" %*s %*s %*s %*s %*s %*s %*s TASK%s\n", NUMBER, "RUNNING", NUMBER, "RUNNABLE",
	       NUMBER, "BLOCKED", NUMBER, "ASLEEP", NUMBER, "MEDIAN", NUMBER, "99 %", NUMBER,
	       "LONGEST", term_plain());
	for (i = 0; i < shown(r, r->nr_sums); i++)
		put_sums(r, &r->sums[i]);
	put_more(r, r->nr_sums);
	put_unknown(r);
}

/*
 * Sleeps that are in no row: begun before the start, behind a loss, without room for a stack, or
 * where the filter does not want it.
 */
static void put_elsewhere(struct trace_report *r)
{
	__u64 asleep = 0, known = 0;
	char text[HUMAN_TEXT];
	size_t i, k;

	for (i = 0; i < r->nr_sums; i++)
		for (k = 0; k < KMPROF_NR_SLEEPS; k++)
			asleep = kmprof_saturated_count(asleep, r->sums[i].asleep_ns[k]);
	for (i = 0; i < r->nr_sleeps; i++)
		known = kmprof_saturated_count(known, r->sleeps[i].times.ns);
	if (known < asleep)
		printf("%s of sleep are not here: where is not known, as before the start%s\n",
		       human_ns(text, (double)(asleep - known)),
		       r->trace->header.filter[0] ? ", or what the filter leaves out" : "");
}

static void put_sleeps(struct trace_report *r)
{
	char text[KMPROF_COMM_LEN + KMPROF_STATE_TEXT + 1], state[KMPROF_STATE_TEXT];
	size_t i;

	put_times_head("SLEEPS");
	for (i = 0; i < shown(r, r->nr_sleeps); i++) {
		const struct kmprof_sleeps *sleeps = &r->sleeps[i];

		put_times(&sleeps->times);
		snprintf(text, sizeof(text), "%s %s", name_of(r, sleeps->name),
			 trace_report_asleep(state, sleeps->reason));
		printf(" %.*s\n", term_room(3 * (NUMBER + 1) + 1), text);
		put_stack(r, 3 * (NUMBER + 1) + 1, "", sleeps->stack);
	}
	put_more(r, r->nr_sleeps);
	put_elsewhere(r);
}

static const char *waker(struct trace_report *r, const struct kmprof_wakes *wakes)
{
	if (wakes->waker != KMPROF_NO_TASK && wakes->context != KMPROF_TRACE_IN_TASK)
		return kmprof_trace_context_word(wakes->context);
	return name_of(r, wakes->waker);
}

static void put_wakes(struct trace_report *r)
{
	char text[2 * KMPROF_COMM_LEN + 4];
	size_t i;

	printf("\n%s%*s%*s\n %*s %*s %*s WAKER > WOKEN%s\n", term_bold(), NUMBER + 1, "",
	       2 * (NUMBER + 1), "WAITS AFTER THAT", NUMBER, "WAKE-UPS", NUMBER, "MEAN", NUMBER,
	       "LONGEST", term_plain());
	for (i = 0; i < shown(r, r->nr_wakes); i++) {
		const struct kmprof_wakes *wakes = &r->wakes[i];

		printf(" %*llu", NUMBER, wakes->times.count);
		put_ns(wakes->times.ns / wakes->times.count);
		put_ns(wakes->times.longest_ns);
		snprintf(text, sizeof(text), "%s > %s", waker(r, wakes), name_of(r, wakes->woken));
		printf(" %.*s\n", term_room(3 * (NUMBER + 1) + 1), text);
		put_stack(r, 3 * (NUMBER + 1) + 1, "", wakes->stack);
	}
	put_more(r, r->nr_wakes);
}

static void put_locks(struct trace_report *r)
{
	char lock[TRACE_REPORT_LOCK], text[TRACE_REPORT_LOCK + KMPROF_COMM_LEN + 16];
	size_t i;

	put_times_head("WAITS FOR A LOCK");
	for (i = 0; i < shown(r, r->nr_locks); i++) {
		const struct kmprof_lock_waits *waits = &r->locks[i];
		bool is_held = waits->owner != KMPROF_NO_TASK;

		put_times(&waits->times);
		snprintf(text, sizeof(text), "%s%s%s",
			 trace_report_lock(r, waits->kind, waits->lock, lock),
			 is_held ? " held by " : "", is_held ? name_of(r, waits->owner) : "");
		printf(" %.*s\n", term_room(3 * (NUMBER + 1) + 1), text);
	}
	put_more(r, r->nr_locks);
}

static void put_handled(struct trace_report *r)
{
	char text[TRACE_REPORT_HANDLER];
	size_t i;

	put_times_head("INTERRUPTS");
	for (i = 0; i < shown(r, r->nr_handled); i++) {
		const struct kmprof_handled *one = &r->handled[i];

		put_times(&one->times);
		printf(" %.*s\n", term_room(3 * (NUMBER + 1) + 1),
		       trace_report_handler(r, one->handler, text));
	}
	put_more(r, r->nr_handled);
}

static void put_stalled(struct trace_report *r)
{
	char text[KMPROF_COMM_LEN + 64];
	size_t i;

	put_times_head("RECLAIM AND COMPACTION");
	for (i = 0; i < shown(r, r->nr_stalled); i++) {
		const struct kmprof_stalled *one = &r->stalled[i];
		int n;

		put_times(&one->times);
		n = snprintf(text, sizeof(text), "%s of %s", kmprof_stall_word(one->kind),
			     name_of(r, one->name));
		if (one->kind != KMPROF_STALL_COMPACTION)
			snprintf(text + n, sizeof(text) - n, ", %llu pages", one->pages);
		printf(" %.*s\n", term_room(3 * (NUMBER + 1) + 1), text);
	}
	put_more(r, r->nr_stalled);
}

static void put_called(struct trace_report *r)
{
	char text[KMPROF_SYSCALL_NAME + KMPROF_COMM_LEN + 40], call[KMPROF_SYSCALL_NAME];
	size_t i;

	put_times_head("SYSTEM CALLS");
	for (i = 0; i < shown(r, r->nr_called); i++) {
		const struct kmprof_called *one = &r->called[i];
		int n;

		put_times(&one->times);
		n = snprintf(text, sizeof(text), "%s of %s",
			     kmprof_syscall_name(call, one->number), name_of(r, one->name));
		if (one->failed)
			snprintf(text + n, sizeof(text) - (size_t)n, ", %llu failed",
				 one->failed);
		printf(" %.*s\n", term_room(3 * (NUMBER + 1) + 1), text);
	}
	put_more(r, r->nr_called);
}

static void put_idle(struct trace_report *r)
{
	size_t i;

	put_times_head("IDLE STATES");
	for (i = 0; i < shown(r, r->nr_idle); i++) {
		put_times(&r->idle[i].times);
		printf(" CPU %u in state %u\n", r->idle[i].cpu, r->idle[i].value);
	}
	put_more(r, r->nr_idle);
}

static void put_frequencies(struct trace_report *r)
{
	size_t i;

	put_times_head("FREQUENCIES");
	for (i = 0; i < shown(r, r->nr_frequencies); i++) {
		put_times(&r->frequencies[i].times);
		printf(" CPU %u at %.10g MHz\n", r->frequencies[i].cpu,
		       r->frequencies[i].value / 1e3);
	}
	put_more(r, r->nr_frequencies);
}

static void put_grace_periods(const struct kmprof_schedule *schedule)
{
	const struct kmprof_grace_periods *periods = &schedule->grace_periods;

	put_times_head("GRACE PERIODS OF RCU");
	put_times(&periods->times);
	printf(" the longest one from %.6f s on\n",
	       (double)(periods->longest_from_ns - schedule->from_ns) / 1e9);
}

static void put_bytes(__u64 bytes)
{
	char text[HUMAN_TEXT];

	printf(" %*s", NUMBER, human_bytes(text, (double)bytes, false));
}

static void put_memory(struct trace_report *r)
{
	size_t i;

	printf("\n%s %*s %*s %*s %*s MEMORY%s\n", term_bold(), NUMBER, "ALLOCS", NUMBER, "SAMPLES",
	       NUMBER, "FREES", NUMBER, "SAMPLES", term_plain());
	for (i = 0; i < shown(r, r->nr_memory); i++) {
		const struct kmprof_memory *one = &r->memory[i];
		const char *of = one->context == KMPROF_TRACE_IN_TASK ? name_of(r, one->name) :
				 kmprof_trace_context_word(one->context);

		put_bytes(one->flow.alloc_bytes);
		printf(" %*llu", NUMBER, one->flow.allocs);
		put_bytes(one->flow.free_bytes);
		printf(" %*llu %.*s\n", NUMBER, one->flow.frees,
		       term_room(4 * (NUMBER + 1) + 1), of);
	}
	put_more(r, r->nr_memory);
}

/* --- causes --------------------------------------------------------------------------- */

/* How a task sleeps: "BLOCKED for mutex rtnl_mutex". */
static const char *sleep_of(struct trace_report *r, const struct kmprof_cause *cause, char *text)
{
	char state[KMPROF_STATE_TEXT], lock[TRACE_REPORT_LOCK];
	const char *asleep = trace_report_asleep(state, cause->reason);

	if (cause->lock)
		snprintf(text, WHY_TEXT, "%s for %s", asleep,
			 trace_report_lock(r, cause->kind, cause->lock, lock));
	else
		snprintf(text, WHY_TEXT, "%s", asleep);
	return text;
}

static void say_spins(struct trace_report *r, const struct kmprof_cause *cause, const char *of,
		      char *text, size_t size)
{
	bool is_held = cause->name != KMPROF_NO_TASK;
	char lock[TRACE_REPORT_LOCK];

	snprintf(text, size, "%sspins for %s%s%s", of,
		 trace_report_lock(r, cause->kind, cause->lock, lock),
		 is_held ? " held by " : "", is_held ? name_of(r, cause->name) : "");
}

/* @of: the name of the task that the cause is about, with a blank; "" for the one explained */
static void say_why(struct trace_report *r, const struct kmprof_cause *cause,
		    const char *of, char *text, size_t size)
{
	const char *name = name_of(r, cause->name);
	char asleep[WHY_TEXT], handler[TRACE_REPORT_HANDLER], call[KMPROF_SYSCALL_NAME];

	switch (cause->why) {
	case KMPROF_WHY_ALL:
		break;
	case KMPROF_WHY_RUNS:
		snprintf(text, size, "%sruns", of);
		break;
	case KMPROF_WHY_SPINS:
		say_spins(r, cause, of, text, size);
		break;
	case KMPROF_WHY_HANDLES:
		snprintf(text, size, "%shandles %s", of,
			 trace_report_handler(r, cause->handler, handler));
		break;
	case KMPROF_WHY_STALLS:
		snprintf(text, size, "%sis in %s", of, kmprof_stall_word(cause->stall));
		break;
	case KMPROF_WHY_CALLS:
		snprintf(text, size, "%sis in syscall %s", of,
			 kmprof_syscall_name(call, cause->call));
		break;
	case KMPROF_WHY_RUNNABLE:
		snprintf(text, size, "%sis runnable", of);
		break;
	case KMPROF_WHY_BEHIND:
		snprintf(text, size, "behind %s", name);
		break;
	case KMPROF_WHY_IDLE:
		if (cause->idle)
			snprintf(text, size, "the CPU is in idle state %llu", cause->idle - 1);
		else
			snprintf(text, size, "the CPU is idle");
		break;
	case KMPROF_WHY_ASLEEP:
		snprintf(text, size, "%s%s until %s wakes it", of, sleep_of(r, cause, asleep),
			 name);
		break;
	case KMPROF_WHY_INTERRUPT:
		snprintf(text, size, "%s%s until a %s wakes it", of, sleep_of(r, cause, asleep),
			 kmprof_trace_context_word(cause->context));
		break;
	case KMPROF_WHY_ALONE:
		snprintf(text, size, "%s%s, nobody is seen to wake it", of,
			 sleep_of(r, cause, asleep));
		break;
	case KMPROF_WHY_ABSENT:
		snprintf(text, size, "%sis not there until %s creates it", of, name);
		break;
	case KMPROF_WHY_UNKNOWN:
		snprintf(text, size, "not known: events are missing");
		break;
	case KMPROF_WHY_DEEPER:
		snprintf(text, size, "not followed further");
		break;
	}
}

/* In a terminal, at least half of what is left of the line is for the words. */
static int indent_of(int depth)
{
	int room = term_room(NUMBERS);

	return depth * DEEP < room / 2 ? depth * DEEP : room / 2;
}

static void put_line(struct trace_report *r, __u64 ns, __u64 count, int depth,
		     const char *why)
{
	int indent = indent_of(depth);

	printf("%6.1f%%", 100 * share(ns, r->cause.ns));
	put_ns(ns);
	printf(" %*llu  %*s%.*s\n", NUMBER, count, indent, "", term_room(NUMBERS + indent), why);
}

/* Where a task slept. Of several places, each has its share of the whole. */
static void put_places(struct trace_report *r, const struct kmprof_cause *cause, int indent)
{
	const struct kmprof_place *place;
	char part[HUMAN_TEXT] = "";
	size_t i, nr;

	place = kmprof_cause_places(cause, &nr);
	for (i = 0; i < nr && i < PLACES; i++) {
		if (nr > 1)
			snprintf(part, sizeof(part), "%.1f%% ",
				 100 * share(place[i].ns, r->cause.ns));
		put_stack(r, indent, part, place[i].stack);
	}
	if (nr > PLACES)
		printf("%*sand in %zu other places\n", indent, "", nr - PLACES);
}

/* What a task is called in front of what it does. */
static const char *subject(struct trace_report *r, const struct kmprof_cause *cause,
			   const char *of, char *text, size_t size)
{
	if (cause->why != KMPROF_WHY_ASLEEP && cause->why != KMPROF_WHY_ABSENT)
		return of;
	snprintf(text, size, "%s ", name_of(r, cause->name));
	return text;
}

static void say_idle_end(const struct kmprof_cause *end, const char *of, char *text, size_t size)
{
	if (end->idle)
		snprintf(text, size, "%sis runnable, and the CPU in idle state %llu", of,
			 end->idle - 1);
	else
		snprintf(text, size, "%sis runnable, and the CPU idle", of);
}

/* In the tree, it is below a line which says that the task is runnable. */
static void say_end(struct trace_report *r, const struct kmprof_cause *end, char *text, size_t size)
{
	char name[KMPROF_COMM_LEN + 1] = "";

	if (end->of)
		snprintf(name, sizeof(name), "%s ", name_of(r, end->of));
	if (end->why == KMPROF_WHY_BEHIND)
		snprintf(text, size, "%sis runnable behind %s", name, name_of(r, end->name));
	else if (end->why == KMPROF_WHY_IDLE)
		say_idle_end(end, name, text, size);
	else
		say_why(r, end, name, text, size);
}

/* The causes below one of the tree, or all ends, which have none below them. */
static void put_causes(struct trace_report *r, const struct kmprof_cause *of,
		       const char *name, int depth)
{
	const struct kmprof_cause *cause;
	char text[KMPROF_COMM_LEN + 1], why[WHY_TEXT];
	__u64 others = 0, count = 0;

	for (cause = of->causes; cause; cause = cause->next) {
		if (share(cause->ns, r->cause.ns) < least_share) {
			others += cause->ns;
			count += cause->count;
			continue;
		}
		if (of == &r->ends)
			say_end(r, cause, why, sizeof(why));
		else
			say_why(r, cause, name, why, sizeof(why));
		put_line(r, cause->ns, cause->count, depth, why);
		put_places(r, cause, NUMBERS + indent_of(depth));
		put_causes(r, cause, subject(r, cause, name, text, sizeof(text)), depth + 1);
	}
	if (count)
		put_line(r, others, count, depth, "(other causes)");
}

/* Is there a task that waits for another one, which does something? */
static bool has_chain(const struct kmprof_cause *root)
{
	const struct kmprof_cause *cause;

	for (cause = root->causes; cause; cause = cause->next)
		if (kmprof_why_is_span(cause->why) ? has_chain(cause) :
		    cause->causes && cause->why != KMPROF_WHY_RUNNABLE)
			return true;
	return false;
}

static void put_why_head(const char *what)
{
	printf("%s%7s %*s %*s  %s%s\n", term_bold(), "SHARE", NUMBER, "TIME", NUMBER, "TIMES", what,
	       term_plain());
}

static void put_why(struct trace_report *r)
{
	char text[HUMAN_TEXT];

	printf("%s", r->request->why);
	if (r->nr_waits)
		printf(", %lu wait%s", r->nr_waits, r->nr_waits == 1 ? "" : "s");
	if (r->nr_waits || r->nr_tasks > 1)
		printf("%s %lu task%s", r->nr_waits ? " of" : ",", r->nr_tasks,
		       r->nr_tasks == 1 ? "" : "s");
	printf(": %s between %.6f s and %.6f s\n\n", human_ns(text, (double)r->cause.ns),
	       (double)(r->from_ns - r->schedule.from_ns) / 1e9,
	       (double)(r->to_ns - r->schedule.from_ns) / 1e9);
	put_why_head("WHY");
	put_causes(r, &r->cause, "", 0);
	if (!has_chain(&r->cause))
		return;
	putchar('\n');
	put_why_head("IN THE END");
	put_causes(r, &r->ends, "", 0);
}

int trace_report_text(struct trace_report *r)
{
	put_head(r);
	if (r->request->why) {
		put_why(r);
	} else {
		put_tasks(r);
		if (r->nr_sleeps)
			put_sleeps(r);
		if (r->nr_wakes)
			put_wakes(r);
		if (r->nr_locks)
			put_locks(r);
		if (r->nr_handled)
			put_handled(r);
		if (r->nr_stalled)
			put_stalled(r);
		if (r->nr_called)
			put_called(r);
		if (r->nr_idle)
			put_idle(r);
		if (r->nr_frequencies)
			put_frequencies(r);
		if (r->schedule.grace_periods.times.count)
			put_grace_periods(&r->schedule);
		if (r->nr_memory)
			put_memory(r);
	}
	return trace_report_finish(r);
}
