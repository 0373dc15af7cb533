/* SPDX-License-Identifier: GPL-2.0 */
/* The settings of the module that are changed while kmprof record records. */
#ifndef KMPROF_CMD_RECORD_SETTINGS_H
#define KMPROF_CMD_RECORD_SETTINGS_H

#include "cmd/changes.h"

/**
 * record_settings() - find out what has to be changed
 * @changes: what is added to it
 * @dev: the device
 * @profiles: names with commas between them. One that is off is to be turned on, at the rate that
 *	is usual for it.
 * @set: settings as typed; they go before what is usual
 * @nr_set: how many
 * @owners: each object is to have its owner, if the module can remember that
 * @err: explanation
 *
 * Return: 0; -ERANGE when names or settings are wrong; another negative errno.
 */
int record_settings(struct changes *changes, struct kmprof_device *dev, const char *profiles,
		    char *const *set, size_t nr_set, bool owners, struct kmprof_error *err);

#endif
