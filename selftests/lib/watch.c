// SPDX-License-Identifier: GPL-2.0
/*
 * Loads both modules for tests of waits, with allocations left alone. Functions
 * return 0 or a negative errno, and explain failures on stderr.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/order.h"
#include "lib/watch.h"

enum { PARAMS_SIZE = 256 };

/**
 * watch_max_waits() - the module parameter that suits the kernel, or nothing
 *
 * For each wait that can be followed, kretprobes allocate something, and a slow kernel
 * takes seconds for that many.
 */
const char *watch_max_waits(void)
{
	return guest_slow() < 4 ? "" : "max_waits=512";
}

static int all_params(const struct watch *watch, char all[PARAMS_SIZE])
{
	int length = snprintf(all, PARAMS_SIZE, "heap_rate=0 %s wait_source=%s %s " GUEST_ROOMY,
			      watch_max_waits(), watch->source, watch->params);

	return length < PARAMS_SIZE ? 0 : -E2BIG;
}

/**
 * watch_can() - has the kernel that source of waits?
 * @source: its name
 *
 * Return: whether it has.
 */
int watch_can(const char *source)
{
	return strcmp(source, "kprobe") || !guest_is_rt();
}

/**
 * watch_is_by_kprobe() - are waits seen from the entry of slow paths on?
 * @watch: the watch
 *
 * Return: whether they are; else, where locks tell tracepoints of them.
 */
int watch_is_by_kprobe(const struct watch *watch)
{
	return !strcmp(watch->source, "kprobe");
}

/**
 * watch_begin() - load both modules and open them
 * @watch: out
 * @source: of waits
 * @params: of kmprof.ko
 */
int watch_begin(struct watch *watch, const char *source, const char *params)
{
	char all[PARAMS_SIZE];
	int ret;

	*watch = (struct watch){ .source = source, .params = params, .dev = -1, .fd = -1 };
	ret = all_params(watch, all) ?: guest_load("kprobe", all);
	if (ret)
		return ret;
	watch->dev = guest_open();
	if (watch->dev < 0)
		return watch->dev;
	watch->fd = order_open();
	if (watch->fd < 0)
		return watch->fd;
	return symbols_load(&watch->symbols);
}

/**
 * watch_unload() - unload kmprof.ko, whatever the locks are doing
 * @watch: the watch
 */
int watch_unload(struct watch *watch)
{
	close(watch->dev);
	watch->dev = -1;
	return guest_rmmod("kmprof");
}

/**
 * watch_load() - load it again, as it was
 * @watch: the watch
 */
int watch_load(struct watch *watch)
{
	char all[PARAMS_SIZE];
	int ret;

	ret = all_params(watch, all) ?: guest_insmod("kmprof", all);
	if (ret)
		return ret;
	watch->dev = guest_open();
	return watch->dev < 0 ? watch->dev : 0;
}

/**
 * watch_reset() - forget all that was counted, without a wait of kmprof's own
 * @watch: the watch
 * @block_rate: in ns, from then on
 *
 * A wait that came while a reset waits for its grace period would have a new stack,
 * and wake the drain, which waits for the reset. So none is watched meanwhile.
 */
int watch_reset(const struct watch *watch, uint64_t block_rate)
{
	return guest_set_block_rate(watch->dev, 0) ?: guest_reset(watch->dev) ?:
	       guest_set_block_rate(watch->dev, block_rate);
}

/**
 * watch_end() - close all
 * @watch: the watch
 * @passed: so has the test
 */
int watch_end(struct watch *watch, int passed)
{
	symbols_free(&watch->symbols);
	close(watch->fd);
	close(watch->dev);
	return guest_leave(passed);
}
