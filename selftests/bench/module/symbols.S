/* SPDX-License-Identifier: GPL-2.0 */
/*
 * As many symbols as the largest modules have: what the kernel looks up in a module by a
 * search of all its symbols takes long here.
 */
#include <linux/linkage.h>

	.altmacro
	.macro symbol number
bench_symbol_\number:
	.byte	0
	.endm

	.section .rodata, "a"
	.set	i, 0
	.rept	25000
	symbol	%i
	.set	i, i + 1
	.endr
