/* SPDX-License-Identifier: GPL-2.0 */
/* Processes of a user without privileges, who makes as much trouble as a user can. */
#ifndef USER_H
#define USER_H

#include <sys/types.h>

pid_t user_start(void (*attack)(void));
int user_stop(pid_t pid);

void user_fights(void);
void user_forks(void);
void user_holds(void);

int user_may_hold(void);
int user_until_held(pid_t pid);

#endif /* USER_H */
