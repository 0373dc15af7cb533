/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A setting: a number, or a text, that users can change while the module runs, by module parameter
 * and by ioctl. A value other than 0 may need probes, which the setting then attaches. Each
 * setting has a file of its own; module/settings.c lists them; control/ changes them.
 */
#ifndef KMPROF_SETTING_H
#define KMPROF_SETTING_H

#include <linux/moduleparam.h>
#include <linux/types.h>
#include <uapi/linux/kmprof.h>

#include "core/stats.h"

/* The ids are those of enum kmprof_setting_id. The order of kmprof_settings[] is another. */
enum {
	KMPROF_SETTINGS_MAX	= 32,
	/* Settings that are texts. */
	KMPROF_TEXTS_MAX	= 1,
};

/**
 * struct kmprof_setting_ops - operations; all but @missed, @lacks and @get_text in process
 *	context, control lock held
 * @attach: arm the probes, for a value other than 0, or for listeners; 0, or a negative errno and
 *	nothing has changed. NULL: the setting has no probes
 * @events: trace events that need the probes, bits of enum kmprof_event_id. While one of them is
 *	listened to, the probes are armed for the value 0, too
 * @detach: disarm the probes; on return none of them runs
 * @hear: with @events: fire those that are listened to now, and no others, while the probes are
 *	armed; 0, or a negative errno. @attach does that, too. NULL: there is nothing to do
 * @change: change the value while the probes are armed, or of a setting without probes
 * @settled: all changes that were asked for together have been made, or undone: called for each
 *	that was. NULL: there is nothing to do
 * @set: instead of @attach and @change, of a setting whose change can fail: change the value; 0,
 *	or a negative errno and nothing has changed. Also called before the module has started
 * @set_text: instead of @attach, @change and @set, of a setting that is a text: change it; the
 *	text counts if the value is 1, and is NULL or anything if it is 0: off. 0, or a negative
 *	errno and nothing has changed. Also called before the module has started
 * @undo_text: go back to the text before the last @set_text that has succeeded
 * @get_text: get the text in force; returns the value. Context: Any. NULL: the setting is no text
 * @exit: free what @detach has left; called once, after the last @detach; may be NULL
 * @missed: number of events that the probes missed since the module was loaded. Context:
 *	Process context. Waits for no attach or detach. May be NULL
 * @lacks: KMPROF_LACKS_* of the last attach. Context: Any. May be NULL
 */
struct kmprof_setting_ops {
	int (*attach)(u64 value);
	int (*hear)(void);
	void (*detach)(void);
	void (*change)(u64 value);
	void (*settled)(void);
	int (*set)(u64 value);
	int (*set_text)(u64 value, const char *text);
	void (*undo_text)(void);
	bool (*get_text)(char text[KMPROF_TEXT_LEN]);
	void (*exit)(void);
	u64 (*missed)(void);
	u64 (*lacks)(void);
	u32 events;
};

/**
 * struct kmprof_setting - a setting
 * @name: name of the module parameter
 * @id: index of the setting in arrays of values
 * @unit: unit of the value; NULL: it has none
 * @max: largest value allowed
 * @names: names of the bits of the value, from bit 0 on; NULL: the value is a number
 * @nr_names: number of @names
 * @wanted: the allowed values, for messages
 * @ops: operations
 * @missed_counter: loss counter for @ops->missed
 * @value: the value in force; 0 is off; not of a text. Written under the control lock
 * @attached: the probes are armed. Written under the control lock
 * @missed_base: @ops->missed at the last reset. Protected by the cycle lock
 */
struct kmprof_setting {
	const char *name;
	enum kmprof_setting_id id;
	const char *unit;
	u64 max;
	const char * const *names;
	unsigned int nr_names;
	const char *wanted;
	const struct kmprof_setting_ops *ops;
	enum kmprof_counter missed_counter;
	u64 value;
	bool attached;
	u64 missed_base;
};

/*
 * All settings, in the order in which they are applied; NULL comes last. The allocators'
 * probes are last: they need most memory and fail most often.
 */
extern struct kmprof_setting * const kmprof_settings[];

#define kmprof_for_each_setting(s)						\
	for (struct kmprof_setting * const *s##_at = kmprof_settings, *s;	\
	     (s = *s##_at); s##_at++)

/**
 * kmprof_nr_settings() - count the settings
 *
 * Context: Any.
 * Return: their number, at most KMPROF_SETTINGS_MAX; the ids are those below it.
 */
static inline unsigned int kmprof_nr_settings(void)
{
	unsigned int nr = 0;

	kmprof_for_each_setting(s)
		nr++;
	return nr;
}

/**
 * kmprof_setting_find() - get a setting by its id
 * @id: enum kmprof_setting_id
 *
 * Context: Any.
 * Return: the setting or NULL. kmprof_control_start() makes sure that every id has one.
 */
static inline struct kmprof_setting *kmprof_setting_find(unsigned int id)
{
	kmprof_for_each_setting(s)
		if (s->id == id)
			return s;
	return NULL;
}

/* For module_param_cb(); the argument is a struct kmprof_setting. */
extern const struct kernel_param_ops kmprof_setting_param_ops;

int kmprof_setting_trim(char trimmed[KMPROF_TEXT_LEN], const char *text);
int kmprof_setting_parse(const struct kmprof_setting *s, const char *text, u64 *value);
void kmprof_setting_format(const struct kmprof_setting *s, char text[KMPROF_TEXT_LEN], u64 mask);

#endif
