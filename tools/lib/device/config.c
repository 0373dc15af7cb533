// SPDX-License-Identifier: GPL-2.0
/*
 * The module's settings. The module says what settings there are. One table says what else
 * is known about some of them; parsing, help and output all go by it.
 */
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
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

static const struct kmprof_config_unit no_units[] = {
	{ NULL, 0 },
};

static const struct kmprof_config_name labels[] = {
	{ "comm", KMPROF_LABEL_COMM },
	{ "pid", KMPROF_LABEL_PID },
	{ "cgroup", KMPROF_LABEL_CGROUP },
	{ NULL, 0 },
};

static const struct kmprof_config_name heap_labels[] = {
	{ "comm", KMPROF_LABEL_COMM },
	{ "pid", KMPROF_LABEL_PID },
	{ "cgroup", KMPROF_LABEL_CGROUP },
	{ "node", KMPROF_LABEL_NODE },
	{ NULL, 0 },
};

static const struct kmprof_config_name kinds[] = {
	{ "slab", KMPROF_HEAP_SLAB },
	{ "percpu", KMPROF_HEAP_PERCPU },
	{ "vmalloc", KMPROF_HEAP_VMALLOC },
	{ "page", KMPROF_HEAP_PAGE },
	{ "movable", KMPROF_HEAP_MOVABLE },
	{ NULL, 0 },
};

/* In the place of names where there are none, and of a text. */
#define NO_NAMES	"none"

#define FILTER									\
	"any of pid=ID, comm=NAME, cgroup=PATH, size=MIN-MAX, kind=KIND, gfp=CLASS, " \
	"cache=NAME, module=NAME, with commas between, or none"

#define SOURCES									\
	"the tracepoints lock:contention_begin and _end, which Linux has since 5.19, or, " \
	"if kmprof.ko was loaded with wait_source=kprobe, by kprobes: the kernel log has more"

static const struct kmprof_config_key keys[] = {
	{
		.name	= "heap_rate",
		.alias	= "heap",
		.units	= sizes,
		.suffix	= "K, M or G",
		.help	= "bytes allocated per sample on average; 1 = every allocation, 0 = off",
		.unseen	= "allocations",
		.unseen_hint = "load kmprof.ko with source=tracepoint; the kernel log has more",
	},
	{
		.name	= "block_rate",
		.alias	= "block",
		.units	= times,
		.suffix	= "ns, us, ms or s",
		.help	= "ns from which on every wait is sampled; 1 = every wait, 0 = off",
		.unseen	= "waits",
		.unseen_hint = "they are seen by " SOURCES,
		.needs_waits = true,
	},
	{
		.name	= "mutex_fraction",
		.alias	= "mutex",
		.units	= no_units,
		.help	= "of so many releases one is sampled; 1 = every release, 0 = off",
		.unseen	= "waits, or releases,",
		.unseen_hint = "waits are seen by " SOURCES "; releases by kprobes",
		.needs_waits = true,
	},
	{
		.name	= "labels",
		.names	= labels,
		.help	= "what tells waits and releases apart",
	},
	{
		.name	= "heap_labels",
		.names	= heap_labels,
		.help	= "what tells allocations apart",
	},
	{
		.name	= "heap_filter",
		.help	= "which allocations are sampled: " FILTER,
	},
	{
		.name	= "heap_peak",
		.units	= no_units,
		.help	= "1 = record what is in use at the peak, 0 = off",
	},
	{
		.name	= "heap_at",
		.units	= sizes,
		.suffix	= "K, M or G",
		.help	= "record once what is in use when this many bytes are; 0 = off",
	},
	{
		.name	= "heap_call_rcu",
		.units	= no_units,
		.help	= "1 = what is passed to call_rcu() is freed at once, 0 = when it is",
		.unseen	= "what is passed to call_rcu()",
		.unseen_hint = "the kernel log tells what is missing",
	},
	{
		.name	= "heap",
		.names	= kinds,
		.help	= "kinds of memory that are seen; movable needs page",
		.unseen	= "memory of some kind",
		.unseen_hint = "the kernel log names what is missing",
	},
};

/* Of any setting that is not in the table. */
static const struct kmprof_config_key unknown = {
	.units	= no_units,
	.help	= "a setting that this program does not know",
};

/* Settings that there is room for at first: a module with more is asked twice. */
enum { FIRST_ROOM = 16 };

const struct kmprof_config_key *kmprof_config_key_of(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++)
		if (!strcmp(keys[i].name, name))
			return &keys[i];
	return NULL;
}

void kmprof_settings_release(struct kmprof_settings *settings)
{
	free(settings->setting);
	memset(settings, 0, sizeof(*settings));
}

const struct kmprof_setting_value *kmprof_settings_find(const struct kmprof_settings *settings,
							const char *name)
{
	size_t i;

	for (i = 0; i < settings->nr; i++)
		if (!strcmp(settings->setting[i].name, name))
			return &settings->setting[i];
	return NULL;
}

/* Makes room, all 0. */
static int make_room(struct kmprof_settings *settings, size_t nr)
{
	struct kmprof_setting_value *more;

	more = reallocarray(settings->setting, nr, sizeof(*more));
	if (!more)
		return -ENOMEM;
	memset(more, 0, nr * sizeof(*more));
	settings->setting = more;
	return 0;
}

/* Asks with room for @room settings. */
static int get(struct kmprof_device *dev, struct kmprof_settings *settings, __u32 room,
	       struct kmprof_error *err)
{
	static const char what[] = "reading the configuration";
	struct kmprof_config config = {
		.size		= sizeof(config),
		.count		= room,
		.entry_size	= sizeof(settings->setting[0]),
	};
	size_t i;
	int ret;

	if (make_room(settings, room))
		return kmprof_error_set(err, -ENOMEM, NULL, "%s: out of memory", what);
	config.settings = (__u64)(uintptr_t)settings->setting;
	ret = kmprof_device_ioctl(dev, KMPROF_IOC_GET_CONFIG, &config, what, err);
	settings->nr = config.count;
	for (i = 0; i < room && !ret; i++) {
		settings->setting[i].name[KMPROF_NAME_LEN - 1] = '\0';
		settings->setting[i].text[KMPROF_TEXT_LEN - 1] = '\0';
	}
	return ret;
}

int kmprof_config_get(struct kmprof_device *dev, struct kmprof_settings *settings,
		      struct kmprof_error *err)
{
	__u32 room = FIRST_ROOM;
	int ret;

	memset(settings, 0, sizeof(*settings));
	ret = get(dev, settings, room, err);
	if (!ret && settings->nr > room) {
		room = (__u32)settings->nr;
		ret = get(dev, settings, room, err);
		if (!ret && settings->nr > room)
			settings->nr = room;
	}
	if (ret)
		kmprof_settings_release(settings);
	return ret;
}

/* Of which setting the kernel has said ENOENT; NULL: it may be one or another. */
static const struct kmprof_config_key *unseen_key(const struct kmprof_settings *changes)
{
	const struct kmprof_config_key *found = NULL, *key;
	const struct kmprof_setting_value *setting;
	size_t i;

	for (i = 0; i < changes->nr; i++)
		if (changes->setting[i].value && !kmprof_config_key_of(changes->setting[i].name))
			return NULL;
	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		key = &keys[i];
		setting = kmprof_settings_find(changes, key->name);
		/* What is switched off needs nothing. */
		if (!key->unseen || !setting || !setting->value)
			continue;
		/* Where no waits are seen, no releases are; allocations are another matter. */
		if (found && found->needs_waits != key->needs_waits)
			return NULL;
		found = key;
	}
	return found;
}

/* A text that only the module could find fault with; numbers were tested against what it says. */
static const struct kmprof_setting_value *find_text(const struct kmprof_settings *changes)
{
	size_t i;

	for (i = 0; i < changes->nr; i++)
		if (changes->setting[i].value && *changes->setting[i].text)
			return &changes->setting[i];
	return NULL;
}

static int not_understood(const struct kmprof_setting_value *setting, struct kmprof_error *err)
{
	const struct kmprof_config_key *key = kmprof_config_key_of(setting->name);
	char hint[sizeof(err->hint)];

	snprintf(hint, sizeof(hint), "%s: %s%sthe kernel log may have more", setting->name,
		 key ? key->help : "", key ? "; " : "");
	return kmprof_error_set(err, -EINVAL, hint, "%s=%s: the module does not take that",
				setting->name, setting->text);
}

int kmprof_config_set(struct kmprof_device *dev, const struct kmprof_settings *changes,
		      struct kmprof_error *err)
{
	struct kmprof_config config = {
		.size		= sizeof(config),
		.count		= (__u32)changes->nr,
		.entry_size	= sizeof(changes->setting[0]),
		.settings	= (__u64)(uintptr_t)changes->setting,
	};
	const struct kmprof_config_key *key;
	const struct kmprof_setting_value *text;
	int ret;

	ret = kmprof_device_ioctl(dev, KMPROF_IOC_SET_CONFIG, &config,
				  "changing the configuration", err);
	text = ret == -EINVAL ? find_text(changes) : NULL;
	if (text)
		return not_understood(text, err);
	key = ret == -ENOENT ? unseen_key(changes) : NULL;
	if (key)
		return kmprof_error_set(err, ret, key->unseen_hint,
					"%s: %s cannot be seen in this kernel", key->name,
					key->unseen);
	return ret;
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

static void put_names(const struct kmprof_config_key *key, __u64 value,
		      char text[KMPROF_CONFIG_TEXT])
{
	char room[KMPROF_CONFIG_NAME];
	const char *before = "";
	size_t used = 0;

	if (!value)
		snprintf(text, KMPROF_CONFIG_TEXT, NO_NAMES);
	for (; value && used < KMPROF_CONFIG_TEXT; before = ",")
		used += (size_t)snprintf(text + used, KMPROF_CONFIG_TEXT - used, "%s%s", before,
					 kmprof_config_take_name(key, &value, room));
}

const char *kmprof_config_text(const struct kmprof_setting_value *setting,
			       char text[KMPROF_CONFIG_TEXT])
{
	const struct kmprof_config_key *key = kmprof_config_key_of(setting->name);

	if (*setting->text)
		snprintf(text, KMPROF_CONFIG_TEXT, "%s", setting->value ? setting->text : NO_NAMES);
	else if (key && key->names)
		put_names(key, setting->value, text);
	else
		snprintf(text, KMPROF_CONFIG_TEXT, "%llu", setting->value);
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

/* The setting of that short name. */
static const struct kmprof_setting_value *find_alias(const struct kmprof_settings *have,
						     const char *name, size_t len)
{
	const struct kmprof_config_key *key;
	size_t i;

	for (i = 0; i < have->nr; i++) {
		key = kmprof_config_key_of(have->setting[i].name);
		if (key && key->alias && is_called(key->alias, name, len))
			return &have->setting[i];
	}
	return NULL;
}

static bool takes_names(const struct kmprof_setting_value *setting)
{
	const struct kmprof_config_key *key = kmprof_config_key_of(setting->name);

	return key && key->names;
}

/*
 * The setting of that name, or of the short name. One name can be both: with a number it is
 * short for a rate, with names it is the setting itself.
 */
static const struct kmprof_setting_value *find(const struct kmprof_settings *have,
					       const char *name, size_t len, const char *value)
{
	const struct kmprof_setting_value *alias = find_alias(have, name, len);
	size_t i;

	for (i = 0; i < have->nr; i++)
		if (is_called(have->setting[i].name, name, len) &&
		    !(alias && takes_names(&have->setting[i]) && isdigit((unsigned char)*value)))
			return &have->setting[i];
	return alias;
}

static int unknown_setting(const struct kmprof_settings *have, const char *name, size_t len,
			   struct kmprof_error *err)
{
	char hint[sizeof(err->hint)];
	size_t used, i;

	used = (size_t)snprintf(hint, sizeof(hint), "the module has:");
	for (i = 0; i < have->nr && used < sizeof(hint); i++)
		used += (size_t)snprintf(hint + used, sizeof(hint) - used, " %s",
					 have->setting[i].name);
	return kmprof_error_set(err, -EINVAL, hint, "%.*s: no such setting", (int)len, name);
}

static int parse_number(const struct kmprof_setting_value *setting,
			const struct kmprof_config_key *key, const char *text, __u64 *value,
			struct kmprof_error *err)
{
	char hint[sizeof(err->hint)];
	int ret;

	snprintf(hint, sizeof(hint), "%s: 0 to %llu%s%s%s (%s)", setting->name, setting->max,
		 key->suffix ? ", with suffix " : "", key->suffix ? key->suffix : "",
		 key->suffix ? " if you like" : "", key->help);
	ret = parse_value(text, key->units, value);
	if (ret == -EINVAL)
		return kmprof_error_set(err, -EINVAL, hint, "%s: '%s' is not a number",
					setting->name, text);
	if (ret || *value > setting->max)
		return kmprof_error_set(err, -EINVAL, hint, "%s: %s is out of range",
					setting->name, text);
	return 0;
}

/* Can the module set this bit? */
static bool is_possible(const struct kmprof_setting_value *setting,
			const struct kmprof_config_name *name)
{
	return name->bit <= setting->max;
}

/* Return: its bit, or 0. */
static __u64 find_name(const struct kmprof_setting_value *setting,
		       const struct kmprof_config_name *name, const char *text, size_t len)
{
	for (; name->name; name++)
		if (is_possible(setting, name) && is_called(name->name, text, len))
			return name->bit;
	return 0;
}

static int unknown_name(const struct kmprof_setting_value *setting,
			const struct kmprof_config_key *key, const char *text, size_t len,
			struct kmprof_error *err)
{
	char hint[sizeof(err->hint)];
	const struct kmprof_config_name *name;
	const char *before = "";
	size_t used;

	used = (size_t)snprintf(hint, sizeof(hint), "%s: %s, or any of", setting->name, NO_NAMES);
	for (name = key->names; name->name && used < sizeof(hint); name++) {
		if (!is_possible(setting, name))
			continue;
		used += (size_t)snprintf(hint + used, sizeof(hint) - used, "%s %s", before,
					 name->name);
		before = ",";
	}
	if (used < sizeof(hint))
		snprintf(hint + used, sizeof(hint) - used, " with commas between them (%s)",
			 key->help);
	return kmprof_error_set(err, -EINVAL, hint, "%s: '%.*s' is not one of its names",
				setting->name, (int)len, text);
}

static int parse_names(const struct kmprof_setting_value *setting,
		       const struct kmprof_config_key *key, const char *text, __u64 *value,
		       struct kmprof_error *err)
{
	size_t len;
	__u64 bit;

	*value = 0;
	if (!strcmp(text, NO_NAMES))
		return 0;
	for (;; text += len + 1) {
		len = strcspn(text, ",");
		bit = find_name(setting, key->names, text, len);
		if (!bit)
			return unknown_name(setting, key, text, len, err);
		*value |= bit;
		if (!text[len])
			return 0;
	}
}

static int parse_text(const struct kmprof_setting_value *setting,
		      const struct kmprof_config_key *key, const char *text, __u64 *value,
		      struct kmprof_error *err)
{
	*value = *text && strcmp(text, NO_NAMES);
	if (strlen(text) < sizeof(setting->text))
		return 0;
	return kmprof_error_set(err, -EINVAL, key->help, "%s: longer than %zu characters",
				setting->name, sizeof(setting->text) - 1);
}

/* @text: or NULL: the setting is a number. */
static int add_change(struct kmprof_settings *changes, const struct kmprof_setting_value *setting,
		      __u64 value, const char *text, struct kmprof_error *err)
{
	struct kmprof_setting_value *more;

	more = reallocarray(changes->setting, changes->nr + 1, sizeof(*more));
	if (!more)
		return kmprof_error_set(err, -ENOMEM, NULL, "%s: out of memory", setting->name);
	changes->setting = more;
	more = &more[changes->nr++];
	*more = *setting;
	more->flags = 0;
	more->value = value;
	if (text)
		snprintf(more->text, sizeof(more->text), "%s", text);
	return 0;
}

int kmprof_config_parse(struct kmprof_settings *changes, const struct kmprof_settings *have,
			const char *arg, struct kmprof_error *err)
{
	const struct kmprof_setting_value *setting;
	const struct kmprof_config_key *key;
	const char *eq = strchr(arg, '=');
	bool is_text;
	__u64 value;
	int ret;

	if (!eq || eq == arg)
		return kmprof_error_set(err, -EINVAL, "write it as key=value, e.g. heap_rate=512K",
					"'%s': not a key=value", arg);
	setting = find(have, arg, (size_t)(eq - arg), eq + 1);
	if (!setting)
		return unknown_setting(have, arg, (size_t)(eq - arg), err);
	key = kmprof_config_key_of(setting->name);
	if (!key)
		key = &unknown;

	is_text = setting->flags & KMPROF_SETTING_IS_TEXT;
	if (is_text)
		ret = parse_text(setting, key, eq + 1, &value, err);
	else if (key->names)
		ret = parse_names(setting, key, eq + 1, &value, err);
	else
		ret = parse_number(setting, key, eq + 1, &value, err);
	if (ret)
		return ret;
	if (kmprof_settings_find(changes, setting->name))
		return kmprof_error_set(err, -EINVAL, "name each setting once",
					"%s: given twice", setting->name);
	return add_change(changes, setting, value, is_text ? eq + 1 : NULL, err);
}
