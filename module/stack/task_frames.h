/* SPDX-License-Identifier: GPL-2.0 */
/* The frames of another task. */
#ifndef KMPROF_TASK_FRAMES_H
#define KMPROF_TASK_FRAMES_H

#include <linux/types.h>

struct task_struct;

bool kmprof_task_frames_lack(struct task_struct *task, bool (*is_wanted)(unsigned long addr));

#endif
