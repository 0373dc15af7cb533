/* SPDX-License-Identifier: GPL-2.0 */
/* The pieces that kernel text consists of: the kernel itself and modules. */
#ifndef KMPROF_SYMBOLS_MAPPINGS_H
#define KMPROF_SYMBOLS_MAPPINGS_H

#include "image/image.h"
#include "symbols/buildid.h"
#include "symbols/symbols.h"

/* Where the module is not known: generated code that is gone. */
#define KMPROF_UNKNOWN_MAPPING	"[unknown]"

/* perf's name for the kernel's text; pprof and others know it. */
#define KMPROF_KERNEL_MAPPING	"[kernel.kallsyms]"

/**
 * struct kmprof_mapping - a piece of kernel text
 * @name: KMPROF_KERNEL_MAPPING, or a module's name in brackets
 * @start: first address
 * @end: behind the last one
 * @build_id: hex digits, "" when not known
 */
struct kmprof_mapping {
	char *name;
	__u64 start;
	__u64 end;
	char build_id[KMPROF_BUILD_ID_HEX];
};

/**
 * struct kmprof_mappings - all of them
 * @mapping: array; the kernel comes first
 * @nr: how many
 * @of_module: for each module of the image, the index of its mapping
 */
struct kmprof_mappings {
	struct kmprof_mapping *mapping;
	size_t nr;
	long *of_module;
};

/**
 * struct kmprof_mapping_files - where ranges and build ids are found
 * @modules: like /proc/modules, or NULL
 * @kernel_notes: like /sys/kernel/notes, or NULL
 * @module_dir: like /sys/module, or NULL
 *
 * What is missing is done without: ranges then follow from the symbols, build
 * ids stay empty. Of a complete image, all is in the image.
 */
struct kmprof_mapping_files {
	const char *modules;
	const char *kernel_notes;
	const char *module_dir;
};

/**
 * kmprof_mappings_load() - find out about the kernel's text
 * @mappings: filled in
 * @image: has the modules that are gone, or all
 * @symbols: for ranges; NULL when there are none
 * @files: where to look
 * @err: explanation
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_mappings_load(struct kmprof_mappings *mappings, const struct kmprof_image *image,
			 const struct kmprof_symbols *symbols,
			 const struct kmprof_mapping_files *files, struct kmprof_error *err);
void kmprof_mappings_release(struct kmprof_mappings *mappings);

/**
 * kmprof_mappings_find() - what an address lies in
 * @mappings: all of them
 * @address: of an instruction
 * @symbol: the function found there, or NULL; its module decides
 *
 * Return: index, or -1.
 */
long kmprof_mappings_find(const struct kmprof_mappings *mappings, __u64 address,
			  const struct kmprof_symbol *symbol);

/* Fills in the module of an image that a mapping stands for: all but its name and flags. */
void kmprof_mapping_module(const struct kmprof_mapping *mapping,
			   struct kmprof_image_module *module);

#endif
