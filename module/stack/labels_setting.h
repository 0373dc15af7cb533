/* SPDX-License-Identifier: GPL-2.0 */
/* The setting labels: which labels tell waits and releases apart, besides stack and lock. */
#ifndef KMPROF_LABELS_SETTING_H
#define KMPROF_LABELS_SETTING_H

#include "core/setting.h"

extern struct kmprof_setting kmprof_labels_setting;

#endif
