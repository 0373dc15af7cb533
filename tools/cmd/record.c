// SPDX-License-Identifier: GPL-2.0
/*
 * kmprof record: turn profiles on, for a time or while a command runs, and save what they have
 * seen. The settings are put back before anything is written.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/record_settings.h"
#include "cmd/save_image.h"
#include "cmd/stop.h"
#include "cmd/term.h"
#include "export/exporter.h"
#include "util/output.h"

#define NSEC_PER_MSEC	1000000ULL
#define MSEC_PER_SEC	1000ULL

#define DEFAULT_OUTPUT	"profile.kmprof"

/**
 * struct record - what is asked for
 * @profiles: names with commas between them: of all -p
 * @joined: the memory of that, or NULL: it is the default
 * @set: settings as typed
 * @nr_set: how many
 * @ms: for how long; 0: until the command ends, or a signal comes
 * @reset: forget what was counted before
 * @objects: save the objects in use, too
 * @output: where to
 * @command: what to run; NULL: nothing
 * @names: where names of addresses come from
 */
struct record {
	const char *profiles;
	char *joined;
	char **set;
	size_t nr_set;
	__u64 ms;
	bool reset;
	bool objects;
	const char *output;
	char *const *command;
	struct kmprof_resolver_options names;
};

/* An image has all profiles. */
static int check(const struct record *r)
{
	const struct kmprof_exporter *exporter = kmprof_exporter_of_file(r->output);

	if (!strcmp(r->output, "-"))
		return usage_error(&cmd_record,
				   "-o -: give a file; 'kmprof dump --format image' writes into a pipe");
	if (r->command && r->ms)
		return usage_error(&cmd_record, "-d: not with a command, which says how long");
	if (exporter && exporter->write)
		return usage_error(&cmd_record,
				   "-o %s: an image is saved; 'kmprof dump --input IMAGE -o %s' makes that of it",
				   r->output, r->output);
	return EXIT_OK;
}

static int add_profiles(struct record *r, const char *profiles)
{
	struct kmprof_error err;
	char *joined;

	if (asprintf(&joined, "%s%s%s", r->joined ? r->joined : "", r->joined ? "," : "",
		     profiles) < 0) {
		kmprof_error_set(&err, -ENOMEM, NULL, "-p: out of memory");
		return fail(&err);
	}
	free(r->joined);
	r->joined = joined;
	r->profiles = joined;
	return EXIT_OK;
}

/* Return: EXIT_OK, another exit status, or -1 when --help has been shown. */
static int parse(struct record *r, int argc, char **argv)
{
	static const struct option options[] = {
		OPTION_HELP, OPTION_SYMFS, OPTION_KALLSYMS,
		{ "profile", required_argument, NULL, 'p' },
		{ "duration", required_argument, NULL, 'd' },
		{ "set", required_argument, NULL, 's' },
		{ "reset", no_argument, NULL, OPT_RESET },
		{ "objects", no_argument, NULL, OPT_OBJECTS },
		{ "output", required_argument, NULL, 'o' },
		OPTION_END
	};
	int opt;

	/* The arguments behind the command are its own. */
	while ((opt = getopt_long(argc, argv, "+:hp:d:s:o:", options, NULL)) >= 0) {
		switch (opt) {
		case 'h':
			return show_help(&cmd_record) ? EXIT_FAILED : -1;
		case 'p':
			if (add_profiles(r, optarg))
				return EXIT_FAILED;
			break;
		case 'd':
			if (parse_duration(optarg, &r->ms))
				return usage_error(&cmd_record,
						   "-d: '%s' is not a time like 10s, 500ms, 2m or 1h",
						   optarg);
			break;
		case 's':
			r->set[r->nr_set++] = optarg;
			break;
		case OPT_RESET:
			r->reset = true;
			break;
		case OPT_OBJECTS:
			r->objects = true;
			break;
		case 'o':
			r->output = optarg;
			break;
		case OPT_SYMFS:
		case OPT_KALLSYMS:
			parse_names(&r->names, opt);
			break;
		default:
			return bad_option(&cmd_record, opt, argv);
		}
	}
	r->command = optind < argc ? argv + optind : NULL;
	return check(r);
}

/* Waits until the time is over or a signal comes. A terminal shows how long it has been. */
static void watch(const struct record *r, struct stop *stop)
{
	bool is_watched = isatty(STDERR_FILENO);
	__u64 done, step;

	for (done = 0; !r->ms || done < r->ms; done += step) {
		if (is_watched)
			fprintf(stderr, "\r\033[Kkmprof: recording, %llu s%s", done / MSEC_PER_SEC,
				r->ms ? "" : "; ^C ends it");
		step = r->ms && r->ms - done < MSEC_PER_SEC ? r->ms - done : MSEC_PER_SEC;
		if (stop_sleep(stop, step * NSEC_PER_MSEC))
			break;
	}
	if (is_watched)
		fputs("\r\033[K", stderr);
}

/* Between the change of the settings and their restoration. */
static int capture(const struct record *r, struct opened_image *opened, struct kmprof_device *dev,
		   struct stop *stop, struct kmprof_error *err)
{
	int ret = r->reset ? kmprof_device_reset(dev, err) : 0;

	if (ret)
		return ret;
	if (r->command)
		ret = run_recorded(stop, r->command, err);
	else
		watch(r, stop);
	if (ret || !r->objects)
		return ret ? ret : take_image(opened, dev, 0, err);
	ret = take_image(opened, dev, KMPROF_SNAPSHOT_OBJECTS, err);
	if (ret != -EOPNOTSUPP)
		return ret;
	/* What was recorded is of interest all the same. */
	warn(err);
	return take_image(opened, dev, 0, err);
}

/*
 * Records, and puts the settings back. *@undone: whether that has worked; if not, it has been told.
 *
 * Return: EXIT_OK with an image, or another exit status after a message.
 */
static int record(const struct record *r, struct opened_image *opened, struct kmprof_device *dev,
		  struct stop *stop, bool *undone)
{
	struct kmprof_error err, undoing;
	struct changes changes = { 0 };
	int ret;

	*undone = true;
	ret = record_settings(&changes, dev, r->profiles, r->set, r->nr_set, r->objects, &err);
	if (!ret && changes_make(&changes, dev, &err))
		ret = -EIO;
	if (ret) {
		changes_release(&changes);
		fail(&err);
		return ret == -ERANGE ? EXIT_USAGE : EXIT_FAILED;
	}
	ret = capture(r, opened, dev, stop, &err);
	*undone = !changes_undo(&changes, dev, &undoing);
	changes_release(&changes);
	if (ret)
		fail(&err);
	if (!*undone)
		fail(&undoing);
	return ret ? EXIT_FAILED : EXIT_OK;
}

/* Tells whoever watches the command to look at the image with. */
static void tell_next(const struct record *r, const struct kmprof_image *image)
{
	char start[HUMAN_TEXT];

	if (isatty(STDERR_FILENO))
		fprintf(stderr,
			"kmprof: %s: counted since %s; 'kmprof report %s' shows it\n",
			r->output, human_time(start, image->header.start_ns), r->output);
}

static int save(const struct record *r, const struct kmprof_image *image)
{
	struct kmprof_resolver resolver;
	struct kmprof_output output;
	struct kmprof_error err;
	int ret;

	if (open_names(&resolver, image, &r->names))
		return EXIT_FAILED;
	ret = kmprof_output_open(&output, r->output, &err);
	if (!ret) {
		ret = save_image(output.file, image, &resolver, true, &err);
		if (ret)
			kmprof_output_fail(&output, ret, &err);
		else
			ret = kmprof_output_commit(&output, &err);
	}
	kmprof_resolver_close(&resolver);
	if (ret)
		return fail(&err);
	tell_next(r, image);
	return EXIT_OK;
}

/*
 * A directory that cannot be written is told before the time has passed, and not after it. Whoever
 * reads from a pipe would take this attempt for the end.
 */
static int try_output(const struct record *r)
{
	struct kmprof_output output;
	struct kmprof_error err;
	struct stat st;

	if (!stat(r->output, &st) && !S_ISREG(st.st_mode))
		return EXIT_OK;
	if (kmprof_output_open(&output, r->output, &err))
		return fail(&err);
	kmprof_output_abort(&output);
	return EXIT_OK;
}

static int record_and_save(const struct record *r, struct kmprof_device *dev)
{
	struct opened_image opened;
	struct stop stop;
	bool undone;
	int ret;

	ret = try_output(r);
	if (ret)
		return ret;
	stop_begin(&stop);
	ret = record(r, &opened, dev, &stop, &undone);
	/* A signal is how a recording ends. From now on, one ends kmprof, as usual. */
	if (!ret)
		stop_forget(&stop);
	stop_end(&stop);
	if (ret)
		return ret;
	ret = save(r, &opened.image);
	close_image(&opened);
	return ret || undone ? ret : EXIT_FAILED;
}

static int run(int argc, char **argv)
{
	struct record r = { .profiles = "heap", .output = DEFAULT_OUTPUT };
	struct kmprof_device dev;
	struct kmprof_error err;
	int ret;

	/* There are fewer settings than arguments. */
	r.set = calloc((size_t)argc, sizeof(*r.set));
	if (!r.set) {
		kmprof_error_set(&err, -ENOMEM, NULL, "record: out of memory");
		return fail(&err);
	}
	ret = parse(&r, argc, argv);
	if (!ret && kmprof_device_open(&dev, KMPROF_DEVICE_PATH, &err)) {
		ret = fail(&err);
	} else if (!ret) {
		ret = record_and_save(&r, &dev);
		kmprof_device_close(&dev);
	}
	free(r.joined);
	free(r.set);
	return ret < 0 ? EXIT_OK : ret;
}

const struct command cmd_record = {
	.name		= "record",
	.summary	= "save what profiles see while a command runs, or for a time",
	.usage		=
	"Usage: kmprof record [OPTIONS] [[--] COMMAND [ARGUMENT...]]\n"
	"\n"
	"Turns profiles on, runs the command or waits, puts the settings back, and saves an image.\n"
	"Without a command and -d, ^C ends it. The image has all profiles, and what they have\n"
	"counted before, unless --reset is given.\n"
	"\n"
	"Options:\n"
	"  -p, --profile PROFILES\n"
	"                   heap (default), allocs, block, mutex, or others of the module, with\n"
	"                   commas between. What is off is turned on: heap_rate=512K,\n"
	"                   block_rate=10us, mutex_fraction=1\n"
	"  -d, --duration TIME\n"
	"                   record for so long, as in 10s, 500ms, 2m, 1h\n"
	"  -s, --set KEY=VALUE\n"
	"                   a setting, as of 'kmprof set'; can be given more than once\n"
	"  --reset          forget first what was counted before\n"
	"  --objects        save the sampled objects in use, too, for 'kmprof objects'\n"
	"  -o, --output FILE\n"
	"                   write here; profile.kmprof if not given\n"
	USAGE_SYMBOLS
	USAGE_HELP,
	.run		= run,
};
