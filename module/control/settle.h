/* SPDX-License-Identifier: GPL-2.0 */
/* Waiting for frees that are deferred. */
#ifndef KMPROF_SETTLE_H
#define KMPROF_SETTLE_H

int kmprof_settle(void);

#endif
