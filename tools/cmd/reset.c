// SPDX-License-Identifier: GPL-2.0
/* kmprof reset: start counting anew. */
#include "cmd/cmd.h"

static int run(int argc, char **argv)
{
	struct kmprof_device dev;
	struct kmprof_error err;
	bool json = false;
	int ret;

	ret = parse_plain(&cmd_reset, argc, argv, &json, NULL);
	if (ret)
		return ret < 0 ? EXIT_OK : ret;
	if (optind < argc)
		return usage_error(&cmd_reset, "%s: takes no argument", argv[optind]);

	ret = kmprof_device_open(&dev, KMPROF_DEVICE_PATH, &err);
	if (ret)
		return fail(&err);
	ret = kmprof_device_reset(&dev, &err);
	kmprof_device_close(&dev);
	if (ret)
		return fail(&err);
	return json ? print_json(json_pack("{s:b}", "reset", true)) : EXIT_OK;
}

const struct command cmd_reset = {
	.name		= "reset",
	.summary	= "forget everything counted so far",
	.usage		=
	"Usage: kmprof reset [--json]\n"
	"\n"
	"Forgets all stacks, objects, totals and losses. Snapshots and saved files stay.\n"
	"\n"
	"Options:\n"
	USAGE_JSON
	USAGE_HELP,
	.run		= run,
};
