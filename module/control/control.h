/* SPDX-License-Identifier: GPL-2.0 */
/* Changing settings: arms and disarms probes and changes their rates. */
#ifndef KMPROF_CONTROL_H
#define KMPROF_CONTROL_H

#include <linux/types.h>

#include "core/setting.h"

int kmprof_control_start(void);
bool kmprof_control_is_ready(void);
void kmprof_control_exit(void);
int kmprof_control_set(u64 fields, const u64 values[KMPROF_SETTINGS_MAX]);
u64 kmprof_control_value(enum kmprof_setting_id id);
bool kmprof_control_attached(enum kmprof_setting_id id);
u64 kmprof_control_lacks(void);
void kmprof_control_check(void);
void kmprof_control_missed(u64 missed[KMPROF_NR_COUNTERS]);
int kmprof_control_reset(void);

#endif
