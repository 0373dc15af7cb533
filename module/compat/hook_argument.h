/* SPDX-License-Identifier: GPL-2.0 */
/* What an ftrace hook can read without FTRACE_OPS_FL_SAVE_REGS. */
#ifndef KMPROF_HOOK_ARGUMENT_H
#define KMPROF_HOOK_ARGUMENT_H

#include <linux/ftrace.h>

#include "compat/compat.h"

/**
 * kmprof_compat_first_argument() - get the first argument of a function
 * @fregs: what a hook at its entry has got
 *
 * Context: In an ftrace hook, with or without all registers.
 * Return: the argument.
 */
static __always_inline const void *kmprof_compat_first_argument(struct ftrace_regs *fregs)
{
#ifdef KMPROF_COMPAT_FTRACE_ARGUMENT
	return (const void *)ftrace_regs_get_argument(fregs, 0);
#else
	return (const void *)fregs->regs.di;
#endif
}

#endif
