// SPDX-License-Identifier: GPL-2.0
/* kmprof trace snapshot: have the flight recorder that runs saved. */
#include "cmd/trace.h"
#include "device/tracer.h"

int trace_snapshot(int argc, char **argv)
{
	static const struct option options[] = { OPTION_HELP, OPTION_END };
	struct kmprof_error err;
	int opt;

	while ((opt = getopt_long(argc, argv, ":h", options, NULL)) >= 0) {
		if (opt == 'h')
			return show_help(&cmd_trace);
		return bad_option(&cmd_trace, opt, argv);
	}
	if (optind < argc)
		return usage_error(&cmd_trace, "snapshot: '%s' is not expected", argv[optind]);
	return kmprof_tracer_snapshot(KMPROF_DEVICE_PATH, &err) ? fail(&err) : EXIT_OK;
}
