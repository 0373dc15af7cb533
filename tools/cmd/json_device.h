/* SPDX-License-Identifier: GPL-2.0 */
/* The device's state and settings as JSON. The image's JSON is in export/json.h. */
#ifndef KMPROF_CMD_JSON_DEVICE_H
#define KMPROF_CMD_JSON_DEVICE_H

#include <jansson.h>

#include "device/config.h"

/* Each returns a new reference, or NULL when out of memory. */
json_t *json_info(const struct kmprof_info *info);
json_t *json_config(const struct kmprof_config *config);	/* the valid fields */

#endif
