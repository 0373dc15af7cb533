// SPDX-License-Identifier: GPL-2.0
/* kmprof dump: write a profile for people, for pprof, or for later. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/dump_locks.h"
#include "cmd/format.h"
#include "cmd/save_image.h"
#include "cmd/term.h"
#include "export/exporter.h"
#include "profile/filter.h"
#include "profile/profile.h"
#include "symbols/complete.h"
#include "util/output.h"

/**
 * struct dump - what is asked for
 * @name: of the profile
 * @profile: the profile, once there is an image
 * @exporter: of the format of the output
 * @column: --column, or NULL
 * @filter: --focus and --ignore
 * @by_lock: --by lock
 * @json: --json, or the format is JSON
 * @output: where to; NULL: standard output
 * @input: --input, or NULL
 * @names: where names of addresses come from
 * @lines: --lines and --debuginfo
 */
struct dump {
	const char *name;
	struct kmprof_profile profile;
	const struct kmprof_exporter *exporter;
	const char *column;
	struct kmprof_filter filter;
	bool by_lock;
	bool json;
	const char *output;
	const char *input;
	struct kmprof_resolver_options names;
	struct kmprof_debuginfo_options lines;
};

/* A table of locks is for people, or JSON. */
static int check_by_lock(struct dump *d)
{
	if (!d->by_lock || d->exporter == kmprof_exporter_default())
		return EXIT_OK;
	d->json = !strcmp(d->exporter->name, "json");
	return d->json ? EXIT_OK : usage_error(&cmd_dump, "--by lock: a table, and not %s",
					       d->exporter->name);
}

/* Text has a line of numbers of its own; a table of locks and an image have all there is. */
static int check_column(const struct dump *d)
{
	if (!d->column || (d->exporter->shows_one && !d->by_lock))
		return EXIT_OK;
	return usage_error(&cmd_dump, "--column: not for %s",
			   d->by_lock ? "--by lock" : d->exporter->name);
}

/* A table of locks, and an image, have all stacks. */
static int check_filter(const struct dump *d)
{
	if ((!d->filter.focus.text && !d->filter.ignore.text) ||
	    (d->exporter->write && !d->by_lock))
		return EXIT_OK;
	return usage_error(&cmd_dump, "--focus and --ignore: not for %s",
			   d->by_lock ? "--by lock" : d->exporter->name);
}

static int check_lines(const struct dump *d)
{
	if (!d->lines.is_wanted || (d->exporter->has_lines && !d->by_lock))
		return EXIT_OK;
	return usage_error(&cmd_dump, "--lines: not for %s",
			   d->by_lock ? "--by lock" : d->exporter->name);
}

/* Return: EXIT_OK, another exit status, or -1 when --help has been shown. */
static int parse(struct dump *d, int argc, char **argv)
{
	static const struct option options[] = {
		OPTION_HELP, OPTION_INPUT, OPTION_SYMFS, OPTION_KALLSYMS,
		{ "format", required_argument, NULL, OPT_FORMAT },
		{ "output", required_argument, NULL, 'o' },
		{ "column", required_argument, NULL, OPT_COLUMN },
		{ "by", required_argument, NULL, OPT_BY },
		OPTION_FOCUS, OPTION_IGNORE, OPTION_LINES, OPTION_DEBUGINFO,
		OPTION_JSON, OPTION_END
	};
	const char *format = NULL;
	int opt, ret;

	memset(d, 0, sizeof(*d));
	d->name = "heap";
	while ((opt = getopt_long(argc, argv, ":ho:", options, NULL)) >= 0) {
		switch (opt) {
		case 'h':
			return show_help(&cmd_dump) ? EXIT_FAILED : -1;
		case 'o':
			d->output = strcmp(optarg, "-") ? optarg : NULL;
			break;
		case OPT_FORMAT:
			format = optarg;
			break;
		case OPT_COLUMN:
			d->column = optarg;
			break;
		case OPT_BY:
			if (strcmp(optarg, "lock"))
				return usage_error(&cmd_dump, "--by: '%s' is not lock", optarg);
			d->by_lock = true;
			break;
		case OPT_FOCUS:
		case OPT_IGNORE:
			ret = parse_filter(&cmd_dump, &d->filter, opt);
			if (ret)
				return ret;
			break;
		case OPT_LINES:
		case OPT_DEBUGINFO:
			ret = parse_lines(&d->lines, opt);
			if (ret)
				return ret;
			break;
		case OPT_JSON:
			d->json = true;
			break;
		case OPT_INPUT:
			d->input = optarg;
			break;
		case OPT_SYMFS:
		case OPT_KALLSYMS:
			parse_names(&d->names, opt);
			break;
		default:
			return bad_option(&cmd_dump, opt, argv);
		}
	}
	if (optind < argc)
		d->name = argv[optind++];
	if (optind < argc)
		return usage_error(&cmd_dump, "%s: one profile at a time", argv[optind]);
	ret = choose_format(&d->exporter, &cmd_dump, format, d->json, d->output);
	if (!ret)
		ret = check_by_lock(d);
	if (!ret)
		ret = check_column(d);
	if (!ret)
		ret = check_filter(d);
	if (!ret)
		ret = check_lines(d);
	if (ret)
		return ret;
	if (d->exporter->is_binary && !d->output && isatty(STDOUT_FILENO))
		return usage_error(&cmd_dump, "%s is binary: give -o FILE, or a pipe",
				   d->exporter->name);
	return EXIT_OK;
}

/* What there is depends on the image. */
static int find_profile(struct dump *d, const struct kmprof_image *image)
{
	struct kmprof_error err;

	if (kmprof_profile_find(&d->profile, image, d->name)) {
		kmprof_profile_lacking(image, d->name, &err);
		return usage_error(&cmd_dump, "%s", err.text);
	}
	if (d->by_lock && !d->profile.kind->contention)
		return usage_error(&cmd_dump, "--by lock: only block and mutex have locks");
	return EXIT_OK;
}

static int write_profile(const struct dump *d, FILE *file, const struct kmprof_image *image,
			 const struct kmprof_resolver *resolver, struct kmprof_error *err)
{
	struct kmprof_series series;
	int ret;

	ret = kmprof_profile_series(&series, image, resolver, &d->profile, err);
	if (ret)
		return ret;
	if (d->column)
		ret = kmprof_series_show(&series, d->column, err);
	if (!ret)
		ret = kmprof_filter_series(&series, &d->filter, resolver, err);
	if (!ret)
		ret = d->exporter->write(file, &series, resolver, err);
	kmprof_series_release(&series);
	return ret;
}

/* Before there is an output. What columns there are depends on the image. */
static int find_column(const struct dump *d, const struct kmprof_image *image,
		       const struct kmprof_resolver *resolver)
{
	struct kmprof_series series;
	struct kmprof_error err;
	int ret;

	ret = kmprof_profile_series(&series, image, resolver, &d->profile, &err);
	if (ret)
		return fail(&err);
	ret = kmprof_series_show(&series, d->column, &err);
	kmprof_series_release(&series);
	return ret ? usage_error(&cmd_dump, "--column: %s", err.text) : EXIT_OK;
}

static int write_as(const struct dump *d, FILE *file, const struct kmprof_image *image,
		    const struct kmprof_resolver *resolver, struct kmprof_error *err)
{
	if (d->by_lock && d->json)
		return dump_locks_json(file, image, resolver, &d->profile, err);
	if (d->by_lock)
		return dump_locks_table(file, image, resolver, &d->profile,
					d->output ? 0 : term_width(), err);
	if (!d->exporter->write)
		return save_image(file, image, resolver, !d->input, err);
	return write_profile(d, file, image, resolver, err);
}

/* Somebody who watches likes to know that it is done, and how much it is. */
static void tell(const struct dump *d, const struct kmprof_image *image)
{
	struct stat st;

	if (d->output && isatty(STDERR_FILENO) && !stat(d->output, &st) && S_ISREG(st.st_mode))
		fprintf(stderr, "kmprof: %s: %s, %u entries, %lld bytes\n", d->output,
			d->exporter->name, kmprof_profile_entries(&d->profile, image),
			(long long)st.st_size);
}

static int write_output(const struct dump *d, const struct kmprof_image *image)
{
	struct kmprof_resolver resolver = { 0 };
	struct kmprof_output output;
	struct kmprof_error err;
	int ret;

	if (d->exporter->write || kmprof_can_complete(image)) {
		ret = open_names(&resolver, image, &d->names);
		if (ret)
			return ret;
	}
	ret = d->column ? find_column(d, image, &resolver) : EXIT_OK;
	if (!ret)
		ret = open_lines(&resolver, &d->lines);
	if (ret) {
		kmprof_resolver_close(&resolver);
		return ret;
	}
	if (d->exporter->write)
		explain_empty(&d->profile, image);
	ret = kmprof_output_open(&output, d->output, &err);
	if (ret)
		goto out_names;
	ret = write_as(d, output.file, image, &resolver, &err);
	if (ret)
		kmprof_output_fail(&output, ret, &err);
	else
		ret = kmprof_output_commit(&output, &err);
out_names:
	kmprof_resolver_close(&resolver);
	if (ret)
		return fail(&err);
	tell(d, image);
	return EXIT_OK;
}

static int run(int argc, char **argv)
{
	struct opened_image opened;
	struct dump d;
	int ret;

	ret = parse(&d, argc, argv);
	if (!ret)
		ret = open_image(&opened, d.input, 0);
	if (!ret) {
		ret = find_profile(&d, &opened.image);
		if (!ret)
			ret = write_output(&d, &opened.image);
		close_image(&opened);
	}
	kmprof_filter_release(&d.filter);
	kmprof_lines_release(&d.lines.paths);
	return ret < 0 ? EXIT_OK : ret;
}

const struct command cmd_dump = {
	.name		= "dump",
	.summary	= "write a profile in one of many formats, or as an image for later",
	.usage		=
	"Usage: kmprof dump [heap | allocs | block | mutex | PROFILE] [OPTIONS]\n"
	"\n"
	"Takes a snapshot and writes it. heap (the default) puts memory in use first,\n"
	"allocs everything allocated since the start; both hold both. block has the waits\n"
	"for locks, by who waited; mutex, by who released the lock and so ended them. Any\n"
	"other PROFILE of the module is shown by its columns; 'kmprof status' lists them.\n"
	"\n"
	"Options:\n"
	"  --format FORMAT  if not given, the one whose suffix the name of FILE has; text\n"
	"                   without a suffix:\n"
	"                   text (default): .txt; as Go's runtime writes it, for pprof, too\n"
	"                   pprof: .pb.gz; gzipped profile.proto\n"
	"                   folded: .folded; stacks for flamegraph.pl, speedscope and others\n"
	"                   script: .perf; as perf script writes it\n"
	"                   perf.data: .data; as perf record writes it, for perf report -i\n"
	"                   json: .json; all columns, labels, facts and losses\n"
	"                   svg: .svg; a flame graph as a picture\n"
	"                   html: .html; a page with a flame graph to zoom and search, all columns\n"
	"                   image: .kmprof; the snapshot with its names, for --input\n"
	"  -o, --output FILE\n"
	"                   write here, as a whole or not at all; standard output if not\n"
	"                   given, or -\n"
	"  --column NAME    show this column first, and alone in formats that have one:\n"
	"                   inuse_space, inuse_objects, alloc_space, alloc_objects; of marks\n"
	"                   peak_space, peak_objects, at_space, at_objects, oom_space,\n"
	"                   oom_objects; of block and mutex, delay and contentions\n"
	USAGE_FILTER
	"  --by lock        of block and mutex: a table of locks instead of stacks\n"
	"  --json           the same as --format json; of --by lock, too\n"
	USAGE_INPUT
	USAGE_LINES
	USAGE_SYMBOLS
	USAGE_HELP,
	.run		= run,
};
