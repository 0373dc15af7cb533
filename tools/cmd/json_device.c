// SPDX-License-Identifier: GPL-2.0
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

#define INFO_FORMAT	"{sb, sb, sb, so, so, so, s{so, so, so, so, so, so}, s{so, so, so}}"

json_t *json_info(const struct kmprof_info *info)
{
	return json_pack(INFO_FORMAT,
			 "attached", !!info->attached,
			 "block_attached", !!info->block_attached,
			 "mutex_attached", !!info->mutex_attached,
			 "abi_version", kmprof_json_u64(info->abi_version),
			 "profiles", kmprof_json_u64(info->profiles),
			 "lacks", lacks(info->lacks),
			 "limits",
				"max_buckets", kmprof_json_u64(info->max_buckets),
				"max_live", kmprof_json_u64(info->max_live),
				"max_snapshots", kmprof_json_u64(info->max_snapshots),
				"max_waits", kmprof_json_u64(info->max_waits),
				"stack_depth", kmprof_json_u64(info->stack_depth),
				"ring_bytes", kmprof_json_u64(info->ring_bytes),
			 "usage",
				"buckets", kmprof_json_u64(info->buckets),
				"live", kmprof_json_u64(info->live),
				"snapshots", kmprof_json_u64(info->snapshots));
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

static json_t *setting(const struct kmprof_config *config, const struct kmprof_config_key *key)
{
	__u64 value = kmprof_config_value(config, key);

	return key->names ? names(key, value) : kmprof_json_u64(value);
}

json_t *json_config(const struct kmprof_config *config)
{
	json_t *object = json_object();
	unsigned int i;

	for (i = 0; i < kmprof_config_nr_keys; i++) {
		const struct kmprof_config_key *key = &kmprof_config_keys[i];

		if (config->fields & key->field &&
		    json_object_set_new(object, key->name, setting(config, key))) {
			json_decref(object);
			return NULL;
		}
	}
	return object;
}
