/* SPDX-License-Identifier: GPL-2.0 */
/* Waits for callbacks of call_rcu(), to find objects that they have not freed. */
#ifndef KMPROF_CALLBACKS_H
#define KMPROF_CALLBACKS_H

#include <linux/types.h>

void kmprof_callbacks_start(void);
void kmprof_callbacks_stop(void);
int kmprof_callbacks_settle_begin(void);
void kmprof_callbacks_settle_end(bool is_settled);

#endif
