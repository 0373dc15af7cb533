/* SPDX-License-Identifier: GPL-2.0 */
/* The text of the thunks of redirected calls, whose frames are cut out of stacks. */
#ifndef KMPROF_THUNK_TEXT_H
#define KMPROF_THUNK_TEXT_H

#include <linux/types.h>

/* Bounds of the thunks' text, defined in assembly beside the thunks. */
extern const char kmprof_thunks_begin[];
extern const char kmprof_thunks_end[];

/**
 * kmprof_thunk_text_has() - is an address in a thunk?
 * @addr: return address
 *
 * Context: Any.
 * Return: true if so.
 */
static inline bool kmprof_thunk_text_has(unsigned long addr)
{
	return addr >= (unsigned long)kmprof_thunks_begin &&
	       addr < (unsigned long)kmprof_thunks_end;
}

#endif
