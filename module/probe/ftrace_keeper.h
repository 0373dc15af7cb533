/* SPDX-License-Identifier: GPL-2.0 */
/* Keeps ftrace enabled while kprobes that use it are armed. */
#ifndef KMPROF_FTRACE_KEEPER_H
#define KMPROF_FTRACE_KEEPER_H

int kmprof_ftrace_keep(const char *wanted);
void kmprof_ftrace_let_go(void);
void kmprof_ftrace_keeper_exit(void);

#endif
