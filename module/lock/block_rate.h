/* SPDX-License-Identifier: GPL-2.0 */
/* block_rate: ns from which on every wait is sampled. Turns the probes on waits on and off. */
#ifndef KMPROF_BLOCK_RATE_H
#define KMPROF_BLOCK_RATE_H

#include "core/setting.h"

extern struct kmprof_setting kmprof_block_rate;

#endif
