/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A source: a way to see events of one kind. What the events mean does not depend on it.
 */
#ifndef KMPROF_SOURCE_H
#define KMPROF_SOURCE_H

#include <linux/moduleparam.h>
#include <linux/types.h>

/**
 * struct kmprof_source - operations; all but @lacks in process context, under the
 *	control lock
 * @name: value of the module parameter that chooses it
 * @id: enum kmprof_source_id
 * @attach: arm all probes; 0, or a negative errno and none is armed
 * @detach: disarm; on return none of them runs, and none will
 * @lacks: KMPROF_LACKS_* of the last attach. Context: Any
 * @missed: events that were not seen since the module was loaded
 */
struct kmprof_source {
	const char *name;
	u32 id;
	int (*attach)(void);
	void (*detach)(void);
	u64 (*lacks)(void);
	u64 (*missed)(void);
};

enum {
	KMPROF_NR_SOURCES = 2,
};

/**
 * struct kmprof_source_choice - the sources of one kind of events
 * @name: module parameter
 * @all: the sources
 * @chosen: the one that is used; fixed when the module is loaded
 */
struct kmprof_source_choice {
	const char *name;
	const struct kmprof_source *all[KMPROF_NR_SOURCES];
	const struct kmprof_source *chosen;
};

/* For module_param_cb() with mode 0444; the argument is the choice. */
extern const struct kernel_param_ops kmprof_source_param_ops;

#endif
