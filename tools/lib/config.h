/* SPDX-License-Identifier: GPL-2.0 */
/* Settings of the running module: by structure, and as "key=value" text. */
#ifndef KMPROF_LIB_CONFIG_H
#define KMPROF_LIB_CONFIG_H

#include <stddef.h>

#include "device.h"

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
 * struct kmprof_config_key - a setting that "set" knows
 * @name: as the user writes it
 * @alias: a shorter way to write it
 * @field: KMPROF_CONFIG_*
 * @offset: of its __u64 in struct kmprof_config
 * @max: largest value
 * @units: the last one is empty
 * @suffix: those of @units, in words; NULL: there are none
 * @help: one line, with the unit
 * @unseen: what cannot be seen where the kernel refuses it with ENOENT; NULL: it may be
 *	anything
 * @unseen_hint: by what it would be seen
 */
struct kmprof_config_key {
	const char *name;
	const char *alias;
	__u64 field;
	size_t offset;
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
 *	the suffixes ns, us, ms and s
 * @err: names the valid keys or the valid range
 *
 * Return: 0 or -EINVAL; @config is unchanged then.
 */
int kmprof_config_parse(struct kmprof_config *config, const char *arg,
			struct kmprof_error *err);

__u64 kmprof_config_value(const struct kmprof_config *config,
			  const struct kmprof_config_key *key);

#endif
