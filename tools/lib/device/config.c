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
#include <strings.h>

#include "device/config.h"

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

static const struct kmprof_config_name labels[] = {
	{ "comm", KMPROF_LABEL_COMM },
	{ "pid", KMPROF_LABEL_PID },
	{ "cgroup", KMPROF_LABEL_CGROUP },
	{ NULL, 0 },
};

/* In the place of names where there are none. */
#define NO_NAMES	"none"

#define SOURCES									\
	"the tracepoints lock:contention_begin and _end, which Linux has since 5.19, or, " \
	"if kmprof.ko was loaded with wait_source=kprobe, by kprobes: the kernel log has more"

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
		.unseen	= "allocations",
		.unseen_hint = "load kmprof.ko with source=tracepoint; the kernel log has more",
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
		.unseen_hint = "they are seen by " SOURCES,
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
		.unseen_hint = "waits are seen by " SOURCES "; releases by kprobes",
	},
	{
		.name	= "labels",
		.field	= KMPROF_CONFIG_LABELS,
		.offset	= offsetof(struct kmprof_config, labels),
		.names	= labels,
		.help	= "what tells waits and releases apart",
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

/* Of which setting the kernel has said ENOENT; NULL: it may be one or another. */
static const struct kmprof_config_key *unseen_key(const struct kmprof_config *config)
{
	const struct kmprof_config_key *found = NULL, *key;
	unsigned int i;

	for (i = 0; i < kmprof_config_nr_keys; i++) {
		key = &kmprof_config_keys[i];
		/* What is switched off needs nothing. */
		if (!key->unseen || !(config->fields & key->field) ||
		    !kmprof_config_value(config, key))
			continue;
		/* Where no waits are seen, no releases are; allocations are another matter. */
		if (found && found->field == KMPROF_CONFIG_HEAP_RATE)
			return NULL;
		found = key;
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
	key = ret == -ENOENT ? unseen_key(config) : NULL;
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

const struct kmprof_config_key *kmprof_config_key_of(__u64 field)
{
	unsigned int i;

	for (i = 0; i + 1 < kmprof_config_nr_keys; i++)
		if (kmprof_config_keys[i].field == field)
			break;
	return &kmprof_config_keys[i];
}

const char *kmprof_config_take_name(const struct kmprof_config_key *key, __u64 *value,
				    char text[KMPROF_CONFIG_NAME])
{
	const struct kmprof_config_name *name;
	__u64 bit;

	for (name = key->names; name->name; name++) {
		if (*value & name->bit) {
			*value &= ~name->bit;
			return name->name;
		}
	}
	bit = *value & -*value;
	*value &= ~bit;
	snprintf(text, KMPROF_CONFIG_NAME, "%#llx", bit);
	return text;
}

static void put_names(const struct kmprof_config_key *key, __u64 value, const char *glue,
		      char text[KMPROF_CONFIG_TEXT])
{
	char room[KMPROF_CONFIG_NAME];
	const char *before = "";
	size_t used = 0;

	if (!value)
		snprintf(text, KMPROF_CONFIG_TEXT, NO_NAMES);
	for (; value && used < KMPROF_CONFIG_TEXT; before = glue)
		used += (size_t)snprintf(text + used, KMPROF_CONFIG_TEXT - used, "%s%s", before,
					 kmprof_config_take_name(key, &value, room));
}

const char *kmprof_config_text(const struct kmprof_config *config,
			       const struct kmprof_config_key *key, const char *glue,
			       char text[KMPROF_CONFIG_TEXT])
{
	__u64 value = kmprof_config_value(config, key);

	if (key->names)
		put_names(key, value, glue, text);
	else
		snprintf(text, KMPROF_CONFIG_TEXT, "%llu", value);
	return text;
}

static int parse_value(const char *text, const struct kmprof_config_unit *unit, __u64 *value)
{
	unsigned long long n;
	char *end;

	/* strtoull() takes blanks and signs: "-1" would be a huge number. */
	if (!isdigit((unsigned char)text[0]))
		return -EINVAL;
	errno = 0;
	/* Nobody means octal. */
	n = strtoull(text, &end, text[0] == '0' && tolower(text[1]) == 'x' ? 16 : 10);
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

	for (i = 0; i < kmprof_config_nr_keys; i++) {
		const struct kmprof_config_key *key = &kmprof_config_keys[i];

		if (is_called(key->name, name, len) ||
		    (key->alias && is_called(key->alias, name, len)))
			return key;
	}
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

static int parse_number(const struct kmprof_config_key *key, const char *text, __u64 *value,
			struct kmprof_error *err)
{
	char hint[sizeof(err->hint)];
	int ret;

	snprintf(hint, sizeof(hint), "%s: 0 to %llu%s%s%s (%s)", key->name,
		 (unsigned long long)key->max, key->suffix ? ", with suffix " : "",
		 key->suffix ? key->suffix : "", key->suffix ? " if you like" : "", key->help);
	ret = parse_value(text, key->units, value);
	if (ret == -EINVAL)
		return kmprof_error_set(err, -EINVAL, hint, "%s: '%s' is not a number",
					key->name, text);
	if (ret || *value > key->max)
		return kmprof_error_set(err, -EINVAL, hint, "%s: %s is out of range",
					key->name, text);
	return 0;
}

/* Return: its bit, or 0. */
static __u64 find_name(const struct kmprof_config_name *name, const char *text, size_t len)
{
	for (; name->name; name++)
		if (is_called(name->name, text, len))
			return name->bit;
	return 0;
}

static int unknown_name(const struct kmprof_config_key *key, const char *text, size_t len,
			struct kmprof_error *err)
{
	char hint[sizeof(err->hint)];
	const struct kmprof_config_name *name;
	size_t used;

	used = (size_t)snprintf(hint, sizeof(hint), "%s: %s, or any of", key->name, NO_NAMES);
	for (name = key->names; name->name && used < sizeof(hint); name++)
		used += (size_t)snprintf(hint + used, sizeof(hint) - used, " %s%s", name->name,
					 name[1].name ? "," : "");
	if (used < sizeof(hint))
		snprintf(hint + used, sizeof(hint) - used, " with commas between them (%s)",
			 key->help);
	return kmprof_error_set(err, -EINVAL, hint, "%s: '%.*s' is not one of its names",
				key->name, (int)len, text);
}

static int parse_names(const struct kmprof_config_key *key, const char *text, __u64 *value,
		       struct kmprof_error *err)
{
	size_t len;
	__u64 bit;

	*value = 0;
	if (!strcmp(text, NO_NAMES))
		return 0;
	for (;; text += len + 1) {
		len = strcspn(text, ",");
		bit = find_name(key->names, text, len);
		if (!bit)
			return unknown_name(key, text, len, err);
		*value |= bit;
		if (!text[len])
			return 0;
	}
}

int kmprof_config_parse(struct kmprof_config *config, const char *arg,
			struct kmprof_error *err)
{
	const char *eq = strchr(arg, '=');
	const struct kmprof_config_key *key;
	__u64 value;
	int ret;

	if (!eq || eq == arg)
		return kmprof_error_set(err, -EINVAL, "write it as key=value, e.g. heap_rate=512K",
					"'%s': not a key=value", arg);
	key = find(arg, (size_t)(eq - arg));
	if (!key)
		return unknown_key(arg, (size_t)(eq - arg), err);

	if (key->names)
		ret = parse_names(key, eq + 1, &value, err);
	else
		ret = parse_number(key, eq + 1, &value, err);
	if (ret)
		return ret;
	if (config->fields & key->field)
		return kmprof_error_set(err, -EINVAL, "name each setting once",
					"%s: given twice", key->name);
	config->fields |= key->field;
	*(__u64 *)((char *)config + key->offset) = value;
	return 0;
}
