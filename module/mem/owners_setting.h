/* SPDX-License-Identifier: GPL-2.0 */
/* The setting owners: see enum kmprof_setting_id. */
#ifndef KMPROF_OWNERS_SETTING_H
#define KMPROF_OWNERS_SETTING_H

#include "core/setting.h"

extern struct kmprof_setting kmprof_owners_setting;

#endif
