/* SPDX-License-Identifier: GPL-2.0 */
/* Where the memory of a module is. */
#ifndef KMPROF_MODULE_MEMORY_H
#define KMPROF_MODULE_MEMORY_H

#include <linux/module.h>
#include <linux/types.h>

#include "compat/compat.h"

enum {
	/* "module: replace module_layout with module_memory" (v6.4). */
#ifdef mod_mem_type_is_init
	KMPROF_COMPAT_MODULE_PARTS = MOD_MEM_NUM_TYPES,
#else
	KMPROF_COMPAT_MODULE_PARTS = 2,
#endif
};

/* From the address of memory and its size. */
static inline struct kmprof_extent kmprof_compat_memory(const void *start, unsigned long size)
{
	return (struct kmprof_extent) { (unsigned long)start, (unsigned long)start + size };
}

/**
 * kmprof_compat_module_part() - get a part of a module's memory
 * @mod: the module
 * @part: less than KMPROF_COMPAT_MODULE_PARTS
 *
 * Context: Any, while the module's memory is not freed.
 * Return: the memory; of size 0 if the module does not have the part.
 */
static inline struct kmprof_extent kmprof_compat_module_part(const struct module *mod,
							     unsigned int part)
{
#ifdef mod_mem_type_is_init
	return kmprof_compat_memory(mod->mem[part].base, mod->mem[part].size);
#else
	const struct module_layout *layout = part ? &mod->init_layout : &mod->core_layout;

	return kmprof_compat_memory(layout->base, layout->size);
#endif
}

/**
 * kmprof_compat_module_part_is_init() - does a part last only until the module has started?
 * @part: less than KMPROF_COMPAT_MODULE_PARTS
 *
 * Context: Any.
 * Return: true if so.
 */
static inline bool kmprof_compat_module_part_is_init(unsigned int part)
{
#ifdef mod_mem_type_is_init
	return mod_mem_type_is_init(part);
#else
	return part;
#endif
}

/**
 * kmprof_compat_module_rodata() - get a module's constants, which have its build id
 * @mod: the module
 *
 * Context: Any, while the module's memory is not freed.
 * Return: the memory.
 */
static inline struct kmprof_extent kmprof_compat_module_rodata(const struct module *mod)
{
#ifdef mod_mem_type_is_init
	return kmprof_compat_module_part(mod, MOD_RODATA);
#else
	const struct module_layout *layout = &mod->core_layout;

	return kmprof_compat_memory(layout->base + layout->text_size,
				    layout->ro_size - layout->text_size);
#endif
}

#endif
