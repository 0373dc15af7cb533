/* SPDX-License-Identifier: GPL-2.0 */
/* Hooks at the entry of a function, which are called on every nesting level. */
#ifndef KMPROF_FTRACE_HOOK_H
#define KMPROF_FTRACE_HOOK_H

#include <linux/ftrace.h>

/**
 * struct kmprof_ftrace_hook - a hook; defined with KMPROF_FTRACE_HOOK()
 * @ops: what ftrace knows of it
 * @addr: the function, as far as kmprof_ftrace_hook_named() has looked it up
 */
struct kmprof_ftrace_hook {
	struct ftrace_ops ops;
	unsigned long addr;
};

/*
 * Does without ftrace's recursion protection, because it works by dropping calls: a handler must
 * not call what it hooks. Where another tracer hooks the same function, ftrace protects that all
 * the same. FTRACE_OPS_FL_PERMANENT makes the kernel refuse kernel.ftrace_enabled=0, which would
 * disable the hook silently.
 */
#define KMPROF_FTRACE_HOOK(handler)						\
	{									\
		.ops = {							\
			.func	= (handler),					\
			.flags	= FTRACE_OPS_FL_SAVE_REGS |			\
				  FTRACE_OPS_FL_PERMANENT,			\
		},								\
	}

/* The same for a handler that reads nothing but arguments, with compat/hook_argument.h. */
#define KMPROF_FTRACE_HOOK_ARGUMENTS(handler)					\
	{									\
		.ops = {							\
			.func	= (handler),					\
			.flags	= FTRACE_OPS_FL_PERMANENT,			\
		},								\
	}

int kmprof_ftrace_hook(struct kmprof_ftrace_hook *hook, unsigned long addr);
int kmprof_ftrace_hook_named(struct kmprof_ftrace_hook *hook, const char *name);
void kmprof_ftrace_unhook(struct kmprof_ftrace_hook *hook);
void kmprof_ftrace_hook_free(struct kmprof_ftrace_hook *hook);

#endif
