/* SPDX-License-Identifier: GPL-2.0 */
/* Where files with debug information are: of the user, of packages, of servers. */
#ifndef KMPROF_DEBUGINFO_SEARCH_H
#define KMPROF_DEBUGINFO_SEARCH_H

#include "debuginfo/object.h"
#include "util/lines.h"

/**
 * struct kmprof_debuginfo_options - what the user wants
 * @is_wanted: lines are to be looked up
 * @paths: files and directories that are looked at first
 */
struct kmprof_debuginfo_options {
	bool is_wanted;
	struct kmprof_lines paths;
};

/**
 * struct kmprof_wanted - a build whose debug information is wanted
 * @name: of the module; NULL: it is the kernel
 * @build_id: hex digits
 * @is_sampled: it is looked for; else it is only known
 * @object: what was found, or NULL
 * @why: why nothing was found, to be freed; NULL: there was no file
 */
struct kmprof_wanted {
	const char *name;
	const char *build_id;
	bool is_sampled;
	struct kmprof_object *object;
	char *why;
};

/**
 * kmprof_search() - find the files
 * @wanted: the builds; @object and @why are filled in
 * @nr: how many
 * @options: where to look first
 * @err: explanation
 *
 * A file that the user has named has to be of one of the builds, sampled or not. Any other file
 * that is not is passed over.
 *
 * Return: 0, also if nothing is found; or a negative errno.
 */
int kmprof_search(struct kmprof_wanted *wanted, size_t nr,
		  const struct kmprof_debuginfo_options *options, struct kmprof_error *err);

#endif
