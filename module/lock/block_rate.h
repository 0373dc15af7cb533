/* SPDX-License-Identifier: GPL-2.0 */
/* The setting block_rate: ns from which on every wait is sampled; 0 disarms the probes. */
#ifndef KMPROF_BLOCK_RATE_H
#define KMPROF_BLOCK_RATE_H

#include "core/setting.h"

extern struct kmprof_setting kmprof_block_rate;

#endif
