/* SPDX-License-Identifier: GPL-2.0 */
/* Watches modules go: their addresses in buckets are retired (gone.h). */
#ifndef KMPROF_MODULE_WATCH_H
#define KMPROF_MODULE_WATCH_H

int kmprof_module_watch_init(void);
void kmprof_module_watch_exit(void);

#endif
