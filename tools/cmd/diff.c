// SPDX-License-Identifier: GPL-2.0
/* kmprof diff: what has changed between two snapshots. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/diff_live.h"
#include "cmd/diff_request.h"
#include "cmd/diff_show.h"
#include "cmd/term.h"
#include "export/pprof.h"
#include "profile/profile.h"
#include "util/output.h"
#include "util/printable.h"

#define NO_NAMES_HINT \
	"complete each: kmprof dump --input FILE --kallsyms COPY --format image -o FILE2"

/**
 * struct side - one of the two images, with all that is made of it
 * @opened: the image
 * @names: its names
 * @profile: the profile
 * @series: its series
 */
struct side {
	struct opened_image opened;
	struct kmprof_resolver names;
	struct kmprof_profile profile;
	struct kmprof_series series;
};

/* --- the images ---------------------------------------------------------------------- */

/* The symbols of now are those of a snapshot while nothing has been loaded or removed since. */
static int take(const struct diff_request *r, struct kmprof_device *dev, struct side *side)
{
	struct kmprof_error err;

	if (take_image(&side->opened, dev, 0, &err))
		return fail(&err);
	return open_names(&side->names, &side->opened.image, &r->names);
}

static int take_both(const struct diff_request *r, struct side *side)
{
	struct kmprof_device dev;
	struct kmprof_error err;
	int ret;

	if (kmprof_device_open(&dev, KMPROF_DEVICE_PATH, &err))
		return fail(&err);
	ret = take(r, &dev, &side[KMPROF_UNION_A]);
	if (!ret && r->command)
		ret = diff_live_run(r->command, &err) ? fail(&err) : EXIT_OK;
	else if (!ret)
		diff_live_wait(r->interval);
	if (!ret)
		ret = take(r, &dev, &side[KMPROF_UNION_B]);
	kmprof_device_close(&dev);
	return ret;
}

static int load_both(const struct diff_request *r, struct side *side)
{
	int i, ret;

	for (i = 0; i < KMPROF_UNION_SIDES; i++) {
		ret = open_image(&side[i].opened, r->file[i], 0);
		if (!ret)
			ret = open_names(&side[i].names, &side[i].opened.image, &r->names);
		if (ret)
			return ret;
	}
	return EXIT_OK;
}

static void close_both(struct side *side)
{
	int i;

	for (i = 0; i < KMPROF_UNION_SIDES; i++) {
		if (side[i].series.ops)
			kmprof_series_release(&side[i].series);
		kmprof_resolver_close(&side[i].names);
		close_image(&side[i].opened);
	}
}

/* --- the difference ------------------------------------------------------------------ */

/* Can stacks of the two be compared at all? */
static int check_names(const struct diff_shown *shown, const struct side *side,
		       struct kmprof_error *err)
{
	bool is_complete[KMPROF_UNION_SIDES];
	int i;

	for (i = 0; i < KMPROF_UNION_SIDES; i++) {
		is_complete[i] = kmprof_image_is_complete(shown->image[i]);
		if (!kmprof_image_has_addresses(shown->image[i]))
			return kmprof_error_set(err, -EINVAL,
				"take it as root, or with CAP_SYSLOG and kernel.kptr_restrict below 2",
				"%s: it has no addresses, so its stacks cannot be compared",
				shown->file[i]);
		if (shown->kind == KMPROF_TWO_BOOTS && !is_complete[i] && !side[i].names.symbols)
			return kmprof_error_set(err, -EINVAL, NO_NAMES_HINT,
				"%s: without names of functions, it can be compared within one boot only",
				shown->file[i]);
	}
	if (shown->kind == KMPROF_TWO_BOOTS && !is_complete[0] && !is_complete[1])
		return kmprof_error_set(err, -EINVAL, NO_NAMES_HINT,
			"neither image has its names, and one file cannot have those of two boots");
	return 0;
}

/* Return: EXIT_OK, or another exit status after a message. */
static int make_series(const struct diff_request *r, struct diff_shown *shown, struct side *side)
{
	struct kmprof_error err, lacking;
	int i, ret;

	for (i = 0; i < KMPROF_UNION_SIDES; i++) {
		if (kmprof_profile_find(&side[i].profile, shown->image[i], r->profile)) {
			kmprof_profile_lacking(shown->image[i], r->profile, &lacking);
			return usage_error(&cmd_diff, "%s: %s", shown->file[i], lacking.text);
		}
		ret = kmprof_profile_series(&side[i].series, shown->image[i], &side[i].names,
					    &side[i].profile, &err);
		if (ret)
			return fail(&err);
		kmprof_series_drop_marks(&side[i].series);
	}
	return EXIT_OK;
}

static int write_pprof(FILE *file, const struct diff_shown *shown, struct kmprof_error *err)
{
	struct kmprof_series series;
	char head[512];
	int ret;

	snprintf(head, sizeof(head), "difference of %s: %s less %s", shown->diff->b->name,
		 shown->file[KMPROF_UNION_B], shown->file[KMPROF_UNION_A]);
	ret = kmprof_diff_series(&series, shown->diff, head, &shown->notes, err);
	if (ret)
		return ret;
	ret = kmprof_pprof_write(file, &series, shown->names, err);
	kmprof_series_release(&series);
	return ret;
}

static int write_diff(const struct diff_request *r, const struct diff_shown *shown,
		      struct kmprof_error *err)
{
	struct kmprof_output output;
	int ret;

	ret = kmprof_output_open(&output, r->output, err);
	if (ret)
		return ret;
	if (r->pprof)
		ret = write_pprof(output.file, shown, err);
	else if (r->json)
		ret = diff_show_json(output.file, shown, err);
	else
		ret = diff_show_table(output.file, shown, r->output ? 0 : term_width(), err);
	if (!ret)
		return kmprof_output_commit(&output, err);
	kmprof_output_fail(&output, ret, err);
	return ret;
}

static int add_notes(struct diff_shown *shown, const struct side *side,
		     const struct kmprof_union *u)
{
	const struct kmprof_image *image = shown->image[KMPROF_UNION_A];
	int ret;

	ret = kmprof_relation_notes(&shown->notes, shown->kind, image,
				    shown->image[KMPROF_UNION_B],
				    kmprof_image_profile_name(image, side->profile.number));
	if (!ret)
		ret = kmprof_union_notes(u, &shown->notes);
	if (ret || !shown->diff->nr_shrunk)
		return ret;
	return kmprof_lines_add(&shown->notes,
		"%zu stacks have counted less in B: other names, or a copy of the machine",
		shown->diff->nr_shrunk);
}

static int compare(const struct diff_request *r, struct diff_shown *shown, struct side *side,
		   struct kmprof_error *err)
{
	struct kmprof_diff diff = { 0 };
	struct kmprof_union u;
	int ret;

	ret = kmprof_union_init(&u, &side[KMPROF_UNION_A].names, &side[KMPROF_UNION_B].names,
				shown->kind != KMPROF_TWO_BOOTS, r->by_function);
	if (ret)
		kmprof_error_set(err, ret, NULL, "comparing the modules: %s", strerror(-ret));
	else
		ret = kmprof_diff_build(&diff, &side[KMPROF_UNION_A].series,
					&side[KMPROF_UNION_B].series, &u,
					shown->kind == KMPROF_ONE_COUNT, err);
	shown->diff = &diff;
	shown->names = &u.resolver;
	if (!ret && add_notes(shown, side, &u))
		ret = kmprof_error_set(err, -ENOMEM, NULL, "comparing the images: out of memory");
	if (!ret)
		ret = kmprof_union_finish(&u, err);
	if (!ret)
		ret = write_diff(r, shown, err);
	kmprof_diff_release(&diff);
	kmprof_union_release(&u);
	return ret;
}

static int show(const struct diff_request *r, struct side *side)
{
	struct diff_shown shown = { .most = r->most };
	struct kmprof_error err;
	int i, ret;

	for (i = 0; i < KMPROF_UNION_SIDES; i++) {
		shown.image[i] = &side[i].opened.image;
		shown.file[i] = side[i].opened.capture.name;
		if (r->file[i])
			kmprof_make_printable(r->file[i]);
	}
	ret = kmprof_relation_find(&shown.kind, shown.image[KMPROF_UNION_A],
				   shown.image[KMPROF_UNION_B], !r->file[0], &err);
	if (ret)
		return usage_error(&cmd_diff, "%s (%s)", err.text, err.hint);
	if (check_names(&shown, side, &err))
		return fail(&err);
	ret = make_series(r, &shown, side);
	if (!ret && compare(r, &shown, side, &err))
		ret = fail(&err);
	kmprof_lines_release(&shown.notes);
	return ret;
}

static int run(int argc, char **argv)
{
	struct side side[KMPROF_UNION_SIDES];
	struct diff_request r;
	int ret;

	ret = diff_request_parse(&r, argc, argv);
	if (ret)
		return ret < 0 ? EXIT_OK : ret;
	memset(side, 0, sizeof(side));
	ret = r.file[0] ? load_both(&r, side) : take_both(&r, side);
	if (!ret)
		ret = show(&r, side);
	close_both(side);
	return ret;
}

const struct command cmd_diff = {
	.name		= "diff",
	.summary	= "show what has changed between two snapshots",
	.usage		=
	"Usage: kmprof diff A B [OPTIONS]\n"
	"       kmprof diff --interval TIME [OPTIONS]\n"
	"       kmprof diff [OPTIONS] -- COMMAND [ARGUMENT]...\n"
	"\n"
	"Compares two saved images, A being the older one, or two snapshots that are taken\n"
	"before and after a time or a command. What the command prints goes to standard\n"
	"error. Stacks are the same if their functions and offsets are, in modules of the\n"
	"same build: addresses do not matter, so images can be of two boots or two machines.\n"
	"The largest change comes first.\n"
	"\n"
	"Options:\n"
	"  -p, --profile PROFILE\n"
	"                   heap (default): by memory in use; allocs: by memory allocated;\n"
	"                   block, mutex, or any other one that both images have\n"
	"  -n, --limit NUMBER\n"
	"                   stacks to show, 10 if not given; 0 for all\n"
	"  --interval TIME  take a snapshot now and one after TIME, like 10s, 500ms, 2m, 1h\n"
	"  --by function    compare names of functions only, as for two kernels\n"
	"  --format FORMAT  if not given, the one whose suffix the name of FILE has; text\n"
	"                   without a suffix:\n"
	"                   text (default): .txt; a table\n"
	"                   pprof: .pb.gz; gzipped profile.proto; values can be negative\n"
	"                   json: .json; the same as --json\n"
	"  -o, --output FILE\n"
	"                   write here, as a whole or not at all; standard output if not\n"
	"                   given, or -\n"
	USAGE_JSON
	USAGE_SYMBOLS
	USAGE_HELP,
	.run		= run,
};
