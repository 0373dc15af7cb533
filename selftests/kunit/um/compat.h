/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What module/ needs of x86 and user mode Linux lacks: see scripts/unit. Kbuild puts
 * it before every source file of the suites, in that build only. It includes nothing,
 * because a source file may define pr_fmt() before its first header.
 */
#ifndef KMPROF_KUNIT_UM_COMPAT_H
#define KMPROF_KUNIT_UM_COMPAT_H

struct pt_regs;

/* A per-CPU variable is an ordinary one: there is one CPU, and no segment. */
#define __percpu_arg(x)		"%" #x

/* Where the kernel's own data begins on x86. The locks of the suites lie below. */
#define __START_KERNEL_map	0xffffffff80000000UL

/* The layout on x86. */
struct qrwlock {
	unsigned int cnts;
	unsigned int wait_lock;
};

#define instruction_pointer_set(regs, addr)	(PT_REGS_IP(regs) = (addr))

/* Not defined: no suite calls it, or the kernel would not link. */
unsigned long regs_get_kernel_argument(struct pt_regs *regs, unsigned int n);

#endif
