/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The code that runs: the kernel's, and that of the test module. From return
 * addresses to places in the source, by the debug information; what a call
 * calls, and which call sites call which allocator, by the machine code.
 */
#ifndef CODE_H
#define CODE_H

#include <stddef.h>
#include <stdint.h>

#include "lib/symbols.h"

/**
 * struct code_place - a place in the source
 * @function: the function, be it inlined
 * @file: source file, with its directories
 * @line: line
 */
struct code_place {
	const char *function;
	const char *file;
	unsigned int line;
};

/**
 * struct code_use - the machine code of a call site that the kernel accounts
 * @place: where the site is in the source
 * @user: the function with that code; @place.function, or where that is inlined
 * @allocator: what is called, NULL when that was not recognised
 */
struct code_use {
	struct code_place place;
	const char *user;
	const char *allocator;
};

struct code;

struct code *code_open(const char *vmlinux, const char *module, const struct symbols *symbols);
void code_close(struct code *code);

unsigned int code_places(struct code *code, uint64_t return_address,
			 struct code_place *places, unsigned int room);
const char *code_callee(struct code *code, uint64_t return_address);
const struct code_use *code_uses(const struct code *code, unsigned int *count);

#endif /* CODE_H */
