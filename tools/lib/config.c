// SPDX-License-Identifier: GPL-2.0
/*
 * The module's settings. One table says what keys there are; parsing, help and
 * output all go by it.
 */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "config.h"

static const struct kmprof_config_unit sizes[] = {
	{ "k", 1ULL << 10 },
	{ "m", 1ULL << 20 },
	{ "g", 1ULL << 30 },
	{ NULL, 0 },
};

static const struct kmprof_config_unit times[] = {
	{ "ns", 1ULL },
	{ "us", 1000ULL },
	{ "ms", 1000000ULL },
	{ "s", 1000000000ULL },
	{ NULL, 0 },
};

static const struct kmprof_config_unit none[] = {
	{ NULL, 0 },
};

#define TRACEPOINTS "the tracepoints lock:contention_begin and _end, which Linux has since 5.19"

const struct kmprof_config_key kmprof_config_keys[] = {
	{
		.name	= "heap_rate",
		.alias	= "heap",
		.field	= KMPROF_CONFIG_HEAP_RATE,
		.offset	= offsetof(struct kmprof_config, heap_rate),
		.max	= KMPROF_HEAP_RATE_MAX,
		.units	= sizes,
		.suffix	= "K, M or G",
		.help	= "bytes allocated per sample on average; 1 = every allocation, 0 = off",
	},
	{
		.name	= "block_rate",
		.alias	= "block",
		.field	= KMPROF_CONFIG_BLOCK_RATE,
		.offset	= offsetof(struct kmprof_config, block_rate),
		.max	= KMPROF_BLOCK_RATE_MAX,
		.units	= times,
		.suffix	= "ns, us, ms or s",
		.help	= "ns from which on every wait is sampled; 1 = every wait, 0 = off",
		.unseen	= "waits",
		.unseen_hint = "they are seen by " TRACEPOINTS,
	},
	{
		.name	= "mutex_fraction",
		.alias	= "mutex",
		.field	= KMPROF_CONFIG_MUTEX_FRACTION,
		.offset	= offsetof(struct kmprof_config, mutex_fraction),
		.max	= KMPROF_MUTEX_FRACTION_MAX,
		.units	= none,
		.help	= "of so many releases one is sampled; 1 = every release, 0 = off",
		.unseen	= "waits, or releases,",
		.unseen_hint = "waits are seen by " TRACEPOINTS
			"; releases by kprobes: the kernel log has more",
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

/* The last of the keys that are set, if it is clear what ENOENT means for all of them. */
static const struct kmprof_config_key *unseen_key(__u64 fields)
{
	const struct kmprof_config_key *found = NULL;
	unsigned int i;

	for (i = 0; i < kmprof_config_nr_keys; i++) {
		if (!(fields & kmprof_config_keys[i].field))
			continue;
		if (!kmprof_config_keys[i].unseen)
			return NULL;
		found = &kmprof_config_keys[i];
	}
	return found;
}

int kmprof_config_set(struct kmprof_device *dev, struct kmprof_config *config,
		      struct kmprof_error *err)
{
	const struct kmprof_config_key *key;
	int ret;

	config->size = sizeof(*config);
	config->flags = 0;
	ret = kmprof_device_ioctl(dev, KMPROF_IOC_SET_CONFIG, config,
				  "changing the configuration", err);
	key = ret == -ENOENT ? unseen_key(config->fields) : NULL;
	if (key)
		return kmprof_error_set(err, ret, key->unseen_hint,
					"%s: %s cannot be seen in this kernel", key->name,
					key->unseen);
	return ret;
}

__u64 kmprof_config_value(const struct kmprof_config *config,
			  const struct kmprof_config_key *key)
{
	return *(const __u64 *)((const char *)config + key->offset);
}

static int parse_value(const char *text, const struct kmprof_config_unit *unit, __u64 *value)
{
	unsigned long long n;
	char *end;

	/* strtoull() takes blanks and signs: "-1" would be a huge number. */
	if (!isdigit((unsigned char)text[0]))
		return -EINVAL;
	errno = 0;
	n = strtoull(text, &end, 0);
	if (errno)
		return -errno;
	*value = n;
	if (!*end)
		return 0;
	for (; unit->suffix; unit++)
		if (!strcasecmp(end, unit->suffix))
			return __builtin_mul_overflow(n, unit->factor, value) ? -ERANGE : 0;
	return -EINVAL;
}

static bool is_called(const char *name, const char *text, size_t len)
{
	return strlen(name) == len && !memcmp(name, text, len);
}

static const struct kmprof_config_key *find(const char *name, size_t len)
{
	unsigned int i;

	for (i = 0; i < kmprof_config_nr_keys; i++)
		if (is_called(kmprof_config_keys[i].name, name, len) ||
		    is_called(kmprof_config_keys[i].alias, name, len))
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

	snprintf(hint, sizeof(hint), "%s: 0 to %llu%s%s%s (%s)", key->name,
		 (unsigned long long)key->max, key->suffix ? ", with suffix " : "",
		 key->suffix ? key->suffix : "", key->suffix ? " if you like" : "", key->help);
	ret = parse_value(eq + 1, key->units, &value);
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
