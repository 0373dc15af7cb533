// SPDX-License-Identifier: GPL-2.0
/* kmprof set: change the running module's settings. */
#include <stdio.h>

#include "cmd/cmd.h"
#include "cmd/json_device.h"

/* What holds after the change, from the kernel and not from memory. */
static int report(struct kmprof_device *dev, const struct kmprof_config *changed, bool json)
{
	char text[KMPROF_CONFIG_TEXT];
	struct kmprof_config now;
	struct kmprof_error err;
	unsigned int i;

	if (kmprof_config_get(dev, &now, &err))
		return fail(&err);
	if (json)
		return print_json(json_config(&now));
	for (i = 0; i < kmprof_config_nr_keys; i++)
		if (changed->fields & kmprof_config_keys[i].field)
			printf("%s=%s\n", kmprof_config_keys[i].name,
			       kmprof_config_text(&now, &kmprof_config_keys[i], ",", text));
	return finish_stdout();
}

static int run(int argc, char **argv)
{
	struct kmprof_config config = { .size = sizeof(config) };
	struct kmprof_device dev;
	struct kmprof_error err;
	bool json = false;
	int ret;

	ret = parse_plain(&cmd_set, argc, argv, &json, NULL);
	if (ret)
		return ret < 0 ? EXIT_OK : ret;
	if (optind == argc)
		return usage_error(&cmd_set, "nothing to set");
	for (; optind < argc; optind++) {
		if (kmprof_config_parse(&config, argv[optind], &err)) {
			fail(&err);
			return EXIT_USAGE;
		}
	}

	if (kmprof_device_open(&dev, KMPROF_DEVICE_PATH, &err))
		return fail(&err);
	if (kmprof_config_set(&dev, &config, &err))
		ret = fail(&err);
	else
		ret = report(&dev, &config, json);
	kmprof_device_close(&dev);
	return ret;
}

const struct command cmd_set = {
	.name		= "set",
	.summary	= "change settings of the running module",
	.usage		=
	"Usage: kmprof set [--json] KEY=VALUE...\n"
	"\n"
	"Changes all the settings named, or none.\n"
	"\n"
	"Keys:\n"
	"  heap_rate        bytes allocated per sample on average, 0 to 1G, with suffix K,\n"
	"                   M or G; 1 samples every allocation, 0 detaches their probes\n"
	"  block_rate       time from which on every wait for a lock is sampled, shorter\n"
	"                   ones in proportion; 0 to 68s, in ns or with suffix ns, us, ms\n"
	"                   or s; 1 samples every wait, 0 detaches their probes\n"
	"  mutex_fraction   of so many releases of a lock that others wait for, one is\n"
	"                   sampled; 0 to 65536; 1 samples all, 0 detaches their probes\n"
	"  labels           what tells waits and releases apart, beside stack and lock:\n"
	"                   any of comm, pid, cgroup, with commas between, or none\n"
	"\n"
	"heap=, block= and mutex= are short for the first three.\n"
	"\n"
	"Options:\n"
	USAGE_JSON
	USAGE_HELP,
	.run		= run,
};
