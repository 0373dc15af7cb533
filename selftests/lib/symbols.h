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

struct symbols {
	char *text;
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
