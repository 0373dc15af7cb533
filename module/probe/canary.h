/* SPDX-License-Identifier: GPL-2.0 */
/* Notices that the kernel's kprobes have been switched off. */
#ifndef KMPROF_CANARY_H
#define KMPROF_CANARY_H

#include <linux/types.h>

void kmprof_canary_song(void);
int kmprof_canary_attach(void);
void kmprof_canary_detach(void);
bool kmprof_canary_is_dead(void);
void kmprof_canary_check(void);
u64 kmprof_canary_dead_checks(void);

#endif
