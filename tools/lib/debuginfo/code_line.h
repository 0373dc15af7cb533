/* SPDX-License-Identifier: GPL-2.0 */
/* Where in the source an address is from. An address in inlined functions has a line of each. */
#ifndef KMPROF_DEBUGINFO_CODE_LINE_H
#define KMPROF_DEBUGINFO_CODE_LINE_H

/**
 * struct kmprof_code_line - a line of source that code at an address is from
 * @function: what was inlined; NULL: it is the function that has the address
 * @file: as the debug information has it, with the directory of the build unless that is relative;
 *	NULL: not known
 * @line: from 1 on; 0: not known
 */
struct kmprof_code_line {
	const char *function;
	const char *file;
	unsigned int line;
};

#endif
