/* SPDX-License-Identifier: GPL-2.0 */
/* The setting heap_call_rcu: see enum kmprof_setting_id. */
#ifndef KMPROF_CALL_RCU_SETTING_H
#define KMPROF_CALL_RCU_SETTING_H

#include "core/setting.h"

extern struct kmprof_setting kmprof_call_rcu_setting;

#endif
