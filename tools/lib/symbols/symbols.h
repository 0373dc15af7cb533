/* SPDX-License-Identifier: GPL-2.0 */
/* Names of the kernel's addresses, from /proc/kallsyms or a copy of it. */
#ifndef KMPROF_SYMBOLS_SYMBOLS_H
#define KMPROF_SYMBOLS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <linux/types.h>

#include "util/error.h"

/**
 * struct kmprof_symbol - a function or a variable
 * @start: its first address
 * @size: bytes to the next one, 0 when not known
 * @name: its name
 * @module: name of its module without brackets, NULL for the kernel's own
 */
struct kmprof_symbol {
	__u64 start;
	__u64 size;
	const char *name;
	const char *module;
};

struct kmprof_symbols;

/**
 * kmprof_symbols_load() - read a symbol table
 * @symbols: the new table, freed by kmprof_symbols_free()
 * @path: the file
 * @err: explanation
 *
 * Return: 0; -EACCES when the kernel shows this process zeroes instead of
 * addresses; another negative errno when the file is of no use.
 */
int kmprof_symbols_load(struct kmprof_symbols **symbols, const char *path,
			struct kmprof_error *err);
void kmprof_symbols_free(struct kmprof_symbols *symbols);

/**
 * kmprof_symbols_find() - the function that an address lies in
 * @symbols: the table
 * @address: of an instruction. For a return address from a stack pass the
 *	address minus 1: the call may be the last instruction of its function.
 * @symbol: filled in; its strings live as long as the table
 *
 * Return: whether there is one.
 */
bool kmprof_symbols_find(const struct kmprof_symbols *symbols, __u64 address,
			 struct kmprof_symbol *symbol);

/* The same for the variable that an address lies in; without the 1 less. */
bool kmprof_symbols_find_data(const struct kmprof_symbols *symbols, __u64 address,
			      struct kmprof_symbol *symbol);

/* Writes "name+0x10/0x80", with " [module]" if it has one, as the kernel does. */
void kmprof_symbol_write(FILE *file, const struct kmprof_symbol *symbol, __u64 address);

/* First address and end of the kernel's own text; 0, 0 when not known. */
void kmprof_symbols_kernel_text(const struct kmprof_symbols *symbols, __u64 *start, __u64 *end);

/**
 * kmprof_symbols_modules() - call a function for each module in the table
 * @symbols: the table
 * @fn: gets the name, the first address and the end of its functions; a
 *	negative errno ends the walk
 * @arg: for @fn
 *
 * Return: 0 or what @fn returned.
 */
int kmprof_symbols_modules(const struct kmprof_symbols *symbols,
			   int (*fn)(const char *name, __u64 start, __u64 end, void *arg),
			   void *arg);

#endif
