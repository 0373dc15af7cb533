/* SPDX-License-Identifier: GPL-2.0 */
/* The form of any profile whose columns tell all about its rows: KMPROF_ROWS_OBJECTS. */
#ifndef KMPROF_OBJECTS_H
#define KMPROF_OBJECTS_H

#include "show/form.h"

extern const struct kmprof_text_form kmprof_objects_form;

#endif
