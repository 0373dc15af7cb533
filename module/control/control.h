/* SPDX-License-Identifier: GPL-2.0 */
/* Changing settings: arms and disarms probes and changes their rates. */
#ifndef KMPROF_CONTROL_H
#define KMPROF_CONTROL_H

#include <linux/types.h>

#include "core/setting.h"
#include "event/event.h"

/**
 * struct kmprof_changes - settings to change
 * @fields: which: a mask of 1 << enum kmprof_setting_id
 * @values: new values by enum kmprof_setting_id; 0 detaches the setting's probes
 * @texts: the same, of settings that are texts, if their value is not 0
 */
struct kmprof_changes {
	u64 fields;
	u64 values[KMPROF_SETTINGS_MAX];
	const char *texts[KMPROF_SETTINGS_MAX];
};

int kmprof_control_start(void);
bool kmprof_control_is_ready(void);
void kmprof_control_exit(void);
int kmprof_control_set(const struct kmprof_changes *changes);
u64 kmprof_control_get(enum kmprof_setting_id id, char text[KMPROF_TEXT_LEN]);
int kmprof_control_listen(enum kmprof_event_id event);
bool kmprof_control_attached(enum kmprof_setting_id id);
u64 kmprof_control_lacks(void);
void kmprof_control_check(void);
void kmprof_control_missed(u64 missed[KMPROF_NR_COUNTERS]);
int kmprof_control_reset(void);

#endif
