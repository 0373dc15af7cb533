// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/diff_live.h"
#include "cmd/diff_request.h"
#include "cmd/format.h"

enum { DEFAULT_STACKS = 10 };

/* The formats of a difference. */
static bool has_format(const char *name)
{
	return !strcmp(name, "text") || !strcmp(name, "pprof") || !strcmp(name, "json");
}

static int parse_format(struct diff_request *r)
{
	const struct kmprof_exporter *exporter;
	int ret;

	ret = choose_format(&exporter, &cmd_diff, r->format, r->json, r->output);
	if (ret)
		return ret;
	if (!has_format(exporter->name))
		return usage_error(&cmd_diff,
				   "-o %s: a difference is written as text, pprof or json only",
				   r->output);
	r->json = !strcmp(exporter->name, "json");
	r->pprof = !strcmp(exporter->name, "pprof");
	if (r->pprof && !r->output && isatty(STDOUT_FILENO))
		return usage_error(&cmd_diff, "pprof is binary: give -o FILE, or a pipe");
	return EXIT_OK;
}

/* What is between the two snapshots, or else the two files. */
static int parse_operands(struct diff_request *r, int nr, char **operand, char *const *command)
{
	int i;

	r->command = command;
	if (command && !*command)
		return usage_error(&cmd_diff, "--: no command behind it");
	if (command && r->interval)
		return usage_error(&cmd_diff, "--interval: not with a command");
	if (command || r->interval) {
		if (nr)
			return usage_error(&cmd_diff,
					   "%s: either images, or snapshots of the device",
					   operand[0]);
		return EXIT_OK;
	}
	if (nr != KMPROF_UNION_SIDES)
		return usage_error(&cmd_diff,
				   "two images, --interval or a command behind -- are needed");
	for (i = 0; i < nr; i++)
		r->file[i] = operand[i];
	if (!strcmp(operand[0], "-") && !strcmp(operand[1], "-"))
		return usage_error(&cmd_diff, "-: only one image can be on standard input");
	return EXIT_OK;
}

static int parse_option(struct diff_request *r, int opt)
{
	switch (opt) {
	case 'p':
		r->profile = optarg;
		break;
	case 'n':
		if (parse_count(optarg, &r->most))
			return usage_error(&cmd_diff, "-n: '%s' is not a number", optarg);
		break;
	case 'o':
		r->output = strcmp(optarg, "-") ? optarg : NULL;
		break;
	case OPT_INTERVAL:
		if (parse_duration(optarg, &r->interval))
			return usage_error(&cmd_diff,
					   "--interval: '%s' is not a time like 10s, 500ms, 2m or 1h",
					   optarg);
		break;
	case OPT_BY:
		if (strcmp(optarg, "function"))
			return usage_error(&cmd_diff, "--by: '%s' is not function", optarg);
		r->by_function = true;
		break;
	case OPT_FORMAT:
		if (!has_format(optarg))
			return usage_error(&cmd_diff, "--format: '%s' is not text, pprof or json",
					   optarg);
		r->format = optarg;
		break;
	case OPT_JSON:
		r->json = true;
		break;
	case OPT_SYMFS:
	case OPT_KALLSYMS:
		parse_names(&r->names, opt);
		break;
	}
	return EXIT_OK;
}

/* The arguments up to a "--"; behind it is a command with options of its own. */
static int own_arguments(int argc, char **argv, char *const **command)
{
	int i;

	*command = NULL;
	for (i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--"))
			continue;
		*command = argv + i + 1;
		return i;
	}
	return argc;
}

int diff_request_parse(struct diff_request *r, int argc, char **argv)
{
	static const struct option options[] = {
		OPTION_HELP, OPTION_JSON, OPTION_SYMFS, OPTION_KALLSYMS,
		{ "profile", required_argument, NULL, 'p' },
		{ "limit", required_argument, NULL, 'n' },
		{ "output", required_argument, NULL, 'o' },
		{ "interval", required_argument, NULL, OPT_INTERVAL },
		{ "by", required_argument, NULL, OPT_BY },
		{ "format", required_argument, NULL, OPT_FORMAT },
		OPTION_END
	};
	char *const *command;
	int opt, ret;

	memset(r, 0, sizeof(*r));
	r->profile = "heap";
	r->most = DEFAULT_STACKS;
	argc = own_arguments(argc, argv, &command);
	while ((opt = getopt_long(argc, argv, ":hp:n:o:", options, NULL)) >= 0) {
		if (opt == 'h')
			return show_help(&cmd_diff) ? EXIT_FAILED : -1;
		if (opt == '?' || opt == ':')
			return bad_option(&cmd_diff, opt, argv);
		ret = parse_option(r, opt);
		if (ret)
			return ret;
	}
	ret = parse_format(r);
	if (ret)
		return ret;
	return parse_operands(r, argc - optind, argv + optind, command);
}
