/* SPDX-License-Identifier: GPL-2.0 */
/* Settings of the module that a command of kmprof changes for a while, and then puts back. */
#ifndef KMPROF_CMD_CHANGES_H
#define KMPROF_CMD_CHANGES_H

#include "device/config.h"

/**
 * struct changes - what is changed
 * @new: settings with the values that they shall have
 * @old: the same ones with those that they had
 */
struct changes {
	struct kmprof_settings new;
	struct kmprof_settings old;
};

/**
 * changes_add() - have a setting changed
 * @changes: all zero at first; released by changes_release()
 * @now: the setting as it is
 * @wanted: what it shall be: its value and its text; nothing is added if it is that already
 *
 * Return: 0 or -ENOMEM.
 */
int changes_add(struct changes *changes, const struct kmprof_setting_value *now,
		const struct kmprof_setting_value *wanted);

/* The same of a number. */
int changes_add_number(struct changes *changes, const struct kmprof_setting_value *now,
		       __u64 value);

/* Changes all of them, or none. Return: 0 or a negative errno. */
int changes_make(const struct changes *changes, struct kmprof_device *dev,
		 struct kmprof_error *err);

/* Puts the old values back. Return: 0, or a negative errno with words how to do it by hand. */
int changes_undo(const struct changes *changes, struct kmprof_device *dev,
		 struct kmprof_error *err);

void changes_release(struct changes *changes);

#endif
