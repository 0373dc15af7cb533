/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A setting: a number that users can change while the module runs, as a module parameter
 * and by ioctl, and the probes that a value other than 0 needs. Each setting is a file of
 * its own; module/settings.c lists them; control/ turns them.
 */
#ifndef KMPROF_SETTING_H
#define KMPROF_SETTING_H

#include <linux/moduleparam.h>
#include <linux/types.h>

#include "core/stats.h"

/* 1 << id is KMPROF_CONFIG_*: see ioctl.c. The order of kmprof_settings[] is another one. */
enum kmprof_setting_id {
	KMPROF_SETTING_HEAP_RATE,
	KMPROF_SETTING_BLOCK_RATE,
	KMPROF_SETTING_MUTEX_FRACTION,
	KMPROF_SETTING_LABELS,
	KMPROF_NR_SETTINGS,
};

/**
 * struct kmprof_setting_ops - all in process context, under the control lock
 * @parse: value from the text of a module parameter; 0 or -EINVAL or -ERANGE
 * @print: the reverse, into a buffer of sysfs; returns the length
 * @attach: arm the probes for a value other than 0; or leave everything as it was and
 *	return a negative errno. NULL: the setting has no probes, @change does it all
 * @detach: disarm the probes; on return none runs
 * @change: another value while the probes are armed
 * @exit: free what @detach had to leave, detached for good; may be NULL
 * @missed: events that were not seen since the module was loaded; NULL: never any
 * @lacks: KMPROF_LACKS_* of the last attach; may be NULL. Context: Any
 */
struct kmprof_setting_ops {
	int (*parse)(const char *arg, u64 *value);
	int (*print)(char *buffer, u64 value);
	int (*attach)(u64 value);
	void (*detach)(void);
	void (*change)(u64 value);
	void (*exit)(void);
	u64 (*missed)(void);
	u64 (*lacks)(void);
};

/**
 * struct kmprof_setting - a setting
 * @name: of the module parameter
 * @id: which
 * @max: largest value
 * @wanted: the values that a user may give, for messages
 * @ops: operations
 * @missed_counter: the loss ledger's counter for what @ops->missed reports
 * @value: the value in force; 0 is off. Written under the control lock
 * @attached: the probes are armed. Written under the control lock
 * @missed_base: what had been missed at the last reset. Under the control lock
 */
struct kmprof_setting {
	const char *name;
	enum kmprof_setting_id id;
	u64 max;
	const char *wanted;
	const struct kmprof_setting_ops *ops;
	enum kmprof_counter missed_counter;
	u64 value;
	bool attached;
	u64 missed_base;
};

/*
 * All settings, in the order in which they are turned on; NULL comes last. The
 * allocators' probes need most memory and most often cannot be armed: they are last.
 */
extern struct kmprof_setting * const kmprof_settings[];

#define kmprof_for_each_setting(s)						\
	for (struct kmprof_setting * const *s##_at = kmprof_settings, *s;	\
	     (s = *s##_at); s##_at++)

/* For module_param_cb(); the argument is the setting. */
extern const struct kernel_param_ops kmprof_setting_param_ops;

int kmprof_setting_parse_number(const char *arg, u64 *value);
int kmprof_setting_print_number(char *buffer, u64 value);

#endif
