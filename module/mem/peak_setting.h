/* SPDX-License-Identifier: GPL-2.0 */
/* The setting heap_peak: see mem/marks.c. */
#ifndef KMPROF_PEAK_SETTING_H
#define KMPROF_PEAK_SETTING_H

#include "core/setting.h"

extern struct kmprof_setting kmprof_peak_setting;

#endif
