/* SPDX-License-Identifier: GPL-2.0 */
/* Marks: what was in use at moments that have passed. */
#ifndef KMPROF_MARKS_H
#define KMPROF_MARKS_H

#include <linux/types.h>

void kmprof_marks_set_peak(u64 value);
void kmprof_marks_set_at(u64 bytes);
void kmprof_marks_settle(void);
void kmprof_marks_make(void);
int kmprof_marks_init(void);
void kmprof_marks_exit(void);

#endif
