/* SPDX-License-Identifier: GPL-2.0 */
/* What is passed to kfree_rcu() and kvfree_rcu(). */
#ifndef KMPROF_RCU_DOOR_H
#define KMPROF_RCU_DOOR_H

int kmprof_rcu_door_attach(void);
void kmprof_rcu_door_detach(void);
void kmprof_rcu_door_exit(void);

#endif
