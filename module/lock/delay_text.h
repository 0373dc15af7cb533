/* SPDX-License-Identifier: GPL-2.0 */
/* The block and the mutex profile as text. */
#ifndef KMPROF_DELAY_TEXT_H
#define KMPROF_DELAY_TEXT_H

#include "show/form.h"

extern const struct kmprof_text_form kmprof_block_form;
extern const struct kmprof_text_form kmprof_mutex_form;

#endif
