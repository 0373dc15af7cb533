/* SPDX-License-Identifier: GPL-2.0 */
/* What a flight recorder has when it is stopped. */
#ifndef KMPROF_TRACE_FLIGHT_H
#define KMPROF_TRACE_FLIGHT_H

#include <linux/types.h>

u64 kmprof_trace_flight_cut(u64 start);

#endif
