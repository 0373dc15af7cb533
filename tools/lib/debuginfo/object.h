/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A file with debug information: a vmlinux, a module, or what was split off from one of them. Only
 * object.c and units.c know libdw and libdwfl.
 */
#ifndef KMPROF_DEBUGINFO_OBJECT_H
#define KMPROF_DEBUGINFO_OBJECT_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

#include "debuginfo/code_line.h"
#include "util/error.h"
#include "util/growing.h"
#include "util/intern.h"

struct kmprof_object;

/**
 * struct kmprof_object_symbol - a symbol of an object
 * @address: where it is, as addresses of the object go
 * @section: symbols of one section are moved by the same distance when they are loaded. The
 *	kernel itself is one section
 */
struct kmprof_object_symbol {
	__u64 address;
	__u32 section;
};

/**
 * kmprof_object_open() - open a file with debug information
 * @object: the new object, closed by kmprof_object_close()
 * @path: the file
 * @build_ids: hex digits of the builds that are wanted
 * @nr: how many
 * @which: set to the index of the one that it is
 * @err: explanation
 *
 * Return: 0; -ESTALE: it is of another build; -ENODATA: it has no debug information; -EINVAL: it
 * is not an ELF file, or damaged; another negative errno when it cannot be read.
 */
int kmprof_object_open(struct kmprof_object **object, const char *path,
		       const char *const *build_ids, size_t nr, size_t *which,
		       struct kmprof_error *err);

/**
 * kmprof_object_fetch() - get a file with debug information from a server
 * @object: the new object
 * @build_id: hex digits
 * @err: explanation
 *
 * The servers are those of DEBUGINFOD_URLS in the environment.
 *
 * Return: 0; -ENOENT: no server has the file, or there is none; or as kmprof_object_open().
 */
int kmprof_object_fetch(struct kmprof_object **object, const char *build_id,
			struct kmprof_error *err);
void kmprof_object_close(struct kmprof_object *object);

/* The file, or where it is from. */
const char *kmprof_object_path(const struct kmprof_object *object);

/**
 * kmprof_object_symbols() - all symbols of a name
 * @object: the object
 * @name: the name
 * @nr: set to how many there are; static functions can share a name
 */
const struct kmprof_object_symbol *kmprof_object_symbols(const struct kmprof_object *object,
							 const char *name, size_t *nr);

/* Is an address in front of the function that follows the symbol at @start? */
bool kmprof_object_is_in(const struct kmprof_object *object, __u64 start, __u64 address);

/**
 * kmprof_object_lines() - look up the lines of an address
 * @object: the object. Addresses of one unit are looked up fastest one after the other
 * @address: as addresses of the object go
 * @lines: struct kmprof_code_line are added: the innermost function first, and last the one that
 *	the others are inlined in. None: nothing is known
 * @strings: for their texts, which stay as long as these
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_object_lines(struct kmprof_object *object, __u64 address, struct kmprof_growing *lines,
			struct kmprof_intern *strings);

#endif
