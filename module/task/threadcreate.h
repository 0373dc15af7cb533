/* SPDX-License-Identifier: GPL-2.0 */
/* The profile threadcreate: the tasks that live, by the stack that created them. */
#ifndef KMPROF_THREADCREATE_H
#define KMPROF_THREADCREATE_H

#include "core/setting.h"
#include "object/object.h"

extern struct kmprof_object_profile kmprof_threadcreate_profile;
extern struct kmprof_setting kmprof_threadcreate_setting;

#endif
