/* SPDX-License-Identifier: GPL-2.0 */
/* The setting mutex_fraction: releases per sample; 0 disarms the probes. */
#ifndef KMPROF_MUTEX_FRACTION_H
#define KMPROF_MUTEX_FRACTION_H

#include "core/setting.h"

extern struct kmprof_setting kmprof_mutex_fraction;

#endif
