/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The settings of the module that a session of kmprof leaks needs: they are changed before its
 * first round and put back after its last one.
 */
#ifndef KMPROF_CMD_LEAKS_SETTINGS_H
#define KMPROF_CMD_LEAKS_SETTINGS_H

#include <stdbool.h>

#include "cmd/changes.h"

/**
 * struct leaks_settings - what holds during a session
 * @rate: heap_rate
 * @kinds: KMPROF_HEAP_*: the kinds of memory that are seen
 * @unseen: likewise: those that are not seen
 * @filter: heap_filter; empty: none
 * @changes: the settings that were changed
 */
struct leaks_settings {
	__u64 rate;
	__u64 kinds;
	__u64 unseen;
	char filter[KMPROF_TEXT_LEN];
	struct changes changes;
};

/**
 * leaks_settings_change() - set what a session needs
 * @settings: filled in
 * @dev: the device
 * @rate: heap_rate as typed; NULL: the default
 * @is_repeated: a command runs in each round; else the running system is watched
 * @err: explanation
 *
 * With a command, all kinds of memory that the module has are switched on together with the rate,
 * or if that fails, slab memory at least. Else the kinds stay as they are.
 *
 * Return: 0 or a negative errno; then nothing was changed. -ERANGE: the rate that was typed is
 * none, and @err says so.
 */
int leaks_settings_change(struct leaks_settings *settings, struct kmprof_device *dev,
			  const char *rate, bool is_repeated, struct kmprof_error *err);

/* Puts the old values back, and releases them. Return: 0 or a negative errno. */
int leaks_settings_restore(struct leaks_settings *settings, struct kmprof_device *dev,
			   struct kmprof_error *err);

#endif
