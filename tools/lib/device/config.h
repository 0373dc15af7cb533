/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Settings of the running module: as the module lists them, and as "name=value" text. The
 * module says which settings there are and how large their values can be. This program
 * knows units and words for some of them; any other one is a plain number.
 */
#ifndef KMPROF_DEVICE_CONFIG_H
#define KMPROF_DEVICE_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "device/device.h"

/**
 * struct kmprof_config_unit - what can stand behind a number
 * @suffix: as the user writes it, in any case
 * @factor: by which it multiplies
 */
struct kmprof_config_unit {
	const char *suffix;
	__u64 factor;
};

/**
 * struct kmprof_config_name - one of the names that a value can consist of
 * @name: as the user writes it
 * @bit: of the value
 */
struct kmprof_config_name {
	const char *name;
	__u64 bit;
};

/**
 * struct kmprof_config_key - what this program knows about a setting
 * @name: as the module calls it
 * @alias: a shorter way to write it, or NULL
 * @names: of its bits, the last one is empty; NULL: it is a number or a text
 * @units: of a number, the last one is empty
 * @suffix: those of @units, in words; NULL: there are none
 * @help: one line, with the unit
 * @unseen: what cannot be seen where the kernel refuses it with ENOENT; NULL: it does not
 *	refuse it
 * @unseen_hint: by what it would be seen
 * @needs_waits: without waits it cannot be seen either
 */
struct kmprof_config_key {
	const char *name;
	const char *alias;
	const struct kmprof_config_name *names;
	const struct kmprof_config_unit *units;
	const char *suffix;
	const char *help;
	const char *unseen;
	const char *unseen_hint;
	bool needs_waits;
};

/**
 * struct kmprof_settings - settings with their values
 * @setting: array; all zero at first
 * @nr: how many
 */
struct kmprof_settings {
	struct kmprof_setting_value *setting;
	size_t nr;
};

void kmprof_settings_release(struct kmprof_settings *settings);

/* Return: the setting of that name, or NULL. */
const struct kmprof_setting_value *kmprof_settings_find(const struct kmprof_settings *settings,
							const char *name);

/* Return: what is known about a setting; NULL: nothing. */
const struct kmprof_config_key *kmprof_config_key_of(const char *name);

/**
 * kmprof_config_get() - all settings of the module
 * @dev: the open device
 * @settings: filled in; released by kmprof_settings_release()
 * @err: explanation
 *
 * Return: 0 or a negative errno.
 */
int kmprof_config_get(struct kmprof_device *dev, struct kmprof_settings *settings,
		      struct kmprof_error *err);
/* Changes the settings that are named, or none; values are those of kmprof_config_parse(). */
int kmprof_config_set(struct kmprof_device *dev, const struct kmprof_settings *changes,
		      struct kmprof_error *err);

/**
 * kmprof_config_parse() - add one "name=value" to the settings to be changed
 * @changes: a setting is added; released by kmprof_settings_release()
 * @have: the settings that the module has
 * @arg: as typed; sizes take the suffixes K, M and G (powers of 1024), times
 *	the suffixes ns, us, ms and s; names have commas between them; what is a text is the
 *	module's to understand
 * @err: names the settings that the module has, the valid names or the valid range
 *
 * Return: 0, -EINVAL or -ENOMEM; @changes is unchanged then.
 */
int kmprof_config_parse(struct kmprof_settings *changes, const struct kmprof_settings *have,
			const char *arg, struct kmprof_error *err);

enum {
	KMPROF_CONFIG_NAME = 24,
	KMPROF_CONFIG_TEXT = 256,
};

/**
 * kmprof_config_take_name() - name one bit of a value that has names
 * @key: whose names
 * @value: not 0; loses that bit
 * @text: room for the name of a bit that only a later module knows: its number
 *
 * Return: the name.
 */
const char *kmprof_config_take_name(const struct kmprof_config_key *key, __u64 *value,
				    char text[KMPROF_CONFIG_NAME]);

/**
 * kmprof_config_text() - a value as text, as it can be typed
 * @setting: the setting
 * @text: filled; returned
 */
const char *kmprof_config_text(const struct kmprof_setting_value *setting,
			       char text[KMPROF_CONFIG_TEXT]);

#endif
