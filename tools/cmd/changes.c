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

/* The text of what is off does not matter. */
static bool is_same(const struct kmprof_setting_value *a, const struct kmprof_setting_value *b)
{
	return a->value == b->value && (!a->value || !strcmp(a->text, b->text));
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

int changes_undo(const struct changes *changes, struct kmprof_device *dev,
		 struct kmprof_error *err)
{
	char hint[sizeof(err->hint)], text[KMPROF_CONFIG_TEXT];
	const struct kmprof_settings *old = &changes->old;
	size_t i, used;
	int ret;

	ret = old->nr ? kmprof_config_set(dev, old, err) : 0;
	if (!ret)
		return 0;
	used = (size_t)snprintf(hint, sizeof(hint), "put it back: kmprof set");
	for (i = 0; i < old->nr && used < sizeof(hint); i++)
		used += (size_t)snprintf(hint + used, sizeof(hint) - used, " %s=%s",
					 old->setting[i].name,
					 kmprof_config_text(&old->setting[i], text));
	snprintf(err->hint, sizeof(err->hint), "%s", hint);
	return ret;
}

void changes_release(struct changes *changes)
{
	kmprof_settings_release(&changes->new);
	kmprof_settings_release(&changes->old);
}
