/* SPDX-License-Identifier: GPL-2.0 */
/* The profiles as files for the shell, in debugfs kmprof/. */
#ifndef KMPROF_DEBUGFS_H
#define KMPROF_DEBUGFS_H

void kmprof_debugfs_init(void);
void kmprof_debugfs_exit(void);

#endif
