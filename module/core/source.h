/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A source: one way to see events of a kind. What an event means is up to the profile.
 *
 * mem/slab/source.h and lock/source.h declare the sources that there are; mem/heap_source.c and
 * lock/wait_source.c choose one of them.
 */
#ifndef KMPROF_SOURCE_H
#define KMPROF_SOURCE_H

#include <linux/moduleparam.h>
#include <linux/types.h>

/**
 * struct kmprof_source - operations of a source; @attach and @detach in process context,
 *	control lock held
 * @name: value of the module parameter that chooses this source
 * @id: enum kmprof_source_id
 * @attach: arm all probes; 0, or a negative errno and no probe is armed
 * @detach: disarm all probes; on return none of them runs
 * @lacks: KMPROF_LACKS_* of the last attach. Context: Any
 * @missed: number of events that the probes missed since the module was loaded. Context:
 *	Process context. Waits for no attach or detach
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
 * struct kmprof_source_choice - the sources for one kind of events
 * @name: name of the module parameter
 * @all: the sources
 * @chosen: the source in use; fixed when the module is loaded
 */
struct kmprof_source_choice {
	const char *name;
	const struct kmprof_source *all[KMPROF_NR_SOURCES];
	const struct kmprof_source *chosen;
};

/* For module_param_cb() with mode 0444; the argument is a struct kmprof_source_choice. */
extern const struct kernel_param_ops kmprof_source_param_ops;

#endif
