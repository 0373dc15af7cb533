/* SPDX-License-Identifier: GPL-2.0 */
/* Waits for memory that was passed to kvfree_rcu(). */
#ifndef KMPROF_KVFREE_RCU_H
#define KMPROF_KVFREE_RCU_H

int kmprof_compat_kvfree_rcu_barrier(void);

#endif
