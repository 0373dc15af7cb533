/* SPDX-License-Identifier: GPL-2.0 */
/* Settings of the running module: by structure, and as "key=value" text. */
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
 * struct kmprof_config_key - a setting that "set" knows
 * @name: as the user writes it
 * @alias: a shorter way to write it, or NULL
 * @field: KMPROF_CONFIG_*
 * @offset: of its __u64 in struct kmprof_config
 * @names: of its bits, the last one is empty; NULL: it is a number
 * @max: largest number
 * @units: of a number, the last one is empty
 * @suffix: those of @units, in words; NULL: there are none
 * @help: one line, with the unit
 * @unseen: what cannot be seen where the kernel refuses it with ENOENT; NULL: it does not
 *	refuse it
 * @unseen_hint: by what it would be seen
 */
struct kmprof_config_key {
	const char *name;
	const char *alias;
	__u64 field;
	size_t offset;
	const struct kmprof_config_name *names;
	__u64 max;
	const struct kmprof_config_unit *units;
	const char *suffix;
	const char *help;
	const char *unseen;
	const char *unseen_hint;
};

extern const struct kmprof_config_key kmprof_config_keys[];
extern const unsigned int kmprof_config_nr_keys;

int kmprof_config_get(struct kmprof_device *dev, struct kmprof_config *config,
		      struct kmprof_error *err);
int kmprof_config_set(struct kmprof_device *dev, struct kmprof_config *config,
		      struct kmprof_error *err);

/**
 * kmprof_config_parse() - add one "key=value" to a configuration to be set
 * @config: its fields and value are updated
 * @arg: as typed; sizes take the suffixes K, M and G (powers of 1024), times
 *	the suffixes ns, us, ms and s; names have commas between them
 * @err: names the valid keys, the valid names or the valid range
 *
 * Return: 0 or -EINVAL; @config is unchanged then.
 */
int kmprof_config_parse(struct kmprof_config *config, const char *arg,
			struct kmprof_error *err);

__u64 kmprof_config_value(const struct kmprof_config *config,
			  const struct kmprof_config_key *key);

/* Return: the key of a field KMPROF_CONFIG_*. */
const struct kmprof_config_key *kmprof_config_key_of(__u64 field);

enum {
	KMPROF_CONFIG_NAME = 24,
	KMPROF_CONFIG_TEXT = 128,
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
 * kmprof_config_text() - a value as text
 * @config: where it is
 * @key: which one
 * @glue: what is between two names; with "," it can be typed like that
 * @text: filled; returned
 */
const char *kmprof_config_text(const struct kmprof_config *config,
			       const struct kmprof_config_key *key, const char *glue,
			       char text[KMPROF_CONFIG_TEXT]);

#endif
