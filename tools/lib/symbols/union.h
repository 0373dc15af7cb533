/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The frames of two images as frames of one, for stacks that are to be compared.
 *
 * One function has two addresses in two images if the kernel was booted in between, or the module
 * was loaded anew or removed. So a frame is known by its module, the build of it, its function and
 * its offset in there. Each gets a united address, which nothing has in a kernel, and a resolver
 * that knows the names of these.
 */
#ifndef KMPROF_SYMBOLS_UNION_H
#define KMPROF_SYMBOLS_UNION_H

#include "symbols/resolver.h"
#include "symbols/union_modules.h"

/**
 * struct kmprof_union - the union of two images' names
 * @resolver: names of united addresses, after kmprof_union_finish()
 * @by_function: neither builds nor offsets tell frames apart
 * @one_boot: whether addresses without a name can be compared
 * @same_kernel: both kernels are of one build, so that the place of a function tells it from
 *	others of its name
 * @unnamed: frames without a name, of either image
 * @names: the names of each image
 * @module_of: of each image, the number of the module of each of its mappings
 * @modules: the modules of both
 * @nowhere: the number of the module of frames that are in no mapping
 * @functions: the number of the symbol of each function, by module, place and name
 * @symbols: struct kmprof_image_symbol
 * @strings: of modules and symbols
 * @tables: modules and symbols as @image has them
 * @image: for @resolver
 */
struct kmprof_union {
	struct kmprof_resolver resolver;
	bool by_function;
	bool one_boot;
	bool same_kernel;
	size_t unnamed;
	const struct kmprof_resolver *names[KMPROF_UNION_SIDES];
	__u32 *module_of[KMPROF_UNION_SIDES];
	struct kmprof_union_modules modules;
	__u32 nowhere;
	struct kmprof_intern functions;
	struct kmprof_growing symbols;
	struct kmprof_growing strings;
	struct kmprof_growing tables;
	struct kmprof_image image;
};

/**
 * kmprof_union_init() - start with the modules of both images
 * @u: filled in, with @by_function; released by kmprof_union_release() in any case
 * @a: names of one image; they stay
 * @b: names of the other one
 * @one_boot: both are of one boot
 * @by_function: compare functions by their names alone
 *
 * A module without a build id is taken for one of the same name.
 *
 * Return: 0; -ENOMEM; -E2BIG when there are too many modules.
 */
int kmprof_union_init(struct kmprof_union *u, const struct kmprof_resolver *a,
		      const struct kmprof_resolver *b, bool one_boot, bool by_function);
void kmprof_union_release(struct kmprof_union *u);

/**
 * kmprof_union_address() - the united address of a frame
 * @u: the union, not finished yet
 * @side: the image that the frame is of
 * @ret_addr: return address, as it stands in that image; 0 when hidden
 * @united: the return address in the union; 0 when hidden
 *
 * Return: 0; -ENOMEM; -E2BIG when there are too many functions.
 */
int kmprof_union_address(struct kmprof_union *u, unsigned int side, __u64 ret_addr,
			 __u64 *united);

/**
 * kmprof_union_finish() - make the resolver
 * @u: the union; from now on, no address can be added
 * @err: explanation
 *
 * Return: 0 or a negative errno.
 */
int kmprof_union_finish(struct kmprof_union *u, struct kmprof_error *err);

/* Is a frame that @u's resolver has found bare, and its symbol's name the address it had? */
bool kmprof_union_is_bare(const struct kmprof_frame *frame);

/**
 * kmprof_union_notes() - say what was assumed of modules, and which are of two builds
 * @u: the union, with all addresses
 * @notes: the lines are added here
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_union_notes(const struct kmprof_union *u, struct kmprof_lines *notes);

#endif
