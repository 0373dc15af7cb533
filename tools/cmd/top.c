// SPDX-License-Identifier: GPL-2.0
/* kmprof top: the stacks that hold most memory. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/live.h"
#include "cmd/screen.h"
#include "cmd/site_names.h"
#include "cmd/term.h"
#include "export/json.h"
#include "image/ledger.h"
#include "image/memory.h"
#include "profile/limit.h"
#include "profile/profile.h"
#include "profile/tables.h"

enum {
	DEFAULT_SITES	= 10,
	DEFAULT_INTERVAL_MS = 2000,
	HUMAN_COLUMN	= 9,	/* columns of a size */
	EXACT_COLUMN	= 16,	/* the same with --bytes */
};

struct top {
	const char *profile;	/* another one than of memory; NULL: none */
	unsigned long nr;	/* 0: all */
	enum kmprof_sort sort;
	bool exact;
	bool json;
	bool once;
	__u64 interval_ms;
	const char *input;
	struct kmprof_resolver_options names;
};

static const struct kmprof_amount *amount_of(const struct top *t, const struct kmprof_site *site)
{
	return t->sort == KMPROF_SORT_ALLOC ? &site->alloc : &site->inuse;
}

/* Return: EXIT_OK, another exit status, or -1 when --help has been shown. */
static int parse(struct top *t, int argc, char **argv)
{
	static const struct option options[] = {
		OPTION_HELP, OPTION_JSON, OPTION_INPUT, OPTION_SYMFS, OPTION_KALLSYMS,
		{ "number", required_argument, NULL, 'n' },
		{ "sort", required_argument, NULL, OPT_SORT },
		{ "bytes", no_argument, NULL, OPT_BYTES },
		{ "once", no_argument, NULL, OPT_ONCE },
		{ "interval", required_argument, NULL, OPT_INTERVAL },
		OPTION_END
	};
	int opt;

	memset(t, 0, sizeof(*t));
	t->nr = DEFAULT_SITES;
	t->interval_ms = DEFAULT_INTERVAL_MS;
	while ((opt = getopt_long(argc, argv, ":hn:", options, NULL)) >= 0) {
		switch (opt) {
		case 'h':
			return show_help(&cmd_top) ? EXIT_FAILED : -1;
		case 'n':
			if (parse_count(optarg, &t->nr))
				return usage_error(&cmd_top, "-n: '%s' is not a number", optarg);
			t->once = true;
			break;
		case OPT_ONCE:
			t->once = true;
			break;
		case OPT_INTERVAL:
			if (parse_duration(optarg, &t->interval_ms))
				return usage_error(&cmd_top,
						   "--interval: '%s' is not a time like 500ms, 2s or 1m",
						   optarg);
			break;
		case OPT_SORT:
			if (!strcmp(optarg, "inuse"))
				t->sort = KMPROF_SORT_INUSE;
			else if (!strcmp(optarg, "alloc"))
				t->sort = KMPROF_SORT_ALLOC;
			else
				return usage_error(&cmd_top, "--sort: '%s' is not inuse or alloc",
						   optarg);
			t->once = true;
			break;
		case OPT_BYTES:
			t->exact = true;
			t->once = true;
			break;
		case OPT_JSON:
			t->json = true;
			break;
		case OPT_INPUT:
			t->input = optarg;
			break;
		case OPT_SYMFS:
		case OPT_KALLSYMS:
			parse_names(&t->names, opt);
			break;
		default:
			return bad_option(&cmd_top, opt, argv);
		}
	}
	if (optind == argc)
		return EXIT_OK;
	t->profile = argv[optind++];
	if (optind < argc)
		return usage_error(&cmd_top, "%s: one profile at a time", argv[optind]);
	return EXIT_OK;
}

/* How many of the sorted sites are shown: those that have anything at all. */
static size_t shown(const struct top *t, const struct kmprof_sites *sites)
{
	size_t n = 0;

	while (n < sites->nr && (!t->nr || n < t->nr) &&
	       amount_of(t, &sites->site[n])->objects > 0)
		n++;
	return n;
}

static void print_summary(const struct top *t, const struct kmprof_image *image,
			  const struct kmprof_sites *sites, const struct kmprof_sums *sums,
			  const struct kmprof_amount *total)
{
	__u64 allocated = kmprof_memory_bytes(image);
	char bytes[HUMAN_TEXT], error[HUMAN_TEXT], rate[HUMAN_TEXT];
	struct kmprof_ledger_account samples;
	struct kmprof_limit limit;

	samples = kmprof_ledger_account(image, kmprof_image_find(image, KMPROF_HEAP_TABLE));
	if (t->sort == KMPROF_SORT_ALLOC && !(total->objects > 0))
		printf("Allocated: no sample; exactly %s",
		       human_bytes(bytes, (double)allocated, t->exact));
	else if (t->sort == KMPROF_SORT_INUSE && kmprof_limit_inuse(&limit, image, sums))
		printf("In use: %s%s%s", limit.before, human_bytes(bytes, limit.bytes, t->exact),
		       limit.behind);
	else
		printf("%s %s %s %s (one standard error)",
		       t->sort == KMPROF_SORT_ALLOC ? "Allocated" : "In use",
		       human_bytes(bytes, total->bytes, t->exact), term_plus_minus(),
		       human_bytes(error, kmprof_amount_error(total), t->exact));
	printf(", %zu stacks, heap_rate=%s\n", sites->nr,
	       human_exact(rate, kmprof_image_value(image, "heap_rate")));
	if (samples.lost)
		printf("%sNot in it: %llu of %llu samples; 'kmprof status' tells why%s\n",
		       term_alert(), samples.lost, samples.sampled, term_plain());
	if (samples.filtered)
		printf("Left out by heap_filter: %llu sample%s; it is %s now\n", samples.filtered,
		       samples.filtered == 1 ? "" : "s", kmprof_image_word(image, "heap_filter"));
}

static int print_table(const struct top *t, const struct kmprof_image *image,
		       const struct kmprof_sites *sites, const struct kmprof_resolver *resolver)
{
	struct kmprof_sums sums = kmprof_sums(image);
	const struct kmprof_amount *total = t->sort == KMPROF_SORT_ALLOC ? &sums.alloc :
									   &sums.inuse;
	char bytes[HUMAN_TEXT], error[HUMAN_TEXT];
	int column = t->exact ? EXACT_COLUMN : HUMAN_COLUMN;
	size_t i, nr = shown(t, sites);
	struct kmprof_error err;
	int width = term_width();
	char **names;

	/* Two such columns and " %9s %6s  "; 0 would be no limit. */
	if (width) {
		width -= 2 * column + 20;
		width = width < 1 ? 1 : width;
	}
	names = site_names(sites->site, nr, resolver, width);
	if (!names) {
		kmprof_error_set(&err, -ENOMEM, NULL, "naming the stacks: out of memory");
		return fail(&err);
	}
	print_summary(t, image, sites, &sums, total);
	printf("\n%s%*s %*s %9s %6s  %.*s%s\n", term_bold(), column,
	       t->sort == KMPROF_SORT_ALLOC ? "ALLOCATED" : "IN USE", column, "STD.ERROR",
	       "OBJECTS", "SHARE", width ?: INT_MAX, "SITE < CALLERS", term_plain());
	for (i = 0; i < nr; i++) {
		const struct kmprof_amount *amount = amount_of(t, &sites->site[i]);

		printf("%*s %*s %9.0f %5.1f%%  %s\n", column,
		       human_bytes(bytes, amount->bytes, t->exact), column,
		       human_bytes(error, kmprof_amount_error(amount), t->exact), amount->objects,
		       total->bytes > 0 ? 100 * amount->bytes / total->bytes : 0, names[i]);
	}
	site_names_free(names, nr);
	return finish_stdout();
}

static json_t *make_json(const struct top *t, const struct kmprof_image *image,
			 const struct kmprof_sites *sites, const struct kmprof_resolver *resolver)
{
	json_t *value = kmprof_json_image(image), *array = json_array();
	size_t i, nr = shown(t, sites);

	for (i = 0; i < nr; i++)
		array = kmprof_json_append(array, kmprof_json_site(&sites->site[i], resolver));
	if (!json_object_set_new(value, "sites", array) &&
	    !json_object_set_new(value, "nr_sites", kmprof_json_u64(sites->nr)))
		return value;
	json_decref(value);
	return NULL;
}

static int show(const struct top *t, const struct kmprof_image *image)
{
	struct kmprof_resolver resolver;
	struct kmprof_sites sites;
	struct kmprof_error err;
	int ret;

	ret = open_names(&resolver, image, &t->names);
	if (ret)
		return ret;
	if (kmprof_sites_build(&sites, image, KMPROF_BY_STACK, &err)) {
		ret = fail(&err);
		goto out_names;
	}
	kmprof_sites_sort(&sites, t->sort);
	if (t->json)
		ret = print_json(make_json(t, image, &sites, &resolver));
	else
		ret = print_table(t, image, &sites, &resolver);
	kmprof_sites_release(&sites);
out_names:
	kmprof_resolver_close(&resolver);
	return ret;
}

/* Another profile is shown by another command; which one depends on the profile. */
static int refuse(const struct kmprof_image *image, const char *name)
{
	struct kmprof_profile profile;
	struct kmprof_error err;

	if (kmprof_profile_find(&profile, image, name)) {
		kmprof_profile_lacking(image, name, &err);
		return usage_error(&cmd_top, "%s", err.text);
	}
	if (profile.kind->contention)
		return usage_error(&cmd_top,
				   "shows memory only; for %s there is 'kmprof dump %s --by lock'",
				   profile.kind->contention->what, name);
	if (!profile.kind->name)
		return usage_error(&cmd_top,
				   "shows memory only; for other profiles there is 'kmprof dump %s'",
				   name);
	return usage_error(&cmd_top, "%s: takes no argument", name);
}

/* A module can be without the profile of memory. */
static int check_memory(const struct kmprof_image *image)
{
	struct kmprof_error err;

	if (kmprof_heap_rows(image).entry_size)
		return EXIT_OK;
	kmprof_profile_lacking(image, KMPROF_HEAP_TABLE, &err);
	return fail(&err);
}

static int run(int argc, char **argv)
{
	struct opened_image opened;
	struct top t;
	int ret;

	ret = parse(&t, argc, argv);
	if (ret)
		return ret < 0 ? EXIT_OK : ret;
	if (!t.input && !t.json && !t.once && screen_is_possible())
		return live_run(t.profile ? t.profile : KMPROF_HEAP_TABLE, t.interval_ms, &t.names);
	ret = open_image(&opened, t.input, 0);
	if (ret)
		return ret;
	if (t.profile)
		ret = refuse(&opened.image, t.profile);
	else
		ret = check_memory(&opened.image);
	if (!ret)
		ret = show(&t, &opened.image);
	close_image(&opened);
	return ret;
}

const struct command cmd_top = {
	.name		= "top",
	.summary	= "show the stacks that hold most memory, live on a terminal",
	.usage		=
	"Usage: kmprof top [PROFILE] [--interval TIME] [OPTIONS]\n"
	"       kmprof top --once [-n NUMBER] [--sort inuse | alloc] [OPTIONS]\n"
	"\n"
	"On a terminal, shows a profile and how it changes until q is pressed; ? explains the keys.\n"
	"Elsewhere, and with --once, -n, --json or --input, takes one snapshot of memory and shows\n"
	"the largest estimates, each with its standard error: the truth is within 1.96 of these\n"
	"in 95 of 100 cases.\n"
	"\n"
	"Options:\n"
	"  --interval TIME  from one snapshot to the next, as in 500ms, 2s (default), 1m\n"
	"  --once           one table, also on a terminal\n"
	"  -n, --number NUMBER\n"
	"                   stacks to show, 10 if not given; 0 for all\n"
	"  --sort KEY       inuse (default): memory in use; alloc: all ever allocated\n"
	"  --bytes          write sizes in full instead of 1.5M\n"
	USAGE_JSON
	USAGE_INPUT
	USAGE_SYMBOLS
	USAGE_HELP,
	.run		= run,
};
