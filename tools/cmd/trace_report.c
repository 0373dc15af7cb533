// SPDX-License-Identifier: GPL-2.0
/* kmprof trace report: a saved trace added up by task, or the time of a task explained. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/trace_names.h"
#include "cmd/trace_report.h"
#include "trace/words.h"
#include "util/by_number.h"
#include "util/merge.h"

#define NSEC_PER_SEC	1000000000ULL

enum { ROWS = 20 };

static __u64 running(const struct kmprof_task_sums *sums)
{
	return sums->running_ns;
}

static __u64 runnable(const struct kmprof_task_sums *sums)
{
	return sums->runnable_ns;
}

static __u64 blocked(const struct kmprof_task_sums *sums)
{
	return sums->asleep_ns[KMPROF_SLEEP_BLOCKED];
}

static __u64 longest(const struct kmprof_task_sums *sums)
{
	return sums->longest_ns;
}

/* What rows can be ordered by; the default first. */
static const struct {
	const char *name;
	__u64 (*of)(const struct kmprof_task_sums *sums);
} keys[] = {
	{ "running", running },
	{ "runnable", runnable },
	{ "blocked", blocked },
	{ "longest", longest },
};

static const struct command cmd_trace_report = {
	.name		= "trace report",
	.usage		=
	"Usage: kmprof trace report [OPTIONS] [TRACE]\n"
	"\n"
	"Adds up what each task of a saved trace did, how long it waited for a CPU, and which tasks\n"
	"have woken which. With --why, explains the time of a task: what the CPU ran while the task\n"
	"was runnable, and what the task that woke it did while it slept, down to the end of the chain;\n"
	"or the time for which tasks waited for a lock.\n"
	"With --graph, shows which task waits for which at one moment, for dot(1).\n"
	"TRACE is kmprof.trace if not given.\n"
	"\n"
	"Options:\n"
	"  --why TASK|LOCK  explain the time of the task with this id, or of all with this name, or\n"
	"                   the waits for the lock with this name\n"
	"  --from TIME      only from here on, in seconds since the start, as its text shows them;\n"
	"                   with --why\n"
	"  --to TIME        only up to here; with --why\n"
	"  --graph TIME     who waits for whom at this time\n"
	"  --sort KEY       order the tasks by running (default), runnable, blocked, longest\n"
	"  -n, --limit N    rows of each table; 0 for all; 20 if not given\n"
	USAGE_JSON
	USAGE_HELP,
};

/* "1.25", in seconds. */
static int parse_time(const char *option, const char *text, __u64 *ns)
{
	char *end;
	double seconds;

	seconds = strtod(text, &end);
	if (strspn(text, "0123456789.") != strlen(text) || end == text || *end ||
	    !(seconds < 1e9))
		return usage_error(&cmd_trace_report,
				   "%s: '%s' is not a time in seconds, like 1.25", option, text);
	*ns = (__u64)llround(seconds * (double)NSEC_PER_SEC);
	return EXIT_OK;
}

static int parse_sort(struct trace_report_request *r, const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		if (!strcmp(name, keys[i].name)) {
			r->sort = keys[i].of;
			return EXIT_OK;
		}
	}
	return usage_error(&cmd_trace_report,
			   "--sort: '%s' is not running, runnable, blocked or longest", name);
}

static int parse_option(struct trace_report_request *r, int opt)
{
	switch (opt) {
	case OPT_WHY:
		r->why = optarg;
		break;
	case OPT_FROM:
		return parse_time("--from", optarg, &r->from_ns);
	case OPT_GRAPH:
		r->has_graph = true;
		return parse_time("--graph", optarg, &r->graph_ns);
	case OPT_TO:
		return parse_time("--to", optarg, &r->to_ns);
	case OPT_SORT:
		return parse_sort(r, optarg);
	case 'n':
		if (parse_count(optarg, &r->limit))
			return usage_error(&cmd_trace_report, "-n: '%s' is not a number", optarg);
		break;
	case OPT_JSON:
		r->json = true;
		break;
	}
	return EXIT_OK;
}

/* Options that do not go together. @has_tables: --sort or -n was given */
static int check_together(const struct trace_report_request *r, bool has_tables)
{
	bool has_part = r->from_ns || r->to_ns != ~0ULL;

	if (r->has_graph && (r->why || has_part || has_tables))
		return usage_error(&cmd_trace_report,
				   "--graph: not with --why, --from, --to, --sort or -n");
	if (r->why && !*r->why)
		return usage_error(&cmd_trace_report, "--why: give a task or a lock");
	if (!r->why && has_part)
		return usage_error(&cmd_trace_report, "--from and --to: only with --why");
	if (r->why && has_tables)
		return usage_error(&cmd_trace_report, "--sort and -n: not with --why");
	if (r->from_ns >= r->to_ns)
		return usage_error(&cmd_trace_report, "--to: not later than --from");
	return EXIT_OK;
}

/* Return: EXIT_OK, another exit status, or -1 when --help has been shown. */
static int parse(struct trace_report_request *r, int argc, char **argv)
{
	static const struct option options[] = {
		OPTION_HELP, OPTION_JSON,
		{ "why", required_argument, NULL, OPT_WHY },
		{ "from", required_argument, NULL, OPT_FROM },
		{ "to", required_argument, NULL, OPT_TO },
		{ "graph", required_argument, NULL, OPT_GRAPH },
		{ "sort", required_argument, NULL, OPT_SORT },
		{ "limit", required_argument, NULL, 'n' },
		OPTION_END
	};
	bool has_tables = false;
	int opt, ret;

	while ((opt = getopt_long(argc, argv, ":hn:", options, NULL)) >= 0) {
		has_tables |= opt == OPT_SORT || opt == 'n';
		if (opt == 'h')
			return show_help(&cmd_trace_report) ? EXIT_FAILED : -1;
		if (opt == '?' || opt == ':')
			return bad_option(&cmd_trace_report, opt, argv);
		ret = parse_option(r, opt);
		if (ret)
			return ret;
	}
	if (argc - optind > 1)
		return usage_error(&cmd_trace_report, "one trace at a time, not also '%s'",
				   argv[optind + 1]);
	if (optind < argc)
		r->path = argv[optind];
	return check_together(r, has_tables);
}

static int by_key(const void *a, const void *b, void *report)
{
	const struct trace_report *r = report;
	const struct kmprof_task_sums *x = a, *y = b;
	int order = kmprof_compare_u64(r->request->sort(y), r->request->sort(x));

	return order ? order : kmprof_compare_u64(x->task, y->task);
}

static int add_up(struct trace_report *r, struct kmprof_error *err)
{
	int ret;

	ret = kmprof_schedule_sums(&r->schedule, &r->sums, &r->nr_sums, err);
	if (ret)
		return ret;
	qsort_r(r->sums, r->nr_sums, sizeof(*r->sums), by_key, r);
	ret = kmprof_schedule_sleeps(&r->schedule, &r->sleeps, &r->nr_sleeps, err);
	if (ret)
		return ret;
	ret = kmprof_schedule_locks(&r->schedule, &r->locks, &r->nr_locks, err);
	if (ret)
		return ret;
	ret = kmprof_schedule_handled(&r->schedule, &r->handled, &r->nr_handled, err);
	if (ret)
		return ret;
	ret = kmprof_schedule_stalled(&r->schedule, &r->stalled, &r->nr_stalled, err);
	if (ret)
		return ret;
	ret = kmprof_schedule_called(&r->schedule, &r->called, &r->nr_called, err);
	if (ret)
		return ret;
	ret = kmprof_schedule_idle_times(&r->schedule, &r->idle, &r->nr_idle, err);
	if (ret)
		return ret;
	ret = kmprof_schedule_frequency_times(&r->schedule, &r->frequencies, &r->nr_frequencies,
					      err);
	if (ret)
		return ret;
	ret = kmprof_schedule_memory(&r->schedule, &r->memory, &r->nr_memory, err);
	return ret ? ret : kmprof_schedule_wakes(&r->schedule, &r->wakes, &r->nr_wakes, err);
}

/* Is it the task of that name, or of that id? The idle task has no time to explain. */
static bool is_meant(const struct kmprof_life *life, const char *task)
{
	unsigned long tid;

	if (!strcmp(life->comm, task))
		return true;
	return !parse_count(task, &tid) && life->tid == tid;
}

/* In a trace, time counts from its start. */
static __u64 moment(const struct kmprof_schedule *schedule, __u64 since_ns)
{
	return since_ns < schedule->to_ns - schedule->from_ns ? schedule->from_ns + since_ns :
							      schedule->to_ns;
}

/* The first moment is there in any trace. */
static int check_moment(const struct trace_report *r, const char *option, __u64 since_ns,
			struct kmprof_error *err)
{
	__u64 whole_ns = r->schedule.to_ns - r->schedule.from_ns;

	if (since_ns && since_ns >= whole_ns)
		return kmprof_error_set(err, -EINVAL, NULL, "%s: %s: it ends after %.6f s",
					r->trace->name, option, (double)whole_ns / 1e9);
	return 0;
}

static int find_waits(struct trace_report *r, struct kmprof_error *err)
{
	int ret = check_moment(r, "--graph", r->request->graph_ns, err);

	return ret ? ret : kmprof_schedule_graph(&r->schedule,
						 moment(&r->schedule, r->request->graph_ns),
						 &r->nodes, &r->nr_nodes, err);
}

/* Asks for the time of the tasks that are meant. */
static int ask_for_tasks(struct trace_report *r, struct kmprof_error *err)
{
	const struct kmprof_schedule *schedule = &r->schedule;
	__u32 i;
	int ret;

	for (i = 1; i < schedule->nr_lives; i++) {
		if (!is_meant(&schedule->life[i], r->request->why))
			continue;
		r->nr_tasks++;
		ret = kmprof_why_ask(&r->cause, i, r->from_ns, r->to_ns, err);
		if (ret)
			return ret;
	}
	return 0;
}

/* Asks for the waits of a task for locks that are meant: @meant is a table of them, in order. */
static int ask_for_waits(struct trace_report *r, __u32 task, const struct kmprof_growing *meant,
			 struct kmprof_error *err)
{
	const struct kmprof_leg *leg;
	__u64 from_ns, to_ns;
	bool is_first = true;
	size_t i, nr;
	int ret = 0;

	leg = kmprof_life_legs(&r->schedule.life[task], &nr);
	for (i = 0; !ret && i < nr; i++) {
		from_ns = leg[i].span.from_ns > r->from_ns ? leg[i].span.from_ns : r->from_ns;
		/* A wait may have several legs. */
		while (i + 1 < nr && leg[i + 1].goes_on)
			i++;
		to_ns = leg[i].span.to_ns < r->to_ns ? leg[i].span.to_ns : r->to_ns;
		if (from_ns >= to_ns ||
		    !bsearch(&leg[i].lock, meant->bytes, meant->used / sizeof(__u64),
			     sizeof(__u64), kmprof_by_number))
			continue;
		r->nr_waits++;
		r->nr_tasks += is_first;
		is_first = false;
		ret = kmprof_why_ask(&r->cause, task, from_ns, to_ns, err);
	}
	return ret;
}

/* "rtnl_mutex"; with or without its module: "lock [module]". */
static bool is_lock_called(const char *text, const char *name)
{
	size_t length = strlen(name);

	return !strncmp(text, name, length) && (!text[length] || !strncmp(text + length, " [", 2));
}

/* The locks that are called so: @meant becomes a table of their addresses. */
static int find_meant(struct trace_report *r, struct kmprof_growing *meant,
		      struct kmprof_error *err)
{
	char text[KMPROF_LOCK_TEXT];
	int ret;
	size_t i;

	ret = kmprof_schedule_locks(&r->schedule, &r->locks, &r->nr_locks, err);
	for (i = 0; !ret && i < r->nr_locks; i++) {
		kmprof_lock_text(&r->names, r->locks[i].lock, text);
		if (is_lock_called(text, r->request->why) &&
		    kmprof_growing_add(meant, &r->locks[i].lock, sizeof(__u64)))
			ret = kmprof_error_set(err, -ENOMEM, NULL, "out of memory for the locks");
	}
	if (meant->used)
		qsort(meant->bytes, meant->used / sizeof(__u64), sizeof(__u64), kmprof_by_number);
	return ret;
}

static int ask_for_locks(struct trace_report *r, struct kmprof_error *err)
{
	struct kmprof_growing meant = { 0 };
	__u32 task;
	int ret;

	ret = find_meant(r, &meant, err);
	r->is_lock = meant.used;
	for (task = 1; !ret && meant.used && task < r->schedule.nr_lives; task++)
		ret = ask_for_waits(r, task, &meant, err);
	free(meant.bytes);
	return ret;
}

static int explain(struct trace_report *r, struct kmprof_error *err)
{
	int ret;

	ret = check_moment(r, "--from", r->request->from_ns, err);
	if (ret)
		return ret;
	r->from_ns = moment(&r->schedule, r->request->from_ns);
	r->to_ns = moment(&r->schedule, r->request->to_ns);
	ret = ask_for_tasks(r, err);
	if (!ret && !r->nr_tasks)
		ret = ask_for_locks(r, err);
	if (ret)
		return ret;
	if (!r->nr_tasks && r->is_lock)
		return kmprof_error_set(err, -ENOENT, NULL,
					"%s: no task waits for '%s' between %.6f s and %.6f s",
					r->trace->name, r->request->why,
					(double)(r->from_ns - r->schedule.from_ns) / 1e9,
					(double)(r->to_ns - r->schedule.from_ns) / 1e9);
	if (!r->nr_tasks)
		return kmprof_error_set(err, -ENOENT,
					"'kmprof trace report -n 0 TRACE' lists its tasks and locks.",
					"%s: no task has the name or id '%s', and no task waits for a lock of that name",
					r->trace->name, r->request->why);
	ret = kmprof_why_explain(&r->cause, &r->schedule, err);
	return ret ? ret : kmprof_why_ends(&r->ends, &r->cause, err);
}

const char *trace_report_lock(const struct trace_report *r, __u32 kind, __u64 lock, char *text)
{
	char name[KMPROF_LOCK_TEXT];

	snprintf(text, TRACE_REPORT_LOCK, "%s %s", kmprof_lock_kind(kind),
		 kmprof_lock_text(&r->names, lock, name));
	return text;
}

const char *trace_report_handler(const struct trace_report *r, __u32 handler, char *text)
{
	const struct kmprof_handler *of = kmprof_handlers_at(&r->schedule.handlers, handler);
	char word[KMPROF_SOFTIRQ_TEXT];

	if (of->context == KMPROF_TRACE_IN_SOFTIRQ)
		snprintf(text, TRACE_REPORT_HANDLER, "softirq %s",
			 kmprof_trace_softirq_word(word, of->number));
	else
		snprintf(text, TRACE_REPORT_HANDLER, "interrupt %u%s%s", of->number,
			 *of->name ? " " : "", of->name);
	return text;
}

const char *trace_report_asleep(char *text, __u32 reason)
{
	return reason == KMPROF_REASON_UNKNOWN ? "asleep" : kmprof_trace_state_word(text, reason);
}

const char *trace_report_stack(struct trace_report *r, __u32 stack)
{
	const char *text = stack ? kmprof_stack_text(&r->names, stack) : NULL;

	if (stack && !text)
		r->has_failed = true;
	return text;
}

int trace_report_finish(const struct trace_report *r)
{
	struct kmprof_error err;
	int ret = finish_stdout();

	if (ret || !r->has_failed)
		return ret;
	kmprof_error_set(&err, -ENOMEM, NULL, "%s: out of memory", r->trace->name);
	return fail(&err);
}

/* What the report cannot know. */
static void warn_of_gaps(const struct kmprof_trace *trace)
{
	struct kmprof_error warning;

	if (trace->note.text[0])
		warn(&trace->note);
	if (trace->end.stackless) {
		kmprof_error_set(&warning, 0, "A larger --buffer has more room for stacks.",
				 "%s: %llu events have no stack: there was no room for it",
				 trace->name, trace->end.stackless);
		warn(&warning);
	}
	if (kmprof_trace_records(trace, 1ULL << KMPROF_TRACE_WAKING))
		return;
	kmprof_error_set(&warning, 0, "Record with -e sched, which is the default.",
			 "%s: wake-ups were not recorded: a task counts as asleep until it runs",
			 trace->name);
	warn(&warning);
}

/* Reads the names of stacks, and the trace. */
static int read_all(struct trace_report *r, struct kmprof_error *err)
{
	__u32 *same = NULL;
	int ret;

	ret = trace_open_names(&r->names, r->trace, err);
	if (!ret)
		ret = kmprof_stack_names_same(&r->names, &same, err);
	if (!ret)
		ret = kmprof_schedule_read(&r->schedule, r->trace, same, err);
	free(same);
	return ret;
}

static int show(struct trace_report *r)
{
	struct kmprof_error err;
	int ret;

	ret = read_all(r, &err);
	if (!ret && r->request->has_graph)
		ret = find_waits(r, &err);
	else if (!ret)
		ret = r->request->why ? explain(r, &err) : add_up(r, &err);
	if (ret)
		return fail(&err);
	if (r->request->json)
		return trace_report_json(r);
	return r->request->has_graph ? trace_report_dot(r) : trace_report_text(r);
}

int trace_report(int argc, char **argv)
{
	struct trace_report_request request = {
		.path	= "kmprof.trace",
		.sort	= keys[0].of,
		.limit	= ROWS,
		.to_ns	= ~0ULL,
	};
	struct trace_report r = { .request = &request };
	struct kmprof_trace trace;
	struct kmprof_error err;
	int ret;

	ret = parse(&request, argc, argv);
	if (ret)
		return ret < 0 ? EXIT_OK : ret;
	if (kmprof_trace_open(&trace, request.path, &err))
		return fail(&err);
	warn_of_gaps(&trace);
	r.trace = &trace;
	ret = show(&r);
	kmprof_causes_release(&r.cause);
	kmprof_causes_release(&r.ends);
	free(r.sums);
	free(r.sleeps);
	free(r.locks);
	free(r.handled);
	free(r.stalled);
	free(r.called);
	free(r.idle);
	free(r.frequencies);
	free(r.memory);
	free(r.nodes);
	free(r.wakes);
	kmprof_schedule_release(&r.schedule);
	kmprof_stack_names_close(&r.names);
	kmprof_trace_close(&trace);
	return ret;
}
