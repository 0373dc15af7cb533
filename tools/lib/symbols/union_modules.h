/* SPDX-License-Identifier: GPL-2.0 */
/* The modules of two images, the kernel among them, as one list: of a union (symbols/union.h). */
#ifndef KMPROF_SYMBOLS_UNION_MODULES_H
#define KMPROF_SYMBOLS_UNION_MODULES_H

#include "symbols/mappings.h"
#include "util/growing.h"
#include "util/intern.h"
#include "util/lines.h"

/* Images that are united. */
enum { KMPROF_UNION_A, KMPROF_UNION_B, KMPROF_UNION_SIDES };

/* So many modules at most have a place in a united address. */
#define KMPROF_UNION_MODULE_BITS	18

/**
 * struct kmprof_union_module - a module of either image
 * @name: string, as of a mapping
 * @build: string: build id, or "" if it is not known
 * @functions: how many there are; counted by the user
 * @is_blind: of which images it stands for a module whose build is not known
 * @is_used: which images have frames in it; set by the user
 */
struct kmprof_union_module {
	__u32 name;
	__u32 build;
	__u32 functions;
	bool is_blind[KMPROF_UNION_SIDES];
	bool is_used[KMPROF_UNION_SIDES];
};

/**
 * struct kmprof_union_modules - all of them
 * @modules: struct kmprof_union_module
 * @strings: of these
 * @builds: the number of each by name and build
 * @names: names of modules
 * @first: the number of the first module of each name
 */
struct kmprof_union_modules {
	struct kmprof_growing modules;
	struct kmprof_growing strings;
	struct kmprof_intern builds;
	struct kmprof_intern names;
	struct kmprof_growing first;
};

static inline struct kmprof_union_module *
kmprof_union_module(const struct kmprof_union_modules *m, size_t i)
{
	return (struct kmprof_union_module *)m->modules.bytes + i;
}

static inline size_t kmprof_union_nr_modules(const struct kmprof_union_modules *m)
{
	return m->modules.used / sizeof(struct kmprof_union_module);
}

static inline const char *kmprof_union_string(const struct kmprof_union_modules *m, __u32 at)
{
	return m->strings.bytes + at;
}

/**
 * kmprof_union_modules_init() - unite the modules of two images
 * @m: all 0; filled in; released by kmprof_union_modules_release() in any case
 * @mappings: the modules of each image
 * @module_of: of each image, filled in: for each of its mappings the number of the module
 * @by_name: leave out what is known of builds
 *
 * Modules of one name and build are one. One whose build is not known is taken for the first of
 * its name.
 *
 * Return: 0; -ENOMEM; -E2BIG when there are too many.
 */
int kmprof_union_modules_init(struct kmprof_union_modules *m,
			      const struct kmprof_mappings *const mappings[KMPROF_UNION_SIDES],
			      __u32 *const module_of[KMPROF_UNION_SIDES], bool by_name);
void kmprof_union_modules_release(struct kmprof_union_modules *m);

/* *@module: the number of the module of that name and build, a new one if there is none. */
int kmprof_union_modules_find(struct kmprof_union_modules *m, const char *name, const char *build,
			      __u32 *module);

/**
 * kmprof_union_modules_notes() - say which modules are of two builds, and what was assumed
 * @m: the modules, with what is used of them
 * @notes: the lines are added here
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_union_modules_notes(const struct kmprof_union_modules *m, struct kmprof_lines *notes);

#endif
