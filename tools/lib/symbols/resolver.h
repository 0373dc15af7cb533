/* SPDX-License-Identifier: GPL-2.0 */
/* From a return address in an image to a name and a mapping. */
#ifndef KMPROF_SYMBOLS_RESOLVER_H
#define KMPROF_SYMBOLS_RESOLVER_H

#include "debuginfo/debuginfo.h"
#include "image/image.h"
#include "symbols/mappings.h"
#include "symbols/symbols.h"

/* Shown for a frame that the kernel did not want to tell. */
#define KMPROF_HIDDEN_NAME	"[address hidden]"

/**
 * struct kmprof_resolver_options - where names come from
 * @symfs: directory that stands for /, with copies of proc/kallsyms,
 *	proc/modules and sys; or NULL
 * @kallsyms: copy of /proc/kallsyms, or NULL; wins over @symfs, and there are
 *	no build ids then
 */
struct kmprof_resolver_options {
	const char *symfs;
	const char *kallsyms;
};

/**
 * struct kmprof_resolver - ready for look-ups
 * @image: has the symbols of modules that are gone
 * @symbols: NULL when there are none
 * @mappings: the kernel and its modules
 * @debuginfo: lines of source, of kmprof_code_lines_open(); or NULL
 * @is_local: what else is of the running machine may be looked up there: the image has
 *	been taken since it was booted, and no other one's symbols were named
 * @found: functions that were looked up, by their address; NULL: none is kept
 */
struct kmprof_resolver {
	const struct kmprof_image *image;
	struct kmprof_symbols *symbols;
	struct kmprof_mappings mappings;
	struct kmprof_debuginfo *debuginfo;
	bool is_local;
	struct kmprof_found *found;
};

/**
 * kmprof_resolver_open() - get the names that belong to an image
 * @resolver: filled in, usable in any case but an error
 * @image: whose addresses are to be looked up; it stays until the resolver is closed
 * @options: where names come from
 * @warning: set when addresses will stay without names, and why
 * @err: explanation
 *
 * The running kernel's symbols are used only for an image taken since it was
 * booted: another boot has other addresses.
 *
 * Return: 0, 1 with @warning set, or a negative errno.
 */
int kmprof_resolver_open(struct kmprof_resolver *resolver, const struct kmprof_image *image,
			 const struct kmprof_resolver_options *options,
			 struct kmprof_error *warning, struct kmprof_error *err);
void kmprof_resolver_close(struct kmprof_resolver *resolver);

/**
 * struct kmprof_frame - what is known about a frame
 * @address: of the call: the return address minus 1
 * @symbol: valid if @named
 * @named: whether a function was found
 * @mapping: index, or -1
 * @line: lines of source, the innermost inlined function first; the last one is of @symbol itself
 * @nr_lines: how many; 0: none is known, or none was wanted
 */
struct kmprof_frame {
	__u64 address;
	struct kmprof_symbol symbol;
	bool named;
	long mapping;
	const struct kmprof_code_line *line;
	size_t nr_lines;
};

/**
 * kmprof_resolver_find() - look up one frame
 * @resolver: names
 * @ret_addr: return address, as it stands in the image; 0 when hidden
 * @frame: filled in
 */
void kmprof_resolver_find(const struct kmprof_resolver *resolver, __u64 ret_addr,
			  struct kmprof_frame *frame);

/* Have the lines of a mapping's frames been looked up? */
bool kmprof_resolver_has_lines(const struct kmprof_resolver *resolver, size_t mapping);

/* Is a frame that was looked up in a module that was removed before the image was taken? */
bool kmprof_resolver_is_gone(const struct kmprof_resolver *resolver,
			     const struct kmprof_frame *frame);

/* Looks up the function or the variable that an address is in; returns whether there is one. */
bool kmprof_resolver_address(const struct kmprof_resolver *resolver, __u64 address,
			     struct kmprof_symbol *symbol);

/* Looks up the variable that a lock is, or is in; returns whether there is one. */
bool kmprof_resolver_lock(const struct kmprof_resolver *resolver, __u64 lock,
			  struct kmprof_symbol *symbol);

#endif
