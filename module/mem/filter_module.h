/* SPDX-License-Identifier: GPL-2.0 */
/* Where the module is that a filter names. */
#ifndef KMPROF_FILTER_MODULE_H
#define KMPROF_FILTER_MODULE_H

#include <linux/types.h>

/* One for each filter that there can be. */
enum { KMPROF_FILTER_MODULES = 3 };

void kmprof_filter_module_follow(unsigned int index, const char *name);
bool kmprof_filter_module_has(unsigned int index, unsigned long addr);
int kmprof_filter_module_init(void);
void kmprof_filter_module_exit(void);

#endif
