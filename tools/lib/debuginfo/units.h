/* SPDX-License-Identifier: GPL-2.0 */
/* From an address to its lines, by DWARF: for object.c only. */
#ifndef KMPROF_DEBUGINFO_UNITS_H
#define KMPROF_DEBUGINFO_UNITS_H

#include <elfutils/libdw.h>

#include "debuginfo/code_line.h"
#include "util/growing.h"
#include "util/intern.h"

/**
 * struct kmprof_units - the compilation units of an object, and the functions that were looked for
 * @ranges: struct kmprof_unit_range, by address
 * @functions: struct kmprof_unit_range of the functions of @unit, by address
 * @unit: the unit that was looked at last, or NULL
 */
struct kmprof_units {
	struct kmprof_growing ranges;
	struct kmprof_growing functions;
	const void *unit;
};

/**
 * kmprof_units_init() - list the units
 * @units: all 0; filled in; released by kmprof_units_release() in any case
 * @dwarf: debug information; it stays
 *
 * Return: 0; -ENOMEM; -EINVAL: it is damaged.
 */
int kmprof_units_init(struct kmprof_units *units, Dwarf *dwarf);
void kmprof_units_release(struct kmprof_units *units);

/* As kmprof_object_lines(), with an address as DWARF has it. */
int kmprof_units_lines(struct kmprof_units *units, __u64 address, struct kmprof_growing *lines,
		       struct kmprof_intern *strings);

#endif
