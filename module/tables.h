/* SPDX-License-Identifier: GPL-2.0 */
/* All tables that probes write to. */
#ifndef KMPROF_TABLES_H
#define KMPROF_TABLES_H

int kmprof_tables_init(void);
void kmprof_tables_exit(void);

#endif
