// SPDX-License-Identifier: GPL-2.0
/* What several commands do in the same way: complain, print, open. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/stop.h"
#include "export/json.h"
#include "profile/filter.h"
#include "profile/profile.h"
#include "util/output.h"

#define MSEC_PER_SEC	1000ULL
#define MOST_MS		(3650 * 24 * 3600 * MSEC_PER_SEC)

static void print_hint(const char *text)
{
	if (*text)
		fprintf(stderr, "kmprof: hint: %s\n", text);
}

int fail(const struct kmprof_error *err)
{
	fprintf(stderr, "kmprof: %s\n", err->text);
	print_hint(err->hint);
	return EXIT_FAILED;
}

void warn(const struct kmprof_error *warning)
{
	fprintf(stderr, "kmprof: warning: %s\n", warning->text);
	print_hint(warning->hint);
}

void warn_of_status(const char *program, int status)
{
	struct kmprof_error warning;

	if (!status)
		return;
	if (WIFEXITED(status))
		kmprof_error_set(&warning, 0, NULL, "%s: exit status %d", program,
				 WEXITSTATUS(status));
	else
		kmprof_error_set(&warning, 0, NULL, "%s: %s", program, strsignal(WTERMSIG(status)));
	warn(&warning);
}

int run_recorded(struct stop *stop, char *const *command, struct kmprof_error *err)
{
	int ret, status = 0;

	ret = stop_run(stop, command, STDIN_FILENO, STDOUT_FILENO, &status, err);
	if (ret && ret != -EINTR)
		return ret;
	warn_of_status(command[0], status);
	return 0;
}

int usage_error(const struct command *command, const char *fmt, ...)
{
	va_list ap;

	fputs("kmprof: ", stderr);
	if (command)
		fprintf(stderr, "%s: ", command->name);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, "\nkmprof: hint: see 'kmprof %s%s--help'\n",
		command ? command->name : "", command ? " " : "");
	return EXIT_USAGE;
}

int parse_count(const char *text, unsigned long *nr)
{
	char *end;

	if (!isdigit((unsigned char)text[0]))
		return -EINVAL;
	errno = 0;
	*nr = strtoul(text, &end, 10);
	return errno || *end ? -EINVAL : 0;
}

int parse_size(const char *text, __u64 *bytes)
{
	static const char units[] = "KMG";
	unsigned long long number;
	const char *unit;
	char *end;

	if (!isdigit((unsigned char)text[0]))
		return -EINVAL;
	errno = 0;
	number = strtoull(text, &end, 10);
	if (errno)
		return -EINVAL;
	*bytes = number;
	if (!*end)
		return 0;
	unit = strchr(units, toupper((unsigned char)*end));
	if (!unit || end[1])
		return -EINVAL;
	return __builtin_mul_overflow(number, 1ULL << 10 * (unit - units + 1), bytes) ? -EINVAL : 0;
}

int parse_duration(const char *text, __u64 *ms)
{
	static const struct {
		const char *suffix;
		__u64 ms;
	} units[] = {
		{ "s", MSEC_PER_SEC },
		{ "", MSEC_PER_SEC },
		{ "ms", 1 },
		{ "m", 60 * MSEC_PER_SEC },
		{ "h", 3600 * MSEC_PER_SEC },
	};
	unsigned long long number;
	size_t i;
	char *end;

	/* strtoull() takes blanks and signs. */
	if (!isdigit((unsigned char)text[0]))
		return -EINVAL;
	errno = 0;
	number = strtoull(text, &end, 10);
	if (errno || !number)
		return -EINVAL;
	for (i = 0; i < ARRAY_SIZE(units); i++) {
		if (strcasecmp(end, units[i].suffix))
			continue;
		if (number > MOST_MS / units[i].ms)
			return -EINVAL;
		*ms = number * units[i].ms;
		return 0;
	}
	return -EINVAL;
}

void explain_empty(const struct kmprof_profile *profile, const struct kmprof_image *image)
{
	const struct kmprof_profile_kind *kind = profile->kind;
	const struct kmprof_image_scalar *setting;
	struct kmprof_error warning;
	char hint[64];

	if (!kind->contention)
		return;
	setting = kmprof_image_find_scalar(image, kind->setting);
	if (!setting || setting->value || kmprof_profile_entries(profile, image))
		return;
	snprintf(hint, sizeof(hint), "'kmprof set %s=%s' samples them", kind->setting,
		 kind->contention->example);
	kmprof_error_set(&warning, 0, hint, "no %s: %s is 0", kind->contention->what,
			 kind->setting);
	warn(&warning);
}

void parse_names(struct kmprof_resolver_options *names, int opt)
{
	if (opt == OPT_SYMFS)
		names->symfs = optarg;
	else
		names->kallsyms = optarg;
}

int parse_lines(struct kmprof_debuginfo_options *lines, int opt)
{
	struct kmprof_error err;

	lines->is_wanted = true;
	if (opt == OPT_LINES || !kmprof_lines_add(&lines->paths, "%s", optarg))
		return EXIT_OK;
	kmprof_error_set(&err, -ENOMEM, NULL, "--debuginfo: out of memory");
	return fail(&err);
}

int parse_filter(const struct command *command, struct kmprof_filter *filter, int opt)
{
	bool is_focus = opt == OPT_FOCUS;
	struct kmprof_error err;
	int ret;

	ret = kmprof_pattern_compile(is_focus ? &filter->focus : &filter->ignore, optarg, &err);
	if (ret == -ENOMEM)
		return fail(&err);
	return ret ? usage_error(command, "--%s: %s", is_focus ? "focus" : "ignore", err.text) :
		     EXIT_OK;
}

int bad_option(const struct command *command, int opt, char **argv)
{
	const char *given = argv[optind - 1];

	/* A bad short option may sit inside an argument that is not done yet. */
	if (optopt && optopt < OPT_INPUT && !(given[0] == '-' && given[1] == '-'))
		return usage_error(command, opt == ':' ? "-%c: needs a value" :
				   "-%c: no such option", optopt);
	return usage_error(command, opt == ':' ? "%s: needs a value" :
			   "%s: not an option, or not used like this", given);
}

int parse_plain(const struct command *command, int argc, char **argv, bool *json,
		const char **input)
{
	static const struct option options[] = {
		OPTION_INPUT, OPTION_HELP, OPTION_JSON, OPTION_END
	};
	int opt;

	while ((opt = getopt_long(argc, argv, ":h", input ? options : options + 1, NULL)) >= 0) {
		switch (opt) {
		case 'h':
			return show_help(command) ? EXIT_FAILED : -1;
		case OPT_JSON:
			*json = true;
			break;
		case OPT_INPUT:
			*input = optarg;
			break;
		default:
			return bad_option(command, opt, argv);
		}
	}
	return EXIT_OK;
}

int show_help(const struct command *command)
{
	fputs(command->usage, stdout);
	return finish_stdout();
}

int finish_stdout(void)
{
	bool has_failed = ferror(stdout);
	struct kmprof_error err;

	/* By what, another attempt tells. */
	if (has_failed) {
		clearerr(stdout);
		putchar('\n');
	}
	errno = 0;
	if (!fflush(stdout) && !has_failed)
		return EXIT_OK;
	kmprof_output_explain(&err, "standard output", false, errno ? errno : EIO);
	return fail(&err);
}

int print_json(json_t *value)
{
	struct kmprof_error err;
	int ret;

	ret = kmprof_json_put(stdout, value, JSON_INDENT(2));
	if (ret) {
		kmprof_error_set(&err, ret, NULL, "making JSON: out of memory");
		return fail(&err);
	}
	putchar('\n');
	return finish_stdout();
}

/* What has been captured may be anything. */
static int check_capture(struct opened_image *opened, struct kmprof_error *err)
{
	const struct kmprof_capture *capture = &opened->capture;
	int ret;

	ret = kmprof_image_init(&opened->image, capture->base, capture->size, capture->name, err);
	if (ret)
		close_image(opened);
	return ret;
}

int take_image(struct opened_image *opened, struct kmprof_device *dev, __u32 flags,
	       struct kmprof_error *err)
{
	int ret = kmprof_snapshot_take(&opened->capture, dev, flags, err);

	return ret ? ret : check_capture(opened, err);
}

int open_image(struct opened_image *opened, const char *input, __u32 flags)
{
	struct kmprof_device dev;
	struct kmprof_error err;
	int ret;

	if (input) {
		ret = kmprof_snapshot_load(&opened->capture, input, &err);
		if (!ret)
			ret = check_capture(opened, &err);
		return ret ? fail(&err) : EXIT_OK;
	}
	ret = kmprof_device_open(&dev, KMPROF_DEVICE_PATH, &err);
	if (ret)
		return fail(&err);
	ret = take_image(opened, &dev, flags, &err);
	kmprof_device_close(&dev);
	return ret ? fail(&err) : EXIT_OK;
}

void close_image(struct opened_image *opened)
{
	kmprof_snapshot_release(&opened->capture);
}

int open_names(struct kmprof_resolver *resolver, const struct kmprof_image *image,
	       const struct kmprof_resolver_options *options)
{
	struct kmprof_error warning, err;
	int ret;

	ret = kmprof_resolver_open(resolver, image, options, &warning, &err);
	if (ret < 0)
		return fail(&err);
	if (ret)
		warn(&warning);
	return EXIT_OK;
}

int open_lines(struct kmprof_resolver *resolver, const struct kmprof_debuginfo_options *options)
{
	struct kmprof_lines notes = { 0 };
	struct kmprof_error err;
	size_t i;
	int ret;

	ret = kmprof_code_lines_open(resolver, options, &notes, &err);
	for (i = 0; !ret && i < notes.nr; i++)
		fprintf(stderr, "kmprof: warning: %s\n", notes.line[i]);
	kmprof_lines_release(&notes);
	return ret ? fail(&err) : EXIT_OK;
}
