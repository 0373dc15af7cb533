/* SPDX-License-Identifier: GPL-2.0 */
/* mutex_fraction: releases per sample. Turns the probes on releases on and off. */
#ifndef KMPROF_MUTEX_FRACTION_H
#define KMPROF_MUTEX_FRACTION_H

#include "core/setting.h"

extern struct kmprof_setting kmprof_mutex_fraction;

#endif
