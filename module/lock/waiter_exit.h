/* SPDX-License-Identifier: GPL-2.0 */
/* Tasks that exit in the middle of a wait, for wait_source.c. */
#ifndef KMPROF_WAITER_EXIT_H
#define KMPROF_WAITER_EXIT_H

int kmprof_waiter_exit_attach(void);
void kmprof_waiter_exit_detach(void);

#endif
