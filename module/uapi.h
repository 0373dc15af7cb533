/* SPDX-License-Identifier: GPL-2.0 */
/* The one place that reaches for the kernel/user contract. */
#ifndef KMPROF_UAPI_H
#define KMPROF_UAPI_H

#include "../uapi/linux/kmprof.h"

#endif
