/* SPDX-License-Identifier: GPL-2.0 */
/* The setting heap_filter: see mem/filter_parse.c. */
#ifndef KMPROF_FILTER_SETTING_H
#define KMPROF_FILTER_SETTING_H

#include "core/setting.h"

extern struct kmprof_setting kmprof_filter_setting;

#endif
