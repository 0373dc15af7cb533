// SPDX-License-Identifier: GPL-2.0
/* kmprof trace recover: the trace of a flight recorder from a dump of the kernel's memory. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/format.h"
#include "cmd/trace.h"
#include "cmd/trace_saved.h"
#include "dump/find.h"
#include "dump/recover.h"
#include "dump/symbols.h"
#include "util/output.h"

/* "/proc/self/fd/" and a number. */
#define FD_PATH		32

/**
 * struct recovery - what is asked for, and what has been found
 * @input: the dump
 * @path: -o
 * @dump: the dump
 * @symbols: symbols of its kernel, as in /proc/kallsyms
 * @crash: where the trace is
 * @output: the file
 * @meter: what is in it
 */
struct recovery {
	const char *input;
	const char *path;
	struct kmprof_dump dump;
	FILE *symbols;
	struct kmprof_trace_crash crash;
	struct kmprof_output output;
	struct kmprof_meter meter;
};

static int put(void *arg, const void *bytes, size_t size)
{
	struct recovery *r = arg;

	errno = 0;
	if (fwrite(bytes, 1, size, r->output.file) != size)
		return errno ? -errno : -EIO;
	kmprof_meter_feed(&r->meter, bytes, size);
	return 0;
}

/* Symbols first: they tell where to look. Return: 0 or a negative errno. */
static int find(struct recovery *r, struct kmprof_error *err)
{
	struct kmprof_dump_wanted wanted[] = {
		{ .name = "panic_notifier_list" }, { .name = "modules" }, { 0 }
	};
	struct kmprof_error warning;
	int ret;

	ret = kmprof_dump_kernel_symbols(&r->dump, r->symbols, wanted, err);
	if (ret)
		return ret;
	if (!wanted[0].address || !wanted[1].address)
		return kmprof_error_set(err, -ENOENT, NULL,
					"%s: its kernel has no symbols of variables (CONFIG_KALLSYMS_ALL)",
					r->dump.name);
	ret = kmprof_dump_find(&r->dump, wanted[0].address, &r->crash, err);
	if (ret)
		return ret;
	ret = kmprof_dump_module_symbols(&r->dump, r->symbols, &r->crash, wanted[1].address,
					 &warning);
	if (ret == -ENODATA)
		warn(&warning);
	else if (ret)
		*err = warning;
	return ret == -ENODATA ? 0 : ret;
}

static int write_trace(struct recovery *r, struct trace_saved *saved, struct kmprof_error *err)
{
	struct kmprof_error warning;
	struct kmprof_trace_end end;
	char symbols[FD_PATH];
	int ret;

	ret = kmprof_dump_recover(&r->dump, &r->crash, put, r, &end, &warning, err);
	if (ret < 0)
		return ret;
	if (ret)
		warn(&warning);
	if (end.lost) {
		kmprof_error_set(&warning, 1, NULL, "%s: missing events: %llu", r->dump.name,
				 end.lost);
		warn(&warning);
	}
	saved->counts.events = end.events;
	saved->counts.stackless = end.stackless;
	saved->ns = r->meter.ns;
	errno = 0;
	if (fflush(r->symbols) || ferror(r->symbols))
		return kmprof_error_set(err, -EIO, NULL, "writing down symbols: %s",
					strerror(errno ? errno : EIO));
	snprintf(symbols, sizeof(symbols), "/proc/self/fd/%d", fileno(r->symbols));
	saved->kallsyms = symbols;
	ret = trace_saved_names(saved, r->output.file, err);
	saved->kallsyms = NULL;
	return ret;
}

static int save(struct recovery *r, struct kmprof_error *err)
{
	struct trace_saved saved = { .meter = &r->meter, .has_stacks = r->crash.stacks };
	int ret = kmprof_output_open(&r->output, r->path, err);

	if (ret)
		return ret;
	ret = write_trace(r, &saved, err);
	if (ret)
		kmprof_output_fail(&r->output, ret, err);
	else
		ret = kmprof_output_commit(&r->output, err);
	if (!ret)
		trace_saved_tell(&saved, r->output.name);
	kmprof_meter_release(&r->meter);
	return ret;
}

static int recover(struct recovery *r)
{
	struct kmprof_error err;
	int ret = kmprof_dump_open(&r->dump, r->input, &err);

	if (!ret) {
		r->symbols = tmpfile();
		if (!r->symbols)
			ret = kmprof_error_set(&err, -errno, NULL, "writing down symbols: %s",
					       strerror(errno));
	}
	if (!ret)
		ret = find(r, &err);
	if (!ret)
		ret = save(r, &err);
	if (r->symbols)
		fclose(r->symbols);
	kmprof_dump_close(&r->dump);
	return ret ? fail(&err) : EXIT_OK;
}

int trace_recover(int argc, char **argv)
{
	static const struct option options[] = {
		OPTION_HELP, { "output", required_argument, NULL, 'o' }, OPTION_END
	};
	struct recovery r = { .path = TRACE_OUTPUT };
	int opt;

	while ((opt = getopt_long(argc, argv, ":ho:", options, NULL)) >= 0) {
		if (opt == 'h')
			return show_help(&cmd_trace);
		if (opt != 'o')
			return bad_option(&cmd_trace, opt, argv);
		r.path = strcmp(optarg, "-") ? optarg : NULL;
	}
	if (optind + 1 != argc)
		return usage_error(&cmd_trace, "recover: give one dump, as /proc/vmcore");
	if (!r.path && isatty(STDOUT_FILENO))
		return usage_error(&cmd_trace, "a trace is binary: give -o FILE, or a pipe");
	if (r.path && refuse_timeline(kmprof_timeline_of_file(r.path), &cmd_trace, r.path))
		return EXIT_USAGE;
	r.input = argv[optind];
	return recover(&r);
}
