// SPDX-License-Identifier: GPL-2.0
/* kmprof leaks: does the kernel's memory grow with each round of a command? */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/leaks_ktap.h"
#include "cmd/leaks_report.h"
#include "cmd/leaks_session.h"
#include "leaks/records.h"

#define NSEC_PER_MSEC	1000000ULL

enum {
	/* As many as tell one object per round from chance among 800 stacks. */
	DEFAULT_ROUNDS	= 8,
	ROUNDS_MOST	= 100,
	DEFAULT_LIMIT	= 10,
};

static int check(const struct leaks_options *o)
{
	if (o->rounds < KMPROF_JUDGE_ROUNDS_MIN || o->rounds > ROUNDS_MOST)
		return usage_error(&cmd_leaks, "--rounds: %lu: give %d to %d", o->rounds,
				   KMPROF_JUDGE_ROUNDS_MIN, ROUNDS_MOST);
	if (o->json && o->ktap)
		return usage_error(&cmd_leaks, "--json and --ktap: one of them only");
	if (!o->command && !o->ns)
		return usage_error(&cmd_leaks, "no command given, and no --for");
	if (o->command && o->ns)
		return usage_error(&cmd_leaks, "--for: watches the system, and runs no command");
	return EXIT_OK;
}

/* Return: EXIT_OK, another exit status, or -1 when --help has been shown. */
static int parse(struct leaks_options *o, int argc, char **argv)
{
	static const struct option options[] = {
		OPTION_HELP, OPTION_JSON, OPTION_SYMFS, OPTION_KALLSYMS,
		{ "rounds", required_argument, NULL, OPT_ROUNDS },
		{ "settle", no_argument, NULL, OPT_SETTLE },
		{ "rate", required_argument, NULL, OPT_RATE },
		{ "for", required_argument, NULL, OPT_FOR },
		{ "limit", required_argument, NULL, 'n' },
		{ "ktap", no_argument, NULL, OPT_KTAP },
		OPTION_END
	};
	__u64 ms;
	int opt;

	*o = (struct leaks_options){ .rounds = DEFAULT_ROUNDS, .limit = DEFAULT_LIMIT };
	/* What is behind the command belongs to it. */
	while ((opt = getopt_long(argc, argv, "+:hn:", options, NULL)) >= 0) {
		switch (opt) {
		case 'h':
			return show_help(&cmd_leaks) ? EXIT_FAILED : -1;
		case OPT_ROUNDS:
			if (parse_count(optarg, &o->rounds))
				return usage_error(&cmd_leaks, "--rounds: '%s' is not a number",
						   optarg);
			break;
		case 'n':
			if (parse_count(optarg, &o->limit))
				return usage_error(&cmd_leaks, "-n: '%s' is not a number", optarg);
			break;
		case OPT_FOR:
			if (parse_duration(optarg, &ms))
				return usage_error(&cmd_leaks,
						   "--for: '%s' is not a time like 90s, 10m or 2h",
						   optarg);
			o->ns = ms * NSEC_PER_MSEC;
			break;
		case OPT_SETTLE:
			o->settle = true;
			break;
		case OPT_RATE:
			o->rate = optarg;
			break;
		case OPT_JSON:
			o->json = true;
			break;
		case OPT_KTAP:
			o->ktap = true;
			break;
		case OPT_SYMFS:
		case OPT_KALLSYMS:
			parse_names(&o->names, opt);
			break;
		default:
			return bad_option(&cmd_leaks, opt, argv);
		}
	}
	o->command = optind < argc ? argv + optind : NULL;
	return check(o);
}

static int out_of_memory(void)
{
	struct kmprof_error err;

	kmprof_error_set(&err, -ENOMEM, NULL, "writing the report: out of memory");
	return fail(&err);
}

static int show(const struct leaks_report *report)
{
	const struct leaks_options *o = report->session->options;
	int ret;

	if (o->json) {
		ret = print_json(leaks_report_json(report));
	} else if (o->ktap && leaks_report_ktap(stdout, report)) {
		ret = out_of_memory();
	} else {
		if (!o->ktap)
			leaks_report_text(stdout, report);
		ret = finish_stdout();
	}
	if (ret)
		return ret;
	return report->findings->leaks ? EXIT_LEAK : EXIT_OK;
}

static int report(const struct leaks_session *session)
{
	struct kmprof_resolver resolver;
	struct kmprof_findings findings;
	struct kmprof_error err;
	int ret;

	if (kmprof_findings_build(&findings, &session->history, LEAKS_CONFIDENCE, &err)) {
		if (session->options->ktap)
			leaks_ktap_bail_out(stdout, err.text);
		return fail(&err);
	}
	ret = open_names(&resolver, &session->last.image, &session->options->names);
	if (!ret) {
		kmprof_records_set_aside(&findings, &resolver);
		ret = show(&(struct leaks_report){ session, &findings, &resolver });
		kmprof_resolver_close(&resolver);
	}
	kmprof_findings_release(&findings);
	return ret;
}

static int run(int argc, char **argv)
{
	struct leaks_session session;
	struct leaks_options options;
	int ret;

	ret = parse(&options, argc, argv);
	if (ret)
		return ret < 0 ? EXIT_OK : ret;
	ret = leaks_session_run(&session, &options);
	if (ret)
		return ret;
	ret = report(&session);
	leaks_session_release(&session);
	return ret;
}

const struct command cmd_leaks = {
	.name		= "leaks",
	.summary	= "find stacks that leak with each round of a command",
	.usage		=
	"Usage: kmprof leaks [OPTIONS] [--] COMMAND [ARGUMENT...]\n"
	"       kmprof leaks --for TIME [OPTIONS]\n"
	"\n"
	"Runs the command in rounds, takes a snapshot after each, and reports stacks whose memory\n"
	"in use grows in more than half of the rounds. Before a snapshot it waits for frees that\n"
	"are deferred. A first round, in which caches fill up, is not judged. With --for, the time\n"
	"on the running system is divided into rounds + 1 parts, of which the first one is not\n"
	"judged. With a command, all kinds of memory are seen that the module can see.\n"
	"\n"
	"Exit status: 0 no leak, also if stacks grow (not sure), 3 a leak, 1 failed, 2 wrong\n"
	"usage. If the command fails, nothing is judged. The command's output goes to standard\n"
	"error.\n"
	"\n"
	"Options:\n"
	"  --rounds NUMBER  rounds that are judged, 3 to 100; 8 if not given\n"
	"  --settle         drop page cache, dentries and inodes before each snapshot, too\n"
	"  --rate BYTES     heap_rate during the session; 1 if not given: every allocation is\n"
	"                   seen. With --for: what it is now, or 512K if that is 0\n"
	"  --for TIME       watch the system for so long, as in 90s, 10m or 2h\n"
	"  -n, --limit NUMBER\n"
	"                   stacks to show, 10 if not given; 0 for all\n"
	"  --ktap           write a test result in KTAP\n"
	USAGE_JSON
	USAGE_SYMBOLS
	USAGE_HELP,
	.run		= run,
};
