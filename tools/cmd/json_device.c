// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "cmd/json_device.h"
#include "device/lacks.h"
#include "export/json.h"

static json_t *lacks(__u64 mask)
{
	json_t *array = json_array();
	unsigned int i;

	for (i = 0; i < kmprof_nr_lacks; i++)
		if (mask & kmprof_lacks[i].bit)
			array = kmprof_json_append(array, json_string(kmprof_lacks[i].name));
	return array;
}

/* Takes both: returns @object with @value in it, or NULL. */
static json_t *set(json_t *object, const char *name, json_t *value)
{
	if (!json_object_set_new(object, name, value))
		return object;
	json_decref(object);
	return NULL;
}

static json_t *names(const struct kmprof_config_key *key, __u64 value)
{
	char text[KMPROF_CONFIG_NAME];
	json_t *array = json_array();

	while (value) {
		const char *name = kmprof_config_take_name(key, &value, text);

		array = kmprof_json_append(array, json_string(name));
	}
	return array;
}

static json_t *json_value(const struct kmprof_setting_value *setting)
{
	const struct kmprof_config_key *key = kmprof_config_key_of(setting->name);

	if (*setting->text)
		return setting->value ? json_string(setting->text) : json_null();
	return key && key->names ? names(key, setting->value) : kmprof_json_u64(setting->value);
}

json_t *json_settings(const struct kmprof_settings *settings)
{
	json_t *object = json_object();
	size_t i;

	for (i = 0; i < settings->nr; i++)
		object = set(object, settings->setting[i].name, json_value(&settings->setting[i]));
	return object;
}

/* Null where no probes belong to the setting. */
static json_t *attached(const struct kmprof_setting_value *setting)
{
	if (!(setting->flags & KMPROF_SETTING_HAS_PROBES))
		return json_null();
	return json_boolean(setting->flags & KMPROF_SETTING_ATTACHED);
}

static json_t *details(const struct kmprof_settings *settings)
{
	const struct kmprof_setting_value *setting;
	json_t *object = json_object();
	size_t i;

	for (i = 0; i < settings->nr; i++) {
		setting = &settings->setting[i];
		object = set(object, setting->name,
			     json_pack("{s:o, s:o, s:o}", "value", json_value(setting),
				       "max", kmprof_json_u64(setting->max),
				       "attached", attached(setting)));
	}
	return object;
}

static json_t *buckets(const struct device_profiles *profiles)
{
	json_t *object = json_object();
	size_t i;

	for (i = 0; i < profiles->nr; i++)
		if (is_table(&profiles->profile[i]))
			object = set(object, profiles->profile[i].name,
				     kmprof_json_u64(profiles->profile[i].buckets));
	return object;
}

#define INFO_FORMAT	"{so, so, so, s{so, so, so, so, so, so, so}, s{so, so, so}}"

json_t *json_info(const struct kmprof_info *info, const struct device_profiles *profiles,
		  const struct kmprof_settings *settings)
{
	return json_pack(INFO_FORMAT,
			 "abi_version", kmprof_json_u64(info->abi_version),
			 "settings", details(settings),
			 "lacks", lacks(info->lacks),
			 "limits",
				"max_buckets", kmprof_json_u64(info->max_buckets),
				"max_live", kmprof_json_u64(info->max_live),
				"max_snapshots", kmprof_json_u64(info->max_snapshots),
				"max_waits", kmprof_json_u64(info->max_waits),
				"max_objects", kmprof_json_u64(info->max_objects),
				"stack_depth", kmprof_json_u64(info->stack_depth),
				"ring_bytes", kmprof_json_u64(info->ring_bytes),
			 "usage",
				"buckets", buckets(profiles),
				"live", kmprof_json_u64(info->live),
				"snapshots", kmprof_json_u64(info->snapshots));
}
