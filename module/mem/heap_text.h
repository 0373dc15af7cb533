/* SPDX-License-Identifier: GPL-2.0 */
/* The heap profile as text: the views heap and allocs. */
#ifndef KMPROF_HEAP_TEXT_H
#define KMPROF_HEAP_TEXT_H

#include "show/form.h"

extern const struct kmprof_text_form kmprof_heap_form;

#endif
