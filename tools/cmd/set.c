// SPDX-License-Identifier: GPL-2.0
/* kmprof set: change the running module's settings. */
#include <stdio.h>

#include "cmd/cmd.h"
#include "cmd/json_device.h"

/* What holds after the change, from the kernel and not from memory. */
static int report(struct kmprof_device *dev, const struct kmprof_settings *changes, bool json)
{
	char text[KMPROF_CONFIG_TEXT];
	struct kmprof_settings now;
	struct kmprof_error err;
	size_t i;
	int ret;

	if (kmprof_config_get(dev, &now, &err))
		return fail(&err);
	if (json) {
		ret = print_json(json_settings(&now));
	} else {
		for (i = 0; i < now.nr; i++)
			if (kmprof_settings_find(changes, now.setting[i].name))
				printf("%s=%s\n", now.setting[i].name,
				       kmprof_config_text(&now.setting[i], text));
		ret = finish_stdout();
	}
	kmprof_settings_release(&now);
	return ret;
}

/* What the module has decides what can be set, so it is asked first. */
static int parse(struct kmprof_settings *changes, struct kmprof_device *dev, int argc, char **argv)
{
	struct kmprof_settings have;
	struct kmprof_error err;
	int i, ret = EXIT_OK;

	if (kmprof_config_get(dev, &have, &err))
		return fail(&err);
	for (i = 0; i < argc; i++) {
		if (kmprof_config_parse(changes, &have, argv[i], &err)) {
			fail(&err);
			ret = EXIT_USAGE;
			break;
		}
	}
	kmprof_settings_release(&have);
	return ret;
}

static int run(int argc, char **argv)
{
	struct kmprof_settings changes = { 0 };
	struct kmprof_device dev;
	struct kmprof_error err;
	bool json = false;
	int ret;

	ret = parse_plain(&cmd_set, argc, argv, &json, NULL);
	if (ret)
		return ret < 0 ? EXIT_OK : ret;
	if (optind == argc)
		return usage_error(&cmd_set, "nothing to set");

	if (kmprof_device_open(&dev, KMPROF_DEVICE_PATH, &err))
		return fail(&err);
	ret = parse(&changes, &dev, argc - optind, argv + optind);
	if (!ret && kmprof_config_set(&dev, &changes, &err))
		ret = fail(&err);
	else if (!ret)
		ret = report(&dev, &changes, json);
	kmprof_settings_release(&changes);
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
	"  heap_labels      the same for allocations, beside stack and size; also node: the\n"
	"                   NUMA node of the memory\n"
	"  heap_filter      which allocations are sampled: those for which all of these hold:\n"
	"                   pid=ID, comm=NAME, cgroup=PATH, size=MIN-MAX (with suffix K, M or\n"
	"                   G), kind=slab, percpu, vmalloc or page; gfp=unmovable, movable or\n"
	"                   reclaimable; cache=NAME, module=NAME, with commas between; or\n"
	"                   none: all\n"
	"  heap_peak        1 records what is in use at the peak, 0 is off\n"
	"  heap_at          records once what is in use when this many bytes are, with suffix\n"
	"                   K, M or G; 0 is off\n"
	"  heap_call_rcu    1 counts what is passed to call_rcu() as freed at once; 0: when the\n"
	"                   callback frees it\n"
	"  heap             kinds of memory that are seen: any of slab, percpu, vmalloc,\n"
	"                   page, with commas between, or none; with page, also movable:\n"
	"                   pages of user space and files\n"
	"\n"
	"heap=, block= and mutex= with a number are short for the first three. A setting of the\n"
	"module that is not listed here takes a number, as in threadcreate=1.\n"
	"\n"
	"Options:\n"
	USAGE_JSON
	USAGE_HELP,
	.run		= run,
};
