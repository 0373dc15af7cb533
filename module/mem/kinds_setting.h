/* SPDX-License-Identifier: GPL-2.0 */
/* The setting heap: the kinds of memory that the heap profile sees. */
#ifndef KMPROF_KINDS_SETTING_H
#define KMPROF_KINDS_SETTING_H

#include "core/setting.h"

extern struct kmprof_setting kmprof_kinds_setting;

#endif
