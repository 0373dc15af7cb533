// SPDX-License-Identifier: GPL-2.0
/* kmprof trace: which task ran when, and why: record it, or show what was recorded. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/format.h"
#include "cmd/trace.h"
#include "cmd/trace_report.h"

/* Is something asked for that only a flight recorder can do? */
static bool is_of_flight(const struct trace_request *r)
{
	return r->is_flight || r->nr_triggers || r->snapshots;
}

/* A saved trace is shown, or a new one saved. */
static int check_input(struct trace_request *r)
{
	const char *path = r->output && strcmp(r->output, "-") ? r->output : NULL;
	int ret;

	if (r->command)
		return usage_error(&cmd_trace,
				   "--input: a saved trace is read, and no command run");
	if (r->ms || r->events || r->filter || r->buffer_bytes || r->has_stacks || is_of_flight(r))
		return usage_error(&cmd_trace,
				   "--input: a saved trace is read; -d, -e, --filter, --stacks, --buffer, --flight, --on, --snapshots: for a new one");
	ret = choose_timeline(&r->timeline, &cmd_trace, r->format, path);
	if (ret)
		return ret;
	if (r->timeline->write_files && !path)
		return usage_error(&cmd_trace, "%s is a directory: give -o DIRECTORY",
				   r->timeline->name);
	if (r->timeline->is_binary && !path && isatty(STDOUT_FILENO))
		return usage_error(&cmd_trace, "%s is binary: give -o FILE, or a pipe",
				   r->timeline->name);
	return EXIT_OK;
}

/* What is recorded is saved as it is: there may be no time for more. */
static int check_record(struct trace_request *r)
{
	bool is_piped = r->output && !strcmp(r->output, "-");

	if (r->format) {
		r->timeline = kmprof_timeline_find(r->format);
		if (!r->timeline)
			return choose_timeline(&r->timeline, &cmd_trace, r->format, NULL);
	} else if (r->output) {
		r->timeline = kmprof_timeline_of_file(r->output);
	}
	if (refuse_timeline(r->timeline, &cmd_trace, r->format ? r->format : r->output))
		return EXIT_USAGE;
	if (r->command && r->ms)
		return usage_error(&cmd_trace, "-d: not with a command, which says how long");
	if (r->command && is_piped)
		return usage_error(&cmd_trace, "-o -: not with a command, which writes there, too");
	if (r->command && r->is_flight)
		return usage_error(&cmd_trace,
				   "--flight: not with a command, which can be run meanwhile");
	if (is_piped && r->is_flight)
		return usage_error(&cmd_trace,
				   "-o -: not with --flight, which saves several files");
	if (is_of_flight(r) && !r->is_flight)
		return usage_error(&cmd_trace, "%s: only with --flight",
				   r->nr_triggers ? "--on" : "--snapshots");
	if (is_piped && isatty(STDOUT_FILENO))
		return usage_error(&cmd_trace, "a trace is binary: give -o FILE, or a pipe");
	return EXIT_OK;
}

static int add_trigger(struct trace_request *r, const char *text)
{
	if (r->nr_triggers == TRACE_TRIGGERS)
		return usage_error(&cmd_trace, "--on: at most %d events", TRACE_TRIGGERS);
	if (!trace_trigger_parse(&r->triggers[r->nr_triggers], text))
		return usage_error(&cmd_trace,
				   "--on: '%s' is not an event like oom:mark_victim or kmprof:block/ns > 1000000/",
				   text);
	r->nr_triggers++;
	return EXIT_OK;
}

static int parse_option(struct trace_request *r, int opt)
{
	__u64 bytes;

	switch (opt) {
	case 'e':
		return trace_parse_events(optarg, &r->events);
	case 'd':
		if (parse_duration(optarg, &r->ms))
			return usage_error(&cmd_trace,
					   "-d: '%s' is not a time like 10s, 500ms, 2m or 1h",
					   optarg);
		break;
	case 'o':
		r->output = optarg;
		break;
	case OPT_BUFFER:
		if (parse_size(optarg, &bytes) || !bytes || bytes > KMPROF_TRACE_BUFFER_MAX)
			return usage_error(&cmd_trace,
					   "--buffer: '%s' is not a size like 4M, of at most 1G",
					   optarg);
		r->buffer_bytes = (__u32)bytes;
		break;
	case OPT_FILTER:
		if (!*optarg)
			return usage_error(&cmd_trace, "--filter: it is empty");
		r->filter = optarg;
		break;
	case OPT_STACKS:
		r->has_stacks = true;
		break;
	case OPT_FLIGHT:
		r->is_flight = true;
		break;
	case OPT_ON:
		return add_trigger(r, optarg);
	case OPT_SNAPSHOTS:
		if (parse_count(optarg, &r->snapshots) || !r->snapshots)
			return usage_error(&cmd_trace, "--snapshots: '%s' is not a number above 0",
					   optarg);
		break;
	case OPT_FORMAT:
		r->format = optarg;
		break;
	case OPT_INPUT:
		r->input = optarg;
		break;
	}
	return EXIT_OK;
}

/* Return: EXIT_OK, another exit status, or -1 when --help has been shown. */
static int parse(struct trace_request *r, int argc, char **argv)
{
	static const struct option options[] = {
		OPTION_HELP, OPTION_INPUT,
		{ "events", required_argument, NULL, 'e' },
		{ "duration", required_argument, NULL, 'd' },
		{ "filter", required_argument, NULL, OPT_FILTER },
		{ "buffer", required_argument, NULL, OPT_BUFFER },
		{ "stacks", no_argument, NULL, OPT_STACKS },
		{ "flight", no_argument, NULL, OPT_FLIGHT },
		{ "on", required_argument, NULL, OPT_ON },
		{ "snapshots", required_argument, NULL, OPT_SNAPSHOTS },
		{ "format", required_argument, NULL, OPT_FORMAT },
		{ "output", required_argument, NULL, 'o' },
		OPTION_END
	};
	int opt, ret;

	/* The arguments behind the command are its own. */
	while ((opt = getopt_long(argc, argv, "+:he:d:o:", options, NULL)) >= 0) {
		if (opt == 'h')
			return show_help(&cmd_trace) ? EXIT_FAILED : -1;
		if (opt == '?' || opt == ':')
			return bad_option(&cmd_trace, opt, argv);
		ret = parse_option(r, opt);
		if (ret)
			return ret;
	}
	r->command = optind < argc ? argv + optind : NULL;
	return r->input ? check_input(r) : check_record(r);
}

static int run(int argc, char **argv)
{
	struct trace_request r = { 0 };
	int ret;

	if (argc > 1 && !strcmp(argv[1], "mark"))
		return trace_mark(argc - 1, argv + 1);
	if (argc > 1 && !strcmp(argv[1], "recover"))
		return trace_recover(argc - 1, argv + 1);
	if (argc > 1 && !strcmp(argv[1], "report"))
		return trace_report(argc - 1, argv + 1);
	if (argc > 1 && !strcmp(argv[1], "snapshot"))
		return trace_snapshot(argc - 1, argv + 1);
	ret = parse(&r, argc, argv);
	if (ret)
		return ret < 0 ? EXIT_OK : ret;
	if (r.input)
		return trace_convert(&r);
	return r.is_flight ? trace_flight(&r) : trace_record(&r);
}

const struct command cmd_trace = {
	.name		= "trace",
	.summary	= "record which task runs when, and who wakes it, or show such a trace",
	.usage		=
	"Usage: kmprof trace [OPTIONS] [[--] COMMAND [ARGUMENT...]]\n"
	"       kmprof trace --input TRACE [--format FORMAT] [-o FILE]\n"
	"       kmprof trace report [OPTIONS] [TRACE]\n"
	"       kmprof trace mark TEXT...\n"
	"       kmprof trace --flight [OPTIONS]\n"
	"       kmprof trace snapshot\n"
	"       kmprof trace recover DUMP [-o FILE]\n"
	"\n"
	"Records what the scheduler does on all CPUs while the command runs, for a time, or until\n"
	"^C, and saves it as it comes. With --input, turns such a trace into another format. report\n"
	"adds it up, or explains the time of a task: see 'kmprof trace report --help'. mark puts a\n"
	"text into the trace that is running. With --flight, the newest events are kept in memory,\n"
	"and saved when 'kmprof trace snapshot' is run, and at the end. When the kernel has crashed,\n"
	"recover finds them in a dump of its memory, as /proc/vmcore.\n"
	"\n"
	"Options:\n"
	"  -e, --events EVENTS\n"
	"                   sched (default): switch, waking, migrate, fork, exec, exit, rename;\n"
	"                   some of these; contention: waits for locks; irq: interrupts of\n"
	"                   devices; softirq; reclaim, compaction: tasks that make memory free;\n"
	"                   heap: what the heap profile samples, and when that is freed;\n"
	"                   syscall: system calls; idle: idle states of CPUs; frequency: theirs;\n"
	"                   rcu: grace periods of RCU.\n"
	"                   With commas between; switch is always recorded, and so are marks\n"
	"  --filter FILTER  trace only what this holds for, and of all else when tasks run and are\n"
	"                   woken: pid=ID, comm=NAME, cgroup=PATH: processes, and what they create\n"
	"                   from then on; cpu=0-3+8: CPUs; duration=100us: what takes as long:\n"
	"                   system calls, waits, interrupts. With commas between\n"
	"  -d, --duration TIME\n"
	"                   record for so long, as in 10s, 500ms, 2m, 1h\n"
	"  --stacks         record where a task stops, and where it is woken, as stacks of the\n"
	"                   kernel's functions\n"
	"  --buffer SIZE    room for what has not been saved yet, of each CPU; 4M if not given\n"
	"  --flight         be a flight recorder: keep as many of the newest events as there is\n"
	"                   room for. Each snapshot is a file of its own, as kmprof-1.trace\n"
	"  --on EVENT       with --flight: save a snapshot each time that this event of the\n"
	"                   kernel happens: oom:mark_victim, kmprof:block/ns > 10000000/. Between\n"
	"                   slashes is a filter, as that of perf record. Can be given several times\n"
	"  --snapshots N    with --flight: end with the Nth snapshot, which is FILE\n"
	"  -o, --output FILE\n"
	"                   write here, as a whole or not at all; kmprof.trace if not given, and\n"
	"                   with --input standard output; - for standard output\n"
	"  --input TRACE    read a saved trace instead of the device; - for stdin\n"
	"  --format FORMAT  of --input; if not given, the one whose suffix the name of FILE has;\n"
	"                   text without a suffix:\n"
	"                   text (default): .txt; a line for each event\n"
	"                   html: .html; a page to look around in, offline\n"
	"                   perfetto: .pftrace; Perfetto's protobuf, for ui.perfetto.dev\n"
	"                   go: .gotrace; for 'go tool trace'\n"
	"                   chrome: .json; Chrome's JSON of traces\n"
	"                   ctf: .ctf; a directory in the Common Trace Format, for babeltrace2\n"
	"                   raw: .trace; as it was saved\n"
	USAGE_HELP,
	.run		= run,
};
