/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files, lines and inlined functions of addresses, from debug information.
 *
 * A file with debug information is used only if its build id is that of the image. Where
 * its code was loaded follows from the names of functions: an address is looked up in the function
 * that the image has it in, and all functions of a section have to be moved by the same distance.
 * If one is not, or is not there at all, nothing of that module is looked up: a line is right, or
 * there is none.
 */
#ifndef KMPROF_DEBUGINFO_DEBUGINFO_H
#define KMPROF_DEBUGINFO_DEBUGINFO_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

#include "debuginfo/code_line.h"
#include "debuginfo/search.h"
#include "util/error.h"
#include "util/lines.h"

/**
 * struct kmprof_debuginfo_module - the kernel, or a module of it
 * @name: of the module; NULL: the kernel
 * @build_id: hex digits; "": not known
 */
struct kmprof_debuginfo_module {
	const char *name;
	const char *build_id;
};

/**
 * struct kmprof_debuginfo_call - an address that is to be looked up
 * @address: of an instruction: of a return address, the one before
 * @start: where its function begins
 * @function: the name of that
 * @module: index of its module
 */
struct kmprof_debuginfo_call {
	__u64 address;
	__u64 start;
	const char *function;
	size_t module;
};

struct kmprof_debuginfo;

/**
 * kmprof_debuginfo_open() - look up all addresses
 * @debuginfo: the result, freed by kmprof_debuginfo_close()
 * @modules: the modules; not needed any more then
 * @nr_modules: how many
 * @calls: the addresses, which ascend; not needed any more then
 * @nr_calls: how many
 * @options: where to look
 * @notes: lines are added that say which modules have no lines, and why
 * @err: explanation
 *
 * Return: 0; -ENOENT: there is not a line for any of the modules; another negative errno.
 */
int kmprof_debuginfo_open(struct kmprof_debuginfo **debuginfo,
			  const struct kmprof_debuginfo_module *modules, size_t nr_modules,
			  const struct kmprof_debuginfo_call *calls, size_t nr_calls,
			  const struct kmprof_debuginfo_options *options,
			  struct kmprof_lines *notes, struct kmprof_error *err);
void kmprof_debuginfo_close(struct kmprof_debuginfo *debuginfo);

/**
 * kmprof_debuginfo_find() - the lines of an address
 * @debuginfo: all of them
 * @address: one of the addresses
 * @nr: set to how many lines there are, as kmprof_object_lines() has them
 *
 * Return: the lines, which stay.
 */
const struct kmprof_code_line *kmprof_debuginfo_find(const struct kmprof_debuginfo *debuginfo,
						     __u64 address, size_t *nr);

/* Has a module been looked up? */
bool kmprof_debuginfo_has(const struct kmprof_debuginfo *debuginfo, size_t module);

#endif
