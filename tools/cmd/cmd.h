/* SPDX-License-Identifier: GPL-2.0 */
/* What main.c and the commands share: the table, options, messages. */
#ifndef KMPROF_CMD_CMD_H
#define KMPROF_CMD_CMD_H

#include <getopt.h>
#include <jansson.h>
#include <stdbool.h>

#include "device/snapshot.h"
#include "symbols/code_lines.h"
#include "symbols/resolver.h"
#include "util/error.h"

struct stop;

/* Exit status. */
enum {
	EXIT_OK		= 0,
	EXIT_FAILED	= 1,
	EXIT_USAGE	= 2,
	EXIT_LEAK	= 3,	/* of leaks only */
};

/**
 * struct command - a subcommand
 * @name: as typed
 * @summary: one line for "kmprof --help"
 * @usage: all of "kmprof NAME --help"
 * @run: argv[0] is the name; returns the exit status
 */
struct command {
	const char *name;
	const char *summary;
	const char *usage;
	int (*run)(int argc, char **argv);
};

extern const struct command cmd_status;
extern const struct command cmd_top;
extern const struct command cmd_dump;
extern const struct command cmd_record;
extern const struct command cmd_report;
extern const struct command cmd_diff;
extern const struct command cmd_leaks;
extern const struct command cmd_objects;
extern const struct command cmd_set;
extern const struct command cmd_reset;
extern const struct command cmd_trace;

/* Long options without a short form. */
enum {
	OPT_INPUT = 256,
	OPT_SYMFS,
	OPT_KALLSYMS,
	OPT_JSON,
	OPT_BYTES,
	OPT_SORT,
	OPT_FORMAT,
	OPT_BY,
	OPT_INTERVAL,
	OPT_ROUNDS,
	OPT_SETTLE,
	OPT_RATE,
	OPT_FOR,
	OPT_KTAP,
	OPT_COLUMN,
	OPT_TREE,
	OPT_RESET,
	OPT_CHILDREN,
	OPT_FOCUS,
	OPT_IGNORE,
	OPT_OLDER,
	OPT_ONCE,
	OPT_OBJECTS,
	OPT_LINES,
	OPT_DEBUGINFO,
	OPT_BUFFER,
	OPT_WHY,
	OPT_FROM,
	OPT_TO,
	OPT_FILTER,
	OPT_STACKS,
	OPT_FLIGHT,
	OPT_ON,
	OPT_SNAPSHOTS,
	OPT_GRAPH,
};

#define OPTION_HELP	{ "help", no_argument, NULL, 'h' }
#define OPTION_JSON	{ "json", no_argument, NULL, OPT_JSON }
#define OPTION_INPUT	{ "input", required_argument, NULL, OPT_INPUT }
#define OPTION_SYMFS	{ "symfs", required_argument, NULL, OPT_SYMFS }
#define OPTION_KALLSYMS	{ "kallsyms", required_argument, NULL, OPT_KALLSYMS }
#define OPTION_FOCUS	{ "focus", required_argument, NULL, OPT_FOCUS }
#define OPTION_IGNORE	{ "ignore", required_argument, NULL, OPT_IGNORE }
#define OPTION_LINES	{ "lines", no_argument, NULL, OPT_LINES }
#define OPTION_DEBUGINFO { "debuginfo", required_argument, NULL, OPT_DEBUGINFO }
#define OPTION_END	{ NULL, 0, NULL, 0 }

#define USAGE_HELP	"  -h, --help       show this\n"
#define USAGE_JSON	"  --json           write JSON\n"
#define USAGE_INPUT	"  --input IMAGE    read a saved image instead of the device; - for stdin\n"
#define USAGE_FILTER \
	"  --focus REGEX    only stacks with a function whose name matches\n" \
	"  --ignore REGEX   without stacks with a function whose name matches\n"
#define USAGE_SYMBOLS \
	"  --kallsyms FILE  take names from this copy of /proc/kallsyms\n" \
	"  --symfs DIR      take proc/kallsyms, proc/modules and sys from under DIR\n"

#define USAGE_LINES \
	"  --lines          with lines of source and inlined functions, from debug information\n" \
	"  --debuginfo PATH look for that in this file or directory first; implies --lines\n"

/* Prints "kmprof: text" and the hint; returns EXIT_FAILED. */
int fail(const struct kmprof_error *err);
/* Prints "kmprof: text" and where to find help; returns EXIT_USAGE. */
__printf(2, 3)
int usage_error(const struct command *command, const char *fmt, ...);
/* Prints "kmprof: warning: text" and the hint. */
void warn(const struct kmprof_error *warning);
/* Warns of a program that has not succeeded. @status: of waitpid() */
void warn_of_status(const char *program, int status);
/*
 * Runs a command while something is recorded. If it fails, that is only warned of: what it has
 * done until then is still of interest. Return: 0; a negative errno if it could not be run.
 */
int run_recorded(struct stop *stop, char *const *command, struct kmprof_error *err);
/* A decimal number. Return: 0 or -EINVAL. */
int parse_count(const char *text, unsigned long *nr);
/* A number of bytes, with K, M or G for powers of 1024. Return: 0 or -EINVAL. */
int parse_size(const char *text, __u64 *bytes);
/* "10s", "500ms", "2m", "1h": from 1 ms to 3650 days. Return: 0 or -EINVAL. */
int parse_duration(const char *text, __u64 *ms);
/* For a result of getopt_long() that is no option of the command. */
int bad_option(const struct command *command, int opt, char **argv);
/**
 * parse_plain() - the options of a command that has no others than these
 * @command: the command
 * @argc: of the command
 * @argv: of the command; optind is that of the first argument behind the options
 * @json: set by --json
 * @input: set by --input; NULL: the command does not have it
 *
 * Return: EXIT_OK, another exit status, or -1 when --help has been shown.
 */
int parse_plain(const struct command *command, int argc, char **argv, bool *json,
		const char **input);

struct kmprof_filter;
struct kmprof_profile;

/* A profile without anything in it may have a reason: warns if its setting is 0. */
void explain_empty(const struct kmprof_profile *profile, const struct kmprof_image *image);

/* --symfs and --kallsyms. */
void parse_names(struct kmprof_resolver_options *names, int opt);
/* --lines and --debuginfo. Return: EXIT_OK, or another exit status after a message. */
int parse_lines(struct kmprof_debuginfo_options *lines, int opt);
/* --focus and --ignore. Return: EXIT_OK, or another exit status after a message. */
int parse_filter(const struct command *command, struct kmprof_filter *filter, int opt);

/* Prints what --help shows; returns EXIT_OK, or EXIT_FAILED if it cannot. */
int show_help(const struct command *command);

/* Prints and releases a JSON value; returns the exit status. */
int print_json(json_t *value);
/* Flushes standard output; returns the exit status. */
int finish_stdout(void);

/**
 * struct opened_image - an image with its memory
 * @image: what to look at
 * @capture: the memory
 */
struct opened_image {
	struct kmprof_image image;
	struct kmprof_capture capture;
};

/**
 * open_image() - the image that a command works on
 * @opened: filled in; released by close_image()
 * @input: --input, or NULL: take a snapshot of the device
 * @flags: KMPROF_SNAPSHOT_*, for the device
 *
 * Return: EXIT_OK, or EXIT_FAILED after a message.
 */
int open_image(struct opened_image *opened, const char *input, __u32 flags);
/* The same from an open device, and the message left to the caller: 0 or a negative errno. */
int take_image(struct opened_image *opened, struct kmprof_device *dev, __u32 flags,
	       struct kmprof_error *err);
void close_image(struct opened_image *opened);

/* Opens names for an image, and warns when there are none. */
int open_names(struct kmprof_resolver *resolver, const struct kmprof_image *image,
	       const struct kmprof_resolver_options *options);

/* Adds lines of source to names, if they are wanted, and warns where there are none. */
int open_lines(struct kmprof_resolver *resolver, const struct kmprof_debuginfo_options *options);

#endif
