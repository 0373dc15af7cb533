/* SPDX-License-Identifier: GPL-2.0 */
/* How a trace tells which lock or memory it is. */
#ifndef KMPROF_TRACE_NUMBERS_H
#define KMPROF_TRACE_NUMBERS_H

#include <linux/types.h>

void kmprof_trace_numbers_prepare(bool are_addresses);
u64 kmprof_trace_number_of(const void *what, unsigned int bits);

#endif
