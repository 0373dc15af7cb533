/* SPDX-License-Identifier: GPL-2.0 */
/* What kmprof diff is asked for. */
#ifndef KMPROF_CMD_DIFF_REQUEST_H
#define KMPROF_CMD_DIFF_REQUEST_H

#include "symbols/resolver.h"
#include "symbols/union.h"

/**
 * struct diff_request - what is asked for
 * @profile: its name
 * @file: A and B; NULL: snapshots of the device
 * @interval: between those, in ms; 0: none
 * @command: what runs between those; NULL: nothing
 * @most: stacks to show; 0: all
 * @by_function: compare names alone
 * @format: --format, or NULL
 * @json: --json, or the format is JSON
 * @pprof: the format is pprof; if it is neither, it is text
 * @output: where to; NULL: standard output
 * @names: where names of addresses come from
 */
struct diff_request {
	const char *profile;
	char *file[KMPROF_UNION_SIDES];
	__u64 interval;
	char *const *command;
	unsigned long most;
	bool by_function;
	const char *format;
	bool json;
	bool pprof;
	const char *output;
	struct kmprof_resolver_options names;
};

/* Return: EXIT_OK, another exit status, or -1 when --help has been shown. */
int diff_request_parse(struct diff_request *r, int argc, char **argv);

#endif
