// SPDX-License-Identifier: GPL-2.0
/*
 * The module's settings. One table says what keys there are; parsing, help and
 * output all go by it.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"

const struct kmprof_config_key kmprof_config_keys[] = {
	{
		.name	= "heap_rate",
		.field	= KMPROF_CONFIG_HEAP_RATE,
		.offset	= offsetof(struct kmprof_config, heap_rate),
		.max	= KMPROF_HEAP_RATE_MAX,
		.help	= "bytes allocated per sample on average; 1 = every allocation, 0 = off",
	},
};

const unsigned int kmprof_config_nr_keys = ARRAY_SIZE(kmprof_config_keys);

int kmprof_config_get(struct kmprof_device *dev, struct kmprof_config *config,
		      struct kmprof_error *err)
{
	memset(config, 0, sizeof(*config));
	config->size = sizeof(*config);
	return kmprof_device_ioctl(dev, KMPROF_IOC_GET_CONFIG, config,
				   "reading the configuration", err);
}

int kmprof_config_set(struct kmprof_device *dev, struct kmprof_config *config,
		      struct kmprof_error *err)
{
	config->size = sizeof(*config);
	config->flags = 0;
	return kmprof_device_ioctl(dev, KMPROF_IOC_SET_CONFIG, config,
				   "changing the configuration", err);
}

__u64 kmprof_config_value(const struct kmprof_config *config,
			  const struct kmprof_config_key *key)
{
	return *(const __u64 *)((const char *)config + key->offset);
}

static int parse_size(const char *text, __u64 *value)
{
	unsigned long long n;
	unsigned int shift = 0;
	char *end;

	/* strtoull() takes blanks and signs: "-1" would be a huge number. */
	if (!isdigit((unsigned char)text[0]))
		return -EINVAL;
	errno = 0;
	n = strtoull(text, &end, 0);
	if (errno)
		return -errno;
	switch (*end) {
	case 'k':
	case 'K':
		shift = 10;
		break;
	case 'm':
	case 'M':
		shift = 20;
		break;
	case 'g':
	case 'G':
		shift = 30;
		break;
	}
	if (shift)
		end++;
	if (*end)
		return -EINVAL;
	if (shift && n >> (64 - shift))
		return -ERANGE;
	*value = n << shift;
	return 0;
}

static const struct kmprof_config_key *find(const char *name, size_t len)
{
	unsigned int i;

	for (i = 0; i < kmprof_config_nr_keys; i++)
		if (strlen(kmprof_config_keys[i].name) == len &&
		    !memcmp(kmprof_config_keys[i].name, name, len))
			return &kmprof_config_keys[i];
	return NULL;
}

static int unknown_key(const char *name, size_t len, struct kmprof_error *err)
{
	char hint[sizeof(err->hint)];
	size_t used;
	unsigned int i;

	used = (size_t)snprintf(hint, sizeof(hint), "valid keys:");
	for (i = 0; i < kmprof_config_nr_keys && used < sizeof(hint); i++)
		used += (size_t)snprintf(hint + used, sizeof(hint) - used, " %s",
					 kmprof_config_keys[i].name);
	return kmprof_error_set(err, -EINVAL, hint, "%.*s: no such setting", (int)len, name);
}

int kmprof_config_parse(struct kmprof_config *config, const char *arg,
			struct kmprof_error *err)
{
	const char *eq = strchr(arg, '=');
	const struct kmprof_config_key *key;
	char hint[sizeof(err->hint)];
	__u64 value;
	int ret;

	if (!eq || eq == arg)
		return kmprof_error_set(err, -EINVAL, "write it as key=value, e.g. heap_rate=512K",
					"'%s': not a key=value", arg);
	key = find(arg, (size_t)(eq - arg));
	if (!key)
		return unknown_key(arg, (size_t)(eq - arg), err);

	snprintf(hint, sizeof(hint), "%s: 0 to %llu, with suffix K, M or G if you like (%s)",
		 key->name, (unsigned long long)key->max, key->help);
	ret = parse_size(eq + 1, &value);
	if (ret == -EINVAL)
		return kmprof_error_set(err, -EINVAL, hint, "%s: '%s' is not a number",
					key->name, eq + 1);
	if (ret || value > key->max)
		return kmprof_error_set(err, -EINVAL, hint, "%s: %s is out of range",
					key->name, eq + 1);
	if (config->fields & key->field)
		return kmprof_error_set(err, -EINVAL, "name each setting once",
					"%s: given twice", key->name);
	config->fields |= key->field;
	*(__u64 *)((char *)config + key->offset) = value;
	return 0;
}
