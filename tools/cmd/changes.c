// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/changes.h"

static int add(struct kmprof_settings *settings, const struct kmprof_setting_value *setting)
{
	struct kmprof_setting_value *more;

	more = reallocarray(settings->setting, settings->nr + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	settings->setting = more;
	more[settings->nr] = *setting;
	more[settings->nr++].flags = 0;
	return 0;
}

/*
 * The text of what is off does not matter. What is on may mean something else now: a cgroup is
 * looked up by its path when the text is set.
 */
static bool is_same(const struct kmprof_setting_value *a, const struct kmprof_setting_value *b)
{
	return a->value == b->value && (!a->value || (!*a->text && !*b->text));
}

int changes_add(struct changes *changes, const struct kmprof_setting_value *now,
		const struct kmprof_setting_value *wanted)
{
	int ret;

	if (is_same(now, wanted))
		return 0;
	ret = add(&changes->new, wanted);
	if (ret)
		return ret;
	ret = add(&changes->old, now);
	if (ret)
		changes->new.nr--;
	return ret;
}

int changes_add_number(struct changes *changes, const struct kmprof_setting_value *now, __u64 value)
{
	struct kmprof_setting_value wanted = *now;

	wanted.value = value;
	return changes_add(changes, now, &wanted);
}

int changes_make(const struct changes *changes, struct kmprof_device *dev,
		 struct kmprof_error *err)
{
	return changes->new.nr ? kmprof_config_set(dev, &changes->new, err) : 0;
}

/* For a shell: a text can have any character, and a quote ends a quoted word. */
static size_t add_quoted(char *hint, size_t used, size_t size, const char *text)
{
	for (; *text && used < size; text++)
		used += (size_t)snprintf(hint + used, size - used, *text == '\'' ? "'\\''" : "%c",
					 *text);
	return used;
}

/* Return: the new length. */
static size_t add_setting(char *hint, size_t used, size_t size,
			  const struct kmprof_setting_value *setting)
{
	char text[KMPROF_CONFIG_TEXT];

	kmprof_config_text(setting, text);
	if (!*setting->text)
		return used + (size_t)snprintf(hint + used, size - used, " %s=%s", setting->name,
					       text);
	used += (size_t)snprintf(hint + used, size - used, " '%s=", setting->name);
	used = add_quoted(hint, used, size, text);
	return used < size ? used + (size_t)snprintf(hint + used, size - used, "'") : used;
}

int changes_undo(const struct changes *changes, struct kmprof_device *dev,
		 struct kmprof_error *err)
{
	const struct kmprof_settings *old = &changes->old;
	char hint[sizeof(err->hint)];
	size_t i, used;
	int ret;

	if (!old->nr || !kmprof_config_set(dev, old, err))
		return 0;
	/* One of them may have become impossible, as the filter of a cgroup that is gone. */
	used = (size_t)snprintf(hint, sizeof(hint), "put it back: kmprof set");
	for (i = 0, ret = 0; i < old->nr; i++) {
		struct kmprof_settings one = { &old->setting[i], 1 };
		struct kmprof_error why;
		int failed = kmprof_config_set(dev, &one, &why);

		if (failed && used < sizeof(hint))
			used = add_setting(hint, used, sizeof(hint), one.setting);
		if (failed && !ret)
			*err = why;
		ret = ret ? ret : failed;
	}
	if (ret)
		snprintf(err->hint, sizeof(err->hint), "%s", hint);
	return ret;
}

void changes_release(struct changes *changes)
{
	kmprof_settings_release(&changes->new);
	kmprof_settings_release(&changes->old);
}
