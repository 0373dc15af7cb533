// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "cmd/report.h"

enum { DEFAULT_ROWS = 10 };

static int parse_option(struct report_request *r, int opt)
{
	switch (opt) {
	case 'p':
		r->profile = optarg;
		break;
	case 'n':
		if (parse_count(optarg, &r->most))
			return usage_error(&cmd_report, "-n: '%s' is not a number", optarg);
		break;
	case OPT_BY:
		r->by = optarg;
		break;
	case OPT_TREE:
		r->tree = true;
		break;
	case OPT_CHILDREN:
		r->children = true;
		break;
	case OPT_FOCUS:
	case OPT_IGNORE:
		return parse_filter(&cmd_report, &r->filter, opt);
	case OPT_LINES:
	case OPT_DEBUGINFO:
		return parse_lines(&r->lines, opt);
	case OPT_COLUMN:
		r->column = optarg;
		break;
	case OPT_JSON:
		r->json = true;
		break;
	case OPT_INPUT:
		r->input = optarg;
		break;
	case OPT_SYMFS:
	case OPT_KALLSYMS:
		parse_names(&r->names, opt);
		break;
	}
	return EXIT_OK;
}

/* What goes with what. */
static int check(struct report_request *r)
{
	if (r->tree && r->by)
		return usage_error(&cmd_report, "--tree: not with --by");
	if (!r->by)
		r->by = "function";
	if (r->children && (r->tree || (strcmp(r->by, "function") && strcmp(r->by, "module"))))
		return usage_error(&cmd_report, "--children: with --by function or module only");
	return EXIT_OK;
}

int report_parse(struct report_request *r, int argc, char **argv)
{
	static const struct option options[] = {
		OPTION_HELP, OPTION_JSON, OPTION_INPUT, OPTION_SYMFS, OPTION_KALLSYMS,
		{ "profile", required_argument, NULL, 'p' },
		{ "limit", required_argument, NULL, 'n' },
		{ "by", required_argument, NULL, OPT_BY },
		{ "tree", no_argument, NULL, OPT_TREE },
		{ "children", no_argument, NULL, OPT_CHILDREN },
		OPTION_FOCUS, OPTION_IGNORE, OPTION_LINES, OPTION_DEBUGINFO,
		{ "column", required_argument, NULL, OPT_COLUMN },
		OPTION_END
	};
	int opt, ret;

	memset(r, 0, sizeof(*r));
	r->profile = "heap";
	r->most = DEFAULT_ROWS;
	while ((opt = getopt_long(argc, argv, ":hp:n:", options, NULL)) >= 0) {
		if (opt == 'h')
			return show_help(&cmd_report) ? EXIT_FAILED : -1;
		if (opt == '?' || opt == ':')
			return bad_option(&cmd_report, opt, argv);
		ret = parse_option(r, opt);
		if (ret)
			return ret;
	}
	if (optind < argc) {
		if (r->input)
			return usage_error(&cmd_report, "%s: one image at a time", argv[optind]);
		r->input = argv[optind++];
	}
	if (optind < argc)
		return usage_error(&cmd_report, "%s: one image at a time", argv[optind]);
	return check(r);
}
