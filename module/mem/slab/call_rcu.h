/* SPDX-License-Identifier: GPL-2.0 */
/* Objects of slabs that are passed to call_rcu(). */
#ifndef KMPROF_CALL_RCU_H
#define KMPROF_CALL_RCU_H

#include <linux/types.h>

int kmprof_call_rcu_set(u64 value);
int kmprof_call_rcu_attach(void);
void kmprof_call_rcu_detach(void);
void kmprof_call_rcu_exit(void);

#endif
