/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kmprof.ko watching the locks of kmprof_test.ko: what all tests of waits begin with.
 */
#ifndef WATCH_H
#define WATCH_H

#include "lib/symbols.h"

/**
 * struct watch - both modules, loaded
 * @source: of waits
 * @params: kmprof's others
 * @dev: kmprof's device, -1 while it is unloaded
 * @fd: the test module's
 * @symbols: with those of the test module
 */
struct watch {
	const char *source;
	const char *params;
	int dev;
	int fd;
	struct symbols symbols;
};

const char *watch_max_waits(void);
int watch_can(const char *source);
int watch_begin(struct watch *watch, const char *source, const char *params);
int watch_is_by_kprobe(const struct watch *watch);
int watch_unload(struct watch *watch);
int watch_load(struct watch *watch);
int watch_reset(const struct watch *watch, uint64_t block_rate);
int watch_end(struct watch *watch, int passed);

#endif /* WATCH_H */
