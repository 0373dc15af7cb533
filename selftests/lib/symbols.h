/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of addresses, from /proc/kallsyms.
 */
#ifndef SYMBOLS_H
#define SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "lib/snapshot.h"

/**
 * struct symbol - a function
 * @address: where it starts
 * @name: its name
 * @module: its module, "" for the kernel itself
 */
struct symbol {
	uint64_t address;
	const char *name;
	const char *module;
};

/**
 * struct symbols - all of them
 * @text: their names
 * @text_bytes: of that
 * @all: by address
 * @count: how many
 */
struct symbols {
	char *text;
	size_t text_bytes;
	struct symbol *all;
	size_t count;
};

int symbols_load(struct symbols *symbols);
void symbols_free(struct symbols *symbols);
const struct symbol *symbols_find(const struct symbols *symbols, uint64_t address);
const struct symbol *symbols_caller(const struct symbols *symbols, uint64_t return_address);
const struct symbol *symbols_by_name(const struct symbols *symbols, const char *name);
int symbols_chain(const struct symbols *symbols, const struct snapshot *snapshot,
		  const struct kmprof_image_sample *sample);

#endif /* SYMBOLS_H */
