// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/record_settings.h"
#include "util/util.h"

/* Settings that turn profiles on. Others have one of their own name, or are always on. */
static const struct {
	const char *profile;
	const char *setting;
	const char *usual;
} switches[] = {
	{ "heap", "heap_rate", "512K" },
	{ "allocs", "heap_rate", "512K" },
	{ "block", "block_rate", "10us" },
	{ "mutex", "mutex_fraction", "1" },
};

/**
 * struct wish - settings that shall hold
 * @have: those of the module
 * @wanted: some of them, with their values
 * @dev: the device
 * @err: explanation
 */
struct wish {
	struct kmprof_settings have;
	struct kmprof_settings wanted;
	struct kmprof_device *dev;
	struct kmprof_error *err;
};

/* Wants the usual value of a setting that is off, unless another one is wanted. */
static int turn_on(struct wish *w, const char *name, const char *usual)
{
	const struct kmprof_setting_value *now = kmprof_settings_find(&w->have, name);
	char *text;
	int ret;

	if (!now || now->value || kmprof_settings_find(&w->wanted, name))
		return 0;
	if (asprintf(&text, "%s=%s", name, usual) < 0)
		return kmprof_error_set(w->err, -ENOMEM, NULL, "%s: out of memory", name);
	ret = kmprof_config_parse(&w->wanted, &w->have, text, w->err);
	free(text);
	return ret;
}

/* Is there a profile of that name? If not, the hint has those that there are. */
static int look_for(struct wish *w, const char *name)
{
	struct kmprof_profile_info info;
	char list[sizeof(w->err->hint)] = "";
	size_t used = 0;
	__u32 i;
	int ret;

	for (i = 0; !(ret = kmprof_device_profile(w->dev, i, &info, w->err)); i++) {
		if (!strcmp(info.name, name))
			return 0;
		if (used < sizeof(list))
			used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s",
						 i ? ", " : "the module has: ", info.name);
	}
	if (ret != -ENOENT)
		return ret;
	return kmprof_error_set(w->err, -ERANGE, list, "'%s': no such profile", name);
}

static int want_profile(struct wish *w, const char *name)
{
	int ret = look_for(w, name);
	size_t i;

	if (ret)
		return ret;
	for (i = 0; i < ARRAY_SIZE(switches); i++)
		if (!strcmp(name, switches[i].profile))
			break;
	if (i == ARRAY_SIZE(switches))
		return turn_on(w, name, "1");
	ret = turn_on(w, switches[i].setting, switches[i].usual);
	/* Without a kind of memory, a rate says nothing. */
	if (!ret && !strcmp(switches[i].setting, "heap_rate"))
		ret = turn_on(w, "heap", "slab");
	return ret;
}

static int want_profiles(struct wish *w, const char *profiles)
{
	char *list = strdup(profiles), *rest = list, *name;
	int ret = list ? 0 : kmprof_error_set(w->err, -ENOMEM, NULL, "profiles: out of memory");

	while (!ret && (name = strsep(&rest, ",")))
		ret = want_profile(w, name);
	free(list);
	return ret;
}

static int add_changes(struct changes *changes, const struct wish *w)
{
	const struct kmprof_setting_value *wanted;
	size_t i;

	for (i = 0; i < w->wanted.nr; i++) {
		wanted = &w->wanted.setting[i];
		if (changes_add(changes, kmprof_settings_find(&w->have, wanted->name), wanted))
			return kmprof_error_set(w->err, -ENOMEM, NULL, "settings: out of memory");
	}
	return 0;
}

int record_settings(struct changes *changes, struct kmprof_device *dev, const char *profiles,
		    char *const *set, size_t nr_set, bool owners, struct kmprof_error *err)
{
	struct wish w = { .dev = dev, .err = err };
	size_t i;
	int ret;

	ret = kmprof_config_get(dev, &w.have, err);
	if (ret)
		return ret;
	for (i = 0; i < nr_set && !ret; i++)
		ret = kmprof_config_parse(&w.wanted, &w.have, set[i], err);
	if (ret == -EINVAL)
		ret = -ERANGE;
	if (!ret)
		ret = want_profiles(&w, profiles);
	if (!ret && owners)
		ret = turn_on(&w, "owners", "1");
	if (!ret)
		ret = add_changes(changes, &w);
	kmprof_settings_release(&w.have);
	kmprof_settings_release(&w.wanted);
	return ret;
}
